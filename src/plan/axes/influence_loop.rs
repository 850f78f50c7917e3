//! Axis `influence-loop`: how the loop over a vertex's influences ends.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// How the loop over a vertex's influences ends.
    pub enum InfluenceLoop {
        /// All slots, those of weight 0 too.
        Fixed = "fixed",
        /// Until the first slot of weight 0; slots are sorted by weight.
        EarlyOut = "early-out",
        /// Vertices are grouped by their number of influences, and each group has a loop of its length.
        Partitioned = "partitioned",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "influence-loop",
    "how the loop over the influences of a vertex ends",
    Allowed::Words(InfluenceLoop::NAMES),
    Value::word(InfluenceLoop::Fixed.name()),
)
.swept(InfluenceLoop::NAMES)
.how_only()
.only_where(|place| place != Place::Cpu);

impl Case {
    /// How the loop over the influences of a vertex ends; `Fixed` where it is `n/a`.
    pub fn influence_loop(&self) -> InfluenceLoop {
        self.word(&AXIS)
            .and_then(InfluenceLoop::from_name)
            .unwrap_or(InfluenceLoop::Fixed)
    }
}
