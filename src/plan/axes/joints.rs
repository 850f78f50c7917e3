//! Axis `joints`: size of the built-in character's skeleton.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "joints",
    "joints of the built-in character",
    Allowed::Range(1, 1024),
    Value::Number(64),
)
.swept(&["16", "64", "256", "1024"])
.built_in_only();

impl Case {
    /// Joints asked of the built-in character; `None` with a MODEL.
    pub fn joints(&self) -> Option<u32> {
        self.number(&AXIS)
    }
}
