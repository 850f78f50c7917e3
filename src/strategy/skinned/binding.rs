//! Where the vertex stage finds its palette.

use crate::deform::palette::PaletteFormat;
use crate::gpu::{Access, Binding, BindingKind};
use crate::plan::PaletteLayout;
use crate::shader_types::Module;

/// Where the palette is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strategy) enum PaletteBinding {
    /// A storage buffer over all characters.
    Storage,
    /// A uniform array, one character at a time.
    Uniform,
    /// A texture over all characters.
    Texture,
}

/// `vec4`s of the uniform arrays that a layout may use, smallest first: 64 joints, and what fits into
/// the 16 KiB that every device has.
pub(in crate::strategy) fn uniform_arrays(format: PaletteFormat) -> [(usize, Module); 2] {
    match format.layout {
        PaletteLayout::Mat4 => [
            (256, Module::SkinnedUniform256Vert),
            (1024, Module::SkinnedUniform1024Vert),
        ],
        PaletteLayout::DualQuatScale => [
            (320, Module::SkinnedUniform320Vert),
            (1020, Module::SkinnedUniform1020Vert),
        ],
        PaletteLayout::Rows3x4 | PaletteLayout::Rows3x4Half | PaletteLayout::DualQuat => [
            (192, Module::SkinnedUniform192Vert),
            (960, Module::SkinnedUniform960Vert),
        ],
    }
}

/// The smallest uniform array that holds `joints`, and its module.
pub(in crate::strategy) fn uniform_array(
    format: PaletteFormat,
    joints: usize,
) -> Option<(usize, Module)> {
    let need = format.vec4s(joints);
    uniform_arrays(format)
        .into_iter()
        .find(|(vec4s, _)| need <= *vec4s)
}

/// The most joints that the largest uniform array holds.
pub(in crate::strategy) fn most_uniform_joints(format: PaletteFormat) -> usize {
    let largest = uniform_arrays(format)[1].0;
    (1..=largest)
        .rev()
        .find(|joints| format.vec4s(*joints) <= largest)
        .unwrap_or(0)
}

impl PaletteBinding {
    /// The module for a palette of `joints`, and the bytes of its uniform array.
    pub fn module(self, format: PaletteFormat, joints: usize) -> Option<(u64, Module)> {
        match self {
            Self::Storage => Some((0, Module::SkinnedStorageVert)),
            Self::Texture => Some((0, Module::SkinnedTextureVert)),
            Self::Uniform => {
                uniform_array(format, joints).map(|(vec4s, module)| (16 * vec4s as u64, module))
            }
        }
    }

    /// The descriptor bindings of `skinned.glsl`.
    pub fn bindings(self) -> Vec<Binding> {
        let binding = |binding, kind| Binding { binding, kind };
        let mut all = vec![
            binding(0, BindingKind::Storage),
            binding(1, BindingKind::Storage),
        ];
        let palette = match self {
            Self::Storage => return all,
            Self::Uniform => BindingKind::UniformDynamic,
            Self::Texture => BindingKind::SampledImage,
        };
        all.extend([binding(2, palette), binding(3, palette)]);
        all
    }

    /// How the vertex stage reads the buffer of poses.
    pub fn readers(self) -> &'static [Access] {
        match self {
            Self::Storage | Self::Texture => &[Access::VertexStorageRead],
            Self::Uniform => &[Access::VertexUniformRead, Access::VertexStorageRead],
        }
    }
}
