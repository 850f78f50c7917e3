//! Numbers that carry a bound on what an f32 evaluation may differ by.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::U;

/// Largest error of an f32 operation by gradual underflow on the host.
const UNDERFLOW: f64 = 1.401_298_464_324_817e-45;

/// A value in f64, and the largest absolute difference that the same expression in f32 may have.
///
/// Arithmetic is running error analysis (Higham, 3.3): each operation passes on the errors of its
/// operands and adds one rounding of its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The value.
    pub value: f64,
    /// Bound on the absolute error of an f32 evaluation.
    pub error: f64,
}

impl Bounded {
    /// An f32 input, without error.
    pub fn exact(value: f32) -> Self {
        Self {
            value: f64::from(value),
            error: 0.0,
        }
    }

    /// The outcome of one f32 operation whose operands bring the error `inherited`.
    fn rounded(value: f64, inherited: f64) -> Self {
        let error = inherited + U * (value.abs() + inherited) + UNDERFLOW;
        Self { value, error }
    }

    /// Whether an f32 result agrees; NaN never does.
    pub fn admits(self, got: f32) -> bool {
        (f64::from(got) - self.value).abs() <= self.error
    }
}

impl Add for Bounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.error + other.error)
    }
}

impl Sub for Bounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Bounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            error: self.error,
        }
    }
}

impl Mul for Bounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let inherited = self.value.abs() * other.error
            + other.value.abs() * self.error
            + self.error * other.error;
        Self::rounded(self.value * other.value, inherited)
    }
}

impl Div for Bounded {
    type Output = Self;
    /// |a/b − a'/b'| ≤ (δa + |a/b|·δb)/(|b| − δb); infinite where the divisor may be zero.
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let room = other.value.abs() - other.error;
        let inherited = if room > 0.0 {
            (self.error + value.abs() * other.error) / room
        } else {
            f64::INFINITY
        };
        Self::rounded(value, inherited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A cancelling expression in any arithmetic.
    fn tangle<T>(a: T, b: T, c: T) -> T
    where
        T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
    {
        (a * b - c * c) / (a * a + b * b) + (a - b) * (a + b) - a * a
    }

    proptest! {
        #[test]
        fn f32_stays_within_the_bound(a in 0.1f32..9.0, b in -9.0f32..9.0, c in -9.0f32..9.0) {
            let bound = tangle(Bounded::exact(a), Bounded::exact(b), Bounded::exact(c));
            prop_assert!(bound.admits(tangle(a, b, c)), "{bound:?}");
            // And it is no blank cheque: some thirty roundings of numbers up to 243.
            prop_assert!(bound.error < 1e-3);
        }
    }

    #[test]
    fn nan_and_a_possible_zero_divisor() {
        assert!(!Bounded::exact(1.0).admits(f32::NAN));
        let unsure = Bounded {
            value: 1e-9,
            error: 1e-8,
        };
        assert_eq!((Bounded::exact(1.0) / unsure).error, f64::INFINITY);
    }
}
