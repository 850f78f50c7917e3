//! A direction in three signed bytes, and a handedness in the fourth.
//!
//! The format is GLSL's `packSnorm4x8`, x in the lowest byte: ⌊127·clamp(c, −1, 1) + ½⌋. GLSL leaves
//! the direction in which `round` takes a half to the implementation, so the kernels spell out this
//! floor, and so does this. The byte −128 is never written; it is read as −1, like −127.
//!
//! **Bound.** 127·c rounds once (127u) and adding ½ once more (127.5u), with u = 2⁻²⁴, so a byte is
//! within ½ + 255u of 127·c, and reading it divides once: on a GPU within 2.5 ulp, 5u. A component
//! is off by h = (½ + 255u)/127 + 5u at most, so a vector by at most √3·h in length, and a unit one
//! by asin(√3·h) < 0.3908° in angle: nearly so where the three errors are at a right angle to it.
//! What is read is not unit: whoever reads it normalises.

use super::bounded::U;

/// Steps from 0 to 1.
const STEPS: f32 = 127.0;

/// Largest error of a component that is written and read again.
pub const COMPONENT_ERROR: f64 = (0.5 + 255.0 * U) / 127.0 + 5.0 * U;

/// Largest length of the error of a vector, and so the largest difference of its length.
pub fn length_error() -> f64 {
    COMPONENT_ERROR * 3f64.sqrt()
}

/// Largest angle between a vector of length at least `length` (1 + √3/127 at most) and what is read
/// back, in radians; π where the bytes may all be zero.
pub fn angle_error(length: f64) -> f64 {
    let sine = length_error() / length;
    if sine < 1.0 {
        sine.asin()
    } else {
        std::f64::consts::PI
    }
}

/// Packs a direction and a handedness (0 where there is none); components beyond ±1 are clamped.
pub fn encode(direction: [f32; 3], handedness: f32) -> u32 {
    let [x, y, z] = direction;
    let bytes = [x, y, z, handedness].map(|c| {
        let clamped = c.clamp(-1.0, 1.0);
        (clamped * STEPS + 0.5).floor() as i32 as u8
    });
    u32::from_le_bytes(bytes)
}

/// Unpacks x, y, z and the handedness, as GLSL's `unpackSnorm4x8` does.
pub fn decode(packed: u32) -> [f32; 4] {
    packed
        .to_le_bytes()
        .map(|byte| (f32::from(byte as i8) / STEPS).max(-1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::normal::angle;
    use glam::DVec3;
    use proptest::prelude::*;

    fn returned(v: [f32; 3]) -> DVec3 {
        let [x, y, z, _] = decode(encode(v, 0.0));
        DVec3::from_array([x, y, z].map(f64::from))
    }

    #[test]
    fn bytes_are_as_specified() {
        assert_eq!(encode([1.0, -1.0, 0.0], 1.0), 0x7f00_817f);
        assert_eq!(encode([1.1, -9.0, -0.0], -1.0), 0x8100_817f);
        assert_eq!(encode([0.0; 3], 0.0), 0);
        assert_eq!(decode(0x80_81_7f_00), [0.0, 1.0, -1.0, -1.0]);
        // Halves go up: 0.5/127 and −0.5/127 are exact enough to stay halves.
        let half = 0.5f32 / 127.0;
        assert_eq!((half * 127.0, encode([half, -half, 0.0], 0.0)), (0.5, 1));
    }

    #[test]
    fn every_byte_returns() {
        for byte in -127i8..=127 {
            let packed = encode([f32::from(byte) / 127.0; 3], f32::from(byte.signum()));
            let [x, y, z, w] = packed.to_le_bytes();
            assert_eq!([x, y, z].map(|b| b as i8), [byte; 3]);
            assert_eq!(decode(packed)[3], f32::from(byte.signum()));
            assert_eq!(w as i8, 127 * byte.signum());
        }
    }

    proptest! {
        #[test]
        fn vectors_of_any_length_stay_within_the_bound(v in prop::array::uniform3(-0.57f32..0.57)) {
            let wide = DVec3::from_array(v.map(f64::from));
            let back = returned(v);
            prop_assert!((back - wide).abs().max_element() <= COMPONENT_ERROR);
            prop_assert!((back.length() - wide.length()).abs() <= length_error());
            if wide.length() > length_error() {
                prop_assert!(angle(back, wide) <= angle_error(wide.length()));
            }
        }
    }

    #[test]
    fn the_bound_holds_on_a_dense_sphere_and_is_nearly_reached() {
        let mut worst = 0.0f64;
        // A spiral of equal areas: a million directions, 0.2° apart.
        let count = 1_000_000u32;
        for i in 0..count {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let turn = f64::from(i) * 2.399_963_229_728_653;
            let r = (1.0 - z * z).sqrt();
            let v = DVec3::new(r * turn.cos(), r * turn.sin(), z);
            worst = worst.max(angle(returned(v.as_vec3().to_array()), v));
        }
        // f32 inputs turn by 2⁻²⁴ each component.
        let bound = angle_error(1.0 - 1e-7) + 1e-7;
        assert!(worst <= bound, "{worst} > {bound}");
        assert!(worst >= 0.95 * bound, "{worst} << {bound}");
        assert!(angle_error(1.0).to_degrees() < 0.3908);
        assert_eq!(angle_error(0.001), std::f64::consts::PI);
    }
}
