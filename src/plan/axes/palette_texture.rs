//! Axis `palette-texture`: the shape of the texture that holds palettes.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// Shape of the texture that holds the palettes.
    pub enum PaletteTexture {
        /// 256 texels wide; joints straddle rows.
        Wide = "256",
        /// A square of max(4, 4·⌈√(4n)/4⌉) texels for n joints.
        Square = "square",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "palette-texture",
    "shape of the texture that holds the palettes",
    Allowed::Words(PaletteTexture::NAMES),
    Value::word(PaletteTexture::Wide.name()),
)
.swept(PaletteTexture::NAMES)
.how_only()
.only_where(|place| matches!(place, Place::VertexTexture | Place::TransformFeedback));

impl Case {
    /// Shape of the texture that holds the palettes; `Wide` where it is `n/a`.
    pub fn palette_texture(&self) -> PaletteTexture {
        self.word(&AXIS)
            .and_then(PaletteTexture::from_name)
            .unwrap_or(PaletteTexture::Wide)
    }
}
