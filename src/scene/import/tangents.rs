//! Tangents where the file has none: MikkTSpace, its corners averaged per vertex.

use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// Corners that may share one point. MikkTSpace compares them pair by pair and recurses over them,
/// so that a file with very many could hold the import up or exhaust the stack.
const MOST_CORNERS: usize = 4096;

/// The surface that tangents are made for. All lists have one entry a vertex, normals are unit.
pub(super) struct Surface<'a> {
    pub positions: &'a [[f32; 3]],
    pub normals: &'a [[f32; 3]],
    pub triangles: &'a [[u32; 3]],
    /// TEXCOORD_0, where the file has it.
    pub uvs: Option<&'a [[f32; 2]]>,
}

/// Unit tangents with handedness in w, one a vertex.
///
/// With texture coordinates: MikkTSpace tangents of all corners of a vertex, added, made
/// perpendicular to the normal and normalised, with the handedness of most corners. Its sign is negated, because glTF's V axis points down and
/// MikkTSpace's up. Without texture coordinates, and at vertices where they give no direction: any
/// unit vector perpendicular to the normal, handedness +1.
pub(super) fn make(surface: &Surface) -> Vec<[f32; 4]> {
    let sums = surface
        .uvs
        .and_then(|uvs| corner_sums(surface, uvs))
        .unwrap_or_default();
    let tangent = |(vertex, normal): (usize, &[f32; 3])| {
        let sum = sums.get(vertex).copied().unwrap_or_default();
        let along = Vec3::from(*normal).as_dvec3();
        // The crate leaves (1, 0, 0) at corners that it can say nothing about.
        match (sum.tangent - along * along.dot(sum.tangent)).try_normalize() {
            Some(unit) => unit.as_vec3().extend(sum.sign()).to_array(),
            None => Vec3::from(perpendicular(*normal)).extend(1.0).to_array(),
        }
    };
    surface.normals.iter().enumerate().map(tangent).collect()
}

/// Some unit vector perpendicular to a unit `normal`: the axis furthest from it, made perpendicular.
pub(super) fn perpendicular(normal: [f32; 3]) -> [f32; 3] {
    let normal = Vec3::from(normal).as_dvec3();
    let [x, y, z] = normal.abs().to_array();
    let axis = if x <= y && x <= z {
        DVec3::X
    } else if y <= z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    (axis - normal * normal.dot(axis))
        .normalize_or(axis)
        .as_vec3()
        .to_array()
}

/// What the corners of one vertex add up to.
#[derive(Clone, Copy, Default)]
struct CornerSum {
    tangent: DVec3,
    /// Corners with handedness +1 less those with −1, in glTF's sense.
    balance: i64,
}

impl CornerSum {
    /// The handedness of most corners.
    fn sign(self) -> f32 {
        if self.balance < 0 { -1.0 } else { 1.0 }
    }
}

/// The MikkTSpace tangents of each vertex's corners, added; `None` where it cannot be run.
fn corner_sums(surface: &Surface, uvs: &[[f32; 2]]) -> Option<Vec<CornerSum>> {
    let scale = moderate_scale(surface.positions);
    let positions: Vec<_> = surface
        .positions
        .iter()
        .map(|p| p.map(|x| x * scale))
        .collect();
    // Triangles with coinciding corners give no direction, and the crate panics on a surface of
    // nothing else.
    let at = |vertex: u32| positions[vertex as usize];
    let distinct =
        |t: &&[u32; 3]| at(t[0]) != at(t[1]) && at(t[1]) != at(t[2]) && at(t[2]) != at(t[0]);
    let triangles: Vec<_> = surface.triangles.iter().filter(distinct).copied().collect();
    if triangles.is_empty() || most_corners_at_a_point(&positions, &triangles) > MOST_CORNERS {
        return None;
    }
    let sums = vec![CornerSum::default(); positions.len()];
    let mut corners = Corners {
        positions,
        normals: surface.normals,
        uvs,
        triangles,
        sums,
    };
    mikktspace::generate_tangents(&mut corners).then_some(corners.sums)
}

/// The largest number of corners at one position.
fn most_corners_at_a_point(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> usize {
    let mut corners: HashMap<[u32; 3], usize> = HashMap::new();
    for vertex in triangles.as_flattened() {
        // Adding zero makes −0 and +0, which compare equal, one key.
        let key = positions[*vertex as usize].map(|x| (x + 0.0).to_bits());
        *corners.entry(key).or_default() += 1;
    }
    corners.into_values().max().unwrap_or(0)
}

/// A factor that keeps squares of distances within f32: 1 for every sensible model, else a power of
/// two, which changes no direction.
fn moderate_scale(positions: &[[f32; 3]]) -> f32 {
    let largest = positions
        .as_flattened()
        .iter()
        .fold(0.0_f32, |most, x| most.max(x.abs()));
    if (1e-9..1e9).contains(&largest) || largest < f32::MIN_POSITIVE {
        return 1.0;
    }
    (-largest.log2().floor()).clamp(-126.0, 126.0).exp2()
}

/// What MikkTSpace reads from and writes to.
struct Corners<'a> {
    positions: Vec<[f32; 3]>,
    normals: &'a [[f32; 3]],
    uvs: &'a [[f32; 2]],
    triangles: Vec<[u32; 3]>,
    sums: Vec<CornerSum>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.triangles[face][corner] as usize
    }
}

impl mikktspace::Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.positions[self.vertex(face, corner)]
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)]
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.uvs[self.vertex(face, corner)]
    }

    fn set_tangent_encoded(&mut self, tangent: [f32; 4], face: usize, corner: usize) {
        let vertex = self.vertex(face, corner);
        let [x, y, z, sign] = tangent;
        let direction = Vec3::new(x, y, z).as_dvec3();
        if direction.is_finite() {
            self.sums[vertex].tangent += direction;
            self.sums[vertex].balance += if sign > 0.0 { -1 } else { 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUAD: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    const FACES: [[u32; 3]; 2] = [[0, 1, 2], [1, 3, 2]];

    fn quad_tangents(uvs: Option<&[[f32; 2]]>) -> Vec<[f32; 4]> {
        let normals = [[0.0, 0.0, 1.0]; 4];
        make(&Surface {
            positions: &QUAD,
            normals: &normals,
            triangles: &FACES,
            uvs,
        })
    }

    #[test]
    fn tangents_follow_u_and_v_points_down() {
        // U grows along +X and V, as glTF has it, along −Y: the bitangent cross(n, t)·w is +Y.
        let uvs = QUAD.map(|[x, y, _]| [x, 1.0 - y]);
        assert_eq!(quad_tangents(Some(&uvs)), [[1.0, 0.0, 0.0, 1.0]; 4]);
        let mirrored = QUAD.map(|[x, y, _]| [1.0 - x, 1.0 - y]);
        assert_eq!(quad_tangents(Some(&mirrored)), [[-1.0, 0.0, 0.0, -1.0]; 4]);
    }

    #[test]
    fn without_a_direction_any_perpendicular_vector_will_do() {
        for uvs in [
            None,
            Some([[0.5, 0.5]; 4].as_slice()),
            Some([[f32::MAX, 0.0]; 4].as_slice()),
        ] {
            for [x, y, z, w] in quad_tangents(uvs) {
                assert_eq!((z, w), (0.0, 1.0), "perpendicular to +Z");
                assert_eq!(x * x + y * y, 1.0);
            }
        }
    }

    #[test]
    fn perpendicular_is_unit_and_perpendicular() {
        for normal in [
            [1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.6, 0.0, 0.8],
            [0.0, 0.28, -0.96],
        ] {
            let tangent = Vec3::from(perpendicular(normal)).as_dvec3();
            let normal = Vec3::from(normal).as_dvec3();
            // The normal itself is off unit length by its three roundings to f32, the tangent too:
            // at most 3·2⁻²⁴ each in length and in the product.
            let tol = 6.0 * 2.0_f64.powi(-24);
            assert!((tangent.length() - 1.0).abs() <= tol);
            assert!(tangent.dot(normal).abs() <= tol);
        }
    }

    #[test]
    fn surfaces_that_the_crate_cannot_take_do_not_panic() {
        let normals = vec![[0.0, 0.0, 1.0]; 9000];
        let uvs: Vec<_> = (0..9000_u16).map(|i| [f32::from(i), 0.0]).collect();
        let hub: Vec<_> = (1..8999).map(|i| [0, i, i + 1]).collect();
        let spread: Vec<_> = (0..9000_u16)
            .map(|i| [f32::from(i), f32::from(i % 7), 0.0])
            .collect();
        let same = vec![[1.0; 3]; 9000];
        let mut mixed = vec![[0.0, 1e-20, 0.0]; 9000];
        mixed[0] = [f32::MAX; 3];
        mixed[2] = [1e-20, 0.0, 0.0];
        for positions in [&spread, &same, &mixed] {
            let surface = Surface {
                positions,
                normals: &normals,
                triangles: &hub,
                uvs: Some(&uvs),
            };
            assert_eq!(make(&surface).len(), 9000);
        }
    }
}
