//! How far a *method* is from the exact normal, whoever computes it.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::blend::{self, Blended, value};
use super::vertex::{Rule, before, is_after, morphed, rule};
use crate::deform::skin::Source;
use crate::math::bounded::OnGpu;
use crate::math::normal::{angle, cofactor_f64, inverse_transpose, transform};
use crate::plan::NormalMode;

/// How far a method's normals are from exact ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MethodNormalError {
    /// Vertices with an exact normal (an invertible blended matrix and a normal in the mesh).
    pub vertices: u64,
    /// Mean angle, degrees.
    pub mean: f64,
    /// Largest angle, degrees. 180 where the method gives no direction.
    pub max: f64,
}

/// Angle between the normal that the variant's normal mode gives, evaluated exactly and before it is
/// stored, and the exact one: the inverse transpose of the blended matrix (for dual quaternions of
/// the blended rotation, times the blended stretch), weights held constant, times the morphed normal.
///
/// Morph targets after skinning displace a surface whose exact normal nobody knows: there both are
/// normalised, and displaced alike, and what the method adds is the angle that is left.
///
/// For the cofactor rule (with the sign of the determinant) it is 0 up to rounding.
pub fn method_normal_error(source: &Source<'_>) -> MethodNormalError {
    let (vertices, sum, max) = (0..source.mesh.vertex_count())
        .into_par_iter()
        .filter_map(|index| degrees(source, index))
        .map(|degrees| (1, degrees, degrees))
        .reduce(
            || (0, 0.0, 0.0),
            |a, b| (a.0 + b.0, a.1 + b.1, f64::max(a.2, b.2)),
        );
    let mean = if vertices == 0 {
        0.0
    } else {
        sum / vertices as f64
    };
    MethodNormalError {
        vertices,
        mean,
        max,
    }
}

fn degrees(source: &Source<'_>, index: usize) -> Option<f64> {
    let bind = source.mesh.normals.get(index)?;
    let n = value(&before(source, index, bind, |target| &target.normals));
    let linear = Blended::of(source, index).exact();
    let exact = transform(inverse_transpose(linear)?, n);
    let method = carried(source, index, linear, n);
    let turned = if is_after(source) {
        let raw = source.variant.normals == NormalMode::DirectRaw;
        let method = if raw { method } else { unit_or(method, *bind) };
        let exact = unit_or(exact, *bind);
        angle(
            displaced(source, index, method),
            displaced(source, index, exact),
        )
    } else {
        angle(method, exact)
    };
    let degrees = turned.to_degrees();
    Some(if degrees.is_nan() { 180.0 } else { degrees })
}

/// What the rule of the variant makes of `n`.
fn carried(source: &Source<'_>, index: usize, linear: [DVec3; 3], n: DVec3) -> DVec3 {
    let rows = match rule(source, index) {
        Rule::Direct => linear,
        Rule::PerJoint => blend::blended_normal_rows(source, index).map(|row| value(&row)),
        Rule::InverseTranspose => inverse_transpose(linear).unwrap_or(linear),
        Rule::Cofactor => {
            let cofactors = cofactor_f64(linear);
            let determinant = linear[0].dot(cofactors[0]);
            let side = if determinant < 0.0 { -1.0 } else { 1.0 };
            cofactors.map(|row| side * row)
        }
    };
    transform(rows, n)
}

fn unit_or(v: DVec3, bind: [f32; 3]) -> DVec3 {
    v.try_normalize().unwrap_or(Vec3::from(bind).as_dvec3())
}

/// `v` with its morph targets' displacements, in f64.
fn displaced(source: &Source<'_>, index: usize, v: DVec3) -> DVec3 {
    let start = v.to_array().map(|x| OnGpu::with_error(x, 0.0));
    value(&morphed(source, index, start, |target| &target.normals))
}
