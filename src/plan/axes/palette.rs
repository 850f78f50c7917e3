//! Axis `palette`: in which form a joint's transform reaches the deformation.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// The form in which the transform of a joint reaches the deformation.
    pub enum PaletteLayout {
        /// A 4×4 matrix, 64 B.
        Mat4 = "mat4",
        /// The first three rows of a 4×4 matrix, 48 B.
        Rows3x4 = "rows3x4",
        /// The same rows in 16-bit floats, 24 B.
        Rows3x4Half = "rows3x4-half",
        /// A unit dual quaternion, 32 B: rotation and translation, scaled joints are refused.
        DualQuat = "dual-quat",
        /// A dual quaternion, 32 B, after a linear phase of 3×4 rows that scales, 48 B.
        DualQuatScale = "dual-quat-scale",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "palette",
    "the form in which the transform of a joint reaches the deformation",
    Allowed::Words(PaletteLayout::NAMES),
    Value::word(PaletteLayout::Rows3x4.name()),
)
.swept(PaletteLayout::NAMES);

impl Case {
    /// The form in which the transform of a joint reaches the deformation.
    pub fn palette(&self) -> PaletteLayout {
        self.word(&AXIS)
            .and_then(PaletteLayout::from_name)
            .unwrap_or(PaletteLayout::Rows3x4)
    }
}

impl PaletteLayout {
    /// Whether vertices are blended by dual quaternions, not by matrices.
    pub fn is_dual_quat(self) -> bool {
        matches!(self, Self::DualQuat | Self::DualQuatScale)
    }
}
