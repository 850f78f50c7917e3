//! Unit quaternions in f32: normalising, and spherical interpolation that stays accurate.

use glam::Quat;

/// Squared chord below which [`slerp`] interpolates along the chord instead of the arc.
///
/// At an angle θ = 2⁻¹⁰ the two differ by less than θ³/60 < 2⁻³⁵ once normalised, far below half
/// an ulp of a unit quaternion.
const STRAIGHT_CHORD_SQUARED: f32 = 1.0 / 1_048_576.0;

/// `q` divided by its length; the identity where the length is zero or not finite.
pub fn normalise(q: Quat) -> Quat {
    let squared = q.length_squared();
    if squared > 0.0 && squared.is_finite() {
        q * (1.0 / squared.sqrt())
    } else {
        Quat::IDENTITY
    }
}

/// `b` or `-b` (the same rotation), whichever lies on the shorter arc from `a`.
pub fn on_shorter_arc(a: Quat, b: Quat) -> Quat {
    if a.dot(b) < 0.0 { -b } else { b }
}

/// Spherical interpolation from `a` (`t` = 0) to `b` (`t` = 1), both unit, along the shorter arc;
/// the result is normalised.
///
/// The angle comes from both chords, θ = 2·atan2(|a − b|, |a + b|), which keeps full precision
/// where acos(a·b) loses half the digits (W. Kahan, "How Futile are Mindless Assessments of
/// Roundoff", 2006, §12).
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let b = on_shorter_arc(a, b);
    let chord_squared = (a - b).length_squared();
    if chord_squared < STRAIGHT_CHORD_SQUARED {
        return normalise(a * (1.0 - t) + b * t);
    }
    let angle = 2.0 * chord_squared.sqrt().atan2((a + b).length_squared().sqrt());
    let sine = angle.sin();
    let from = ((1.0 - t) * angle).sin() / sine;
    let to = (t * angle).sin() / sine;
    normalise(a * from + b * to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, Vec3};
    use proptest::prelude::*;

    fn unit() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("not tiny", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01)
            .prop_map(|q| normalise(Quat::from_array(q)))
    }

    #[test]
    fn halfway_turns_half_the_angle_down_to_tiny_ones() {
        for angle in [1e-6f32, 1e-4, 1e-3, 0.1, 1.0, 3.0] {
            let b = Quat::from_axis_angle(Vec3::Y, angle);
            let half = slerp(Quat::IDENTITY, b, 0.5);
            // The quaternion holds the half angle: sin(angle/4) in y. 8 u relative covers the few
            // roundings of either side.
            let want = (f64::from(angle) / 4.0).sin();
            let error = (f64::from(half.y) - want).abs();
            assert!(error <= 8.0 * 2f64.powi(-24) * want, "{angle}: {error:e}");
        }
    }

    #[test]
    fn negated_key_takes_the_short_way() {
        let a = Quat::from_rotation_z(-0.35);
        let b = Quat::from_rotation_z(0.38);
        assert_eq!(slerp(a, b, 0.25), slerp(a, -b, 0.25));
    }

    #[test]
    fn zero_and_infinite_become_the_identity() {
        assert_eq!(
            normalise(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            Quat::IDENTITY
        );
        assert_eq!(
            normalise(Quat::from_xyzw(f32::INFINITY, 0.0, 0.0, 0.0)),
            Quat::IDENTITY
        );
    }

    proptest! {
        #[test]
        fn moves_at_constant_speed(a in unit(), b in unit(), t in 0.0f32..=1.0) {
            let wide = |q: Quat| DQuat::from_array(q.to_array().map(f64::from)).normalize();
            let (a64, b64) = (wide(a), wide(on_shorter_arc(a, b)));
            let whole = 2.0 * (a64 - b64).length().atan2((a64 + b64).length());
            let got = wide(slerp(a, b, t));
            let part = 2.0 * (a64 - got).length().atan2((a64 + got).length());
            // 70 u: the bound derived for the f64 reference (`deform::reference::sampler`).
            prop_assert!((part - whole * f64::from(t)).abs() <= 70.0 * 2f64.powi(-24));
        }
    }
}
