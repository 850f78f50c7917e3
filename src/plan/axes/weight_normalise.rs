//! Axis `weight-normalise`: whether the deformation divides weights by their sum.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// Whether the deformation divides the weights of a vertex by their sum.
    pub enum WeightNormalise {
        /// Never: import did.
        Off = "off",
        /// With one or two influences alone.
        Two = "two",
        /// For every vertex.
        On = "on",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "weight-normalise",
    "whether the deformation divides the weights of a vertex by their sum",
    Allowed::Words(WeightNormalise::NAMES),
    Value::word(WeightNormalise::Off.name()),
)
.swept(WeightNormalise::NAMES);

impl Case {
    /// Whether the deformation divides the weights of a vertex by their sum.
    pub fn weight_normalise(&self) -> WeightNormalise {
        self.word(&AXIS)
            .and_then(WeightNormalise::from_name)
            .unwrap_or(WeightNormalise::Off)
    }
}
