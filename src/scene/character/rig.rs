//! The skeleton: a chain of joints along each part, the limbs' hanging on the trunk's.

use glam::{DMat4, DQuat, DVec3, Mat4, Vec3};

use super::body::Part;
use crate::scene::{Local, Node};

/// One joint in the bind pose.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Index of the parent joint, a lower one.
    pub parent: Option<usize>,
    /// Part whose chain it belongs to.
    pub part: usize,
    /// World position, metres.
    pub position: DVec3,
    /// World rotation: +Y runs along the part.
    pub rotation: DQuat,
}

/// All joints, parents before children, and the tree that they form.
pub(super) struct Rig {
    /// The joints; joint j is node j + 1 of the scene.
    pub joints: Vec<Joint>,
    /// Neighbours of each joint (parent and children), with distances.
    pub neighbours: Vec<Vec<(usize, f64)>>,
    /// First joint of each part; for a part without joints the one it hangs on.
    pub first: Vec<usize>,
}

impl Rig {
    /// The rig of `parts`, of which the first is the trunk and has a joint at least.
    pub fn new(parts: &[Part]) -> Self {
        let mut rig = Self {
            joints: Vec::new(),
            neighbours: Vec::new(),
            first: Vec::new(),
        };
        let trunk = parts[0].joints;
        for (index, part) in parts.iter().enumerate() {
            let anchor = part
                .attached
                .map(|at| ((at * trunk as f64) as usize).min(trunk - 1));
            rig.first.push(if part.joints == 0 {
                anchor.unwrap_or(0)
            } else {
                rig.joints.len()
            });
            rig.add_chain(index, part, anchor);
        }
        rig
    }

    fn add_chain(&mut self, index: usize, part: &Part, anchor: Option<usize>) {
        let rotation = DQuat::from_rotation_arc(DVec3::Y, part.direction());
        let mut parent = anchor;
        for i in 0..part.joints {
            let along = i as f64 / part.joints as f64;
            let position = part.base.lerp(part.tip, along);
            let distance = parent.map_or(0.0, |p| position.distance(self.joints[p].position));
            let joint = self.joints.len();
            self.joints.push(Joint {
                parent,
                part: index,
                position,
                rotation,
            });
            self.neighbours.push(Vec::new());
            if let Some(parent) = parent {
                self.neighbours[parent].push((joint, distance));
                self.neighbours[joint].push((parent, distance));
            }
            parent = Some(joint);
        }
    }

    /// Rest rotation and translation of a joint in its parent's space.
    pub fn local(&self, joint: usize) -> (DQuat, DVec3) {
        let Joint {
            parent,
            position,
            rotation,
            ..
        } = self.joints[joint];
        match parent.map(|parent| &self.joints[parent]) {
            None => (rotation, position),
            Some(parent) => {
                let to_parent = parent.rotation.inverse();
                (
                    to_parent * rotation,
                    to_parent * (position - parent.position),
                )
            }
        }
    }

    /// The joints as nodes 1 and on; node 0 is left to the mesh.
    pub fn nodes(&self, parts: &[Part]) -> Vec<Node> {
        let node = |(joint, description): (usize, &Joint)| {
            let (rotation, translation) = self.local(joint);
            let number = joint - self.first[description.part];
            Node {
                name: format!("{} {number}", parts[description.part].name),
                gltf_node: joint + 1,
                parent: description.parent.map(|parent| parent + 1),
                rest: Local::Trs {
                    translation: translation.as_vec3(),
                    rotation: rotation.normalize().as_quat(),
                    scale: Vec3::ONE,
                },
            }
        };
        self.joints.iter().enumerate().map(node).collect()
    }

    /// M⁻¹ of each joint, rounded once from f64.
    pub fn inverse_bind_matrices(&self) -> Vec<Mat4> {
        let inverse = |joint: &Joint| {
            DMat4::from_rotation_translation(joint.rotation, joint.position)
                .inverse()
                .as_mat4()
        };
        self.joints.iter().map(inverse).collect()
    }
}
