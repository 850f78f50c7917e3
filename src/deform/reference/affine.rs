//! Affine transforms in f64 whose rows carry bounds for an f32 evaluation.

use glam::{DVec3, Mat4};

use super::gamma;
use crate::math::bounded::Bounded;

/// Absolute floor for underflow in a product of transforms, far below any f32 that matters.
const UNDERFLOW: f64 = 1e-42;

/// A 3×4 transform, rows (m₀, m₁, m₂, t).
///
/// The error of a row's linear part is bounded by its *length*, not entry by entry: a rotation
/// keeps lengths, so bounds grow with the depth of a skeleton, where entrywise bounds would grow by
/// √3 at each joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedAffine {
    /// Linear part, row by row.
    pub linear: [DVec3; 3],
    /// Translation.
    pub offset: DVec3,
    /// Bound on the length of the error of each row of the linear part.
    pub linear_error: DVec3,
    /// Bound on the error of each entry of the translation.
    pub offset_error: DVec3,
}

impl BoundedAffine {
    /// An f32 matrix without error, its last row taken as (0, 0, 0, 1).
    pub fn exact(matrix: Mat4) -> Self {
        let wide = matrix.as_dmat4();
        Self {
            linear: [0, 1, 2].map(|row| wide.row(row).truncate()),
            offset: wide.w_axis.truncate(),
            linear_error: DVec3::ZERO,
            offset_error: DVec3::ZERO,
        }
    }

    /// T·R·S from its parts, with the operations of the f32 path: the usual matrix of a unit
    /// quaternion (x, y, z, w), each column times its scale.
    pub fn from_trs(t: [Bounded; 3], q: [Bounded; 4], s: [Bounded; 3]) -> Self {
        let [x, y, z, w] = q;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = Bounded::exact(1.0);
        let rows = [
            [one - (yy + zz), xy - wz, xz + wy],
            [xy + wz, one - (xx + zz), yz - wx],
            [xz - wy, yz + wx, one - (xx + yy)],
        ];
        let scaled = rows.map(|row| [row[0] * s[0], row[1] * s[1], row[2] * s[2]]);
        let errors = scaled.map(|row| DVec3::from_array(row.map(|b| b.error)).length());
        Self {
            linear: scaled.map(|row| DVec3::from_array(row.map(|b| b.value))),
            offset: DVec3::from_array(t.map(|b| b.value)),
            linear_error: DVec3::from_array(errors),
            offset_error: DVec3::from_array(t.map(|b| b.error)),
        }
    }

    /// `self`·`b`, with bounds for the f32 product of the 4×4 matrices.
    ///
    /// With row a of `self` (error e in length), B of spectral norm ‖B‖ and error E:
    /// the row aB is off by e‖B‖ + (|a| + e)‖E‖ + γ₄(|a| + e)(‖B‖_F + ‖E‖_F), the translation
    /// a·t + s by e|t| + (|a| + e)|δt| + δs + γ₄((|a| + e)(|t| + |δt|) + |s| + δs): four products
    /// and three additions an entry, in any order.
    pub fn times(&self, b: &Self) -> Self {
        let columns = b.columns();
        let (spectral, frobenius) = (b.spectral_norm_bound(), b.frobenius_norm());
        let b_error = b.linear_error.length();
        let (offset_length, offset_error) = (b.offset.length(), b.offset_error.length());
        let mut out = *self;
        for row in 0..3 {
            let (a, e) = (self.linear[row], self.linear_error[row]);
            let (s, s_error) = (self.offset[row], self.offset_error[row]);
            let reach = a.length() + e;
            out.linear[row] = DVec3::from_array(columns.map(|column| a.dot(column)));
            out.linear_error[row] = e * spectral
                + reach * b_error
                + gamma(4) * reach * (frobenius + b_error)
                + UNDERFLOW;
            out.offset[row] = a.dot(b.offset) + s;
            out.offset_error[row] = e * offset_length
                + reach * offset_error
                + s_error
                + gamma(4) * (reach * (offset_length + offset_error) + s.abs() + s_error)
                + UNDERFLOW;
        }
        out
    }

    /// Value and tolerance of one entry; column 3 is the translation.
    pub fn entry(&self, row: usize, column: usize) -> Bounded {
        let (value, error) = if column < 3 {
            (self.linear[row][column], self.linear_error[row])
        } else {
            (self.offset[row], self.offset_error[row])
        };
        Bounded { value, error }
    }

    fn columns(&self) -> [DVec3; 3] {
        [0, 1, 2].map(|c| DVec3::from_array(self.linear.map(|row| row[c])))
    }

    fn frobenius_norm(&self) -> f64 {
        self.linear
            .iter()
            .map(|row| row.length_squared())
            .sum::<f64>()
            .sqrt()
    }

    /// An upper bound on the spectral norm: ‖B‖₂² = ‖BᵀB‖₂ = ‖BBᵀ‖₂, and a symmetric matrix's
    /// spectral norm is at most its largest absolute row sum. Exact for a rotation times scales.
    fn spectral_norm_bound(&self) -> f64 {
        largest_gram_row(&self.columns())
            .min(largest_gram_row(&self.linear))
            .sqrt()
    }
}

/// Largest absolute row sum of the matrix of all dot products of three vectors.
fn largest_gram_row(vectors: &[DVec3; 3]) -> f64 {
    let row = |a: &DVec3| vectors.iter().map(|b| a.dot(*b).abs()).sum::<f64>();
    vectors.iter().map(row).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    /// The matrix of a rotation by `angle` about z with scale 1 + angle / 100, one unit along y.
    fn link(angle: f32) -> Mat4 {
        let scale = Vec3::splat(1.0 + angle / 100.0);
        Mat4::from_scale_rotation_translation(scale, Quat::from_rotation_z(angle), Vec3::Y)
    }

    #[test]
    fn a_long_chain_stays_within_bounds_that_grow_slowly() {
        let (mut got, mut want) = (Mat4::IDENTITY, BoundedAffine::exact(Mat4::IDENTITY));
        for joint in 0..200u8 {
            let local = link(f32::from(joint % 7) * 0.1 - 0.3);
            got *= local;
            want = want.times(&BoundedAffine::exact(local));
            for (row, column) in (0..3).flat_map(|r| (0..4).map(move |c| (r, c))) {
                assert!(
                    want.entry(row, column).admits(got.row(row)[column]),
                    "{joint}"
                );
            }
        }
        // 200 joints, at most 4·√3 u + 4u each on a row, and lengths near one.
        assert!(want.linear_error.max_element() < 200.0 * 12.0 * super::super::U * 1.1);
    }

    #[test]
    fn the_norm_of_a_scaled_rotation_is_its_largest_scale() {
        let q = Quat::from_xyzw(0.1, -0.4, 0.2, 0.8).normalize();
        let m = Mat4::from_scale_rotation_translation(Vec3::new(0.5, 3.0, 1.0), q, Vec3::ZERO);
        let norm = BoundedAffine::exact(m).spectral_norm_bound();
        assert!((norm - 3.0).abs() <= 1e-5, "{norm}");
    }
}
