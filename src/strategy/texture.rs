//! The shape of a palette's texture.

use crate::deform::palette::PoseLayout;
use crate::gpu::{Capabilities, ImageRegion};
use crate::plan::PaletteTexture;
use crate::result::Reason;
use crate::shader_types;

use super::{Setup, refusal};

/// Rows of texels, in as many layers as they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureShape {
    /// Texels in a row.
    pub width: u32,
    /// Rows in a layer.
    pub rows: u32,
    /// Layers.
    pub layers: u32,
    /// Texels in use.
    texels: u64,
}

/// Texels in a row of the wide texture, as Godot has it.
const WIDE: u32 = 256;

impl TextureShape {
    /// Where the poses of a case lie so that a texture can hold their palettes, and its shape.
    pub(super) fn of(setup: &Setup<'_>) -> (PoseLayout, Self) {
        let kind = setup.case.palette_texture();
        let mut layout = setup.poses(&setup.scene, 1);
        // A texture of halves has a texel for each 8 bytes.
        let a_vec4 = if layout.format.is_half() { 2 } else { 1 };
        if kind == PaletteTexture::Square {
            let side = square_side((a_vec4 * layout.stride) as u64) as usize;
            layout.stride = side * side / a_vec4;
        }
        let texels = (a_vec4 * layout.stride) as u64;
        let limits = setup.device.capabilities();
        let shape = Self::new(kind, texels, setup.blocks() as u64, limits);
        (layout, shape)
    }

    /// Bytes of the texels that no palette uses, at most.
    pub(super) fn padding_bytes(&self) -> u64 {
        let all = u64::from(self.width) * u64::from(self.rows) * u64::from(self.layers);
        16 * (all - self.texels)
    }

    /// The shape that holds `blocks` palettes of `texels` each, on a device with these limits. Joints
    /// may straddle rows, rows fill layer after layer. Under `square` each palette has rows of its own
    /// ([`square_side`]).
    pub fn new(kind: PaletteTexture, texels: u64, blocks: u64, limits: &Capabilities) -> Self {
        let width = match kind {
            PaletteTexture::Wide => WIDE,
            PaletteTexture::Square => square_side(texels),
        };
        let texels = blocks * texels;
        let all_rows = texels.div_ceil(width.into()).max(1);
        let rows = all_rows.min(limits.max_image_dimension_2d.max(1).into());
        Self {
            width,
            rows: rows as u32,
            layers: all_rows.div_ceil(rows) as u32,
            texels,
        }
    }

    /// Width and height in texels.
    pub fn extent(&self) -> (u32, u32) {
        (self.width, self.rows)
    }

    /// What the shaders must know of it.
    pub(super) fn constants(&self) -> [(u32, u32); 2] {
        [
            shader_types::PALETTE_WIDTH.with(self.width),
            shader_types::PALETTE_ROWS.with(self.rows),
        ]
    }

    /// The copies that fill it from consecutive texels: for each layer its whole rows, and at the end
    /// what is left of one.
    pub fn regions(&self, texel_bytes: u64) -> Vec<ImageRegion> {
        let width = u64::from(self.width);
        let whole = self.texels / width;
        let mut all = Vec::new();
        let mut row = 0;
        while row < whole {
            let (layer, y) = (row / u64::from(self.rows), row % u64::from(self.rows));
            let height = (whole - row).min(u64::from(self.rows) - y);
            all.push(ImageRegion {
                buffer_offset: row * width * texel_bytes,
                layer: layer as u32,
                y: y as u32,
                width: self.width,
                height: height as u32,
            });
            row += height;
        }
        let rest = self.texels % width;
        if rest > 0 {
            all.push(ImageRegion {
                buffer_offset: whole * width * texel_bytes,
                layer: (whole / u64::from(self.rows)) as u32,
                y: (whole % u64::from(self.rows)) as u32,
                width: rest as u32,
                height: 1,
            });
        }
        all
    }
}

/// A texture beyond the device's: too wide a row, or too many layers.
pub(super) fn too_large(setup: &Setup<'_>) -> Option<Reason> {
    let limits = setup.device.capabilities();
    let (_, shape) = TextureShape::of(setup);
    let side = limits.max_image_dimension_2d.into();
    refusal::beyond("maxImageDimension2D", shape.width.into(), side).or_else(|| {
        let layers = limits.max_image_array_layers.into();
        refusal::beyond("maxImageArrayLayers", shape.layers.into(), layers)
    })
}

/// The side of a square texture for one palette: max(4, 4·⌈√texels/4⌉), as three.js makes it.
pub fn square_side(texels: u64) -> u32 {
    let quarter = ((texels as f64).sqrt() / 4.0).ceil() as u32;
    (4 * quarter).max(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(width: u32, rows: u32, texels: u64) -> TextureShape {
        TextureShape {
            width,
            rows,
            layers: texels.div_ceil(u64::from(width)).div_ceil(rows.into()) as u32,
            texels,
        }
    }

    #[test]
    fn every_texel_is_copied_once_to_where_it_is_fetched() {
        for (width, rows, texels) in [(4, 3, 29), (4, 3, 24), (8, 100, 5), (4, 2, 4)] {
            let shape = shape(width, rows, texels);
            let mut copied = Vec::new();
            for region in shape.regions(1) {
                for at in 0..region.width * region.height {
                    let (x, y) = (at % region.width, region.y + at / region.width);
                    let place = (region.layer * rows + y) * width + x;
                    copied.push((region.buffer_offset + u64::from(at), u64::from(place)));
                }
            }
            let wanted: Vec<_> = (0..texels).map(|texel| (texel, texel)).collect();
            assert_eq!(copied, wanted);
        }
    }

    #[test]
    fn a_square_is_that_of_three() {
        // 64 joints of four texels: 16 a side; 5 joints: √20 is above 4.
        assert_eq!([1, 16, 20, 256, 257].map(square_side), [4, 4, 8, 16, 20]);
    }
}
