//! How deformed vertices lie in memory.

use std::ops::Range;

use crate::scene::Scene;

/// What is deformed and written for each vertex; the axis `attributes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attributes {
    /// `p`: positions.
    P,
    /// `pn`: positions and normals.
    Pn,
    /// `pnt`: positions, normals and tangents with handedness.
    Pnt,
}

impl Attributes {
    /// Numbers a vertex: `[px py pz] [nx ny nz] [tx ty tz tw]`, as far as they go.
    pub fn floats(self) -> usize {
        match self {
            Self::P => 3,
            Self::Pn => 6,
            Self::Pnt => 10,
        }
    }
}

/// Where each item's deformed vertices lie: instance after instance, in each item after item, in
/// each the vertices in accessor order, interleaved.
///
/// Items whose mesh has no normals or tangents hold zeros there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLayout {
    /// What each vertex holds.
    pub attributes: Attributes,
    /// First vertex of each item within its instance.
    pub first_vertices: Vec<usize>,
    /// Vertices of one instance, all items together.
    pub vertices_per_instance: usize,
}

impl OutputLayout {
    /// The layout of `scene`'s items.
    pub fn new(scene: &Scene, attributes: Attributes) -> Self {
        let mut next = 0;
        let first_vertices = scene
            .items
            .iter()
            .map(|item| {
                let first = next;
                next += scene.meshes[item.mesh].vertex_count();
                first
            })
            .collect();
        Self {
            attributes,
            first_vertices,
            vertices_per_instance: next,
        }
    }

    /// Numbers that `instances` instances take.
    pub fn floats(&self, instances: usize) -> usize {
        instances * self.vertices_per_instance * self.attributes.floats()
    }

    /// The vertices of one item in one instance, counted from the first of all.
    pub fn vertices(&self, instance: usize, item: usize) -> Range<usize> {
        let next = self.first_vertices.get(item + 1).copied();
        let start = instance * self.vertices_per_instance;
        start + self.first_vertices[item]..start + next.unwrap_or(self.vertices_per_instance)
    }
}
