//! What a normal or tangent must be, and by how much it may differ.
//!
//! A bound δ on the length of a direction's error gives an angle of at most asin(δ/|v|).
//! Normalising multiplies by one number, which turns nothing, and rounds each component: u more.
//! The length comes out within 18u: the squared length has 3 roundings (1.5u on its root), and the
//! kernel may compute v·inversesqrt(v·v) (2 ulp; an ulp is at most 2u) or v/sqrt(v·v), whose root may
//! be the reciprocal (2.5 ulp) of inversesqrt, the division another 2.5 ulp (Vulkan specification,
//! precision of core SPIR-V): 1.5u + 9u + 5u, and 2u for flushed squares and second-order terms.
//! Reading an octahedral word divides by a length in the same way: 18u too.
//!
//! Kernels normalise where the squared length is within (10⁻³⁰, 10³⁰); where rounding decides whether
//! it is, either outcome is right. A squared length that overflows is not below 10³⁰, and one of
//! NaN neither: the fallback.

use glam::{DVec3, Vec3};

use super::U;
use crate::deform::skin::{LARGEST_LENGTH_SQUARED, SMALLEST_LENGTH_SQUARED};
use crate::math::bounded::FLUSH;
use crate::math::octahedral::{self, Rounding};
use crate::math::snorm;
use crate::plan::OutputFormat;

/// Largest difference from 1 of the length of a normalised vector.
const UNIT_LENGTH: f64 = 18.0 * U;

/// What a normal or tangent must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// The direction: unit, or the vector that is kept where nothing can be normalised, or the one
    /// that is not to be normalised, or what its stored form can hold of it.
    pub vector: DVec3,
    /// Largest angle to it, radians; π where no direction is determined.
    pub angle_tolerance: f64,
    /// Largest difference in length.
    pub length_tolerance: f64,
    /// Whether the opposite direction is right too, the sign of the determinant being within its
    /// own rounding error.
    pub either_side: bool,
}

/// Which of the two words of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Normal,
    Tangent,
}

impl Direction {
    fn new(vector: DVec3, angle_tolerance: f64, length_tolerance: f64) -> Self {
        Self {
            vector,
            angle_tolerance,
            length_tolerance,
            either_side: false,
        }
    }

    /// Anything finite is right.
    pub(super) fn undetermined(vector: DVec3) -> Self {
        Self::new(vector, std::f64::consts::PI, f64::MAX)
    }

    /// An input is not finite: no result is right.
    fn impossible(vector: DVec3) -> Self {
        Self::new(vector, f64::NAN, f64::NAN)
    }

    /// Whether the direction is anything.
    pub(super) fn is_undetermined(&self) -> bool {
        self.angle_tolerance >= std::f64::consts::PI
    }

    /// `v`, off by at most `error` in length, normalised, on `either_side`; or `kept` where the kernel's
    /// test finds it too short or too long.
    pub(super) fn normalised(v: DVec3, error: f64, either_side: bool, kept: Self) -> Self {
        let length = v.length();
        let root = |squared: f32| f64::from(squared).sqrt();
        let (low, high) = (root(SMALLEST_LENGTH_SQUARED), root(LARGEST_LENGTH_SQUARED));
        let (above, below) = (1.0 + 4.0 * U, 1.0 - 4.0 * U);
        let (least, most) = (length - error, length + error);
        if !length.is_finite() {
            Self::impossible(v)
        } else if least > low * above && most < high * below {
            // `error` is below `length` here.
            let turned = (error / length).asin() + 2.0 * U;
            Self {
                either_side,
                ..Self::new(v / length, turned, UNIT_LENGTH)
            }
        } else if most < low * below || least > high * above {
            kept
        } else {
            Self::undetermined(kept.vector)
        }
    }

    /// The vector itself, off by at most `error` in length.
    pub(super) fn raw(v: DVec3, error: f64) -> Self {
        let length = v.length();
        let error = error + 2.0 * FLUSH;
        if !length.is_finite() {
            return Self::impossible(v);
        }
        let turned = if error < length {
            (error / length).asin() + 2.0 * U
        } else {
            std::f64::consts::PI
        };
        Self::new(v, turned, error + U * length)
    }

    /// A vector of the mesh, as it is.
    pub(super) fn kept(bind: Vec3) -> Self {
        let vector = bind.as_dvec3();
        Self::new(vector, U, U * vector.length() + FLUSH)
    }

    /// Largest length of the difference from [`Self::vector`]: with an angle θ between vectors of
    /// lengths a and a + δ, δ + θ√(a(a + δ)) at most.
    pub(super) fn vector_error(&self) -> f64 {
        let turned = self.angle_tolerance.min(2.0);
        self.length_tolerance + turned * (self.vector.length() + self.length_tolerance)
    }

    /// The same after it was stored in `format` and read again.
    pub(super) fn stored(self, format: OutputFormat, word: Word) -> Self {
        // NaN and what only has to be finite stay as they are.
        if self.length_tolerance.is_nan() || self.length_tolerance >= f64::MAX {
            return self;
        }
        match format {
            OutputFormat::F32 => self,
            OutputFormat::Snorm8 => self.in_bytes(),
            OutputFormat::Oct16 => self.on_octahedron(Rounding::Nearest, word),
            OutputFormat::Oct16Truncated => self.on_octahedron(Rounding::Truncated, word),
        }
    }

    /// Components clamp to ±1, which brings no two of them further apart, and are rounded. The zero
    /// vector stays.
    fn in_bytes(self) -> Self {
        if self.is_exactly_zero() {
            return self;
        }
        let vector = self.vector.clamp(DVec3::NEG_ONE, DVec3::ONE);
        let error = self.vector_error() + snorm::length_error();
        Self {
            either_side: self.either_side,
            ..Self::raw(vector, error)
        }
    }

    /// Unit vectors; the zero vector is stored as +z, and what is shorter or longer in |v|₁ than the
    /// encoder can divide by as any.
    fn on_octahedron(self, rounding: Rounding, word: Word) -> Self {
        let turned = match word {
            Word::Normal => octahedral::angle_error(rounding),
            Word::Tangent => octahedral::tangent_angle_error(rounding),
        };
        if self.is_exactly_zero() {
            return Self::new(DVec3::Z, turned, UNIT_LENGTH);
        }
        let size = self.vector.abs().element_sum();
        let error = 3f64.sqrt() * self.vector_error() + 4.0 * U * size;
        let divides = size - error > FLUSH && size + error < 1.0 / FLUSH;
        if self.is_undetermined() || !divides {
            return Self::new(DVec3::Z, std::f64::consts::PI, UNIT_LENGTH);
        }
        Self {
            vector: self.vector.normalize(),
            angle_tolerance: self.angle_tolerance + turned,
            length_tolerance: UNIT_LENGTH,
            either_side: self.either_side,
        }
    }

    /// Whether it is the zero vector of a mesh, kept.
    fn is_exactly_zero(&self) -> bool {
        self.vector == DVec3::ZERO && !self.is_undetermined()
    }
}
