//! Axis `instances`: how many copies of the character a frame holds.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "instances",
    "copies of the whole character",
    Allowed::Range(1, 100_000),
    Value::Number(1),
)
.swept(&["1", "16", "100", "1000"]);

impl Case {
    /// Copies of the whole character, at least 1.
    pub fn instances(&self) -> u32 {
        self.number(&AXIS).unwrap_or(1)
    }
}
