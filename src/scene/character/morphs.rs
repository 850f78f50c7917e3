//! Morph targets of the built-in character: swellings, each around a vertex of its own.

use glam::Vec3;
use rayon::prelude::*;

use crate::scene::{Mesh, MorphTarget};

/// How far a target reaches, metres: beyond, nothing moves.
const REACH: f32 = 0.12;
/// How far it swells, metres.
const HEIGHT: f32 = 0.03;

/// `count` targets, their centres spread evenly over the vertices.
pub(super) fn targets(mesh: &Mesh, count: usize) -> Vec<MorphTarget> {
    let vertices = mesh.vertex_count();
    let centre =
        |target: usize| Vec3::from(mesh.positions[(2 * target + 1) * vertices / (2 * count)]);
    (0..count)
        .into_par_iter()
        .map(|target| swelling(mesh, centre(target)))
        .collect()
}

/// Vertices within reach move along their normals, most in the middle; normals lean outwards and
/// tangents with them, roughly as the surface does.
fn swelling(mesh: &Mesh, centre: Vec3) -> MorphTarget {
    let count = mesh.vertex_count();
    let mut target = MorphTarget {
        positions: vec![[0.0; 3]; count],
        normals: vec![[0.0; 3]; count],
        tangents: vec![[0.0; 3]; count],
    };
    for vertex in 0..count {
        let away = Vec3::from(mesh.positions[vertex]) - centre;
        let share = 1.0 - away.length() / REACH;
        if share <= 0.0 {
            continue;
        }
        let normal = Vec3::from(mesh.normals[vertex]);
        let [x, y, z, _] = mesh.tangents[vertex];
        let lean = away / REACH * share;
        target.positions[vertex] = (normal * HEIGHT * share * share).to_array();
        target.normals[vertex] = lean.to_array();
        target.tangents[vertex] = (normal * -lean.dot(Vec3::new(x, y, z))).to_array();
    }
    target
}
