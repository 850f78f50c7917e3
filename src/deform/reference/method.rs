//! How far a *method* is from the exact normal, whoever computes it.

use glam::DVec3;
use rayon::prelude::*;

use super::vertex;
use crate::deform::skin::Source;
use crate::math::normal::{angle, inverse_transpose, transform};

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

/// Angle between the normal that `method` makes of the blended 3×3 (rows) and the morphed normal,
/// and the exact one: the inverse transpose of the blended matrix, weights held constant.
///
/// For the cofactor rule (with the sign of the determinant) it is 0 up to rounding.
pub fn method_normal_error(
    source: &Source<'_>,
    method: impl Fn([DVec3; 3], DVec3) -> DVec3 + Sync,
) -> MethodNormalError {
    let angle_of = |index: usize| {
        let normal = vertex::morphed_normal(source, index)?;
        let linear = vertex::blended_linear(source, index);
        let exact = transform(inverse_transpose(linear)?, normal);
        let degrees = angle(method(linear, normal), exact).to_degrees();
        Some(if degrees.is_nan() { 180.0 } else { degrees })
    };
    let (vertices, sum, max) = (0..source.mesh.vertex_count())
        .into_par_iter()
        .filter_map(angle_of)
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
