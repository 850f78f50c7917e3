//! Axis `partition`: whether a skin too large for the uniform array is drawn in parts.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// Whether a skin too large for the uniform array is drawn in parts.
    pub enum Partition {
        /// No: it is refused.
        Off = "off",
        /// In sub-draws of at most 64 joints.
        On = "on",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "partition",
    "whether a skin too large for the uniform array is drawn in parts",
    Allowed::Words(Partition::NAMES),
    Value::word(Partition::Off.name()),
)
.swept(Partition::NAMES)
.how_only()
.beside(&[("joints", &["512"])])
.only_where(|place| place == Place::VertexUniform);

impl Case {
    /// Whether a skin too large for the uniform array is drawn in parts; false where it is `n/a`.
    pub fn partition(&self) -> bool {
        self.word(&AXIS).and_then(Partition::from_name) == Some(Partition::On)
    }
}
