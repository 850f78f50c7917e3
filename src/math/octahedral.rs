//! A unit vector in 32 bits: two coordinates on an unfolded octahedron (Z. H. Cigolle, S. Donow,
//! D. Evangelakos, M. Mara, M. McGuire, Q. Meyer, *A Survey of Efficient Representations for
//! Independent Unit Vectors*, JCGT 3(2), 2014), as unorm16, x in the low half. Godot stores normals
//! so, and truncates where the other mode here rounds to nearest (⌊v + ½⌋, spelled out).
//!
//! A tangent has 16 bits of x, 15 of y above them, and the sign of its handedness on top (1 =
//! positive). Godot instead folds the sign into a mirrored y, half of whose 2¹⁶ codes go to each
//! sign: the same precision.
//!
//! # Bound on the angle
//!
//! p = (x, y) in [−1, 1]² stands for v = (x, y, 1 − |x| − |y|), folded where that z is negative, on
//! the octahedron |v|₁ = 1. Within a face, a step dp = (a, b) moves v by (a, b, ∓a ∓ b) or a
//! reflection of it, of length at most √(a² + b² + (|a| + |b|)²). The direction v/|v| turns by at
//! most |dv|/|v|, and |v| ≥ 1/√3, with equality in the middle of a face, where dv is at a right angle
//! to v. The straight path from p to the code is in the square, and passes each face it crosses at
//! that rate. So errors of at most a and b in the coordinates turn by at most
//!
//! √3·√(a² + b² + (a + b)²), which is 3√2·a for a = b.
//!
//! a is half a step of 2/65535 rounded, a whole one truncated; b the same, of 2/32767 in a tangent.
//! Rounded that makes 3√2/65535 = 0.0037°, truncated twice that. Arithmetic adds, with u = 2⁻²⁴:
//! - encoding: |v|₁ two roundings, the division 5u on a GPU, so 7u on a coordinate in [−1, 1],
//!   unfolding no more (7u|y| + u(1 − |y|)); half of that and a rounding each by the sum, the
//!   product with the number of steps and the sum with ½ (the product below 2¹⁶, so 1.0001u each):
//!   6.6u in [0, 1], 13.2u of p;
//! - decoding: a division, 5u, twice that in p, and a rounding of the difference: 11u. In all 25u more
//!   in a and in b;
//! - two roundings in z and one in folding, each at most u: √3·√(1 + 1 + 2²)·u < 5u of angle; then
//!   each component is divided once, 5u. 10u together.

use super::bounded::U;
use super::real::Real;

/// Arithmetic on a coordinate in [−1, 1].
const SHIFTED: f64 = 25.0 * U;

/// Arithmetic on the decoded vector, radians.
const TURNED: f64 = 10.0 * U;

/// Smallest |v|₁ that is divided by, 2⁻¹²⁶: what is below may be flushed.
const SMALLEST: f32 = f32::MIN_POSITIVE;

/// Steps of a 16-bit coordinate.
const WIDE: u32 = 0xffff;

/// Steps of a 15-bit coordinate.
const NARROW: u32 = 0x7fff;

/// How a coordinate becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, a half upwards.
    Nearest,
    /// Towards zero, as Godot's kernel has it.
    Truncated,
}

/// Largest angle in radians between a normal and what [`decode`] makes of its [`encode`], neither
/// evaluated better than on a GPU.
pub fn angle_error(rounding: Rounding) -> f64 {
    turned_by(step(WIDE, rounding), step(WIDE, rounding))
}

/// [`angle_error`] of a tangent.
pub fn tangent_angle_error(rounding: Rounding) -> f64 {
    turned_by(step(WIDE, rounding), step(NARROW, rounding))
}

/// Largest error of a coordinate in [−1, 1] by storing it in this many steps.
fn step(steps: u32, rounding: Rounding) -> f64 {
    let whole = 2.0 / f64::from(steps);
    match rounding {
        Rounding::Nearest => whole / 2.0,
        Rounding::Truncated => whole,
    }
}

fn turned_by(a: f64, b: f64) -> f64 {
    let (a, b) = (a + SHIFTED, b + SHIFTED);
    (3.0 * (a * a + b * b + (a + b) * (a + b))).sqrt() + TURNED
}

/// Encodes a direction, of |v|₁ from 2⁻¹²⁶ to 2¹²⁶; the zero vector and shorter ones as +z, longer
/// ones as some unit vector.
pub fn encode(v: [f32; 3], rounding: Rounding) -> u32 {
    let [x, y] = flattened(v);
    quantised(x, WIDE, rounding) | quantised(y, WIDE, rounding) << 16
}

/// Encodes a tangent with its handedness; zero counts as positive.
pub fn encode_tangent(v: [f32; 3], handedness: f32, rounding: Rounding) -> u32 {
    let [x, y] = flattened(v);
    let sign = if handedness < 0.0 { 0 } else { 1 << 31 };
    quantised(x, WIDE, rounding) | quantised(y, NARROW, rounding) << 16 | sign
}

/// The unit vector that a word stands for.
pub fn decode<T: Real>(packed: u32) -> [T; 3] {
    unfolded(
        coordinate(packed & WIDE, WIDE),
        coordinate(packed >> 16, WIDE),
    )
}

/// The unit vector and the handedness, ±1, that a word stands for.
pub fn decode_tangent<T: Real>(packed: u32) -> ([T; 3], f32) {
    let y = coordinate(packed >> 16 & NARROW, NARROW);
    let handedness = if packed >> 31 == 0 { -1.0 } else { 1.0 };
    (unfolded(coordinate(packed & WIDE, WIDE), y), handedness)
}

/// The point of [0, 1]² for a direction.
fn flattened([x, y, z]: [f32; 3]) -> [f32; 2] {
    let size = x.abs() + y.abs() + z.abs();
    if size < SMALLEST {
        return [0.5; 2];
    }
    let (px, py) = (x / size, y / size);
    let [qx, qy] = if z < 0.0 {
        [(1.0 - py.abs()) * sign(px), (1.0 - px.abs()) * sign(py)]
    } else {
        [px, py]
    };
    [qx * 0.5 + 0.5, qy * 0.5 + 0.5]
}

/// −1 for what is negative, else 1: never 0, which would lose the fold.
fn sign(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

fn quantised(unit: f32, steps: u32, rounding: Rounding) -> u32 {
    let scaled = unit * steps as f32;
    let whole = match rounding {
        Rounding::Nearest => (scaled + 0.5).floor(),
        Rounding::Truncated => scaled.floor(),
    };
    whole.clamp(0.0, steps as f32) as u32
}

fn coordinate<T: Real>(code: u32, steps: u32) -> T {
    (T::of(code as f32) / T::of(steps as f32)).twice() - T::of(1.0)
}

fn unfolded<T: Real>(x: T, y: T) -> [T; 3] {
    let zero = T::of(0.0);
    let z = T::of(1.0) - x.abs() - y.abs();
    let fold = if z.below(zero) { -z } else { zero };
    let folded = |c: T| if c.below(zero) { c + fold } else { c - fold };
    let (x, y) = (folded(x), folded(y));
    let length = (x * x + y * y + z * z).sqrt();
    [x / length, y / length, z / length]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::bounded::OnGpu;
    use crate::math::normal::angle;
    use glam::DVec3;
    use proptest::prelude::*;

    const BOTH: [Rounding; 2] = [Rounding::Nearest, Rounding::Truncated];

    fn wide(v: [f32; 3]) -> DVec3 {
        DVec3::from_array(v.map(f64::from))
    }

    /// Angles between `v` and what returns of it as a normal, and as a tangent.
    fn returned(v: [f32; 3], rounding: Rounding) -> [f64; 2] {
        let normal = decode::<f32>(encode(v, rounding));
        let (tangent, handedness) = decode_tangent::<f32>(encode_tangent(v, -1.0, rounding));
        assert_eq!(handedness, -1.0);
        [normal, tangent].map(|got| angle(wide(got), wide(v)))
    }

    fn bounds(rounding: Rounding) -> [f64; 2] {
        [angle_error(rounding), tangent_angle_error(rounding)]
    }

    #[test]
    fn bounds_are_what_the_derivation_says() {
        let [rounded, truncated] = BOTH.map(|r| angle_error(r).to_degrees());
        let plain = (3.0 * 2f64.sqrt() / 65_535.0).to_degrees();
        assert!(rounded > plain && rounded < 1.12 * plain, "{rounded}");
        assert!(
            truncated > 2.0 * plain && truncated < 2.12 * plain,
            "{truncated}"
        );
    }

    #[test]
    fn the_bound_holds_on_a_dense_sphere_and_is_nearly_reached() {
        for rounding in BOTH {
            let mut worst = [0.0f64; 2];
            // A spiral of equal areas: its million points fall anywhere between the codes.
            let count = 1_000_000u32;
            for i in 0..count {
                let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
                let turn = f64::from(i) * 2.399_963_229_728_653;
                let r = (1.0 - z * z).sqrt();
                let v = DVec3::new(r * turn.cos(), r * turn.sin(), z)
                    .as_vec3()
                    .to_array();
                let got = returned(v, rounding);
                worst = [worst[0].max(got[0]), worst[1].max(got[1])];
            }
            for (worst, bound) in worst.iter().zip(bounds(rounding)) {
                assert!(*worst <= bound, "{rounding:?}: {worst} > {bound}");
                assert!(*worst >= 0.8 * bound, "{rounding:?}: {worst} << {bound}");
            }
        }
    }

    #[test]
    fn the_middle_of_each_face_stays_within_the_bound() {
        for rounding in BOTH {
            for i in 0..200_000u32 {
                let side = |bit: u32| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
                let [a, b] = [i / 8 % 158, i / 8 / 158].map(|k| (k as f32 - 79.0) * 1.3e-6);
                let v = [
                    (1.0 + a) * side(0),
                    (1.0 + b) * side(1),
                    (1.0 - a - b) * side(2),
                ];
                for (got, bound) in returned(v, rounding).iter().zip(bounds(rounding)) {
                    assert!(*got <= bound, "{rounding:?} {v:?}: {got} > {bound}");
                }
            }
        }
    }

    #[test]
    fn axes_edges_and_nothing() {
        let half = f32::MIN_POSITIVE / 4.0;
        for rounding in BOTH {
            let up = encode([0.0, 0.0, 1.0], rounding);
            for nothing in [[0.0; 3], [-0.0; 3], [0.0, -half, half]] {
                assert_eq!(encode(nothing, rounding), up);
            }
            for i in 0..27 {
                let v = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1].map(|c| c as f32);
                if i != 13 {
                    let [normal, tangent] = returned(v, rounding);
                    assert!(normal <= angle_error(rounding), "{v:?} {rounding:?}");
                    assert!(
                        tangent <= tangent_angle_error(rounding),
                        "{v:?} {rounding:?}"
                    );
                }
            }
        }
        assert_eq!(encode([0.0, 0.0, 1.0], Rounding::Nearest), 0x8000_8000);
        assert_eq!(encode([0.0, 0.0, 1.0], Rounding::Truncated), 0x7fff_7fff);
        assert_eq!(encode([0.0, 0.0, -1.0], Rounding::Nearest), 0xffff_ffff);
        assert_eq!(encode([-1.0, 0.0, 0.0], Rounding::Nearest), 0x8000_0000);
        assert_eq!(
            encode_tangent([0.0, 1.0, 0.0], 1.0, Rounding::Nearest),
            0xffff_8000
        );
        assert_eq!(
            encode_tangent([0.0, -1.0, 0.0], -1.0, Rounding::Nearest),
            0x0000_8000
        );
        assert_eq!(
            decode_tangent::<f32>(encode_tangent([0.0; 3], 0.0, Rounding::Nearest)).1,
            1.0
        );
    }

    fn finite() -> impl Strategy<Value = f32> {
        use prop::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
        NEGATIVE | POSITIVE | NORMAL | SUBNORMAL | ZERO
    }

    proptest! {
        #[test]
        fn finite_vectors_give_unit_ones(v in prop::array::uniform3(finite())) {
            for rounding in BOTH {
                let got = wide(decode(encode(v, rounding)));
                prop_assert!((got.length() - 1.0).abs() <= 1e-6, "{got}");
            }
        }

        #[test]
        fn every_word_decodes_within_the_bound_of_its_arithmetic(packed: u32) {
            // What [`decode`] may differ by on a GPU: 11u in each coordinate, at most 3√2 times that
            // in angle, and the rest.
            let (got, want) = (decode::<f32>(packed), decode::<f64>(packed));
            let bound = decode::<OnGpu>(packed);
            for i in 0..3 {
                prop_assert!(bound[i].admits(got[i]));
                prop_assert_eq!(bound[i].value, want[i]);
            }
            let turned = angle(wide(got), DVec3::from_array(want));
            prop_assert!(turned <= (11.0 * 3.0 * 2f64.sqrt() + 10.0) * U, "{turned:e}");
        }

        #[test]
        fn a_decoded_vector_encodes_to_itself(packed: u32) {
            // Where the rounded code is unambiguous: the edge of the square has each direction twice.
            let (x, y) = (packed & WIDE, packed >> 16);
            prop_assume!(x % WIDE != 0 && y % WIDE != 0);
            prop_assert_eq!(encode(decode(packed), Rounding::Nearest), packed);
        }
    }
}
