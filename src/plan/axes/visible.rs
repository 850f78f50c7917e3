//! Axis `visible`: share of the characters that are drawn.

use crate::plan::{Allowed, Axis, Case, Value};

pub(super) static AXIS: Axis = Axis::new(
    "visible",
    "percent of the characters that are drawn",
    Allowed::Range(0, 100),
    Value::Number(100),
)
.swept(&["0", "50", "100"])
.beside(&[("instances", &["16"])]);

impl Case {
    /// Percent of the characters that are drawn.
    pub fn visible(&self) -> u32 {
        self.number(&AXIS).unwrap_or(100)
    }
}
