//! Axis `passes`: how often the mesh is drawn in a frame.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "passes",
    "drawings of the mesh in one frame",
    Allowed::Range(1, 64),
    Value::Number(1),
)
.swept(&["1", "2", "4", "8"]);

impl Case {
    /// Drawings of the mesh in one frame, at least 1.
    pub fn passes(&self) -> u32 {
        self.number(&AXIS).unwrap_or(1)
    }
}
