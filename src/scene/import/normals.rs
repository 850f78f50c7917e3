//! Normals: made where the file has none, mended where they are unusable.

use glam::{DVec3, Vec3};

/// How far a stored vector may be from unit length: glTF-Validator's own limit for vectors of three
/// numbers, which lets every quantised unit vector pass.
const UNIT_TOLERANCE: f32 = 0.00674;

/// Area-weighted unit normals, one a vertex.
///
/// Each vertex gets the sum of the cross products of the triangles that use it, normalised: twice
/// the area is the length of a cross product, so the sum weighs by area. Summed in f64 and rounded
/// once. Where nothing or only degenerate triangles use a vertex the normal is +Z.
pub(super) fn area_weighted(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    let at = |vertex: u32| Vec3::from(positions[vertex as usize]).as_dvec3();
    for triangle in triangles {
        let [a, b, c] = triangle.map(at);
        let normal = (b - a).cross(c - a);
        for vertex in triangle {
            sums[*vertex as usize] += normal;
        }
    }
    sums.into_iter()
        .map(|sum| sum.normalize_or(DVec3::Z).as_vec3().to_array())
        .collect()
}

/// Brings stored vectors to unit length where they are beyond the tolerance; those too short to
/// have a direction become what `fallback` gives for their index. How many were changed.
pub(super) fn mend(vectors: &mut [[f32; 3]], fallback: impl Fn(usize) -> [f32; 3]) -> usize {
    let mut changed = 0;
    for (index, vector) in vectors.iter_mut().enumerate() {
        let stored = Vec3::from(*vector).as_dvec3();
        if (stored.length() - 1.0).abs() <= f64::from(UNIT_TOLERANCE) {
            continue;
        }
        changed += 1;
        *vector = match stored.try_normalize() {
            Some(unit) => unit.as_vec3().to_array(),
            None => fallback(index),
        };
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_triangle_weighs_more() {
        // At vertex 0 a triangle of area 2 faces +Z and one of area 1/2 faces +X: (1/2, 0, 2) before
        // it is normalised.
        let positions = [
            [0.0; 3],
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        let normals = area_weighted(&positions, &[[0, 1, 2], [0, 3, 4]]);
        let length = 4.25_f64.sqrt();
        let expected = [(0.5 / length) as f32, 0.0, (2.0 / length) as f32];
        // One rounding of each f64 result to f32.
        for (got, want) in normals[0].iter().zip(expected) {
            assert!((got - want).abs() <= f32::EPSILON, "{normals:?}");
        }
        assert_eq!(normals[1], [0.0, 0.0, 1.0]);
        assert_eq!(normals[3], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn degenerate_and_unused_vertices_face_z() {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [5.0; 3]];
        assert_eq!(
            area_weighted(&positions, &[[0, 1, 2]]),
            [[0.0, 0.0, 1.0]; 4]
        );
    }

    #[test]
    fn huge_and_tiny_triangles_have_normals() {
        for size in [1e-30_f32, 1e38] {
            let positions = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]];
            assert_eq!(
                area_weighted(&positions, &[[0, 1, 2]]),
                [[0.0, 0.0, 1.0]; 3]
            );
        }
    }

    #[test]
    fn only_vectors_off_unit_length_are_mended() {
        let stored = [1.0 / 127.0, 0.0, 1.0];
        let mut vectors = [stored, [0.0, 3.0, 0.0], [0.0; 3]];
        assert_eq!(mend(&mut vectors, |_| [1.0, 0.0, 0.0]), 2);
        assert_eq!(vectors, [stored, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
    }
}
