//! Dual quaternions: rigid transforms that blend without losing volume (L. Kavan, S. Collins,
//! J. Žára, C. O'Sullivan, *Geometric Skinning with Approximate Dual Quaternion Blending*, ACM
//! Trans. Graph. 27(4), 2008).
//!
//! A rotation r and then a translation t are r + ε·½(0, t)r. q and −q are the same transform, so a
//! sum must first agree on signs: the slot of the largest weight is the pivot, the lowest one on a
//! tie, and each other real part with a negative dot product with the pivot's is negated together
//! with its dual part. The outcome then depends neither on the order of slots nor on which of its
//! two quaternions a joint has, as it does with the first slot as pivot or with a running sum.
//!
//! With unit real parts and weights of positive sum, none negative, the blended real part b has
//! length at least the largest weight w: every term of b·pivot = Σ wᵢ|qᵢ·pivot| is non-negative, and
//! the pivot's own is w. So it can be divided by. All weights zero give NaN.
//!
//! Both parts are divided by |b|. A unit dual quaternion also needs a dual part orthogonal to the
//! real one, d − (b·d)b; nothing here makes it so, and nothing need: the rotation ignores d, and the
//! translation is the vector part of 2d·b*, from which orthogonalising would take 2(b·d)b·b* =
//! 2(b·d), a scalar. The rows are exactly those of the normalised dual quaternion.
//!
//! Each formula stands once, for [`Real`]: in f32 it is what a kernel computes, operation by
//! operation, in f64 the reference, in [`OnGpu`] the distance allowed between the two.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::bounded::OnGpu;
use super::real::Real;

/// Margin below which f32 and f64 may decide a pivot or a flip differently: such vertices are
/// counted, not compared. Dot products of unit quaternions in f32 are within a tenth of it (7
/// roundings, 4.2·10⁻⁷), weights too.
pub const UNDECIDED: f64 = 1e-5;

/// A dual quaternion: real and dual part, each (x, y, z, w).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat<T> {
    /// The rotation.
    pub real: [T; 4],
    /// Half the translation times the rotation.
    pub dual: [T; 4],
}

/// A blend in f64, and how near it was to being another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blended {
    /// The blended transform; its real part is unit, its dual part divided by the same length.
    pub unit: DualQuat<f64>,
    /// Gap between the largest weight and the largest of a slot whose choice as pivot would change
    /// the outcome, or bring a flip as near as that; infinite where there is none.
    pub tie_margin: f64,
    /// Smallest |dot product| with the pivot among slots of positive weight.
    pub flip_margin: f64,
}

impl<T: Real> DualQuat<T> {
    /// No transform.
    pub fn identity() -> Self {
        let (zero, one) = (T::of(0.0), T::of(1.0));
        Self {
            real: [zero, zero, zero, one],
            dual: [zero; 4],
        }
    }

    /// The unit quaternion `rotation`, then `translation`.
    pub fn from_parts(rotation: [T; 4], translation: [T; 3]) -> Self {
        let ([x, y, z, w], [tx, ty, tz]) = (rotation, translation);
        let dual = [
            w * tx + (ty * z - tz * y),
            w * ty + (tz * x - tx * z),
            w * tz + (tx * y - ty * x),
            -(tx * x + ty * y + tz * z),
        ];
        Self {
            real: rotation,
            dual: dual.map(|d| T::of(0.5) * d),
        }
    }

    /// Both parts divided by the length of the real one.
    pub fn normalised(self) -> Self {
        let length = dot(self.real, self.real).sqrt();
        Self {
            real: self.real.map(|x| x / length),
            dual: self.dual.map(|x| x / length),
        }
    }

    /// Rows (m₀, m₁, m₂, t) of the transform, the real part being unit.
    pub fn rows(&self) -> [[T; 4]; 3] {
        let ([x, y, z, w], [dx, dy, dz, dw]) = (self.real, self.dual);
        let one = T::of(1.0);
        let t = [
            (w * dx - dw * x) + (y * dz - z * dy),
            (w * dy - dw * y) + (z * dx - x * dz),
            (w * dz - dw * z) + (x * dy - y * dx),
        ]
        .map(T::twice);
        [
            [
                one - (y * y + z * z).twice(),
                (x * y - w * z).twice(),
                (x * z + w * y).twice(),
                t[0],
            ],
            [
                (x * y + w * z).twice(),
                one - (x * x + z * z).twice(),
                (y * z - w * x).twice(),
                t[1],
            ],
            [
                (x * z - w * y).twice(),
                (y * z + w * x).twice(),
                one - (x * x + y * y).twice(),
                t[2],
            ],
        ]
    }
}

impl DualQuat<f32> {
    /// The unit quaternion `rotation`, then `translation`.
    pub fn new(rotation: Quat, translation: Vec3) -> Self {
        Self::from_parts(rotation.to_array(), translation.to_array())
    }

    /// The same in another arithmetic.
    pub fn lifted<T: Real>(&self) -> DualQuat<T> {
        DualQuat {
            real: self.real.map(T::of),
            dual: self.dual.map(T::of),
        }
    }
}

impl DualQuat<f64> {
    /// The unit quaternion `rotation`, then `translation`.
    pub fn new(rotation: DQuat, translation: DVec3) -> Self {
        Self::from_parts(rotation.to_array(), translation.to_array())
    }
}

/// x·x' + y·y' + z·z' + w·w', summed from the left.
fn dot<T: Real>(a: [T; 4], b: [T; 4]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// The slot of the largest weight, the lowest on a tie.
pub fn pivot<T: Real>(weights: &[T]) -> usize {
    let mut best = 0;
    for slot in 1..weights.len() {
        if weights[best].below(weights[slot]) {
            best = slot;
        }
    }
    best
}

/// The blend of `dqs`, normalised; the identity where there are none.
///
/// Slot by slot: real += s·real, dual += s·dual, with s the weight or its negative.
pub fn blend<T: Real>(weights: &[T], dqs: &[DualQuat<T>]) -> DualQuat<T> {
    let Some(chosen) = dqs.get(pivot(weights)) else {
        return DualQuat::identity();
    };
    let zero = T::of(0.0);
    let (mut real, mut dual) = ([zero; 4], [zero; 4]);
    for (&weight, dq) in weights.iter().zip(dqs) {
        let flip = dot(dq.real, chosen.real).below(zero);
        let signed = if flip { -weight } else { weight };
        for i in 0..4 {
            real[i] = real[i] + signed * dq.real[i];
            dual[i] = dual[i] + signed * dq.dual[i];
        }
    }
    DualQuat { real, dual }.normalised()
}

/// [`blend`] in f64, with the margins of its decisions.
pub fn blend_f64(weights: &[f64], dqs: &[DualQuat<f64>]) -> Blended {
    let chosen = pivot(weights);
    Blended {
        unit: blend(weights, dqs),
        tie_margin: tie_margin(weights, dqs, chosen),
        flip_margin: flip_margin(weights, dqs, chosen),
    }
}

/// What the rows of [`blend`] must be when a GPU evaluates it from these f32 inputs, unless a
/// margin is below [`UNDECIDED`].
pub fn rows_tolerance(weights: &[f32], dqs: &[DualQuat<f32>]) -> [[OnGpu; 4]; 3] {
    let weights: Vec<OnGpu> = weights.iter().map(|&w| OnGpu::exact(w)).collect();
    let dqs: Vec<_> = dqs.iter().map(DualQuat::lifted).collect();
    blend(&weights, &dqs).rows()
}

/// Dot products with slot `p` of the slots that count.
fn dots<'a>(
    weights: &'a [f64],
    dqs: &'a [DualQuat<f64>],
    p: usize,
) -> impl Iterator<Item = f64> + 'a {
    weights
        .iter()
        .zip(dqs)
        .filter(|&(&weight, _)| weight > 0.0)
        .map(move |(_, dq)| dot(dq.real, dqs[p].real))
}

fn flip_margin(weights: &[f64], dqs: &[DualQuat<f64>], p: usize) -> f64 {
    dots(weights, dqs, p)
        .map(f64::abs)
        .fold(f64::INFINITY, f64::min)
}

/// A slot that would flip the same ones, or all others, gives the same transform: its tie is
/// harmless, unless one of its own flips is undecided too.
fn tie_margin(weights: &[f64], dqs: &[DualQuat<f64>], chosen: usize) -> f64 {
    let flips = |p| dots(weights, dqs, p).map(|d| d < 0.0);
    let others = (0..dqs.len()).filter(|&p| p != chosen && weights[p] > 0.0);
    let margin = |p: usize| {
        let gap = weights[chosen] - weights[p];
        let changed = flips(p).zip(flips(chosen)).filter(|(a, b)| a != b).count();
        if changed == 0 || changed == flips(p).count() {
            gap.max(flip_margin(weights, dqs, p))
        } else {
            gap
        }
    };
    others.map(margin).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests;
