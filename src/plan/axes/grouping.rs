//! Axis `grouping`: how deformations are gathered into dispatches.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// How deformations are gathered into dispatches.
    pub enum Grouping {
        /// One dispatch for each item of each character.
        PerMesh = "per-mesh",
        /// One dispatch for all characters.
        Batched = "batched",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "grouping",
    "how deformations are gathered into dispatches",
    Allowed::Words(Grouping::NAMES),
    Value::word(Grouping::PerMesh.name()),
)
.swept(Grouping::NAMES)
.how_only()
.beside(&[("instances", &["16"])])
.only_where(|place| place == Place::Compute);

impl Case {
    /// How deformations are gathered into dispatches; `PerMesh` where it is `n/a`.
    pub fn grouping(&self) -> Grouping {
        self.word(&AXIS)
            .and_then(Grouping::from_name)
            .unwrap_or(Grouping::PerMesh)
    }
}
