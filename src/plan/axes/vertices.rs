//! Axis `vertices`: size of the built-in character's mesh.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "vertices",
    "vertices of the built-in character",
    Allowed::Range(500, 5_000_000),
    Value::Number(5000),
)
.swept(&["500", "5000", "50000", "500000"])
.built_in_only();

impl Case {
    /// Vertices asked of the built-in character; `None` with a MODEL.
    pub fn vertices(&self) -> Option<u32> {
        self.number(&AXIS)
    }
}
