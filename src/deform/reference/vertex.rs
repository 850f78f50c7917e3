//! One vertex in f64, deformed by what was uploaded, with what f32 kernels may differ by.
//!
//! Counting roundings, with n influences and T morph targets (M = T + 1 if there are any, else 0:
//! T products and T sums leave at most T + 1 roundings on any term):
//! - a blended row Σ wᵢMᵢ has n roundings a term (a product, n − 1 sums), relative to Ā = Σ|wᵢ||Mᵢ|;
//! - a position adds a product and three sums: k = n + M + 4, relative to Σ|wᵢ|(|Mᵢ||p| + |tᵢ|)
//!   with |p| = |p₀| + Σ|mₖ||dpₖ|;
//! - a cofactor multiplies two blended entries and subtracts: 2n + 2, relative to the cofactor of Ā
//!   with every difference made a sum; with the three terms of its product with the normal
//!   k = 2n + M + 5;
//! - the determinant, a row times its cofactors: k = 3n + 5;
//! - a tangent: k = n + M + 3.
//!
//! A bound δ on the length of a direction's error gives an angle of at most asin(δ/|v|).
//! Normalising multiplies by one number, which turns nothing, and rounds each component: u more.
//! The length comes out within 18u: the squared length has 3 roundings (1.5u on its root), and the
//! kernel may compute v·inversesqrt(v·v) (2 ulp; an ulp is at most 2u) or v/sqrt(v·v), whose root may
//! be the reciprocal (2.5 ulp) of inversesqrt, the division another 2.5 ulp (Vulkan specification,
//! precision of core SPIR-V): 1.5u + 9u + 5u, and 2u for flushed squares and second-order terms.
//! A squared length beyond the range of f32 (|v| > 1.8·10¹⁹) is no direction for a kernel.
//!
//! A GPU may flush denormals: an absolute floor of 2⁻¹²⁶ an operation, times what it is multiplied
//! with afterwards.

use glam::{DVec3, Vec3};

use super::{U, gamma};
use crate::deform::output::Attributes;
use crate::deform::palette::ROWS_PER_JOINT;
use crate::deform::skin::{SMALLEST_LENGTH_SQUARED, Source};
use crate::math::bounded::FLUSH;
use crate::math::normal::{absolute_cofactor, cofactor_f64, transform};

/// What a normal or tangent must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// The direction: unit, or the bind-pose vector where that is kept.
    pub vector: DVec3,
    /// Largest angle to it, radians; π where rounding decides between two outcomes.
    pub angle_tolerance: f64,
    /// Largest difference in length.
    pub length_tolerance: f64,
    /// Whether the opposite direction is right too, the sign of the determinant being within its
    /// own rounding error.
    pub either_side: bool,
}

/// What a vertex must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position.
    pub position: DVec3,
    /// Largest difference of each coordinate.
    pub position_tolerance: DVec3,
    /// Length of Σ|w|(|M||p| + |t|), the size of what was added up.
    pub position_scale: f64,
    /// Normal, where asked for and the mesh has one.
    pub normal: Option<Direction>,
    /// Tangent, under the same rule.
    pub tangent: Option<Direction>,
    /// Handedness that goes with the tangent: the mesh's, times the sign of the determinant.
    pub handedness: f64,
    /// Whether either sign of the handedness is right.
    pub either_handedness: bool,
}

/// A vector that was summed up, and the sum of the absolute values.
#[derive(Clone, Copy)]
struct Summed {
    value: DVec3,
    absolute: DVec3,
    /// Σ|d|, unweighted, for the floor: a weight may be flushed.
    displaced: f64,
}

/// The blended matrix, Ā, and Σ|Mᵢ| and Σ|tᵢ| unweighted: a translation turns no direction.
struct Blended {
    linear: [DVec3; 3],
    offset: DVec3,
    linear_absolute: [DVec3; 3],
    offset_absolute: DVec3,
    largest: f64,
    largest_offset: f64,
}

/// Evaluates vertex `index` of `source`.
pub fn vertex(source: &Source<'_>, attributes: Attributes, index: usize) -> Vertex {
    let mesh = source.mesh;
    let blended = blend(source, index);
    let position = sum(source, &mesh.positions[index], index, |target| {
        &target.positions
    });
    let mut out = position_of(&blended, &position, source);
    let determinant = (attributes > Attributes::P).then(|| determinant(&blended, source));
    if let (Some(determinant), Some(normal)) = (&determinant, mesh.normals.get(index)) {
        let summed = sum(source, normal, index, |target| &target.normals);
        out.normal = Some(normal_of(
            &blended,
            determinant,
            &summed,
            Vec3::from(*normal),
            source,
        ));
    }
    let tangent = mesh
        .tangents
        .get(index)
        .filter(|_| attributes == Attributes::Pnt);
    if let (Some(determinant), Some(&[x, y, z, w])) = (&determinant, tangent) {
        let summed = sum(source, &[x, y, z], index, |target| &target.tangents);
        out.tangent = Some(tangent_of(&blended, &summed, Vec3::new(x, y, z), source));
        out.handedness = determinant.sign * f64::from(w);
        out.either_handedness = determinant.either;
    }
    out
}

/// The blended 3×3 of vertex `index`, as rows.
pub fn blended_linear(source: &Source<'_>, index: usize) -> [DVec3; 3] {
    blend(source, index).linear
}

/// The morphed bind-pose normal of vertex `index`, not normalised; `None` where there is none.
pub fn morphed_normal(source: &Source<'_>, index: usize) -> Option<DVec3> {
    let normal = source.mesh.normals.get(index)?;
    Some(sum(source, normal, index, |target| &target.normals).value)
}

fn sum<'a>(
    source: &Source<'a>,
    bind: &[f32; 3],
    index: usize,
    list: impl Fn(&'a crate::scene::MorphTarget) -> &'a Vec<[f32; 3]>,
) -> Summed {
    let value = Vec3::from(*bind).as_dvec3();
    let mut out = Summed {
        value,
        absolute: value.abs(),
        displaced: 0.0,
    };
    for (target, &weight) in source.mesh.morph_targets.iter().zip(source.morph_weights) {
        let Some(&delta) = list(target).get(index) else {
            continue;
        };
        let delta = Vec3::from(delta).as_dvec3();
        out.value += f64::from(weight) * delta;
        out.absolute += f64::from(weight).abs() * delta.abs();
        out.displaced += delta.abs().element_sum() + f64::from(weight).abs();
    }
    out
}

fn blend(source: &Source<'_>, index: usize) -> Blended {
    let n = source.mesh.influences;
    let mut out = Blended {
        linear: [DVec3::ZERO; 3],
        offset: DVec3::ZERO,
        linear_absolute: [DVec3::ZERO; 3],
        offset_absolute: DVec3::ZERO,
        largest: 0.0,
        largest_offset: 0.0,
    };
    if n == 0 {
        out.add(source.rows, 0, 1.0);
    }
    let slots = n * index..n * (index + 1);
    for (&joint, &weight) in source.mesh.joints[slots.clone()]
        .iter()
        .zip(&source.mesh.weights[slots])
    {
        out.add(source.rows, usize::from(joint), f64::from(weight));
    }
    out
}

impl Blended {
    fn add(&mut self, rows: &[[f32; 4]], joint: usize, weight: f64) {
        for r in 0..ROWS_PER_JOINT {
            let [x, y, z, t] = rows[ROWS_PER_JOINT * joint + r].map(f64::from);
            let linear = DVec3::new(x, y, z);
            self.linear[r] += weight * linear;
            self.linear_absolute[r] += weight.abs() * linear.abs();
            self.offset[r] += weight * t;
            self.offset_absolute[r] += weight.abs() * t.abs();
            self.largest += linear.abs().element_sum();
            self.largest_offset += t.abs();
        }
    }
}

/// Roundings of a blended row.
fn blend_roundings(source: &Source<'_>) -> usize {
    source.mesh.influences.max(1)
}

/// Roundings of a morphed vector.
fn morph_roundings(source: &Source<'_>) -> usize {
    match source.mesh.morph_targets.len() {
        0 => 0,
        targets => targets + 1,
    }
}

/// Absolute floor for flushed denormals in `k` operations a term: inputs and results of both
/// factors may be flushed, and what was flushed is multiplied by at most the other factors.
fn floor(k: usize, blended: &Blended, power: i32, summed: &Summed) -> f64 {
    let matrix = (1.0 + blended.largest).powi(power);
    let vector = 1.0 + summed.absolute.element_sum();
    FLUSH * 4.0 * k as f64 * matrix * vector * (1.0 + summed.displaced)
}

fn position_of(blended: &Blended, summed: &Summed, source: &Source<'_>) -> Vertex {
    let scale = transform(blended.linear_absolute, summed.absolute) + blended.offset_absolute;
    let k = blend_roundings(source) + morph_roundings(source) + 4;
    Vertex {
        position: transform(blended.linear, summed.value) + blended.offset,
        // A flushed weight also leaves its share of the translation out.
        position_tolerance: gamma(k) * scale
            + DVec3::splat(
                floor(k, blended, 1, summed) + FLUSH * 4.0 * k as f64 * blended.largest_offset,
            ),
        position_scale: scale.length(),
        normal: None,
        tangent: None,
        handedness: 0.0,
        either_handedness: false,
    }
}

/// The determinant's sign and the cofactor matrix with its absolute sums.
struct Determinant {
    cofactor: [DVec3; 3],
    cofactor_absolute: [DVec3; 3],
    sign: f64,
    either: bool,
}

fn determinant(blended: &Blended, source: &Source<'_>) -> Determinant {
    let cofactor = cofactor_f64(blended.linear);
    let cofactor_absolute = absolute_cofactor(blended.linear_absolute);
    let value = blended.linear[0].dot(cofactor[0]);
    let k = 3 * blend_roundings(source) + 5;
    let error = gamma(k) * blended.linear_absolute[0].dot(cofactor_absolute[0])
        + FLUSH * 4.0 * k as f64 * (1.0 + blended.largest).powi(3);
    Determinant {
        cofactor,
        cofactor_absolute,
        sign: if value < 0.0 { -1.0 } else { 1.0 },
        either: value.abs() <= error,
    }
}

fn normal_of(
    blended: &Blended,
    determinant: &Determinant,
    summed: &Summed,
    bind: Vec3,
    source: &Source<'_>,
) -> Direction {
    let k = 2 * blend_roundings(source) + morph_roundings(source) + 5;
    let v = determinant.sign * transform(determinant.cofactor, summed.value);
    let error = gamma(k) * transform(determinant.cofactor_absolute, summed.absolute)
        + DVec3::splat(floor(k, blended, 2, summed));
    let mut out = direction(v, error.length(), bind);
    out.either_side = determinant.either;
    out
}

fn tangent_of(blended: &Blended, summed: &Summed, bind: Vec3, source: &Source<'_>) -> Direction {
    let k = blend_roundings(source) + morph_roundings(source) + 3;
    let v = transform(blended.linear, summed.value);
    let error = gamma(k) * transform(blended.linear_absolute, summed.absolute)
        + DVec3::splat(floor(k, blended, 1, summed));
    direction(v, error.length(), bind)
}

/// `v` normalised, or `bind` where the kernel's test finds it too short; where the test may fall
/// either way, anything of finite length is right.
fn direction(v: DVec3, error: f64, bind: Vec3) -> Direction {
    let length = v.length();
    let threshold = f64::from(SMALLEST_LENGTH_SQUARED).sqrt();
    let either_side = false;
    if !(length + error).is_finite() {
        // An input that is not finite: no result is right.
        let (angle_tolerance, length_tolerance) = (f64::NAN, f64::NAN);
        Direction {
            vector: v,
            angle_tolerance,
            length_tolerance,
            either_side,
        }
    } else if length - error > threshold * (1.0 + 4.0 * U) {
        // `error` is below `length` here.
        let angle_tolerance = (error / length).asin() + 2.0 * U;
        let vector = v / length;
        Direction {
            vector,
            angle_tolerance,
            length_tolerance: 18.0 * U,
            either_side,
        }
    } else if length + error < threshold * (1.0 - 4.0 * U) {
        let vector = bind.as_dvec3();
        let length_tolerance = U * vector.length() + FLUSH;
        Direction {
            vector,
            angle_tolerance: U,
            length_tolerance,
            either_side,
        }
    } else {
        let (angle_tolerance, length_tolerance) = (std::f64::consts::PI, f64::MAX);
        Direction {
            vector: bind.as_dvec3(),
            angle_tolerance,
            length_tolerance,
            either_side,
        }
    }
}
