//! Axis `cache`: how a character that did not move is known.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// How a character whose pose did not change is known, so that it is not deformed again.
    pub enum CacheKey {
        /// By its palette's buffer and revision number.
        Revision = "revision",
        /// By a hash of its matrices.
        Hash = "hash",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "cache",
    "how a character whose pose did not change is known",
    Allowed::Words(CacheKey::NAMES),
    Value::word(CacheKey::Revision.name()),
)
.swept(CacheKey::NAMES)
.how_only()
.beside(&[("instances", &["16"]), ("dirty", &["50"])])
.only_where(Place::writes_vertices);

impl Case {
    /// How a character whose pose did not change is known; `Revision` where it is `n/a`.
    pub fn cache_key(&self) -> CacheKey {
        self.word(&AXIS)
            .and_then(CacheKey::from_name)
            .unwrap_or(CacheKey::Revision)
    }
}
