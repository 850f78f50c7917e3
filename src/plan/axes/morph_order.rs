//! Axis `morph-order`: whether morph targets are added before or after skinning.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// Whether morph targets are added before or after skinning.
    pub enum MorphOrder {
        /// In the bind pose, as glTF and Godot have it.
        Before = "before",
        /// To the skinned vertex, as Unity has it.
        After = "after",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "morph-order",
    "whether morph targets are added before or after skinning",
    Allowed::Words(MorphOrder::NAMES),
    Value::word(MorphOrder::Before.name()),
)
.swept(MorphOrder::NAMES)
.beside(&[("morph-targets", &["8"])]);

impl Case {
    /// Whether morph targets are added before or after skinning.
    pub fn morph_order(&self) -> MorphOrder {
        self.word(&AXIS)
            .and_then(MorphOrder::from_name)
            .unwrap_or(MorphOrder::Before)
    }
}
