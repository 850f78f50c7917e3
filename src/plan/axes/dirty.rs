//! Axis `dirty`: share of the characters whose pose changes from frame to frame.

use crate::plan::{Allowed, Axis, Case, Place, Value};

pub(super) static AXIS: Axis = Axis::new(
    "dirty",
    "percent of the characters whose pose changes from frame to frame",
    Allowed::Range(0, 100),
    Value::Number(100),
)
.swept(&["0", "10", "50", "100"])
.beside(&[("instances", &["16"])])
.only_where(Place::writes_vertices);

impl Case {
    /// Percent of the characters whose pose changes from frame to frame; 100 where it is `n/a`.
    pub fn dirty(&self) -> u32 {
        self.number(&AXIS).unwrap_or(100)
    }
}
