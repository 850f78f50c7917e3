//! Triangles of a primitive, whatever its topology.

use crate::scene::Topology;

/// The triangles that `indices` draw under `topology`, in drawing order, front faces
/// counter-clockwise.
///
/// Strips and fans are expanded as glTF 2.0 section 3.7.2.1 says: triangle i of a strip is
/// (i, i+1+i%2, i+2−i%2), of a fan (i+1, i+2, 0). Degenerate triangles stay, so that the count is
/// the number of triangles drawn; indices left over are dropped. Points and lines have none.
pub fn triangles(topology: Topology, indices: &[u32]) -> Vec<[u32; 3]> {
    match topology {
        Topology::Triangles => indices.as_chunks::<3>().0.to_vec(),
        Topology::TriangleStrip => indices.windows(3).enumerate().map(strip_triangle).collect(),
        Topology::TriangleFan => fan_triangles(indices),
        Topology::Points | Topology::Lines | Topology::LineLoop | Topology::LineStrip => Vec::new(),
    }
}

/// Triangle `i` of a strip: every other one swaps two corners to keep the winding.
fn strip_triangle((i, corners): (usize, &[u32])) -> [u32; 3] {
    if i.is_multiple_of(2) {
        [corners[0], corners[1], corners[2]]
    } else {
        [corners[0], corners[2], corners[1]]
    }
}

/// All triangles of a fan around the first index.
fn fan_triangles(indices: &[u32]) -> Vec<[u32; 3]> {
    let Some((&hub, rim)) = indices.split_first() else {
        return Vec::new();
    };
    rim.windows(2).map(|edge| [edge[0], edge[1], hub]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_keep_the_winding() {
        let strip = triangles(Topology::TriangleStrip, &[0, 1, 2, 3, 4]);
        assert_eq!(strip, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    }

    #[test]
    fn fans_turn_around_the_first_index() {
        assert_eq!(
            triangles(Topology::TriangleFan, &[7, 1, 2, 3]),
            [[1, 2, 7], [2, 3, 7]]
        );
    }

    #[test]
    fn lists_drop_what_is_left_over() {
        assert_eq!(
            triangles(Topology::Triangles, &[5, 4, 3, 2, 1]),
            [[5, 4, 3]]
        );
    }

    #[test]
    fn too_few_indices_and_lines_give_none() {
        for topology in [
            Topology::Triangles,
            Topology::TriangleStrip,
            Topology::TriangleFan,
        ] {
            assert!(triangles(topology, &[]).is_empty());
            assert!(triangles(topology, &[0, 1]).is_empty());
        }
        assert!(triangles(Topology::Lines, &[0, 1, 2]).is_empty());
    }
}
