//! One joint in each layout, from its matrix B·M⁻¹.

use glam::{DMat3, DQuat, DVec3, Mat4, Vec4};
use half::f16;

use super::matrices;
use crate::math::normal::{cofactor_f64, inverse_transpose};
use crate::math::polar::{is_rigid, polar};
use crate::scene::Scene;
use crate::scene::playback::{Poses, evaluate_poses};

/// How far a singular value may be from 1 for a joint to count as rigid, and how unequal the axes
/// of a joint may be to count as uniform: far above the rounding of a long chain of nodes, far below
/// a scale that anyone sees.
pub const RIGID: f64 = 1e-3;

/// Below this, 2⁻¹⁴, halves are denormal, and a GPU may read them as zero: they are stored as zero,
/// so that all read alike.
const SMALLEST_HALF: f32 = 6.103_515_6e-5;

/// The largest finite half.
pub const LARGEST_HALF: f32 = 65_504.0;

/// Three rows: (m_r0, m_r1, m_r2, t_r).
pub(super) fn rows(matrix: Mat4) -> [f32; 12] {
    let all = matrix.transpose().to_cols_array();
    std::array::from_fn(|index| all[index])
}

/// Twelve numbers as halves, two in the bits of one.
pub(super) fn halves(rows: [f32; 12]) -> [f32; 6] {
    let half = |x: f32| {
        let kept = if x.abs() < SMALLEST_HALF { 0.0 } else { x };
        u32::from(f16::from_f32(kept).to_bits())
    };
    std::array::from_fn(|at| f32::from_bits(half(rows[2 * at]) | half(rows[2 * at + 1]) << 16))
}

/// Real and dual part of a rigid joint.
///
/// The quaternion is taken from the matrix as if it were a rotation; see [`unfit`] for those
/// that are not.
pub(super) fn dual_quat(matrix: Mat4) -> [f32; 8] {
    let rotation = DQuat::from_mat3(&linear(matrix)).normalize();
    parts(rotation, translation(matrix))
}

/// Real and dual part of the rotation R of M = R·S, and the rows of S with w = 0.
pub(super) fn dual_quat_scale(matrix: Mat4) -> [f32; 20] {
    let m = linear(matrix);
    let (rotation, stretch) = polar(m).map_or((DQuat::IDENTITY, m), |polar| {
        (DQuat::from_mat3(&polar.rotation).normalize(), polar.stretch)
    });
    let mut out = [0.0; 20];
    out[..8].copy_from_slice(&parts(rotation, translation(matrix)));
    for row in 0..3 {
        let [x, y, z] = stretch.row(row).to_array().map(|x| x as f32);
        out[8 + 4 * row..12 + 4 * row].copy_from_slice(&[x, y, z, 0.0]);
    }
    out
}

/// q, and ½·t·q with t as a pure quaternion (L. Kavan et al., 2008).
fn parts(rotation: DQuat, translation: DVec3) -> [f32; 8] {
    let t = DQuat::from_xyzw(translation.x, translation.y, translation.z, 0.0);
    let dual = t * rotation * 0.5;
    let [real, dual] = [rotation, dual].map(|q| q.to_array().map(|x| x as f32));
    std::array::from_fn(|at| if at < 4 { real[at] } else { dual[at - 4] })
}

/// Three rows of the inverse transpose, w = 0; of the cofactor matrix where there is no inverse.
pub(super) fn normal_rows(matrix: Mat4) -> [f32; 12] {
    let rows = linear_rows(matrix);
    let normal = inverse_transpose(rows).unwrap_or_else(|| cofactor_f64(rows));
    std::array::from_fn(|at| normal[at / 4].extend(0.0)[at % 4] as f32)
}

/// 1 where the joint scales non-uniformly, else 0.
pub(super) fn flag(matrix: Mat4) -> f32 {
    f32::from(u8::from(is_non_uniform(matrix)))
}

/// Flags as halves, two in the bits of one number.
pub(super) fn write_half_flags(mut joints: impl Iterator<Item = Mat4>, out: &mut [f32]) {
    let mut next = || {
        let flag = joints.next().map_or(0.0, flag);
        u32::from(f16::from_f32(flag).to_bits())
    };
    for packed in out {
        let low = next();
        *packed = f32::from_bits(low | next() << 16);
    }
}

/// Whether a matrix scales its axes differently or shears: MᵀM is no multiple of the identity.
pub fn is_non_uniform(matrix: Mat4) -> bool {
    let m = linear(matrix);
    let gram = m.transpose() * m;
    let size = (gram.x_axis.x + gram.y_axis.y + gram.z_axis.z) / 3.0;
    let rest = gram - DMat3::from_diagonal(DVec3::splat(size));
    let largest = rest
        .to_cols_array()
        .iter()
        .fold(0f64, |a, x| a.max(x.abs()));
    // A squared length is off by twice what the length is.
    largest > 2.0 * RIGID * size
}

fn linear_rows(matrix: Mat4) -> [DVec3; 3] {
    [0, 1, 2].map(|row| matrix.row(row).truncate().as_dvec3())
}

fn linear(matrix: Mat4) -> DMat3 {
    let [x, y, z] =
        [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis: Vec4| axis.truncate().as_dvec3());
    DMat3::from_cols(x, y, z)
}

fn translation(matrix: Mat4) -> DVec3 {
    matrix.w_axis.truncate().as_dvec3()
}

/// What a palette layout cannot hold of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// A joint that is no rigid motion, by its palette and its index in it.
    Scaled(usize, usize),
    /// A number beyond what a half can hold.
    Large(f32),
}

/// Looks for a joint that scales, shears or mirrors (`Scaled`) or for a number beyond [`LARGEST_HALF`]
/// in the rest pose and in every 60th of a second of `clip`, at most 7,200 of them, evenly spread.
pub fn unfit(scene: &Scene, clip: Option<usize>, half: bool) -> Option<Unfit> {
    const MOST: usize = 7200;
    let duration = clip.map_or(0.0, |clip| scene.clips[clip].duration);
    let steps = ((f64::from(duration) * 60.0).ceil() as usize).clamp(1, MOST);
    let mut poses = Poses::new(scene, 1);
    (0..=steps).find_map(|step| {
        let time = (f64::from(duration) * step as f64 / steps as f64) as f32;
        evaluate_poses(scene, clip, &[time], &mut poses);
        let globals = &poses.instances[0].globals;
        let palettes = 0..scene.palettes.len();
        palettes.into_iter().find_map(|palette| {
            let mut joints = matrices(scene, globals, palette).enumerate();
            joints.find_map(|(joint, m)| misfit(palette, joint, m, half))
        })
    })
}

fn misfit(palette: usize, joint: usize, matrix: Mat4, half: bool) -> Option<Unfit> {
    if half {
        // The inverse transpose too, which `per-joint` normals store.
        let both = [rows(matrix), normal_rows(matrix)];
        let largest = both.iter().flatten().fold(0f32, |a, x| a.max(x.abs()));
        return (largest > LARGEST_HALF).then_some(Unfit::Large(largest));
    }
    (!is_rigid(linear(matrix), RIGID)).then_some(Unfit::Scaled(palette, joint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    fn shown(bits: f32) -> [f32; 2] {
        let bits = bits.to_bits();
        [bits as u16, (bits >> 16) as u16].map(|bits| f16::from_bits(bits).to_f32())
    }

    #[test]
    fn halves_keep_their_order_and_have_no_denormals() {
        let mut rows = [0.0; 12];
        rows[0] = 1.5;
        rows[1] = -2.0;
        rows[2] = 5.0e-5;
        let packed = halves(rows);
        assert_eq!(shown(packed[0]), [1.5, -2.0]);
        assert_eq!(shown(packed[1]), [0.0, 0.0]);
    }

    #[test]
    fn a_dual_quaternion_moves_the_origin_by_the_translation() {
        let (turn, shift) = (Quat::from_rotation_y(0.7), Vec3::new(1.0, -2.0, 3.0));
        let q = dual_quat(Mat4::from_rotation_translation(turn, shift));
        let real = DQuat::from_xyzw(q[0].into(), q[1].into(), q[2].into(), q[3].into());
        let dual = DQuat::from_xyzw(q[4].into(), q[5].into(), q[6].into(), q[7].into());
        let moved = (dual * real.conjugate()).xyz() * 2.0;
        // Each part is rounded once: four roundings of numbers up to 4.
        assert!(
            (moved - shift.as_dvec3()).length() <= 16.0 * 2f64.powi(-24),
            "{moved}"
        );
    }

    #[test]
    fn only_unequal_axes_are_flagged() {
        let turn = Quat::from_rotation_x(1.0);
        let of = |scale| Mat4::from_scale_rotation_translation(scale, turn, Vec3::ONE);
        assert!(!is_non_uniform(of(Vec3::splat(3.0))));
        assert!(is_non_uniform(of(Vec3::new(1.0, 1.01, 1.0))));
        let sheared = Mat4::from_rotation_z(0.5) * of(Vec3::new(1.0, 2.0, 1.0));
        assert!(is_non_uniform(sheared));
    }
}
