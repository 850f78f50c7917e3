//! The CPU twin of the deforming kernels: the same operations in the same order, in scalar f32.

use glam::{Vec3, Vec4};

use crate::math::normal::cofactor;
use crate::plan::{MorphOrder, NormalMode};
use crate::scene::{Mesh, Scene};

use super::blend::{blended_normal_rows, blended_rows, is_flagged};
use super::palette::{PaletteReader, PoseLayout};
use super::variant::Variant;

/// Squared length that a deformed direction must exceed, else the bind-pose one is kept.
pub const SMALLEST_LENGTH_SQUARED: f32 = 1e-30;
/// Squared length that it must not reach, likewise.
pub const LARGEST_LENGTH_SQUARED: f32 = 1e30;

/// What deforms the vertices of one item in one instance.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The bind-pose mesh.
    pub mesh: &'a Mesh,
    /// How it is deformed.
    pub variant: Variant,
    /// The item's palette, as uploaded.
    pub palette: PaletteReader<'a>,
    /// The item's morph weights, one a target, as uploaded.
    pub morph_weights: &'a [f32],
}

impl<'a> Source<'a> {
    /// What deforms `item` in `instance`. `data` holds one block an instance, or a single one that
    /// all instances share.
    pub fn of(
        scene: &'a Scene,
        variant: Variant,
        layout: &PoseLayout,
        data: &'a [[f32; 4]],
        instance: usize,
        item: usize,
    ) -> Self {
        let palette = scene.items[item].palette;
        Self {
            mesh: &scene.meshes[scene.items[item].mesh],
            variant,
            palette: PaletteReader {
                format: layout.format,
                joints: layout.joint_count(palette),
                data: layout.palette(data, instance, palette),
            },
            morph_weights: layout.morph_weights(data, instance, item),
        }
    }
}

/// One deformed vertex in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deformed {
    /// Position.
    pub position: Vec3,
    /// Normal, unit but under `direct-raw`; zero where the mesh has none.
    pub normal: Vec3,
    /// Tangent with handedness in w, likewise.
    pub tangent: Vec4,
}

/// Deforms vertex `index`: morph targets and skinning, in the order of the variant.
pub fn deform_vertex(source: &Source<'_>, index: usize) -> Deformed {
    let bind = bind_vertex(source.mesh, index);
    if source.variant.morph_order == MorphOrder::Before {
        return skin_vertex(source, index, &morph_vertex(source, index, bind), &bind);
    }
    let skinned = skin_vertex(source, index, &bind, &bind);
    if source.mesh.morph_targets.is_empty() {
        return skinned;
    }
    let v = morph_vertex(source, index, skinned);
    let tangent = v.tangent.truncate();
    Deformed {
        position: v.position,
        normal: unit_or(source, v.normal, v.normal),
        tangent: unit_or(source, tangent, tangent).extend(v.tangent.w),
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

/// `out` plus its weighted displacements, target after target.
pub fn morph_vertex(source: &Source<'_>, index: usize, mut out: Deformed) -> Deformed {
    let delta = |list: &[[f32; 3]]| Vec3::from(list.get(index).copied().unwrap_or_default());
    for (target, &weight) in source.mesh.morph_targets.iter().zip(source.morph_weights) {
        out.position += weight * delta(&target.positions);
        out.normal += weight * delta(&target.normals);
        out.tangent += (weight * delta(&target.tangents)).extend(0.0);
    }
    out
}

/// Skins `v`; where a direction cannot be normalised, `bind`'s is kept.
///
/// With a negative determinant the cofactor rule turns the normal, so that it points out of the
/// mirrored surface as M⁻ᵀ·n does, and the handedness changes sign, so that w·(n × t) stays the image
/// of the bitangent.
fn skin_vertex(source: &Source<'_>, index: usize, v: &Deformed, bind: &Deformed) -> Deformed {
    let rows = blended_rows(source, index);
    let linear = rows.map(Vec4::truncate);
    let offset = Vec3::new(rows[0].w, rows[1].w, rows[2].w);
    let (normal, side) = carry_normal(source, index, linear, v.normal);
    let tangent = apply(linear, v.tangent.truncate());
    Deformed {
        position: apply(linear, v.position) + offset,
        normal: unit_or(source, normal, bind.normal),
        tangent: unit_or(source, tangent, bind.tangent.truncate()).extend(side * v.tangent.w),
    }
}

/// What the normal mode makes of `n`, not normalised, and the side of the handedness.
fn carry_normal(source: &Source<'_>, index: usize, linear: [Vec3; 3], n: Vec3) -> (Vec3, f32) {
    match source.variant.normals {
        NormalMode::PerJoint => {
            let rows = blended_normal_rows(source, index).map(Vec4::truncate);
            (apply(rows, n), 1.0)
        }
        NormalMode::Direct | NormalMode::DirectRaw => (apply(linear, n), 1.0),
        NormalMode::Flagged if !is_flagged(source, index) => (apply(linear, n), 1.0),
        mode => by_cofactor(linear, n, mode == NormalMode::InverseTranspose),
    }
}

fn by_cofactor(linear: [Vec3; 3], n: Vec3, divide: bool) -> (Vec3, f32) {
    let cofactors = cofactor(linear);
    let determinant = linear[0].dot(cofactors[0]);
    let side = if determinant < 0.0 { -1.0 } else { 1.0 };
    let normal = apply(cofactors, n);
    let normal = if divide {
        normal / determinant
    } else {
        side * normal
    };
    (normal, side)
}

fn apply(rows: [Vec3; 3], v: Vec3) -> Vec3 {
    Vec3::new(rows[0].dot(v), rows[1].dot(v), rows[2].dot(v))
}

fn unit_or(source: &Source<'_>, v: Vec3, fallback: Vec3) -> Vec3 {
    if source.variant.normals == NormalMode::DirectRaw {
        return v;
    }
    let squared = v.dot(v);
    if squared > SMALLEST_LENGTH_SQUARED && squared < LARGEST_LENGTH_SQUARED {
        v * (1.0 / squared.sqrt())
    } else {
        fallback
    }
}
