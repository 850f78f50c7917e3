//! Reading a palette as the kernels do: the CPU twin of `palette.glsl`, same names, same order.

use glam::Vec4;
use half::f16;

use super::PaletteFormat;
use crate::plan::PaletteLayout;

/// One palette as it was uploaded.
#[derive(Clone, Copy, Debug)]
pub struct PaletteReader<'a> {
    /// Its format.
    pub format: PaletteFormat,
    /// Its joints.
    pub joints: usize,
    /// Its `vec4`s.
    pub data: &'a [[f32; 4]],
}

impl PaletteReader<'_> {
    fn vec4(&self, index: usize) -> Vec4 {
        Vec4::from_array(self.data[index])
    }

    fn half4(&self, index: usize) -> Vec4 {
        let two = self.data[index / 2];
        let one = [two[2 * (index & 1)], two[2 * (index & 1) + 1]];
        let number = |at: usize| {
            let bits = one[at / 2].to_bits() >> (16 * (at & 1));
            f16::from_bits(bits as u16).to_f32()
        };
        Vec4::from_array(std::array::from_fn(number))
    }

    /// Three rows that lie one after the other.
    fn rows_at(&self, index: usize) -> [Vec4; 3] {
        let row = |row| match self.format.is_half() {
            true => self.half4(index + row),
            false => self.vec4(index + row),
        };
        [0, 1, 2].map(row)
    }

    /// The matrix of a joint in a palette of matrices.
    pub fn joint_rows(&self, joint: usize) -> [Vec4; 3] {
        if self.format.layout != PaletteLayout::Mat4 {
            return self.rows_at(3 * joint);
        }
        let [c0, c1, c2, c3] = [0, 1, 2, 3].map(|column| self.vec4(4 * joint + column));
        [0, 1, 2].map(|row| Vec4::new(c0[row], c1[row], c2[row], c3[row]))
    }

    fn dual_quat_stride(&self) -> usize {
        if self.format.layout == PaletteLayout::DualQuatScale {
            5
        } else {
            2
        }
    }

    /// The rotation of a joint in a palette of dual quaternions.
    pub fn joint_real(&self, joint: usize) -> Vec4 {
        self.vec4(self.dual_quat_stride() * joint)
    }

    /// Its dual part.
    pub fn joint_dual(&self, joint: usize) -> Vec4 {
        self.vec4(self.dual_quat_stride() * joint + 1)
    }

    /// The symmetric factor of a joint.
    pub fn joint_stretch(&self, joint: usize) -> [Vec4; 3] {
        self.rows_at(5 * joint + 2)
    }

    /// Rows before what stands behind the joints.
    fn behind_joints(&self) -> usize {
        match self.format.layout {
            PaletteLayout::Mat4 => 4 * self.joints,
            PaletteLayout::Rows3x4 => 3 * self.joints,
            PaletteLayout::Rows3x4Half => 6 * self.joints.div_ceil(2),
            _ => self.dual_quat_stride() * self.joints,
        }
    }

    /// The inverse transpose of a joint, under `per-joint` normals.
    pub fn joint_normal_rows(&self, joint: usize) -> [Vec4; 3] {
        self.rows_at(self.behind_joints() + 3 * joint)
    }

    /// Whether a joint scales non-uniformly, under `flagged` normals.
    pub fn joint_flag(&self, joint: usize) -> bool {
        let index = self.behind_joints() + joint / 4;
        let four = match self.format.is_half() {
            true => self.half4(index),
            false => self.vec4(index),
        };
        four[joint & 3] != 0.0
    }
}
