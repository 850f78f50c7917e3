//! Axis `attributes`: what of a vertex is deformed.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// What of a vertex is deformed.
    pub enum Attributes {
        /// Positions.
        P = "p",
        /// Positions and normals.
        Pn = "pn",
        /// Positions, normals and tangents.
        Pnt = "pnt",
    }
}

impl Attributes {
    /// Whether normals are deformed.
    pub fn has_normal(self) -> bool {
        self != Self::P
    }

    /// Whether tangents are deformed.
    pub fn has_tangent(self) -> bool {
        self == Self::Pnt
    }

    /// Floats of one deformed vertex: 3 a position, 3 a normal, 4 a tangent with handedness.
    pub fn output_floats(self) -> u32 {
        match self {
            Self::P => 3,
            Self::Pn => 6,
            Self::Pnt => 10,
        }
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "attributes",
    "what of a vertex is deformed: positions, normals, tangents",
    Allowed::Words(Attributes::NAMES),
    Value::word(Attributes::Pn.name()),
)
.swept(Attributes::NAMES);

impl Case {
    /// What of a vertex is deformed.
    pub fn attributes(&self) -> Attributes {
        self.word(&AXIS)
            .and_then(Attributes::from_name)
            .unwrap_or(Attributes::Pn)
    }
}
