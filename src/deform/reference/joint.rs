//! One uploaded joint, held against its matrix in f64.
//!
//! The matrix M = B·M⁻¹ comes with bounds for the f32 matrix M̂ that the host packs ([`BoundedAffine`]);
//! every layout adds what packing rounds, u = 2⁻²⁴:
//! - `mat4`, `rows3x4`: nothing.
//! - halves: 2⁻¹¹ of the number, or 2⁻¹⁴ where that is stored as zero.
//! - dual quaternions are computed in f64 from M̂ and rounded once, u of each number. A quaternion
//!   that is off by u turns the rotation by 2u, √2 of that in Frobenius norm: 2√2·u.
//!   - `dual-quat` takes the quaternion from M̂ as if it were a rotation: of four multiples of it, 4qₖq,
//!     one with |qₖ| ≥ ½, whose entries are sums of three or two of M̂'s. With δ the largest |M̂ − R| of
//!     an entry, R being the rotation of the polar decomposition of M, that vector, of length 2 at
//!     least, is off by √(3² + 3·2²)·δ at most; normalised by half of that, 2.3δ; the rotation by
//!     2√2·2.3δ = 6.5δ, and with terms of second order (δ < 1/32: joints that scale are refused this
//!     layout) by less than 8δ.
//!   - `dual-quat-scale` holds M̂ = R·S up to 2⁻³⁸; R off by 2√2·u and S by u of ‖S‖ give 4u·‖S‖ in all,
//!     in Frobenius norm.
//!   - the translation is 2·d·q*: with |d| = |t|/2 off by u|d|, and q by u, it is off by 2u|t|, and
//!     what underflows in d.
//! - normal rows are M̂'s inverse transpose, computed in f64 and rounded; bounded arithmetic on M with its
//!   bounds counts f32 roundings throughout, which is more. Where the determinant may be zero they
//!   only have to be finite.
//! - flags are 0 or 1; where the joint's scale is at the threshold within its error, either.

use glam::{DMat3, DQuat, DVec3};
use half::f16;

use super::U;
use super::affine::BoundedAffine;
use crate::deform::palette::{Extra, PaletteReader, RIGID};
use crate::math::bounded::Bounded;
use crate::math::polar::polar;
use crate::math::real::Real;
use crate::plan::PaletteLayout;

/// Part of a joint in a palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its matrix; column 3 is the translation. Of a dual quaternion the one it stands for.
    Matrix,
    /// The length of the real part, row and column 0.
    Length,
    /// The rows of the symmetric factor.
    Stretch,
    /// The rows that carry normals.
    NormalRows,
    /// The flag, row and column 0.
    Flag,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Matrix => "matrix",
            Self::Length => "length of the rotation",
            Self::Stretch => "stretch",
            Self::NormalRows => "normal rows",
            Self::Flag => "flag",
        })
    }
}

/// An entry that is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) part: Part,
    pub(super) row: usize,
    pub(super) col: usize,
    pub(super) got: f64,
    pub(super) want: Bounded,
}

type Check = Result<(), Wrong>;

/// Twice the difference of lengths, as a fraction, from which a joint counts as scaled
/// non-uniformly; see [`crate::deform::palette::is_non_uniform`].
const NON_UNIFORM: f64 = 2e-3;

/// Half an ulp of a half at 1, and the smallest that is stored.
const HALF_U: f64 = 1.0 / 2048.0;
const SMALLEST_HALF: f64 = 1.0 / 16_384.0;

/// Holds one uploaded joint against its matrix.
pub(super) fn check_joint(m: &BoundedAffine, palette: &PaletteReader<'_>, joint: usize) -> Check {
    match palette.format.layout {
        PaletteLayout::Mat4 => {
            check_rows(m, palette, joint)?;
            check_last_row(palette, joint)?;
        }
        PaletteLayout::Rows3x4 | PaletteLayout::Rows3x4Half => check_rows(m, palette, joint)?,
        PaletteLayout::DualQuat => check_dual_quat(m, palette, joint)?,
        PaletteLayout::DualQuatScale => check_dual_quat_scale(m, palette, joint)?,
    }
    match palette.format.extra {
        Extra::None => Ok(()),
        Extra::NormalRows => check_normal_rows(m, palette, joint),
        Extra::Flags => check_flag(m, palette, joint),
    }
}

/// NaN is never within.
fn within(part: Part, row: usize, col: usize, got: f64, want: Bounded) -> Check {
    let right = (got - want.value).abs() <= want.error;
    let wrong = Wrong {
        part,
        row,
        col,
        got,
        want,
    };
    if right { Ok(()) } else { Err(wrong) }
}

fn entries() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|row| (0..4).map(move |col| (row, col)))
}

/// `want` as a half, where the palette holds halves.
fn packed(palette: &PaletteReader<'_>, want: Bounded) -> Bounded {
    if !palette.format.is_half() {
        return want;
    }
    let zeroed = if want.value.abs() - want.error < SMALLEST_HALF {
        SMALLEST_HALF
    } else {
        0.0
    };
    let rounded = HALF_U * (want.value.abs() + want.error);
    Bounded::with_error(want.value, want.error + rounded.max(zeroed))
}

fn check_rows(m: &BoundedAffine, palette: &PaletteReader<'_>, joint: usize) -> Check {
    let rows = palette.joint_rows(joint);
    entries().try_for_each(|(row, col)| {
        let want = packed(palette, m.entry(row, col));
        within(Part::Matrix, row, col, rows[row][col].into(), want)
    })
}

fn check_last_row(palette: &PaletteReader<'_>, joint: usize) -> Check {
    let columns = &palette.data[4 * joint..4 * joint + 4];
    (0..4).try_for_each(|col| {
        let want = Bounded::exact(if col == 3 { 1.0 } else { 0.0 });
        within(Part::Matrix, 3, col, columns[col][3].into(), want)
    })
}

/// The rotation of the real part, its length held against 1, and the translation, all in f64.
fn unpacked(palette: &PaletteReader<'_>, joint: usize) -> Result<(DMat3, DVec3), Wrong> {
    let [real, dual] = [palette.joint_real(joint), palette.joint_dual(joint)]
        .map(|part| DQuat::from_vec4(part.as_dvec4()));
    within(
        Part::Length,
        0,
        0,
        real.length(),
        Bounded::with_error(1.0, 2.0 * U),
    )?;
    let translation = (dual * real.conjugate()).xyz() * 2.0;
    Ok((DMat3::from_quat(real.normalize()), translation))
}

fn check_dual_quat(m: &BoundedAffine, palette: &PaletteReader<'_>, joint: usize) -> Check {
    let (got, translation) = unpacked(palette, joint)?;
    let exact = DMat3::from_cols_array_2d(&m.linear.map(|row| row.to_array())).transpose();
    // A matrix that is not finite has no rotation, and its rows are no bound: nothing is right.
    let want = polar(exact).map_or(DMat3::NAN, |polar| polar.rotation);
    let apart = (want - exact).to_cols_array();
    let apart = apart.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let error = m.linear_error.max_element();
    // A joint that is let in scales by no more; a rotation out of any other is none to be held against.
    let tolerance = match apart <= RIGID + error {
        true => 8.0 * (apart + error) + 3.0 * U,
        false => f64::NAN,
    };
    for (row, col) in entries().filter(|(_, col)| *col < 3) {
        let want = Bounded::with_error(want.col(col)[row], tolerance);
        within(Part::Matrix, row, col, got.col(col)[row], want)?;
    }
    check_translation(m, translation)
}

fn check_translation(m: &BoundedAffine, got: DVec3) -> Check {
    let length = m.offset.length() + m.offset_error.length();
    (0..3).try_for_each(|row| {
        let want = m.entry(row, 3);
        let want = Bounded::with_error(want.value, want.error + 2.1 * U * length + 1e-44);
        within(Part::Matrix, row, 3, got[row], want)
    })
}

fn check_dual_quat_scale(m: &BoundedAffine, palette: &PaletteReader<'_>, joint: usize) -> Check {
    let (rotation, translation) = unpacked(palette, joint)?;
    let stretch = palette.joint_stretch(joint).map(|row| row.as_dvec4());
    for (row, col) in entries() {
        let mirrored = if col < 3 { stretch[col][row] } else { 0.0 };
        let want = Bounded::with_error(mirrored, 0.0);
        within(Part::Stretch, row, col, stretch[row][col], want)?;
    }
    // The rows of a symmetric matrix are its columns.
    let [x, y, z] = stretch.map(|row| row.truncate());
    let got = rotation * DMat3::from_cols(x, y, z);
    let size = (x.length_squared() + y.length_squared() + z.length_squared()).sqrt();
    for (row, col) in entries().filter(|(_, col)| *col < 3) {
        let want = m.entry(row, col);
        let want = Bounded::with_error(want.value, want.error + 4.0 * U * size);
        within(Part::Matrix, row, col, got.col(col)[row], want)?;
    }
    check_translation(m, translation)
}

type Rows = [[Bounded; 3]; 3];

fn bounded_linear(m: &BoundedAffine) -> Rows {
    [0, 1, 2].map(|row| [0, 1, 2].map(|col| m.entry(row, col)))
}

fn dot(a: [Bounded; 3], b: [Bounded; 3]) -> Bounded {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The inverse transpose; unbounded where there may be none.
fn inverse_transpose(rows: Rows) -> Rows {
    let cross = |a: [Bounded; 3], b: [Bounded; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let [r0, r1, r2] = rows;
    let cofactors = [cross(r1, r2), cross(r2, r0), cross(r0, r1)];
    let determinant = dot(r0, cofactors[0]);
    cofactors.map(|row| row.map(|entry| entry / determinant))
}

fn check_normal_rows(m: &BoundedAffine, palette: &PaletteReader<'_>, joint: usize) -> Check {
    let rows = palette.joint_normal_rows(joint);
    let wanted = inverse_transpose(bounded_linear(m));
    entries().try_for_each(|(row, col)| {
        let got = f64::from(rows[row][col]);
        let want = if col == 3 {
            Bounded::exact(0.0)
        } else {
            packed(palette, wanted[row][col])
        };
        if !want.error.is_finite() && m.linear[row].is_finite() && got.is_finite() {
            return Ok(());
        }
        within(Part::NormalRows, row, col, got, want)
    })
}

/// The flag of a joint, as the format says where it lies.
fn flag_of(palette: &PaletteReader<'_>, joint: usize) -> f32 {
    let numbers = palette.data.as_flattened();
    let first = 4 * palette.format.joint_vec4s(palette.joints);
    if palette.format.is_half() {
        let both = numbers[first + joint / 2].to_bits();
        f16::from_bits((both >> (16 * (joint % 2))) as u16).to_f32()
    } else {
        numbers[first + joint]
    }
}

fn check_flag(m: &BoundedAffine, palette: &PaletteReader<'_>, joint: usize) -> Check {
    let got = f64::from(flag_of(palette, joint));
    let (likely, sure) = non_uniform(m);
    let likely = f64::from(u8::from(likely));
    let right = got == likely || (!sure && got == 1.0 - likely);
    let want = Bounded::with_error(likely, 0.0);
    if right {
        Ok(())
    } else {
        within(Part::Flag, 0, 0, got, want)
    }
}

/// Whether MᵀM is further from a multiple of the identity than the threshold, and whether that is
/// sure.
fn non_uniform(m: &BoundedAffine) -> (bool, bool) {
    let rows = bounded_linear(m);
    let column = |c: usize| rows.map(|row| row[c]);
    let gram = |a: usize, b: usize| dot(column(a), column(b));
    let [xx, yy, zz] = [0, 1, 2].map(|c| gram(c, c));
    let size = (xx + yy + zz) / Bounded::exact(3.0);
    let rest = [
        xx - size,
        yy - size,
        zz - size,
        gram(0, 1),
        gram(0, 2),
        gram(1, 2),
    ];
    let excess = rest.map(|x| x.abs() - Bounded::with_error(NON_UNIFORM, 0.0) * size);
    let over = excess.iter().any(|x| x.value > 0.0);
    let surely_over = excess.iter().any(|x| x.value > x.error);
    let surely_under = excess.iter().all(|x| x.value < -x.error);
    (over, surely_over || surely_under)
}
