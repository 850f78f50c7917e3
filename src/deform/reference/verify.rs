//! Holding deformed vertices against the reference.

use std::fmt;

use glam::{DVec3, DVec4, Vec3, Vec4};
use rayon::prelude::*;

use super::direction::Direction;
use super::vertex::{self, Vertex};
use crate::deform::output::{Attributes, OutputLayout};
use crate::deform::palette::PoseLayout;
use crate::deform::skin::{Deformed, Source};
use crate::deform::variant::Variant;
use crate::math::normal::angle;
use crate::scene::Scene;

/// Which part of a vertex is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The position.
    Position,
    /// The normal.
    Normal,
    /// The direction of the tangent.
    Tangent,
    /// The handedness, w of the tangent.
    Handedness,
}

/// One wrong vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure {
    /// Index into [`Scene::items`].
    pub item: usize,
    /// Instance of the character.
    pub instance: usize,
    /// Vertex of the item's mesh.
    pub vertex: usize,
    /// What is wrong with it.
    pub part: Part,
    /// What the place gave; only x for the handedness.
    pub got: [f64; 3],
    /// What the reference has.
    pub want: [f64; 3],
    /// Largest difference allowed: of a coordinate, or an angle in radians.
    pub tolerance: f64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            item,
            instance,
            vertex,
            part,
            got,
            want,
            tolerance,
        } = self;
        let (what, unit) = match part {
            Part::Position => ("position", ""),
            Part::Normal => ("normal", " rad"),
            Part::Tangent => ("tangent", " rad"),
            Part::Handedness => ("handedness", ""),
        };
        write!(
            f,
            "item {item}, instance {instance}, vertex {vertex}: {what} {got:?}, but the reference has {want:?} ± {tolerance:e}{unit}"
        )
    }
}

/// How the vertices of one case agree with the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verification {
    /// Vertices checked.
    pub vertices: u64,
    /// Vertices with anything wrong.
    pub failures: u64,
    /// Normals and tangents whose direction f32 does not determine (see
    /// [`Direction::angle_tolerance`]); they only have to be finite, and count in no error.
    pub undetermined: u64,
    /// Vertices that dual quaternions may blend in two ways, rounding deciding (see
    /// [`Vertex::ambiguous`]); they only have to be finite, and count in no error.
    pub ambiguous: u64,
    /// Largest distance from the reference position, as a fraction of the diagonal of the item's
    /// own deformed bounding box in that instance. Where that box is a point, a fraction of the
    /// length of Σ|w|(|M||p| + |t|). Infinite for NaN.
    pub max_position_error: f64,
    /// Largest angle to the reference normal, degrees; `None` where none was checked. 180 for NaN.
    pub max_normal_error_deg: Option<f64>,
    /// Largest angle to the reference tangent, degrees, under the same rule.
    pub max_tangent_error_deg: Option<f64>,
    /// The first wrong vertex: lowest instance, then item, then vertex.
    pub first_failure: Option<Failure>,
}

impl Verification {
    /// Whether every vertex lies within its tolerance.
    pub fn passed(&self) -> bool {
        self.failures == 0
    }

    /// Both together; `self` comes first.
    pub fn merge(self, other: Self) -> Self {
        Self {
            vertices: self.vertices + other.vertices,
            failures: self.failures + other.failures,
            undetermined: self.undetermined + other.undetermined,
            ambiguous: self.ambiguous + other.ambiguous,
            max_position_error: self.max_position_error.max(other.max_position_error),
            max_normal_error_deg: larger(self.max_normal_error_deg, other.max_normal_error_deg),
            max_tangent_error_deg: larger(self.max_tangent_error_deg, other.max_tangent_error_deg),
            first_failure: self.first_failure.or(other.first_failure),
        }
    }
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (one, other) => one.or(other),
    }
}

/// What has been seen of one item in one instance: a [`Verification`] whose position error is not
/// yet a fraction of the box.
#[derive(Clone, Copy)]
struct Seen {
    verification: Verification,
    low: DVec3,
    high: DVec3,
    distance: f64,
}

impl Seen {
    const NOTHING: Self = Self {
        verification: Verification {
            vertices: 0,
            failures: 0,
            undetermined: 0,
            ambiguous: 0,
            max_position_error: 0.0,
            max_normal_error_deg: None,
            max_tangent_error_deg: None,
            first_failure: None,
        },
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
        distance: 0.0,
    };

    fn merge(self, other: Self) -> Self {
        Self {
            verification: self.verification.merge(other.verification),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            distance: self.distance.max(other.distance),
        }
    }

    fn finish(self) -> Verification {
        let diagonal = (self.high - self.low).length();
        let mut out = self.verification;
        if diagonal > 0.0 {
            out.max_position_error = self.distance / diagonal;
        }
        out
    }
}

/// Holds one item of one instance against the reference. `fetch` gives the deformed vertex of an
/// index, decoded where it is packed; what `attributes` leaves out is not looked at. Runs on all cores.
pub fn compare(
    source: &Source<'_>,
    attributes: Attributes,
    instance: usize,
    item: usize,
    fetch: impl Fn(usize) -> Deformed + Sync,
) -> Verification {
    (0..source.mesh.vertex_count())
        .into_par_iter()
        .with_min_len(256)
        .map(|index| {
            let want = vertex::vertex(source, attributes, index);
            judge(&want, &fetch(index), [item, instance, index])
        })
        .reduce(|| Seen::NOTHING, Seen::merge)
        .finish()
}

/// Holds the vertices of all items and instances against the reference.
///
/// `data` are the uploaded palettes and weights, one block an instance, or a single one that all
/// instances share; `vertices` are the deformed ones, arranged by `output` and decoded
/// ([`OutputLayout::decode`]). A buffer that is too short counts as NaN.
pub fn compare_all(
    scene: &Scene,
    variant: Variant,
    layout: &PoseLayout,
    data: &[[f32; 4]],
    output: &OutputLayout,
    instances: usize,
    vertices: &[f32],
) -> Verification {
    let pairs = (0..instances).flat_map(|i| (0..scene.items.len()).map(move |item| (i, item)));
    pairs
        .map(|(instance, item)| {
            let source = Source::of(scene, variant, layout, data, instance, item);
            let first = output.vertices(instance, item).start;
            let fetch = |index| unpack(output.attributes, vertices, first + index);
            compare(&source, output.attributes, instance, item, fetch)
        })
        .fold(Verification::default(), Verification::merge)
}

/// Vertex `index` of an interleaved buffer; NaN beyond its end.
pub fn unpack(attributes: Attributes, vertices: &[f32], index: usize) -> Deformed {
    let start = index * attributes.floats();
    let mut all = [0.0; 10];
    let part = &mut all[..attributes.floats()];
    match vertices.get(start..start + attributes.floats()) {
        Some(found) => part.copy_from_slice(found),
        None => part.fill(f32::NAN),
    }
    Deformed {
        position: Vec3::from_slice(&all[0..3]),
        normal: Vec3::from_slice(&all[3..6]),
        tangent: Vec4::from_slice(&all[6..10]),
    }
}

/// Holds one vertex against the reference; `place` is item, instance and vertex.
fn judge(want: &Vertex, got: &Deformed, place: [usize; 3]) -> Seen {
    let mut seen = Seen {
        low: want.position,
        high: want.position,
        ..Seen::NOTHING
    };
    seen.verification.vertices = 1;
    if want.ambiguous {
        judge_finite(want, got, place, &mut seen.verification);
        return seen;
    }
    judge_position(want, got, place, &mut seen);
    let out = &mut seen.verification;
    if let Some(direction) = &want.normal {
        let got = got.normal.as_dvec3();
        out.max_normal_error_deg = judge_direction(direction, got, Part::Normal, place, out);
    }
    if let Some(direction) = &want.tangent {
        let tangent = got.tangent.as_dvec4();
        out.max_tangent_error_deg =
            judge_direction(direction, tangent.truncate(), Part::Tangent, place, out);
        judge_handedness(want, tangent, place, out);
    }
    out.failures = out.failures.min(1);
    seen
}

/// Judges a vertex of which nothing is known but that it is finite.
fn judge_finite(want: &Vertex, got: &Deformed, place: [usize; 3], out: &mut Verification) {
    out.ambiguous = 1;
    let tangent = got.tangent.as_dvec4();
    let normal = want
        .normal
        .map(|d| (Part::Normal, got.normal.as_dvec3(), d.vector));
    let direction = want
        .tangent
        .map(|d| (Part::Tangent, tangent.truncate(), d.vector));
    let handedness = want.tangent.map(|_| {
        let only_x = |w| DVec3::new(w, 0.0, 0.0);
        (Part::Handedness, only_x(tangent.w), only_x(want.handedness))
    });
    let position = (Part::Position, got.position.as_dvec3(), want.position);
    let parts = [Some(position), normal, direction, handedness];
    let wrong = parts
        .into_iter()
        .flatten()
        .find(|(_, got, _)| !got.is_finite());
    if let Some((part, got, want)) = wrong {
        fail(part, place, got, want, f64::INFINITY, out);
    }
}

fn judge_position(want: &Vertex, got: &Deformed, place: [usize; 3], seen: &mut Seen) {
    let difference = got.position.as_dvec3() - want.position;
    let distance = difference.length();
    seen.distance = if distance.is_nan() {
        f64::INFINITY
    } else {
        distance
    };
    // Overwritten by the fraction of the box unless that is a point.
    let scaled = if distance == 0.0 {
        0.0
    } else {
        seen.distance / want.position_scale
    };
    seen.verification.max_position_error = if scaled.is_nan() {
        f64::INFINITY
    } else {
        scaled
    };
    if !difference.abs().cmple(want.position_tolerance).all() {
        let tolerance = want.position_tolerance.max_element();
        let got = got.position.as_dvec3();
        fail(
            Part::Position,
            place,
            got,
            want.position,
            tolerance,
            &mut seen.verification,
        );
    }
}

/// Judges a normal or tangent, and gives the angle to the reference in degrees.
fn judge_direction(
    want: &Direction,
    got: DVec3,
    part: Part,
    place: [usize; 3],
    out: &mut Verification,
) -> Option<f64> {
    let turned = turned(want, got);
    let length = (got.length() - want.vector.length()).abs();
    if !(turned <= want.angle_tolerance && length <= want.length_tolerance) {
        fail(part, place, got, want.vector, want.angle_tolerance, out);
    } else if want.angle_tolerance >= std::f64::consts::PI {
        out.undetermined += 1;
        return None;
    }
    Some(if turned.is_nan() {
        180.0
    } else {
        turned.to_degrees()
    })
}

/// Angle to the reference in radians; NaN where there is no angle.
fn turned(want: &Direction, got: DVec3) -> f64 {
    if want.angle_tolerance >= std::f64::consts::PI && got.is_finite() {
        return 0.0;
    }
    if want.vector == DVec3::ZERO {
        // A mesh may store a normal of length zero, which is kept.
        return if got == DVec3::ZERO { 0.0 } else { f64::NAN };
    }
    let turned = angle(got, want.vector);
    if want.either_side {
        turned.min(std::f64::consts::PI - turned)
    } else {
        turned
    }
}

fn judge_handedness(want: &Vertex, got: DVec4, place: [usize; 3], out: &mut Verification) {
    let near = |w: f64| (got.w - w).abs() <= want.handedness_tolerance;
    let right = near(want.handedness) || (want.either_handedness && near(-want.handedness));
    if !right {
        let only_x = |w| DVec3::new(w, 0.0, 0.0);
        fail(
            Part::Handedness,
            place,
            only_x(got.w),
            only_x(want.handedness),
            want.handedness_tolerance,
            out,
        );
    }
}

fn fail(
    part: Part,
    [item, instance, vertex]: [usize; 3],
    got: DVec3,
    want: DVec3,
    tolerance: f64,
    out: &mut Verification,
) {
    out.failures += 1;
    let (got, want) = (got.to_array(), want.to_array());
    let failure = Failure {
        item,
        instance,
        vertex,
        part,
        got,
        want,
        tolerance,
    };
    out.first_failure.get_or_insert(failure);
}
