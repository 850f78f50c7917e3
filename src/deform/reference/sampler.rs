//! Keyframes in f64, with bounds for the f32 sampler.

use super::U;
use crate::math::bounded::Bounded;
use crate::math::rotation::{normalise, on_shorter_arc};
use crate::scene::clip::Span;
use crate::scene::{Channel, Interpolation};
use glam::{DVec4, Quat};

/// Bound on the error of normalising a quaternion in f32, as a length: the squared length has 4
/// roundings a term, all positive (4u), its root halves that and rounds (3u), the reciprocal (4u)
/// and the product (5u) round once each; one more for second-order terms.
const NORMALISE: f64 = 6.0 * U;

/// A quaternion or rotation with one bound for the length of its error.
#[derive(Clone, Copy, Debug)]
struct BoundedQuat {
    value: DVec4,
    error: f64,
}

/// One number of a translation, scale or morph weight.
pub fn number(channel: &Channel, time: f32, index: usize) -> Bounded {
    match channel.span(time) {
        Span::Hold(key) => Bounded::exact(channel.key(key)[index]),
        Span::Between(left) if channel.interpolation == Interpolation::CubicSpline => {
            hermite(channel, left, time, index)
        }
        Span::Between(left) => {
            let t = fraction(channel, left, time);
            let (a, b) = (channel.key(left)[index], channel.key(left + 1)[index]);
            Bounded::exact(a) * (Bounded::exact(1.0) - t) + Bounded::exact(b) * t
        }
    }
}

/// A rotation, unit, (x, y, z, w).
pub fn rotation(channel: &Channel, time: f32) -> [Bounded; 4] {
    let quat = match channel.span(time) {
        Span::Hold(key) => unit_key(channel.key(key)),
        Span::Between(left) if channel.interpolation == Interpolation::CubicSpline => {
            let raw = [0, 1, 2, 3].map(|i| hermite(channel, left, time, i));
            normalised(
                DVec4::from_array(raw.map(|b| b.value)),
                DVec4::from_array(raw.map(|b| b.error)).length(),
            )
        }
        Span::Between(left) => slerp(channel, left, time),
    };
    quat.value.to_array().map(|value| Bounded {
        value,
        error: quat.error,
    })
}

fn fraction(channel: &Channel, left: usize, time: f32) -> Bounded {
    let [start, end] = [left, left + 1].map(|key| Bounded::exact(channel.times[key]));
    (Bounded::exact(time) - start) / (end - start)
}

/// The cubic of glTF 2.0, appendix C.5, with the operations of the f32 sampler.
fn hermite(channel: &Channel, left: usize, time: f32, index: usize) -> Bounded {
    let t = fraction(channel, left, time);
    let [start, end] = [left, left + 1].map(|key| Bounded::exact(channel.times[key]));
    let step = end - start;
    let [one, two, three] = [1.0, 2.0, 3.0].map(Bounded::exact);
    let (t2, t3) = (t * t, t * t * t);
    let from = two * t3 - three * t2 + one;
    let to = three * t2 - two * t3;
    let leaving = step * (t3 - two * t2 + t);
    let arriving = step * (t3 - t2);
    let value = |list: &[f32]| Bounded::exact(list[index]);
    from * value(channel.key(left))
        + leaving * value(channel.out_tangent(left))
        + to * value(channel.key(left + 1))
        + arriving * value(channel.in_tangent(left + 1))
}

/// `v` with an error of length `error`, normalised in f32.
///
/// |a/|a| − b/|b|| ≤ 2|a − b|/(|a| + |b|) ≤ e/(|a| − e/2). Two unit vectors never differ by more
/// than 2, which is what is left where the error reaches the length.
fn normalised(v: DVec4, error: f64) -> BoundedQuat {
    let length = v.length();
    if !(length > 0.0 && error < length) {
        let value = if length > 0.0 { v / length } else { DVec4::W };
        return BoundedQuat { value, error: 2.0 };
    }
    let turned = error / (length - 0.5 * error);
    BoundedQuat {
        value: v / length,
        error: turned + NORMALISE * (1.0 + turned),
    }
}

/// A stored key, normalised; like the sampler the identity where it has no length.
fn unit_key(key: &[f32]) -> BoundedQuat {
    let squared = Quat::from_slice(key).length_squared();
    if squared > 0.0 && squared.is_finite() {
        normalised(wide(Quat::from_slice(key)), 0.0)
    } else {
        BoundedQuat {
            value: DVec4::W,
            error: 0.0,
        }
    }
}

fn wide(q: Quat) -> DVec4 {
    DVec4::from_array(q.to_array().map(f64::from))
}

/// Spherical interpolation of the normalised keys along the shorter arc.
///
/// The bound, with θ ≤ π/2 the angle between the two quaternions and weights w₀, w₁:
/// 1. The unit keys are off by 6u each, so each chord by 12u + 4u of itself (difference, squared
///    length, root). θ = 2·atan2(|a−b|, |a+b|), whose chords have |a−b|² + |a+b|² = 4, is off by
///    2·[12u·(|a−b| + |a+b|)/4 + 8u·|a−b||a+b|/4] + 4uθ (atan2 to 2 ulp) ≤ 17u + 8u + 6.3u < 32u.
/// 2. |∂w/∂θ| ≤ θ/4 on (0, π/2] for w = sin(tθ)/sin θ, t in [0, 1] (a test below scans it): 8uθ.
/// 3. t is off by 3u of itself (two differences, a quotient). In w₁ the product, the sine (2 ulp,
///    4u), sin θ (4u) and the quotient add up to 13u of w₁; in w₀ the error of 1 − t is absolute, at
///    most 3u, hence 3uθ/sin θ < 5u, and 11u of w₀. Both are below 5u + 13u·w.
/// 4. w₀a + w₁b: the keys' 6u and two roundings, so 8u·(w₀ + w₁) more.
/// 5. The chord of tiny angles differs by less than u (see [`crate::math::rotation::slerp`]).
///
/// In all 16uθ + 11u + 21u·(w₀ + w₁) on a vector of length 1, which is then normalised.
fn slerp(channel: &Channel, left: usize, time: f32) -> BoundedQuat {
    let (a, b) = (channel.key(left), channel.key(left + 1));
    let (from, to) = (unit_key(a).value, nearer_key(a, b));
    let t = fraction(channel, left, time).value;
    let angle = 2.0 * (from - to).length().atan2((from + to).length());
    let (w0, w1) = if angle > 1e-9 {
        (
            ((1.0 - t) * angle).sin() / angle.sin(),
            (t * angle).sin() / angle.sin(),
        )
    } else {
        (1.0 - t, t)
    };
    let error = U * (16.0 * angle + 11.0 + 21.0 * (w0 + w1));
    normalised(from * w0 + to * w1, error)
}

/// The second key on the shorter arc from the first.
///
/// Where the two are a half turn apart to within rounding (the dot product of unit quaternions has
/// an error below 16u), both ways are equally short and the sampler's choice is taken.
fn nearer_key(a: &[f32], b: &[f32]) -> DVec4 {
    let (from, to) = (unit_key(a).value, unit_key(b).value);
    let dot = from.dot(to);
    let turned = if dot.abs() <= 16.0 * U {
        let [a, b] = [a, b].map(|key| normalise(Quat::from_slice(key)));
        on_shorter_arc(a, b) != b
    } else {
        dot < 0.0
    };
    if turned { -to } else { to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{ChannelTarget, Clip, Local, Pose};
    use glam::Vec3;
    use proptest::prelude::*;

    #[test]
    fn slope_of_the_slerp_weight_is_below_a_quarter_of_the_angle() {
        for i in 1..=400 {
            let angle = std::f64::consts::FRAC_PI_2 * f64::from(i) / 400.0;
            for j in 0..=400 {
                let t = f64::from(j) / 400.0;
                let (sine, cosine) = angle.sin_cos();
                let slope =
                    (t * (t * angle).cos() * sine - (t * angle).sin() * cosine) / sine.powi(2);
                assert!(slope.abs() <= angle / 4.0 + 1e-12, "{angle} {t} {slope}");
            }
        }
    }

    fn sampled(channel: &Channel, time: f32) -> (Vec3, Quat, f32) {
        let rest = Local::Trs {
            translation: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
        };
        let rest = Pose {
            locals: vec![rest],
            morph_weights: vec![0.0; 3],
        };
        let clip = Clip {
            name: String::new(),
            duration: 1.0,
            channels: vec![channel.clone()],
        };
        let mut out = Pose::default();
        clip.sample(time, &rest, &[(0, 3)], &mut out);
        match out.locals[0] {
            Local::Trs {
                translation,
                rotation,
                ..
            } => (translation, rotation, out.morph_weights[2]),
            Local::Matrix(_) => (Vec3::NAN, Quat::from_array([f32::NAN; 4]), f32::NAN),
        }
    }

    fn channel(width: usize, cubic: bool, values: &[f32]) -> Channel {
        let (interpolation, per_key) = if cubic {
            (Interpolation::CubicSpline, 3 * width)
        } else {
            (Interpolation::Linear, width)
        };
        let target = if width == 4 {
            ChannelTarget::Rotation(0)
        } else {
            ChannelTarget::Translation(0)
        };
        let values = values[..3 * per_key].to_vec();
        Channel {
            target,
            interpolation,
            times: vec![0.1, 0.37, 1.9],
            values,
            width,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn f32_sampler_stays_within_the_bounds(
            values in prop::collection::vec(-2.0f32..2.0, 36),
            time in 0.0f32..2.0,
            cubic: bool,
        ) {
            let c = channel(3, cubic, &values);
            let (translation, _, _) = sampled(&c, time);
            for i in 0..3 {
                let want = number(&c, time, i);
                prop_assert!(want.admits(translation[i]), "{want:?} {}", translation[i]);
                // No blank cheque. Linear: two products of values up to 2, 5 roundings each. Cubic:
                // the terms of the four basis functions add up to 6, 5, and 4 and 2 times a step
                // below 1.6 s, of values up to 2, 10 roundings each.
                let most = if cubic { 420.0 } else { 25.0 } * U;
                prop_assert!(want.error <= most);
            }
            let c = channel(4, cubic, &values);
            let (_, got, _) = sampled(&c, time);
            for (want, got) in rotation(&c, time).into_iter().zip(got.to_array()) {
                prop_assert!(want.admits(got), "{want:?} {got}");
                prop_assert!(cubic || want.error <= 75.0 * U);
            }
        }
    }

    #[test]
    fn a_half_turn_follows_the_sampler_either_way() {
        for sign in [1.0f32, -1.0] {
            for tilt in [0.0f32, 1e-8, -1e-8, 3e-8, 1e-6, -1e-6] {
                let mut values = vec![0.0, 0.0, 0.0, 1.0];
                values.extend([sign * 0.6, 0.8, 0.0, tilt]);
                values.extend([0.0, 0.0, 0.0, 1.0]);
                let c = channel(4, false, &values);
                let (_, got, _) = sampled(&c, 0.2);
                for (want, got) in rotation(&c, 0.2).into_iter().zip(got.to_array()) {
                    assert!(want.admits(got), "{sign} {tilt}: {want:?} {got}");
                }
            }
        }
    }
}
