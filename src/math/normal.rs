//! Matrices that carry normals, from the three *rows* of a linear map.
//!
//! The cofactor matrix of M is det(M)·M⁻ᵀ: it points where the inverse transpose does, up to the
//! sign of the determinant, and exists for singular matrices too (Akenine-Möller et al.,
//! *Real-Time Rendering*, 4th ed., 4.1.7).

use glam::{DVec3, Vec3};

/// Rows of the cofactor matrix of the matrix with these rows.
pub fn cofactor(rows: [Vec3; 3]) -> [Vec3; 3] {
    let [r0, r1, r2] = rows;
    [r1.cross(r2), r2.cross(r0), r0.cross(r1)]
}

/// [`cofactor`] in f64.
pub fn cofactor_f64(rows: [DVec3; 3]) -> [DVec3; 3] {
    let [r0, r1, r2] = rows;
    [r1.cross(r2), r2.cross(r0), r0.cross(r1)]
}

/// Rows of the cofactor matrix with every product and difference replaced by the sum of absolute
/// values; `rows` must be non-negative. Bounds the rounding of [`cofactor`].
pub fn absolute_cofactor(rows: [DVec3; 3]) -> [DVec3; 3] {
    let sum = |a: DVec3, b: DVec3| {
        DVec3::new(
            a.y * b.z + a.z * b.y,
            a.z * b.x + a.x * b.z,
            a.x * b.y + a.y * b.x,
        )
    };
    let [r0, r1, r2] = rows;
    [sum(r1, r2), sum(r2, r0), sum(r0, r1)]
}

/// Rows of the inverse transpose, or `None` where the determinant is zero or not finite.
pub fn inverse_transpose(rows: [DVec3; 3]) -> Option<[DVec3; 3]> {
    let cofactor = cofactor_f64(rows);
    let determinant = rows[0].dot(cofactor[0]);
    let inverse = 1.0 / determinant;
    (determinant != 0.0 && inverse.is_finite()).then(|| cofactor.map(|row| row * inverse))
}

/// The matrix with these rows times `v`.
pub fn transform(rows: [DVec3; 3], v: DVec3) -> DVec3 {
    DVec3::new(rows[0].dot(v), rows[1].dot(v), rows[2].dot(v))
}

/// Angle between two vectors in radians, accurate near 0 and near π; NaN if either holds one.
///
/// atan2(|a × b|, a·b), on vectors scaled to about one so that nothing under- or overflows.
pub fn angle(a: DVec3, b: DVec3) -> f64 {
    let scaled = |v: DVec3| v / v.abs().max_element();
    let (a, b) = (scaled(a), scaled(b));
    a.cross(b).length().atan2(a.dot(b))
}

/// Length that linear blending of two rotations leaves to a vector across their common axis, as a
/// fraction: √(1 − 2w(1 − w)(1 − cos φ)), with `weight` w of one and `angle` φ between them.
pub fn blended_length(weight: f64, angle: f64) -> f64 {
    (1.0 - 2.0 * weight * (1.0 - weight) * (1.0 - angle.cos())).sqrt()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use glam::DMat3;
    use proptest::prelude::*;

    fn stretched(y: f64) -> [DVec3; 3] {
        [DVec3::X, DVec3::Y * y, DVec3::Z]
    }

    #[test]
    fn direct_matrix_bends_normals_and_the_cofactor_does_not() {
        let n = DVec3::new(1.0, 1.0, 0.0).normalize();
        for (scale, degrees) in [(1.5, 22.62), (2.0, 36.87), (4.0, 61.93)] {
            let rows = stretched(scale);
            let exact = transform(inverse_transpose(rows).unwrap(), n);
            let direct = angle(transform(rows, n), exact).to_degrees();
            let cofactor = angle(transform(cofactor_f64(rows), n), exact);
            // The published angles have two decimals.
            assert!((direct - degrees).abs() <= 0.005, "{direct}");
            assert!(cofactor <= 1e-15, "{cofactor:e}");
        }
    }

    #[test]
    fn blending_shortens_as_published() {
        // In millionths, as published: a difference of half a millionth is what rounding to six decimals leaves.
        let cases = [(90.0f64, 707_107.0), (120.0, 500_000.0), (170.0, 87_156.0)];
        for (degrees, want) in cases {
            let got = 1e6 * blended_length(0.5, degrees.to_radians());
            assert!((got - want).abs() <= 0.5, "{degrees}: {got}");
        }
    }

    #[test]
    fn blending_two_rotation_matrices_shortens_so() {
        for degrees in [0.0f64, 30.0, 90.0, 120.0, 170.0, 180.0] {
            for weight in [0.0, 0.2, 0.5, 0.9] {
                let (a, b) = (
                    DMat3::IDENTITY,
                    DMat3::from_rotation_z(degrees.to_radians()),
                );
                let blended = a * weight + b * (1.0 - weight);
                let want = blended_length(weight, degrees.to_radians());
                // Near 180 degrees 1 - x cancels, and the root of an error of a few 2⁻⁵³ is 2e-8.
                assert!(((blended * DVec3::X).length() - want).abs() <= 3e-8);
            }
        }
    }

    #[test]
    fn singular_has_a_cofactor_and_no_inverse() {
        let flat = stretched(0.0);
        assert!(inverse_transpose(flat).is_none());
        assert_eq!(transform(cofactor_f64(flat), DVec3::Y), DVec3::Y);
    }

    #[test]
    fn angle_survives_extremes_and_shows_nan() {
        assert!(
            (angle(DVec3::X * 1e-300, DVec3::NEG_X * 1e300) - std::f64::consts::PI).abs() < 1e-15
        );
        let tiny = DVec3::new(1.0, 1e-9, 0.0);
        assert!((angle(DVec3::X, tiny) - 1e-9).abs() < 1e-24);
        assert!(angle(DVec3::X, DVec3::NAN).is_nan());
        assert!(angle(DVec3::X, DVec3::ZERO).is_nan());
    }

    proptest! {
        #[test]
        fn f32_cofactor_stays_within_its_bound(m in prop::array::uniform9(-10.0f32..10.0)) {
            let rows32 = [0, 3, 6].map(|i| Vec3::new(m[i], m[i + 1], m[i + 2]));
            let rows64 = rows32.map(|row| row.as_dvec3());
            let want = cofactor_f64(rows64);
            let bound = absolute_cofactor(rows64.map(DVec3::abs));
            let got = cofactor(rows32);
            for row in 0..3 {
                let error = (got[row].as_dvec3() - want[row]).abs();
                // Two roundings a term: a product and a difference.
                let tolerance = bound[row] * (2.1 * 2f64.powi(-24));
                prop_assert!(error.cmple(tolerance).all());
            }
        }
    }
}
