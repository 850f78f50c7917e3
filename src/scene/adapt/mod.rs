//! A character as a case wants it: weights quantised, influences sorted, vertices or triangles in
//! another order, skins cut into small ones. What comes out is a scene like any other.

mod order;
mod partition;
mod weights;

use std::sync::Arc;

use crate::plan::{Case, IndexOrder, InfluenceLoop, WeightFormat};
use crate::scene::{Mesh, Scene};

pub use order::{InfluenceClass, influence_classes, optimise_triangles};
pub use weights::{most, quantise};

/// What is to be done to a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Adaptation {
    /// How weights are stored.
    pub weights: WeightFormat,
    /// How influences are looped over.
    pub influence_loop: InfluenceLoop,
    /// The order of triangles.
    pub index_order: IndexOrder,
    /// The most joints a skin may have.
    pub most_joints: Option<u32>,
}

/// Joints of a part of a skin under `partition=on`: what the smallest uniform array holds.
pub const PARTITION_JOINTS: u32 = 64;

impl Adaptation {
    /// What a case asks for.
    pub fn of(case: &Case) -> Self {
        Self {
            weights: case.weight_format(),
            influence_loop: case.influence_loop(),
            index_order: case.index_order(),
            most_joints: case.partition().then_some(PARTITION_JOINTS),
        }
    }

    fn is_nothing(&self) -> bool {
        self.weights == WeightFormat::F32
            && self.influence_loop == InfluenceLoop::Fixed
            && self.index_order == IndexOrder::Optimised
            && self.most_joints.is_none()
    }
}

/// An adapted scene.
#[derive(Clone, Debug)]
pub struct Adapted {
    /// The scene.
    pub scene: Arc<Scene>,
    /// What it was.
    pub original: Arc<Scene>,
    /// For each vertex of the character as it was, item after item, which vertex it is now; `None`
    /// where they lie as they did.
    pub origin: Option<Arc<Vec<u32>>>,
}

impl Adapted {
    /// Vertices of `instances` copies of the adapted scene, `width` numbers each, in the order of the
    /// original.
    pub fn in_original_order(
        &self,
        vertices: Vec<f32>,
        width: usize,
        instances: usize,
    ) -> Vec<f32> {
        let Some(origin) = &self.origin else {
            return vertices;
        };
        let one = vertices.len() / instances.max(1);
        let copy = |copy: usize| {
            let all = &vertices[copy * one..(copy + 1) * one];
            let of = move |at: &u32| all[*at as usize * width..(*at as usize + 1) * width].iter();
            origin.iter().flat_map(of).copied()
        };
        (0..instances).flat_map(copy).collect()
    }
}

/// `scene` as `wanted`; the same scene where nothing is to be done.
pub fn adapt(scene: &Arc<Scene>, wanted: &Adaptation) -> Adapted {
    if wanted.is_nothing() {
        return Adapted {
            scene: Arc::clone(scene),
            original: Arc::clone(scene),
            origin: None,
        };
    }
    let mut origin: Option<Vec<u32>> = None;
    let mut changed = (**scene).clone();
    for mesh in &mut changed.meshes {
        weights::quantise_mesh(mesh, wanted.weights);
    }
    if wanted.influence_loop == InfluenceLoop::EarlyOut {
        changed.meshes.iter_mut().for_each(order::sort_influences);
    }
    if wanted.index_order == IndexOrder::Shuffled {
        changed.meshes.iter_mut().for_each(order::shuffle_triangles);
    }
    if let Some(most) = wanted.most_joints
        && let Some((parts, moved)) = partition::partition(&changed, most as usize)
    {
        (changed, origin) = (parts, Some(moved));
    }
    // Last, since cutting puts vertices into another order.
    if wanted.influence_loop == InfluenceLoop::Partitioned {
        let moved = order::by_influences(&mut changed);
        origin = Some(match origin {
            Some(before) => before.iter().map(|at| moved[*at as usize]).collect(),
            None => moved,
        });
    }
    Adapted {
        scene: Arc::new(changed),
        original: Arc::clone(scene),
        origin: origin.map(Arc::new),
    }
}

/// Slots of a vertex with a weight.
fn used_slots(mesh: &Mesh, vertex: usize) -> usize {
    let slots = vertex * mesh.influences..(vertex + 1) * mesh.influences;
    mesh.weights[slots].iter().filter(|w| **w != 0.0).count()
}

#[cfg(test)]
mod tests;
