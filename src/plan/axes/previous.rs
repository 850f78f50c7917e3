//! Axis `previous`: where a velocity pass finds the positions of the frame before.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// Where the velocity pass finds the positions of the frame before.
    pub enum Previous {
        /// Nowhere: pass-mix=frame has no velocity pass.
        None = "none",
        /// In a second vertex buffer, where the place writes vertices.
        Buffer = "buffer",
        /// Nowhere yet: it deforms them again by the palette of the frame before.
        Palette = "palette",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "previous",
    "where the velocity pass finds the positions of the frame before",
    Allowed::Words(Previous::NAMES),
    Value::word(Previous::Buffer.name()),
)
.swept(Previous::NAMES)
.how_only_among(&["palette"])
.beside(&[("pass-mix", &["frame"]), ("passes", &["4"])]);

impl Case {
    /// Where the velocity pass finds the positions of the frame before.
    pub fn previous(&self) -> Previous {
        self.word(&AXIS)
            .and_then(Previous::from_name)
            .unwrap_or(Previous::Buffer)
    }
}
