//! Axis `draws`: how the copies of a character are drawn.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// How the copies of a character are drawn.
    pub enum Draws {
        /// One draw for each item of each copy, in every place.
        PerCharacter = "per-character",
        /// Indirect draws, their arguments in a buffer.
        Indirect = "indirect",
        /// One instanced draw for all copies of an item, where the place can.
        Instanced = "instanced",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "draws",
    "how the copies of the character are drawn",
    Allowed::Words(Draws::NAMES),
    Value::word(Draws::PerCharacter.name()),
)
.swept(Draws::NAMES)
.beside(&[("instances", &["16"])])
.how_only();

impl Case {
    /// How the copies of the character are drawn.
    pub fn draws(&self) -> Draws {
        self.word(&AXIS)
            .and_then(Draws::from_name)
            .unwrap_or(Draws::PerCharacter)
    }
}
