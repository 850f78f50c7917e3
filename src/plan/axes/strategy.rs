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
        /// The vertex stage deforms in every pass, its palette in a texture.
        VertexTexture = "vertex-texture",
        /// A vertex stage deforms once a frame, and transform feedback captures what it says.
        TransformFeedback = "transform-feedback",
        /// The host deforms with all its threads and uploads the vertices.
        Cpu = "cpu",
    }
}

impl Place {
    /// Whether deformed vertices are written once a frame, before all passes, and read by each.
    pub fn writes_vertices(self) -> bool {
        matches!(self, Self::Compute | Self::TransformFeedback | Self::Cpu)
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "strategy",
    "the place where vertices are deformed",
    Allowed::Words(Place::NAMES),
    Value::word(Place::Compute.name()),
)
.how_only();

impl Case {
    /// Where this case deforms.
    pub fn place(&self) -> Place {
        self.word(&AXIS)
            .and_then(Place::from_name)
            .unwrap_or(Place::Compute)
    }
}
