//! Axis `joint-scale`: whether joints of the built-in character are scaled.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Impossible, PaletteLayout, Value};

named! {
    /// Scale of the built-in character's joints.
    pub enum JointScale {
        /// Every joint at scale 1.
        None = "none",
        /// Joints scaled differently along their axes.
        NonUniform = "non-uniform",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "joint-scale",
    "scale of the joints of the built-in character",
    Allowed::Words(JointScale::NAMES),
    Value::word(JointScale::None.name()),
)
.swept(JointScale::NAMES)
.built_in_only()
.impossible_where(rigid_palette);

impl Case {
    /// Scale of the built-in character's joints; `None` with a MODEL.
    pub fn joint_scale(&self) -> JointScale {
        self.word(&AXIS)
            .and_then(JointScale::from_name)
            .unwrap_or(JointScale::None)
    }
}

fn rigid_palette(case: &Case) -> Option<Impossible> {
    let scaled = case.joint_scale() == JointScale::NonUniform;
    (scaled && case.palette() == PaletteLayout::DualQuat).then(|| Impossible {
        name: "palette",
        need: "joints without scale for dual-quat".to_owned(),
        have: "joint-scale non-uniform".to_owned(),
    })
}
