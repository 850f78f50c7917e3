//! Local transforms to world transforms, parents first.

use glam::{Mat4, Vec4};

use super::{Local, Pose, Skeleton};

/// `matrix` with its last row replaced by (0, 0, 0, 1): the projective part of a node or of an
/// inverse bind matrix plays no part (glTF 2.0, 3.6.3 and 3.7.3 require it to be so).
pub fn affine(matrix: Mat4) -> Mat4 {
    let mut out = matrix;
    for (column, last) in [0.0, 0.0, 0.0, 1.0].into_iter().enumerate() {
        *out.col_mut(column) = Vec4::from((matrix.col(column).truncate(), last));
    }
    out
}

impl Local {
    /// T·R·S, or the matrix made affine.
    pub fn matrix(&self) -> Mat4 {
        match *self {
            Self::Trs {
                translation,
                rotation,
                scale,
            } => Mat4::from_scale_rotation_translation(scale, rotation, translation),
            Self::Matrix(matrix) => affine(matrix),
        }
    }
}

impl Skeleton {
    /// World transforms of all nodes into `out`, one a node; nothing is allocated where `out` has
    /// held them before.
    pub fn globals(&self, pose: &Pose, out: &mut Vec<Mat4>) {
        out.clear();
        for (node, local) in self.nodes.iter().zip(&pose.locals) {
            let local = local.matrix();
            let global = match node.parent {
                Some(parent) => out[parent] * local,
                None => local,
            };
            out.push(global);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;
    use glam::{Quat, Vec3};

    #[test]
    fn parents_come_first_and_projection_is_dropped() {
        let node = |parent, rest| Node {
            name: String::new(),
            gltf_node: 0,
            parent,
            rest,
        };
        let turn = Local::Trs {
            translation: Vec3::X,
            rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
            scale: Vec3::new(2.0, 1.0, 1.0),
        };
        let mut projective = Mat4::from_translation(Vec3::Y);
        *projective.col_mut(0) += Vec4::W * 9.0;
        let nodes = vec![node(None, turn), node(Some(0), Local::Matrix(projective))];
        let pose = Pose {
            locals: nodes.iter().map(|n| n.rest).collect(),
            morph_weights: vec![],
        };
        let mut globals = Vec::new();
        Skeleton { nodes }.globals(&pose, &mut globals);
        // Child's x axis: scaled by 2, turned to y; its origin: (0, 1) turned to (-1, 0), plus x.
        let tip = globals[1].transform_point3(Vec3::X);
        assert!((tip - Vec3::new(0.0, 2.0, 0.0)).length() <= 4e-7, "{tip}");
        assert_eq!(globals[1].row(3), Vec4::W);
    }
}
