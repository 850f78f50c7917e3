//! Where the palettes and morph weights of all characters lie.

use crate::scene::Scene;

use super::PaletteFormat;

/// Where palettes and morph weights lie, in `vec4`s (16 bytes): first the palettes of every block,
/// a *block* being what one character (or all, under a shared pose) takes, then the morph weights
/// of every block. Palettes are apart so that a texture can hold them alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoseLayout {
    /// How a palette is stored.
    pub format: PaletteFormat,
    /// First `vec4` of each of [`Scene::palettes`] within a block, a multiple of the alignment.
    pub palette_offsets: Vec<usize>,
    /// From one block's palettes to the next, a multiple of the alignment.
    pub stride: usize,
    /// First `vec4` of each item's morph weights within a block, four a `vec4`; 0 for items without
    /// targets.
    pub morph_offsets: Vec<usize>,
    /// From one block's morph weights to the next.
    pub morph_stride: usize,
    /// What offsets of palettes are multiples of.
    pub alignment: usize,
    joints: Vec<usize>,
    targets: Vec<usize>,
}

impl PoseLayout {
    /// The layout of `scene` with every palette and every block starting at a multiple of
    /// `alignment` `vec4`s (at least 1), so that a dynamic offset can point at it.
    pub fn new(scene: &Scene, format: PaletteFormat, alignment: usize) -> Self {
        let alignment = alignment.max(1);
        let joints: Vec<usize> = (0..scene.palettes.len())
            .map(|palette| scene.joint_count(palette))
            .collect();
        let targets: Vec<usize> = scene
            .items
            .iter()
            .map(|item| scene.meshes[item.mesh].morph_targets.len())
            .collect();
        let mut stride = 0usize;
        let palette_offsets = joints
            .iter()
            .map(|joints| {
                let start = stride.next_multiple_of(alignment);
                stride = start + format.vec4s(*joints);
                start
            })
            .collect();
        let mut morph_stride = 0;
        let morph_offsets = targets
            .iter()
            .map(|targets| {
                let start = morph_stride;
                morph_stride += targets.div_ceil(4);
                if *targets == 0 { 0 } else { start }
            })
            .collect();
        Self {
            format,
            palette_offsets,
            stride: stride.next_multiple_of(alignment),
            morph_offsets,
            morph_stride,
            alignment,
            joints,
            targets,
        }
    }

    /// `vec4`s of `blocks` blocks, palettes and weights.
    pub fn vec4s(&self, blocks: usize) -> usize {
        blocks * (self.stride + self.morph_stride)
    }

    /// First `vec4` of the morph weights of all of `blocks` blocks.
    pub fn morphs_start(&self, blocks: usize) -> usize {
        blocks * self.stride
    }

    /// Bytes of one block's palettes and weights, without the padding between them.
    pub fn unpadded_bytes(&self) -> usize {
        self.joints.iter().sum::<usize>() * self.format.bytes_per_joint()
            + 4 * self.targets.iter().sum::<usize>()
    }

    /// Blocks that `data` holds.
    fn blocks(&self, data: &[[f32; 4]]) -> usize {
        data.len() / (self.stride + self.morph_stride).max(1)
    }

    /// The block of `instance`: its own, or the only one that all share.
    fn block_of(&self, data: &[[f32; 4]], instance: usize) -> usize {
        if self.blocks(data) == 1 { 0 } else { instance }
    }

    /// One palette of one character.
    pub fn palette<'a>(
        &self,
        data: &'a [[f32; 4]],
        instance: usize,
        palette: usize,
    ) -> &'a [[f32; 4]] {
        let start = self.block_of(data, instance) * self.stride + self.palette_offsets[palette];
        &data[start..start + self.format.vec4s(self.joints[palette])]
    }

    /// The morph weights of one item of one character, one a target.
    pub fn morph_weights<'a>(
        &self,
        data: &'a [[f32; 4]],
        instance: usize,
        item: usize,
    ) -> &'a [f32] {
        let targets = self.targets[item];
        let start = self.morphs_start(self.blocks(data))
            + self.block_of(data, instance) * self.morph_stride
            + self.morph_offsets[item];
        &data[start..start + targets.div_ceil(4)].as_flattened()[..targets]
    }

    /// Joints of a palette.
    pub fn joint_count(&self, palette: usize) -> usize {
        self.joints[palette]
    }
}
