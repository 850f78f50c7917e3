//! Axis `morph`: how morph targets are summed.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// How morph targets are summed.
    pub enum MorphMethod {
        /// Each vertex gathers from every target.
        Dense = "dense",
        /// Each target adds to the vertices that it moves.
        Sparse = "sparse",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "morph",
    "how morph targets are summed",
    Allowed::Words(MorphMethod::NAMES),
    Value::word(MorphMethod::Dense.name()),
)
.swept(MorphMethod::NAMES)
.how_only()
.beside(&[("morph-targets", &["8"])])
.only_where(|place| place == Place::Compute);

impl Case {
    /// How morph targets are summed; `Dense` where it is `n/a`: a vertex stage can only gather.
    pub fn morph_method(&self) -> MorphMethod {
        self.word(&AXIS)
            .and_then(MorphMethod::from_name)
            .unwrap_or(MorphMethod::Dense)
    }
}
