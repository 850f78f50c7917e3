//! Axis `weights`: the format of a weight in a vertex.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// Format of a weight in a vertex.
    pub enum WeightFormat {
        /// A 32-bit float.
        F32 = "f32",
        /// Steps of 1/65535, rounded so that a vertex's weights still sum to one.
        Unorm16 = "unorm16",
        /// Steps of 1/255, rounded so that a vertex's weights still sum to one.
        Unorm8 = "unorm8",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "weights",
    "format of a weight in a vertex",
    Allowed::Words(WeightFormat::NAMES),
    Value::word(WeightFormat::F32.name()),
)
.swept(WeightFormat::NAMES)
.only_where(|place| place != Place::Cpu);

impl Case {
    /// Format of a weight; `F32` where it is `n/a`.
    pub fn weight_format(&self) -> WeightFormat {
        self.word(&AXIS)
            .and_then(WeightFormat::from_name)
            .unwrap_or(WeightFormat::F32)
    }
}
