//! The CPU twin of the deforming kernels: the same operations in the same order, in scalar f32.

use glam::{Vec3, Vec4};

use crate::math::normal::cofactor;
use crate::scene::{Mesh, Scene};

use super::palette::{PoseLayout, ROWS_PER_JOINT};

/// Squared length that a deformed direction must exceed, else the bind-pose one is kept.
pub const SMALLEST_LENGTH_SQUARED: f32 = 1e-30;

/// What deforms the vertices of one item in one instance.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The bind-pose mesh.
    pub mesh: &'a Mesh,
    /// The rows of the item's palette, three a joint, as uploaded.
    pub rows: &'a [[f32; 4]],
    /// The item's morph weights, one a target, as uploaded.
    pub morph_weights: &'a [f32],
}

impl<'a> Source<'a> {
    /// What deforms `item` in `instance`. `blocks` holds one block an instance, or a single one
    /// that all instances share.
    pub fn of(
        scene: &'a Scene,
        layout: &PoseLayout,
        blocks: &'a [[f32; 4]],
        instance: usize,
        item: usize,
    ) -> Self {
        let shared = blocks.len() < 2 * layout.stride;
        let start = if shared { 0 } else { instance * layout.stride };
        let block = &blocks[start..start + layout.stride];
        Self {
            mesh: &scene.meshes[scene.items[item].mesh],
            rows: layout.rows(scene, block, scene.items[item].palette),
            morph_weights: layout.morph_weights(scene, block, item),
        }
    }
}

/// One deformed vertex in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deformed {
    /// Position.
    pub position: Vec3,
    /// Unit normal; zero where the mesh has none.
    pub normal: Vec3,
    /// Unit tangent with handedness in w; zero where the mesh has none.
    pub tangent: Vec4,
}

/// Deforms vertex `index`: morph targets first, then linear blend skinning with the cofactor rule
/// for normals.
///
/// With a negative determinant the normal is turned, so that it points out of the mirrored surface
/// as M⁻ᵀ·n does, and the handedness changes sign, so that w·(n × t) stays the image of the bitangent.
pub fn deform_vertex(source: &Source<'_>, index: usize) -> Deformed {
    let morphed = morph_vertex(source, index);
    let rows = blend_rows(source, index);
    let linear = rows.map(Vec4::truncate);
    let cofactors = cofactor(linear);
    let sign = if linear[0].dot(cofactors[0]) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let bind = bind_vertex(source.mesh, index);
    let apply =
        |rows: [Vec3; 3], v: Vec3| Vec3::new(rows[0].dot(v), rows[1].dot(v), rows[2].dot(v));
    let offset = Vec3::new(rows[0].w, rows[1].w, rows[2].w);
    let tangent = normalise_or(
        apply(linear, morphed.tangent.truncate()),
        bind.tangent.truncate(),
    );
    Deformed {
        position: apply(linear, morphed.position) + offset,
        normal: normalise_or(sign * apply(cofactors, morphed.normal), bind.normal),
        tangent: tangent.extend(sign * bind.tangent.w),
    }
}

/// The vertex as the mesh stores it.
pub fn bind_vertex(mesh: &Mesh, index: usize) -> Deformed {
    Deformed {
        position: mesh.positions[index].into(),
        normal: mesh.normals.get(index).copied().unwrap_or_default().into(),
        tangent: mesh.tangents.get(index).copied().unwrap_or_default().into(),
    }
}

/// The bind-pose vertex plus its weighted displacements, target after target.
pub fn morph_vertex(source: &Source<'_>, index: usize) -> Deformed {
    let mut out = bind_vertex(source.mesh, index);
    let delta = |list: &[[f32; 3]]| Vec3::from(list.get(index).copied().unwrap_or_default());
    for (target, &weight) in source.mesh.morph_targets.iter().zip(source.morph_weights) {
        out.position += weight * delta(&target.positions);
        out.normal += weight * delta(&target.normals);
        out.tangent += (weight * delta(&target.tangents)).extend(0.0);
    }
    out
}

/// Σ wᵢ · rows of joint i, slot 0 first; joint 0 with weight 1 for an unskinned mesh.
fn blend_rows(source: &Source<'_>, index: usize) -> [Vec4; ROWS_PER_JOINT] {
    let mesh = source.mesh;
    let row =
        |joint: u16, r: usize| Vec4::from(source.rows[ROWS_PER_JOINT * usize::from(joint) + r]);
    if mesh.influences == 0 {
        return [0, 1, 2].map(|r| row(0, r));
    }
    let slots = index * mesh.influences..(index + 1) * mesh.influences;
    let (joints, weights) = (&mesh.joints[slots.clone()], &mesh.weights[slots]);
    let mut out = [0, 1, 2].map(|r| weights[0] * row(joints[0], r));
    for (&joint, &weight) in joints.iter().zip(weights).skip(1) {
        for (r, blended) in out.iter_mut().enumerate() {
            *blended += weight * row(joint, r);
        }
    }
    out
}

fn normalise_or(v: Vec3, fallback: Vec3) -> Vec3 {
    let squared = v.dot(v);
    if squared > SMALLEST_LENGTH_SQUARED {
        v * (1.0 / squared.sqrt())
    } else {
        fallback
    }
}
