//! Axis `kernel`: whose compute kernel deforms.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// Whose compute kernel deforms.
    pub enum KernelChoice {
        /// This benchmark's.
        Ours = "ours",
        /// The user's, given by `--kernel`.
        Own = "own",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "kernel",
    "whose compute kernel deforms: this benchmark's, or that of --kernel (docs/KERNELS.md)",
    Allowed::Words(KernelChoice::NAMES),
    Value::word(KernelChoice::Ours.name()),
)
.how_only()
.only_where(|place| place == Place::Compute);

impl Case {
    /// Whose compute kernel deforms; `Ours` where it is `n/a`.
    pub fn kernel(&self) -> KernelChoice {
        self.word(&AXIS)
            .and_then(KernelChoice::from_name)
            .unwrap_or(KernelChoice::Ours)
    }
}
