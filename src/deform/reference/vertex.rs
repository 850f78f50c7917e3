//! One vertex in f64, deformed by what was uploaded, with what f32 kernels may differ by.
//!
//! Plain linear blending is evaluated by counting roundings (`lbs.rs`), every other variant by
//! carrying bounds along (`blend.rs`, and here); both say what they count. What comes out is then what
//! its stored form can hold of it (`direction.rs`).
//!
//! Limits, on purpose:
//! - Where the sign of a determinant is within its own error, both sides are right.
//! - Where a determinant may be zero, the inverse transpose may be anything finite; so is a
//!   direction whose length may be on either side of what kernels normalise.
//! - Where the pivot or a flip of dual quaternions is open, the vertex is `ambiguous`: anything finite.
//! - Morph targets after skinning are added to directions that are known to be unit within 18u and
//!   turned by at most the angle tolerance; where the skinned direction may be on either side, the sum
//!   is not followed: anything finite. Adding targets one kernel after the other does the same sums.
//!   A unit vector that no target moves is normalised once more: within the same 18u.
//! - `flagged` takes a weight for zero only where the mesh has zero.

use glam::{DVec3, Vec3};

use super::blend::{self, Blended, Vector, apply, cross, dot, value};
use super::direction::{Direction, Word};
use super::lbs;
use crate::deform::output::Attributes;
use crate::deform::skin::Source;
use crate::math::bounded::OnGpu;
use crate::math::normal::transform;
use crate::math::snorm::COMPONENT_ERROR;
use crate::plan::{MorphOrder, NormalMode, OutputFormat};
use crate::scene::MorphTarget;

/// What a vertex must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position.
    pub position: DVec3,
    /// Largest difference of each coordinate.
    pub position_tolerance: DVec3,
    /// Length of Σ|w|(|M||p| + |t|), the size of what was added up; for dual quaternions of the
    /// blended motion alone.
    pub position_scale: f64,
    /// Normal, where asked for and the mesh has one.
    pub normal: Option<Direction>,
    /// Tangent, under the same rule.
    pub tangent: Option<Direction>,
    /// Handedness that goes with the tangent: the mesh's, times the sign of the determinant where
    /// the normal mode looks at it.
    pub handedness: f64,
    /// Largest difference of the handedness.
    pub handedness_tolerance: f64,
    /// Whether either sign of the handedness is right.
    pub either_handedness: bool,
    /// Whether everything only has to be finite, rounding deciding between two outcomes.
    pub ambiguous: bool,
}

/// Evaluates vertex `index` of `source`.
pub fn vertex(source: &Source<'_>, attributes: Attributes, index: usize) -> Vertex {
    let vertex = if lbs::covers(source, attributes) {
        lbs::vertex(source, attributes, index)
    } else {
        bounded(source, attributes, index)
    };
    vertex.stored(source.variant.output)
}

impl Vertex {
    pub(super) fn at(position: DVec3, tolerance: DVec3, scale: f64) -> Self {
        // No bound, from inputs that are finite: rounding decides whether something is divided.
        let ambiguous = position.is_finite() && !tolerance.is_finite();
        Self {
            position,
            position_tolerance: tolerance,
            position_scale: scale,
            normal: None,
            tangent: None,
            handedness: 0.0,
            handedness_tolerance: 0.0,
            either_handedness: false,
            ambiguous,
        }
    }

    fn stored(self, format: OutputFormat) -> Self {
        let (handedness, handedness_tolerance) = match format {
            OutputFormat::F32 => (self.handedness, 0.0),
            OutputFormat::Snorm8 => in_byte(self.handedness),
            // One bit: negative, or not.
            _ if self.handedness < 0.0 => (-1.0, 0.0),
            _ => (1.0, 0.0),
        };
        Self {
            normal: self.normal.map(|d| d.stored(format, Word::Normal)),
            tangent: self.tangent.map(|d| d.stored(format, Word::Tangent)),
            handedness,
            handedness_tolerance,
            ..self
        }
    }
}

/// A handedness as a byte, and its tolerance: -1, 0 and 1 are exact.
fn in_byte(handedness: f64) -> (f64, f64) {
    let clamped = handedness.clamp(-1.0, 1.0);
    let whole = clamped == clamped.round();
    (clamped, if whole { 0.0 } else { COMPONENT_ERROR })
}

/// The rule that carries the normal of one vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Cofactor,
    InverseTranspose,
    Direct,
    PerJoint,
}

/// The rule of the variant's normal mode for one vertex.
pub(super) fn rule(source: &Source<'_>, index: usize) -> Rule {
    let flagged = || {
        blend::stored_slots(source, index)
            .any(|(joint, weight)| weight != 0.0 && source.palette.joint_flag(joint))
    };
    match source.variant.normals {
        NormalMode::Cofactor => Rule::Cofactor,
        NormalMode::InverseTranspose => Rule::InverseTranspose,
        NormalMode::PerJoint => Rule::PerJoint,
        NormalMode::Flagged if flagged() => Rule::Cofactor,
        NormalMode::Flagged | NormalMode::Direct | NormalMode::DirectRaw => Rule::Direct,
    }
}

/// A determinant with its cofactor matrix.
struct Determinant {
    cofactors: [Vector; 3],
    value: OnGpu,
}

impl Determinant {
    fn of(linear: &[Vector; 3]) -> Self {
        let [r0, r1, r2] = linear;
        let cofactors = [cross(r1, r2), cross(r2, r0), cross(r0, r1)];
        Self {
            value: dot(r0, &cofactors[0]),
            cofactors,
        }
    }

    fn sign(&self) -> f64 {
        if self.value.value < 0.0 { -1.0 } else { 1.0 }
    }

    fn is_open(&self) -> bool {
        self.value.value.abs() <= self.value.error
    }
}

fn bounded(source: &Source<'_>, attributes: Attributes, index: usize) -> Vertex {
    let mesh = source.mesh;
    let blended = Blended::of(source, index);
    let mut out = position_of(source, &blended, index);
    out.ambiguous |= blended.ambiguous;
    if attributes == Attributes::P {
        return out;
    }
    let rule = rule(source, index);
    let sided = matches!(rule, Rule::Cofactor | Rule::InverseTranspose);
    let determinant = sided.then(|| Determinant::of(&blended.linear));
    let either = determinant.as_ref().is_some_and(Determinant::is_open);
    if let Some(bind) = mesh.normals.get(index) {
        let n = before(source, index, bind, |target| &target.normals);
        let carried = carry(source, index, rule, &blended, determinant.as_ref(), &n);
        let direction = carried.map(|v| finish(source, v, either, bind));
        out.normal = Some(match direction {
            Some(direction) => after(source, index, direction, |target| &target.normals),
            None => Direction::undetermined(Vec3::from(*bind).as_dvec3()),
        });
    }
    if let (Some(&[x, y, z, w]), Attributes::Pnt) = (mesh.tangents.get(index), attributes) {
        let bind = [x, y, z];
        let t = before(source, index, &bind, |target| &target.tangents);
        let direction = finish(source, apply(&blended.linear, &t), false, &bind);
        out.tangent = Some(after(source, index, direction, |target| &target.tangents));
        out.handedness = determinant.as_ref().map_or(1.0, Determinant::sign) * f64::from(w);
        out.either_handedness = either;
    }
    out
}

fn position_of(source: &Source<'_>, blended: &Blended, index: usize) -> Vertex {
    let bind = &source.mesh.positions[index];
    let p = before(source, index, bind, |target| &target.positions);
    let turned = apply(&blended.linear, &p);
    let mut q = [0, 1, 2].map(|r| turned[r] + blended.offset[r]);
    if is_after(source) {
        q = morphed(source, index, q, |target| &target.positions);
    }
    let (linear, offset) = blended.absolute;
    let scale = transform(linear, value(&p).abs()) + offset;
    let tolerance = DVec3::from_array(q.map(|x| x.error));
    Vertex::at(value(&q), tolerance, scale.length())
}

/// What the rule makes of `n`, not normalised; `None` where the determinant it divides by may be
/// zero.
fn carry(
    source: &Source<'_>,
    index: usize,
    rule: Rule,
    blended: &Blended,
    determinant: Option<&Determinant>,
    n: &Vector,
) -> Option<Vector> {
    match (rule, determinant) {
        (Rule::PerJoint, _) => Some(apply(&blend::blended_normal_rows(source, index), n)),
        (Rule::InverseTranspose, Some(d)) if d.is_open() => None,
        (Rule::InverseTranspose, Some(d)) => {
            Some(apply(&d.cofactors, n).map(|component| component / d.value))
        }
        (Rule::Cofactor, Some(d)) => {
            let v = apply(&d.cofactors, n);
            Some(if d.sign() < 0.0 { v.map(|x| -x) } else { v })
        }
        _ => Some(apply(&blended.linear, n)),
    }
}

/// A skinned direction: normalised, where the variant does that, or what the kernels keep.
#[derive(Clone, Copy)]
enum Skinned {
    Raw(Vector),
    Unit(Direction),
}

fn finish(source: &Source<'_>, v: Vector, either: bool, bind: &[f32; 3]) -> Skinned {
    if source.variant.normals == NormalMode::DirectRaw {
        return Skinned::Raw(v);
    }
    let kept = Direction::kept(Vec3::from(*bind));
    let error = blend::error(&v);
    Skinned::Unit(Direction::normalised(value(&v), error, either, kept))
}

/// What morph targets after skinning leave, where there are any.
fn after<'a>(
    source: &Source<'a>,
    index: usize,
    skinned: Skinned,
    list: impl Fn(&'a MorphTarget) -> &'a Vec<[f32; 3]>,
) -> Direction {
    let raw = |v: &Vector| Direction::raw(value(v), blend::error(v));
    match skinned {
        Skinned::Raw(v) if is_after(source) => raw(&morphed(source, index, v, list)),
        Skinned::Raw(v) => raw(&v),
        Skinned::Unit(unit) if !is_after(source) => unit,
        Skinned::Unit(unit) if unit.either_side || unit.is_undetermined() => {
            Direction::undetermined(unit.vector)
        }
        Skinned::Unit(unit) => {
            let error = unit.vector_error();
            let v = unit.vector.to_array().map(|x| OnGpu::with_error(x, error));
            let v = morphed(source, index, v, list);
            Direction::normalised(value(&v), blend::error(&v), false, raw(&v))
        }
    }
}

/// Whether morph targets are added to what was skinned.
pub(super) fn is_after(source: &Source<'_>) -> bool {
    source.variant.morph_order == MorphOrder::After && !source.mesh.morph_targets.is_empty()
}

/// A bind-pose vector as it is skinned: with its morph targets, where they come before.
pub(super) fn before<'a>(
    source: &Source<'a>,
    index: usize,
    bind: &[f32; 3],
    list: impl Fn(&'a MorphTarget) -> &'a Vec<[f32; 3]>,
) -> Vector {
    let v = bind.map(OnGpu::exact);
    if is_after(source) {
        v
    } else {
        morphed(source, index, v, list)
    }
}

/// `v` and its weighted displacements, target after target.
pub(super) fn morphed<'a>(
    source: &Source<'a>,
    index: usize,
    mut v: Vector,
    list: impl Fn(&'a MorphTarget) -> &'a Vec<[f32; 3]>,
) -> Vector {
    for (target, &weight) in source.mesh.morph_targets.iter().zip(source.morph_weights) {
        // Kernels that add the zeros of a target without this list round nothing.
        let Some(delta) = list(target).get(index) else {
            continue;
        };
        let weight = OnGpu::exact(weight);
        for (component, d) in v.iter_mut().zip(delta) {
            *component = *component + weight * OnGpu::exact(*d);
        }
    }
    v
}
