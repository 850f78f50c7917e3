//! Axis `robust`: whether the device checks the bounds of buffer accesses.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// Whether the device checks the bounds of buffer accesses.
    pub enum Robust {
        /// It need not.
        Off = "off",
        /// It does, by robustBufferAccess.
        On = "on",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "robust",
    "whether the device checks the bounds of buffer accesses",
    Allowed::Words(Robust::NAMES),
    Value::word(Robust::Off.name()),
)
.swept(Robust::NAMES)
.how_only()
.only_where(|place| place != Place::Cpu);

impl Case {
    /// Whether the device checks the bounds of buffer accesses; `Off` where it is `n/a`.
    pub fn robust(&self) -> Robust {
        self.word(&AXIS)
            .and_then(Robust::from_name)
            .unwrap_or(Robust::Off)
    }
}
