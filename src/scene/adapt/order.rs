//! Putting influences, vertices and triangles into another order.

use std::ops::Range;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use super::used_slots;
use crate::scene::import::triangles;
use crate::scene::{Mesh, Scene, Topology};

/// Numbers of influences that kernels are made for.
const CLASSES: [usize; 5] = [1, 2, 4, 8, 12];

/// Vertices that lie together and have no more than so many influences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfluenceClass {
    /// Slots that may have a weight; the rest have none.
    pub influences: usize,
    /// The vertices.
    pub vertices: Range<u32>,
}

/// The smallest class that holds `used` influences of a mesh with `slots`.
fn class_of(used: usize, slots: usize) -> usize {
    let found = CLASSES.into_iter().find(|class| *class >= used);
    found.unwrap_or(slots).min(slots)
}

/// Runs of vertices of one class, in the order in which they lie: few once they are sorted by class.
pub fn influence_classes(mesh: &Mesh) -> Vec<InfluenceClass> {
    let mut all: Vec<InfluenceClass> = Vec::new();
    if mesh.influences == 0 {
        return vec![InfluenceClass {
            influences: 1,
            vertices: 0..mesh.vertex_count() as u32,
        }];
    }
    for vertex in 0..mesh.vertex_count() {
        let influences = class_of(used_slots(mesh, vertex), mesh.influences);
        let vertex = vertex as u32;
        match all.last_mut() {
            Some(last) if last.influences == influences => last.vertices.end = vertex + 1,
            _ => all.push(InfluenceClass {
                influences,
                vertices: vertex..vertex + 1,
            }),
        }
    }
    all
}

/// Sorts the influences of every vertex by falling weight; equal ones keep their order.
pub(super) fn sort_influences(mesh: &mut Mesh) {
    if mesh.influences == 0 {
        return;
    }
    let joints = mesh.joints.chunks_mut(mesh.influences);
    for (joints, weights) in joints.zip(mesh.weights.chunks_mut(mesh.influences)) {
        let mut pairs: Vec<(u16, f32)> = joints
            .iter()
            .copied()
            .zip(weights.iter().copied())
            .collect();
        pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (at, (joint, weight)) in pairs.into_iter().enumerate() {
            (joints[at], weights[at]) = (joint, weight);
        }
    }
}

/// Sorts the vertices of every mesh by the class of their influences, and these by weight; gives for
/// each vertex of the character, item after item, where it went.
pub(super) fn by_influences(scene: &mut Scene) -> Vec<u32> {
    let moved: Vec<Vec<u32>> = scene.meshes.iter_mut().map(sort_vertices).collect();
    let mut origin = Vec::new();
    for item in &scene.items {
        let first = origin.len() as u32;
        origin.extend(moved[item.mesh].iter().map(|to| first + to));
    }
    origin
}

/// Sorts the vertices of a mesh; gives where each went.
fn sort_vertices(mesh: &mut Mesh) -> Vec<u32> {
    sort_influences(mesh);
    let count = mesh.vertex_count();
    let mut order: Vec<usize> = (0..count).collect();
    if mesh.influences > 0 {
        order.sort_by_key(|vertex| class_of(used_slots(mesh, *vertex), mesh.influences));
    }
    let mut moved = vec![0u32; count];
    for (to, from) in order.iter().enumerate() {
        moved[*from] = to as u32;
    }
    *mesh = picked(mesh, &order);
    for index in &mut mesh.indices {
        *index = moved[*index as usize];
    }
    moved
}

/// The mesh with the vertices `order` names, in that order; indices are left as they are.
pub(super) fn picked(mesh: &Mesh, order: &[usize]) -> Mesh {
    fn pick<T: Copy>(list: &[T], order: &[usize], width: usize) -> Vec<T> {
        if list.is_empty() {
            return Vec::new();
        }
        let of = |vertex: &usize| list[vertex * width..(vertex + 1) * width].iter().copied();
        order.iter().flat_map(of).collect()
    }
    let mut out = mesh.clone();
    out.positions = pick(&mesh.positions, order, 1);
    out.normals = pick(&mesh.normals, order, 1);
    out.tangents = pick(&mesh.tangents, order, 1);
    out.joints = pick(&mesh.joints, order, mesh.influences);
    out.weights = pick(&mesh.weights, order, mesh.influences);
    for target in &mut out.morph_targets {
        target.positions = pick(&target.positions, order, 1);
        target.normals = pick(&target.normals, order, 1);
        target.tangents = pick(&target.tangents, order, 1);
    }
    out
}

/// Puts the triangles of a mesh into an order in which vertices are soon used again (meshoptimizer's
/// vertex cache optimisation); vertices stay where they are.
pub fn optimise_triangles(mesh: &mut Mesh) {
    let all = triangles(mesh.topology, &mesh.indices);
    if all.is_empty() {
        return;
    }
    let indices: Vec<u32> = all.into_iter().flatten().collect();
    mesh.indices = meshopt::optimize_vertex_cache(&indices, mesh.vertex_count());
    mesh.topology = Topology::Triangles;
}

/// Puts the triangles of a mesh into a random order, the same each time: hardly a vertex is found in
/// a cache again.
pub(super) fn shuffle_triangles(mesh: &mut Mesh) {
    if !mesh.topology.has_surface() {
        return;
    }
    let mut all = triangles(mesh.topology, &mesh.indices);
    all.shuffle(&mut Pcg64::seed_from_u64(0));
    mesh.indices = all.into_iter().flatten().collect();
    mesh.topology = Topology::Triangles;
}
