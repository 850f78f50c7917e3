//! Joint palettes: how they lie in memory, how they are written, and how kernels read them.

mod format;
mod joint;
mod layout;
mod read;

use glam::Mat4;
use rayon::prelude::*;

use crate::plan::PaletteLayout;
use crate::scene::playback::{InstancePose, Poses};
use crate::scene::skeleton::affine;
use crate::scene::{PaletteSource, Scene};

pub use format::{Extra, PaletteFormat};
pub use joint::{LARGEST_HALF, RIGID, Unfit, is_non_uniform, unfit};
pub use layout::PoseLayout;
pub use read::PaletteReader;

/// `vec4`s of a 3×4 matrix in rows.
pub const ROWS_PER_JOINT: usize = 3;

/// The matrices B·M⁻¹ of one of [`Scene::palettes`], one a joint; of a rigid node its world matrix.
///
/// `globals` are the world transforms of the skeleton's nodes.
pub fn matrices<'a>(
    scene: &'a Scene,
    globals: &'a [Mat4],
    palette: usize,
) -> impl Iterator<Item = Mat4> + Clone + 'a {
    let (node, skin) = match scene.palettes[palette] {
        PaletteSource::Node(node) => (Some(node), None),
        PaletteSource::Skin(skin) => (None, Some(&scene.skins[skin])),
    };
    let of_joint = |(joint, inverse_bind): (&usize, &Mat4)| globals[*joint] * affine(*inverse_bind);
    let skinned = skin
        .into_iter()
        .flat_map(move |skin| skin.joints.iter().zip(&skin.inverse_bind_matrices))
        .map(of_joint);
    node.into_iter().map(|node| globals[node]).chain(skinned)
}

/// The stage `palette`: writes the palettes and morph weights of every block into `out`, which
/// holds [`PoseLayout::vec4s`] of them.
///
/// Padding is left as it is. `out` may be write-combined memory: every number is written once, in
/// order within its block, and never read.
pub fn write_poses(scene: &Scene, layout: &PoseLayout, poses: &Poses, out: &mut [[f32; 4]]) {
    let blocks = poses.instances.len();
    let (palettes, morphs) = out.split_at_mut(layout.morphs_start(blocks));
    let write = |(block, instance): (&mut [[f32; 4]], &InstancePose)| {
        write_palettes(scene, layout, instance, block);
    };
    let stride = layout.stride.max(1);
    if blocks == 1 {
        // Waking the pool for one character costs more than its palette.
        palettes
            .chunks_exact_mut(stride)
            .zip(&poses.instances)
            .for_each(write);
    } else {
        palettes
            .par_chunks_exact_mut(stride)
            .zip(&poses.instances)
            .for_each(write);
    }
    for (block, instance) in morphs
        .chunks_exact_mut(layout.morph_stride.max(1))
        .zip(&poses.instances)
    {
        write_morph_weights(scene, layout, instance, block);
    }
}

fn write_palettes(
    scene: &Scene,
    layout: &PoseLayout,
    instance: &InstancePose,
    block: &mut [[f32; 4]],
) {
    for (palette, &start) in layout.palette_offsets.iter().enumerate() {
        let joints = matrices(scene, &instance.globals, palette);
        let end = start + layout.format.vec4s(layout.joint_count(palette));
        write_palette(layout.format, joints, block[start..end].as_flattened_mut());
    }
}

/// Writes one palette in its format, section after section, into numbers of which four make a
/// `vec4`. Halves are written two a number.
pub fn write_palette(
    format: PaletteFormat,
    joints: impl Iterator<Item = Mat4> + Clone,
    out: &mut [f32],
) {
    let count = joints.clone().count();
    let (first, extra) = out.split_at_mut(4 * format.joint_vec4s(count));
    match format.layout {
        PaletteLayout::Mat4 => fill(first, joints.clone(), |m| m.to_cols_array()),
        PaletteLayout::Rows3x4 => fill(first, joints.clone(), joint::rows),
        PaletteLayout::Rows3x4Half => {
            fill(first, joints.clone(), |m| joint::halves(joint::rows(m)))
        }
        PaletteLayout::DualQuat => fill(first, joints.clone(), joint::dual_quat),
        PaletteLayout::DualQuatScale => fill(first, joints.clone(), joint::dual_quat_scale),
    }
    match (format.extra, format.is_half()) {
        (Extra::None, _) => {}
        (Extra::NormalRows, false) => fill(extra, joints, joint::normal_rows),
        (Extra::NormalRows, true) => fill(extra, joints, |m| joint::halves(joint::normal_rows(m))),
        (Extra::Flags, false) => fill(extra, joints, |m| [joint::flag(m)]),
        (Extra::Flags, true) => joint::write_half_flags(joints, extra),
    }
}

/// Writes what each joint gives, one after the other.
fn fill<const N: usize>(
    out: &mut [f32],
    joints: impl Iterator<Item = Mat4>,
    of: impl Fn(Mat4) -> [f32; N],
) {
    for (out, matrix) in out.as_chunks_mut::<N>().0.iter_mut().zip(joints) {
        *out = of(matrix);
    }
}

fn write_morph_weights(
    scene: &Scene,
    layout: &PoseLayout,
    instance: &InstancePose,
    block: &mut [[f32; 4]],
) {
    for (item, &start) in scene.items.iter().zip(&layout.morph_offsets) {
        let targets = scene.meshes[item.mesh].morph_targets.len();
        let first = item.first_morph_weight;
        let weights = &instance.pose.morph_weights[first..first + targets];
        for (packed, four) in block[start..].iter_mut().zip(weights.chunks(4)) {
            let mut padded = [0.0; 4];
            padded[..four.len()].copy_from_slice(four);
            *packed = padded;
        }
    }
}
