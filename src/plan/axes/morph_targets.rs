//! Axis `morph-targets`: morph targets of the built-in character.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "morph-targets",
    "morph targets of the built-in character",
    Allowed::Range(0, 256),
    Value::Number(0),
)
.swept(&["0", "8", "64", "256"])
.built_in_only();

impl Case {
    /// Morph targets asked of the built-in character; `None` with a MODEL.
    pub fn morph_targets(&self) -> Option<u32> {
        self.number(&AXIS)
    }
}
