//! Joint palettes as rows of 3×4 matrices, and how they lie beside the morph weights.
//!
//! A joint takes three `vec4`s, the rows of B·M⁻¹ (or of a rigid node's world matrix):
//! row r = (m_r0, m_r1, m_r2, t_r).

use glam::Mat4;
use rayon::prelude::*;

use crate::scene::playback::{InstancePose, Poses};
use crate::scene::skeleton::affine;
use crate::scene::{PaletteSource, Scene};

/// `vec4`s that one joint takes.
pub const ROWS_PER_JOINT: usize = 3;

/// Where the palettes and morph weights of one instance lie in its block, in `vec4`s (16 bytes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoseLayout {
    /// First row of each of [`Scene::palettes`], a multiple of the alignment.
    pub palette_offsets: Vec<usize>,
    /// First `vec4` of each item's morph weights, four a `vec4`; 0 for items without targets.
    pub morph_offsets: Vec<usize>,
    /// From one instance's block to the next, a multiple of the alignment.
    pub stride: usize,
    joints: usize,
    weights: usize,
}

impl PoseLayout {
    /// The layout of `scene` with every palette and every block starting at a multiple of
    /// `alignment` `vec4`s (at least 1), so that a dynamic offset can point at it.
    pub fn new(scene: &Scene, alignment: usize) -> Self {
        let alignment = alignment.max(1);
        let mut next = 0;
        let mut palette_offsets = Vec::with_capacity(scene.palettes.len());
        for palette in 0..scene.palettes.len() {
            next = usize::next_multiple_of(next, alignment);
            palette_offsets.push(next);
            next += ROWS_PER_JOINT * scene.joint_count(palette);
        }
        let mut morph_offsets = Vec::with_capacity(scene.items.len());
        for item in 0..scene.items.len() {
            let targets = target_count(scene, item);
            morph_offsets.push(if targets == 0 { 0 } else { next });
            next += targets.div_ceil(4);
        }
        Self {
            palette_offsets,
            morph_offsets,
            stride: next.next_multiple_of(alignment),
            joints: (0..scene.palettes.len())
                .map(|p| scene.joint_count(p))
                .sum(),
            weights: (0..scene.items.len()).map(|i| target_count(scene, i)).sum(),
        }
    }

    /// Bytes of one instance's rows and weights, without the padding between them.
    pub fn unpadded_bytes(&self) -> usize {
        self.joints * ROWS_PER_JOINT * 16 + self.weights * 4
    }

    /// The rows of one palette within a block.
    pub fn rows<'a>(&self, scene: &Scene, block: &'a [[f32; 4]], palette: usize) -> &'a [[f32; 4]] {
        let start = self.palette_offsets[palette];
        &block[start..start + ROWS_PER_JOINT * scene.joint_count(palette)]
    }

    /// The morph weights of one item within a block, one a target.
    pub fn morph_weights<'a>(
        &self,
        scene: &Scene,
        block: &'a [[f32; 4]],
        item: usize,
    ) -> &'a [f32] {
        let targets = target_count(scene, item);
        let start = self.morph_offsets[item];
        &block[start..start + targets.div_ceil(4)].as_flattened()[..targets]
    }
}

fn target_count(scene: &Scene, item: usize) -> usize {
    scene.meshes[scene.items[item].mesh].morph_targets.len()
}

/// Writes the rows of one of [`Scene::palettes`]: `3 · joint_count` of them, in order, each once.
///
/// `globals` are the world transforms of the skeleton's nodes. `out` may be write-combined memory:
/// it is never read.
pub fn write_palette(scene: &Scene, globals: &[Mat4], palette: usize, out: &mut [[f32; 4]]) {
    let joints = out.chunks_exact_mut(ROWS_PER_JOINT);
    match scene.palettes[palette] {
        PaletteSource::Node(node) => joints
            .take(1)
            .for_each(|rows| write_rows(globals[node], rows)),
        PaletteSource::Skin(skin) => {
            let skin = &scene.skins[skin];
            let bind = skin.joints.iter().zip(&skin.inverse_bind_matrices);
            for (rows, (&joint, &inverse_bind)) in joints.zip(bind) {
                write_rows(globals[joint] * affine(inverse_bind), rows);
            }
        }
    }
}

fn write_rows(matrix: Mat4, rows: &mut [[f32; 4]]) {
    let transposed = matrix.transpose();
    rows[0] = transposed.x_axis.to_array();
    rows[1] = transposed.y_axis.to_array();
    rows[2] = transposed.z_axis.to_array();
}

/// The stage `palette`: writes the block of every instance, `layout.stride` `vec4`s apart.
///
/// `out` holds at least as many blocks as there are instances; padding is left as it is. It may be
/// write-combined memory: every `vec4` is written once, in order, and never read.
pub fn write_poses(scene: &Scene, layout: &PoseLayout, poses: &Poses, out: &mut [[f32; 4]]) {
    if layout.stride == 0 {
        return;
    }
    if let [instance] = poses.instances.as_slice() {
        // Waking the pool for one character costs more than its palette.
        write_block(scene, layout, instance, out);
    } else {
        out.par_chunks_exact_mut(layout.stride)
            .zip(&poses.instances)
            .for_each(|(block, instance)| write_block(scene, layout, instance, block));
    }
}

fn write_block(
    scene: &Scene,
    layout: &PoseLayout,
    instance: &InstancePose,
    block: &mut [[f32; 4]],
) {
    for (palette, &start) in layout.palette_offsets.iter().enumerate() {
        let end = start + ROWS_PER_JOINT * scene.joint_count(palette);
        write_palette(scene, &instance.globals, palette, &mut block[start..end]);
    }
    for (index, item) in scene.items.iter().enumerate() {
        let first = item.first_morph_weight;
        let targets = target_count(scene, index);
        let weights = &instance.pose.morph_weights[first..first + targets];
        for (packed, four) in block[layout.morph_offsets[index]..]
            .iter_mut()
            .zip(weights.chunks(4))
        {
            let mut padded = [0.0; 4];
            padded[..four.len()].copy_from_slice(four);
            *packed = padded;
        }
    }
}
