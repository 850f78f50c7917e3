//! The reference of plain linear blending with cofactor normals, by counting roundings: what most
//! cases do, and faster than carrying a bound along.
//!
//! With n influences and T morph targets (M = T + 1 if there are any, else 0: T products and T sums
//! leave at most T + 1 roundings on any term), and d roundings of a weight (6 where it is stored as
//! an integer, see [`blend`](super::blend), else 0):
//! - a blended row Σ wᵢMᵢ has b = n + d roundings a term (a product, n − 1 sums), relative to
//!   Ā = Σ|wᵢ||Mᵢ|;
//! - a position adds a product and three sums: k = b + M + 4, relative to Σ|wᵢ|(|Mᵢ||p| + |tᵢ|)
//!   with |p| = |p₀| + Σ|mₖ||dpₖ|;
//! - a cofactor multiplies two blended entries and subtracts: 2b + 2, relative to the cofactor of Ā
//!   with every difference made a sum; with the three terms of its product with the normal
//!   k = 2b + M + 5;
//! - the determinant, a row times its cofactors: k = 3b + 5;
//! - a tangent: k = b + M + 3.
//!
//! A GPU may flush denormals: an absolute floor of 2⁻¹²⁶ an operation, times what it is multiplied
//! with afterwards.

use glam::{DVec3, Vec3};

use super::blend::weight_roundings;
use super::direction::Direction;
use super::gamma;
use super::vertex::Vertex;
use crate::deform::output::Attributes;
use crate::deform::skin::Source;
use crate::math::bounded::FLUSH;
use crate::math::normal::{absolute_cofactor, cofactor_f64, transform};
use crate::plan::{MorphOrder, NormalMode};

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

/// Whether this module evaluates the variant of `source`.
pub(super) fn covers(source: &Source<'_>, attributes: Attributes) -> bool {
    let variant = &source.variant;
    let carried = attributes == Attributes::P || variant.normals == NormalMode::Cofactor;
    let before = variant.morph_order == MorphOrder::Before || source.mesh.morph_targets.is_empty();
    let normalised = variant.normalises(source.mesh.influences.max(1));
    carried && before && !normalised && !variant.is_dual_quat()
}

/// Evaluates vertex `index` of `source`, as it is before it is stored.
pub(super) fn vertex(source: &Source<'_>, attributes: Attributes, index: usize) -> Vertex {
    let mesh = source.mesh;
    let blended = blend(source, index);
    let position = sum(source, &mesh.positions[index], index, |target| {
        &target.positions
    });
    let mut out = position_of(&blended, &position, source);
    let determinant = (attributes > Attributes::P).then(|| determinant(&blended, source));
    if let (Some(determinant), Some(normal)) = (&determinant, mesh.normals.get(index)) {
        let summed = sum(source, normal, index, |target| &target.normals);
        let bind = Vec3::from(*normal);
        out.normal = Some(normal_of(&blended, determinant, &summed, bind, source));
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
        out.add(source, 0, 1.0);
    }
    let slots = n * index..n * (index + 1);
    for (&joint, &weight) in source.mesh.joints[slots.clone()]
        .iter()
        .zip(&source.mesh.weights[slots])
    {
        out.add(source, usize::from(joint), f64::from(weight));
    }
    out
}

impl Blended {
    fn add(&mut self, source: &Source<'_>, joint: usize, weight: f64) {
        for (r, row) in source.palette.joint_rows(joint).into_iter().enumerate() {
            let (linear, t) = (row.truncate().as_dvec3(), f64::from(row.w));
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
    source.mesh.influences.max(1) + weight_roundings(source)
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
    let position = transform(blended.linear, summed.value) + blended.offset;
    // A flushed weight also leaves its share of the translation out.
    let floor = floor(k, blended, 1, summed) + FLUSH * 4.0 * k as f64 * blended.largest_offset;
    let tolerance = gamma(k) * scale + DVec3::splat(floor);
    Vertex::at(position, tolerance, scale.length())
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
    Direction::normalised(v, error.length(), determinant.either, Direction::kept(bind))
}

fn tangent_of(blended: &Blended, summed: &Summed, bind: Vec3, source: &Source<'_>) -> Direction {
    let k = blend_roundings(source) + morph_roundings(source) + 3;
    let v = transform(blended.linear, summed.value);
    let error = gamma(k) * transform(blended.linear_absolute, summed.absolute)
        + DVec3::splat(floor(k, blended, 1, summed));
    Direction::normalised(v, error.length(), false, Direction::kept(bind))
}
