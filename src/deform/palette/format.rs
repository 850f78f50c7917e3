//! How one palette lies in memory, in `vec4`s (16 bytes).
//!
//! First the joints in their layout, then what the normal mode needs beside them:
//!
//! | layout | a joint |
//! |---|---|
//! | `mat4` | 4 columns of B·M⁻¹ |
//! | `rows3x4` | 3 rows: (m_r0, m_r1, m_r2, t_r) |
//! | `rows3x4-half` | the same in half precision, 8 bytes a row: two joints in three `vec4`s |
//! | `dual-quat` | real part, dual part, (x, y, z, w) each |
//! | `dual-quat-scale` | the same, then 3 rows of the symmetric factor S of M = R·S, w = 0 |
//!
//! `per-joint` normals add three rows a joint, its inverse transpose; `flagged` ones add a number a
//! joint, 1 where it scales non-uniformly. Both in halves beside halves, so that a texture of halves
//! can hold them.

use crate::plan::{NormalMode, PaletteLayout};

/// What stands behind the joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extra {
    /// Nothing.
    None,
    /// Three rows a joint: its inverse transpose.
    NormalRows,
    /// One number a joint.
    Flags,
}

/// The layout of palettes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PaletteFormat {
    /// How a joint is stored.
    pub layout: PaletteLayout,
    /// What stands behind the joints.
    pub extra: Extra,
}

impl Default for PaletteFormat {
    fn default() -> Self {
        Self::new(PaletteLayout::Rows3x4, NormalMode::Cofactor)
    }
}

impl PaletteFormat {
    /// The format of a palette layout under a normal mode.
    pub fn new(layout: PaletteLayout, normals: NormalMode) -> Self {
        let extra = match normals {
            NormalMode::PerJoint => Extra::NormalRows,
            NormalMode::Flagged => Extra::Flags,
            _ => Extra::None,
        };
        Self { layout, extra }
    }

    /// Whether it is stored in half precision.
    pub fn is_half(self) -> bool {
        self.layout == PaletteLayout::Rows3x4Half
    }

    /// `vec4`s of the joints alone.
    pub fn joint_vec4s(self, joints: usize) -> usize {
        match self.layout {
            PaletteLayout::Mat4 => 4 * joints,
            PaletteLayout::Rows3x4 => 3 * joints,
            PaletteLayout::Rows3x4Half => 3 * joints.div_ceil(2),
            PaletteLayout::DualQuat => 2 * joints,
            PaletteLayout::DualQuatScale => 5 * joints,
        }
    }

    /// `vec4`s of a palette of `joints`, all sections.
    pub fn vec4s(self, joints: usize) -> usize {
        let extra = match (self.extra, self.is_half()) {
            (Extra::None, _) => 0,
            (Extra::NormalRows, false) => 3 * joints,
            (Extra::NormalRows, true) => 3 * joints.div_ceil(2),
            (Extra::Flags, false) => joints.div_ceil(4),
            (Extra::Flags, true) => joints.div_ceil(8),
        };
        self.joint_vec4s(joints) + extra
    }

    /// Bytes that one joint's entries take, without padding.
    pub fn bytes_per_joint(self) -> usize {
        let joint = match self.layout {
            PaletteLayout::Mat4 => 64,
            PaletteLayout::Rows3x4 => 48,
            PaletteLayout::Rows3x4Half => 24,
            PaletteLayout::DualQuat => 32,
            PaletteLayout::DualQuatScale => 80,
        };
        let number = if self.is_half() { 2 } else { 4 };
        joint
            + match self.extra {
                Extra::None => 0,
                Extra::NormalRows => 12 * number,
                Extra::Flags => number,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_share_three_vec4s_and_flags_share_one() {
        let of = |layout, normals, joints| PaletteFormat::new(layout, normals).vec4s(joints);
        assert_eq!(of(PaletteLayout::Rows3x4Half, NormalMode::Cofactor, 64), 96);
        assert_eq!(of(PaletteLayout::Rows3x4Half, NormalMode::Cofactor, 5), 9);
        assert_eq!(of(PaletteLayout::Rows3x4, NormalMode::Flagged, 5), 17);
        assert_eq!(of(PaletteLayout::Rows3x4Half, NormalMode::Flagged, 9), 17);
        assert_eq!(of(PaletteLayout::Mat4, NormalMode::PerJoint, 2), 14);
        assert_eq!(of(PaletteLayout::DualQuatScale, NormalMode::Direct, 3), 15);
    }
}
