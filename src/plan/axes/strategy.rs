//! Axis `strategy`: the place where vertices are deformed.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// Where a deformation is computed.
    pub enum Place {
        /// A compute kernel writes deformed vertices once a frame; every pass reads them.
        Compute = "compute",
        /// The vertex stage deforms in every pass, its palette in a storage buffer.
        VertexStorage = "vertex-storage",
        /// The vertex stage deforms in every pass, its palette in a uniform array.
        VertexUniform = "vertex-uniform",
        /// The host deforms with all its threads and uploads the vertices.
        Cpu = "cpu",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "strategy",
    "the place where vertices are deformed",
    Allowed::Words(Place::NAMES),
    Value::word(Place::Compute.name()),
);

impl Case {
    /// Where this case deforms.
    pub fn place(&self) -> Place {
        self.word(&AXIS)
            .and_then(Place::from_name)
            .unwrap_or(Place::Compute)
    }
}
