//! Axis `poses`: whether the copies of a character move apart.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// Whether the copies of a character move apart.
    pub enum Poses {
        /// Copy i of n plays the clip shifted by i/n of its duration, with a palette of its own.
        Own = "own",
        /// All copies show one pose, from one palette.
        Shared = "shared",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "poses",
    "whether each copy of the character has its own pose",
    Allowed::Words(Poses::NAMES),
    Value::word(Poses::Own.name()),
)
.swept(Poses::NAMES)
.beside(&[("instances", &["16"])]);

impl Case {
    /// Whether the copies of the character move apart.
    pub fn poses(&self) -> Poses {
        self.word(&AXIS)
            .and_then(Poses::from_name)
            .unwrap_or(Poses::Own)
    }
}
