//! Axis `influences`: how many joints move one vertex of the built-in character.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "influences",
    "influence slots of each vertex of the built-in character",
    Allowed::Steps(&[1, 2, 4, 8, 12]),
    Value::Number(4),
)
.swept(&["1", "2", "4", "8", "12"])
.built_in_only();

impl Case {
    /// Influence slots a vertex of the built-in character; `None` with a MODEL.
    pub fn influences(&self) -> Option<u32> {
        self.number(&AXIS)
    }
}
