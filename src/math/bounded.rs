//! Numbers that carry a bound on what an f32 evaluation may differ by.
//!
//! The standard model of rounding: an f32 operation returns its exact result times 1 + δ, |δ| ≤ u =
//! 2⁻²⁴ (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., ch. 3). A product
//! fused with a sum has one rounding less, so contraction is covered.
//!
//! On the host, division and square root are correctly rounded and underflow is gradual. On a GPU
//! (Vulkan specification, "Precision and Operation of SPIR-V Instructions"; an ulp of x is at most
//! 2u·|x|):
//! - a quotient is within 2.5 ulp, 5u, where the divisor's size is in [2⁻¹²⁶, 2¹²⁶];
//! - inversesqrt is within 2 ulp, 4u; a square root may be its reciprocal, 4u + 5u, or the argument
//!   times it, 4u + u: 9u, the term of second order being covered by the widening of [`U`];
//! - a subnormal result or operand may be flushed to zero: less than 2⁻¹²⁶, once.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::real::Real;

/// Half an ulp of f32 at 1, 2⁻²⁴, widened by 2⁻²⁰ of itself so that the roundings of the f64
/// evaluation (each 2⁻²⁹ of an f32 one) are covered as well.
pub const U: f64 = (1.0 + 1.0 / 1_048_576.0) / 16_777_216.0;

/// Smallest normal f32, 2⁻¹²⁶: what a flush to zero changes is below.
pub const FLUSH: f64 = 1.175_494_350_822_287_5e-38;

/// Largest error of an f32 operation by gradual underflow on the host.
const UNDERFLOW: f64 = 1.401_298_464_324_817e-45;

/// Roundings that a quotient on a GPU counts for.
const GPU_QUOTIENT: f64 = 5.0;

/// Roundings that a square root on a GPU counts for.
const GPU_ROOT: f64 = 9.0;

/// γₖ: the largest relative change of a value by `roundings` f32 roundings, k·u/(1 − k·u).
pub fn gamma(roundings: usize) -> f64 {
    let k = roundings as f64 * U;
    k / (1.0 - k)
}

/// A value in f64, and the largest absolute difference that the same expression in f32 may have;
/// on the host, or with `GPU` on a GPU, where the value may be flushed before it is used.
///
/// Arithmetic is running error analysis (Higham, 3.3): each operation passes on the errors of its
/// operands and adds one rounding of its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded<const GPU: bool = false> {
    /// The value.
    pub value: f64,
    /// Bound on the absolute error of an f32 evaluation.
    pub error: f64,
}

/// [`Bounded`] for an evaluation on a GPU.
pub type OnGpu = Bounded<true>;

impl<const GPU: bool> Bounded<GPU> {
    /// An f32 input, without error unless it may be flushed.
    pub fn exact(value: f32) -> Self {
        let error = if GPU && value.is_subnormal() {
            f64::from(value).abs()
        } else {
            0.0
        };
        Self {
            value: f64::from(value),
            error,
        }
    }

    /// A value that the f32 evaluation has with at most this absolute error.
    pub fn with_error(value: f64, error: f64) -> Self {
        Self { value, error }
    }

    /// The outcome of one f32 operation that counts for `roundings`, whose operands bring the error
    /// `inherited`.
    fn rounded_by(roundings: f64, value: f64, inherited: f64) -> Self {
        let error = inherited + roundings * U * (value.abs() + inherited) + UNDERFLOW;
        let flush = if GPU && value.abs() - error < FLUSH {
            FLUSH
        } else {
            0.0
        };
        Self {
            value,
            error: error + flush,
        }
    }

    fn rounded(value: f64, inherited: f64) -> Self {
        Self::rounded_by(1.0, value, inherited)
    }

    /// Whether an f32 result agrees; NaN never does.
    pub fn admits(self, got: f32) -> bool {
        (f64::from(got) - self.value).abs() <= self.error
    }
}

impl<const GPU: bool> Add for Bounded<GPU> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.error + other.error)
    }
}

impl<const GPU: bool> Sub for Bounded<GPU> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const GPU: bool> Neg for Bounded<GPU> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::with_error(-self.value, self.error)
    }
}

impl<const GPU: bool> Mul for Bounded<GPU> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let inherited = self.value.abs() * other.error
            + other.value.abs() * self.error
            + self.error * other.error;
        Self::rounded(self.value * other.value, inherited)
    }
}

impl<const GPU: bool> Div for Bounded<GPU> {
    type Output = Self;
    /// |a/b − a'/b'| ≤ (δa + |a/b|·δb)/(|b| − δb); infinite where the divisor may be zero, or on a
    /// GPU outside the range for which its precision is specified.
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let size = other.value.abs();
        let room = size - other.error;
        let specified = !GPU || (room >= FLUSH && size + other.error <= 1.0 / FLUSH);
        let inherited = if room > 0.0 && specified {
            (self.error + value.abs() * other.error) / room
        } else {
            f64::INFINITY
        };
        Self::rounded_by(if GPU { GPU_QUOTIENT } else { 1.0 }, value, inherited)
    }
}

impl<const GPU: bool> Real for Bounded<GPU> {
    fn of(value: f32) -> Self {
        Self::exact(value)
    }

    fn twice(self) -> Self {
        Self::with_error(2.0 * self.value, 2.0 * self.error)
    }

    /// √a − √(a − δ) = δ/(√a + √(a − δ)), more than on the other side; infinite where the argument
    /// may be negative, or on a GPU flushed.
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        let least = self.value - self.error;
        let inherited = if self.error == 0.0 && least == 0.0 {
            0.0
        } else if least < 0.0 || (GPU && least < FLUSH) {
            f64::INFINITY
        } else {
            self.error / (value + least.sqrt())
        };
        Self::rounded_by(if GPU { GPU_ROOT } else { 1.0 }, value, inherited)
    }

    fn below(self, other: Self) -> bool {
        self.value < other.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A cancelling expression in any arithmetic.
    fn tangle<T: Real>(a: T, b: T, c: T) -> T {
        (a * b - c * c) / (a * a + b * b).sqrt() + (a - b) * (a + b) - a * a
    }

    /// An f32 with the worst that a GPU may do to quotients, roots and subnormals, in one direction.
    #[derive(Clone, Copy)]
    struct Sloppy(f32);

    /// `x` moved by `ulps`, with subnormals flushed.
    fn pushed(x: f32, ulps: i32) -> Sloppy {
        let moved = f32::from_bits(x.to_bits().wrapping_add_signed(ulps));
        Sloppy(if moved.is_subnormal() { 0.0 } else { moved })
    }

    impl Sloppy {
        fn quotient(self, other: Self) -> Self {
            pushed(self.0 / other.0, 2)
        }

        /// The reciprocal of a sloppy inversesqrt.
        fn root(self) -> Self {
            let inverse = pushed((1.0 / f64::from(self.0).sqrt()) as f32, -1);
            Self(1.0).quotient(inverse)
        }
    }

    proptest! {
        #[test]
        fn f32_stays_within_the_bound(a in 0.1f32..9.0, b in -9.0f32..9.0, c in -9.0f32..9.0) {
            let on_host: Bounded = tangle(Bounded::exact(a), Bounded::exact(b), Bounded::exact(c));
            let on_gpu: OnGpu = tangle(Bounded::exact(a), Bounded::exact(b), Bounded::exact(c));
            prop_assert!(on_host.admits(tangle(a, b, c)), "{on_host:?}");
            prop_assert!(on_gpu.admits(tangle(a, b, c)) && on_gpu.error >= on_host.error);
            // And it is no blank cheque: some thirty roundings of numbers up to 1620.
            prop_assert!(on_gpu.error < 5e-3, "{on_gpu:?}");
        }

        #[test]
        fn sloppy_quotients_and_roots_stay_within_the_gpu_bound(a in 0.01f32..99.0, b in 0.01f32..99.0) {
            let [x, y]: [OnGpu; 2] = [a, b].map(Bounded::exact);
            prop_assert!((x / y).admits(Sloppy(a).quotient(Sloppy(b)).0));
            prop_assert!(x.sqrt().admits(Sloppy(a).root().0));
        }
    }

    #[test]
    fn the_host_bound_does_not_admit_what_only_a_gpu_may_do() {
        let [x, y]: [Bounded; 2] = [2.0, 3.0].map(Bounded::exact);
        assert!(!(x / y).admits(Sloppy(2.0).quotient(Sloppy(3.0)).0));
        assert!(!x.sqrt().admits(Sloppy(2.0).root().0));
        let tiny = Bounded::<false>::exact(1e-30);
        assert!(!(tiny * Bounded::exact(1e-9)).admits(0.0));
        assert!((OnGpu::exact(1e-30) * Bounded::exact(1e-9)).admits(0.0));
        assert!(OnGpu::exact(1e-39).admits(0.0) && !OnGpu::exact(1e-37).admits(0.0));
    }

    #[test]
    fn nan_and_a_possible_zero_divisor() {
        assert!(!Bounded::<false>::exact(1.0).admits(f32::NAN));
        let unsure = Bounded::<false>::with_error(1e-9, 1e-8);
        assert_eq!((Bounded::exact(1.0) / unsure).error, f64::INFINITY);
        assert_eq!(unsure.sqrt().error, f64::INFINITY);
        assert_eq!(Bounded::<false>::exact(0.0).sqrt().value, 0.0);
        assert!(Bounded::<false>::exact(0.0).sqrt().error <= 1e-44);
        // A divisor that a GPU may flush, and one beyond the specified range.
        for divisor in [1e-39f32, 1e38] {
            assert_eq!(
                (OnGpu::exact(1.0) / Bounded::exact(divisor)).error,
                f64::INFINITY
            );
        }
        // A subnormal that is known exactly may be flushed all the same.
        let tiny = OnGpu::with_error(1e-39, 0.0);
        assert_eq!((OnGpu::exact(1e-39) / tiny).error, f64::INFINITY);
        assert_eq!(tiny.sqrt().error, f64::INFINITY);
    }
}
