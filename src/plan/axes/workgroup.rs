//! Axis `workgroup`: invocations of a compute workgroup.

use crate::plan::{Allowed, Axis, Case, Place, Value};

pub(super) static AXIS: Axis = Axis::new(
    "workgroup",
    "invocations of a compute workgroup",
    Allowed::Steps(&[32, 64, 128, 256]),
    Value::Number(64),
)
.swept(&["32", "64", "128", "256"])
.how_only()
.only_where(|place| place == Place::Compute);

impl Case {
    /// Invocations of a compute workgroup; 64 where it is `n/a`.
    pub fn workgroup(&self) -> u32 {
        self.number(&AXIS).unwrap_or(64)
    }
}
