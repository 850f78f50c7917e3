//! Axis `index-order`: the order of the triangles.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// The order of the triangles, on which the reuse of vertices depends.
    pub enum IndexOrder {
        /// For the vertex cache, by meshoptimizer.
        Optimised = "optimised",
        /// At random, from a fixed seed.
        Shuffled = "shuffled",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "index-order",
    "order of the triangles: for the vertex cache by meshoptimizer, or at random",
    Allowed::Words(IndexOrder::NAMES),
    Value::word(IndexOrder::Optimised.name()),
)
.swept(IndexOrder::NAMES);

impl Case {
    /// The order of the triangles.
    pub fn index_order(&self) -> IndexOrder {
        self.word(&AXIS)
            .and_then(IndexOrder::from_name)
            .unwrap_or(IndexOrder::Optimised)
    }
}
