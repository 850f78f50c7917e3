//! Arithmetic that a formula can be written in once: f32 as a kernel has it, f64 as a reference,
//! and [`Bounded`](super::bounded::Bounded) for the distance allowed between the two.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number in some arithmetic. Operations happen in the order written; nothing is fused.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// An f32 number, exactly.
    fn of(value: f32) -> Self;

    /// Twice the number, without rounding.
    fn twice(self) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// Whether it is below `other`; decided by the value alone where there is an error bound too.
    fn below(self, other: Self) -> bool;

    /// The absolute value.
    fn abs(self) -> Self {
        if self.below(Self::of(0.0)) {
            -self
        } else {
            self
        }
    }
}

impl Real for f32 {
    fn of(value: f32) -> Self {
        value
    }

    fn twice(self) -> Self {
        2.0 * self
    }

    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }

    fn below(self, other: Self) -> bool {
        self < other
    }
}

impl Real for f64 {
    fn of(value: f32) -> Self {
        f64::from(value)
    }

    fn twice(self) -> Self {
        2.0 * self
    }

    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    fn below(self, other: Self) -> bool {
        self < other
    }
}
