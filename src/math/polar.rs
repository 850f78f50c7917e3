//! Polar decomposition of a 3×3 matrix, and its singular values, in f64.
//!
//! M = R·S with R a proper rotation and S symmetric: the part of a joint's matrix that turns, and
//! the part that scales and shears. Where det M > 0, S is positive definite; where det M < 0, S is
//! negative definite and carries the reflection: M = (−R)(−S), −S being the usual positive factor.
//!
//! - Regular matrices: Newton's iteration X ← (γX + X⁻ᵀ/γ)/2 from X = M, with γ = (‖X⁻¹‖₁‖X⁻¹‖_∞ /
//!   (‖X‖₁‖X‖_∞))^¼, which converges quadratically to the orthogonal factor (N. J. Higham,
//!   *Computing the polar decomposition, with applications*, SIAM J. Sci. Stat. Comput. 7(4), 1986).
//! - Matrices whose smallest singular value is below 2⁻⁴⁰ of the largest have no inverse worth the
//!   name, and no sign: R is completed from the singular vectors M = Σ σᵢuᵢvᵢᵀ of one-sided Jacobi
//!   rotations (Golub and Van Loan, *Matrix Computations*, 4th ed., 8.6.3), see `completed`.
//!   Deterministic, and R still is a proper rotation.

use glam::{DMat3, DVec3};

/// Ratio of singular values below which a matrix counts as singular, 2⁻⁴⁰.
const SINGULAR: f64 = 1.0 / 1_099_511_627_776.0;

/// Newton steps, far more than any matrix within [`SINGULAR`] takes (about nine).
const STEPS: usize = 24;

/// Sweeps of Jacobi rotations, far more than three columns take (about six).
const SWEEPS: usize = 24;

/// Cosine below which two directions count as opposite in [`arc`].
const NEARLY_OPPOSITE: f64 = -0.999;

/// M = `rotation`·`stretch`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar {
    /// A proper rotation: orthogonal, determinant +1.
    pub rotation: DMat3,
    /// A symmetric matrix: positive definite, or negative definite where M reflects.
    pub stretch: DMat3,
}

/// Decomposes `m`; `None` where an entry is not finite.
///
/// The factors are within a few units in the last place of the largest entry; of a singular matrix
/// the product is within 2⁻³⁸ of it.
pub fn polar(m: DMat3) -> Option<Polar> {
    let (scaled, size) = scaled(m)?;
    let svd = Svd::of(scaled);
    let rotation = if svd.sigma.z > SINGULAR * svd.sigma.x {
        proper(orthogonal_factor(scaled))
    } else {
        completed(&svd)
    };
    let product = rotation.transpose() * scaled;
    let stretch = (product + product.transpose()) * 0.5 * size;
    Some(Polar { rotation, stretch })
}

/// The singular values, largest first; `None` where an entry is not finite.
pub fn singular_values(m: DMat3) -> Option<DVec3> {
    let (scaled, size) = scaled(m)?;
    Some(Svd::of(scaled).sigma * size)
}

/// Whether `m` is a proper rotation up to `tolerance` in each singular value: it scales no
/// direction by more than 1 ± `tolerance`, and reflects nothing. False where an entry is not finite.
pub fn is_rigid(m: DMat3, tolerance: f64) -> bool {
    let near_one = |sigma: DVec3| (sigma - DVec3::ONE).abs().max_element() <= tolerance;
    m.determinant() > 0.0 && singular_values(m).is_some_and(near_one)
}

/// `m` over its largest absolute entry, and that entry (1 for zero).
fn scaled(m: DMat3) -> Option<(DMat3, f64)> {
    let entries = m.to_cols_array();
    let largest = entries.iter().fold(0.0f64, |a, x| a.max(x.abs()));
    let finite = entries.iter().all(|x| x.is_finite());
    let size = if largest > 0.0 { largest } else { 1.0 };
    finite.then(|| (DMat3::from_cols_array(&entries.map(|x| x / size)), size))
}

/// `q` or −`q`, whichever has a positive determinant.
fn proper(q: DMat3) -> DMat3 {
    if q.determinant() < 0.0 { -q } else { q }
}

/// Newton's iteration; the last step is the first that moves no entry by more than 2⁻⁵⁰.
fn orthogonal_factor(m: DMat3) -> DMat3 {
    let mut x = m;
    for _ in 0..STEPS {
        let inverse = x.inverse();
        let gamma = (norms(inverse) / norms(x)).sqrt().sqrt();
        let next = (x * gamma + inverse.transpose() * (1.0 / gamma)) * 0.5;
        let settled = largest_entry(next - x) <= 4.0 * f64::EPSILON;
        x = next;
        if settled {
            break;
        }
    }
    x
}

fn largest_entry(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0f64, |a, x| a.max(x.abs()))
}

/// ‖X‖₁·‖X‖_∞: the largest absolute column sum times the largest absolute row sum.
fn norms(x: DMat3) -> f64 {
    let largest = |m: DMat3| {
        let [a, b, c] = [m.x_axis, m.y_axis, m.z_axis].map(|column| column.abs().element_sum());
        a.max(b).max(c)
    };
    largest(x) * largest(x.transpose())
}

/// M = Σ σᵢ uᵢ vᵢᵀ, largest first; uᵢ is stored times σᵢ.
struct Svd {
    sigma: DVec3,
    /// σᵢ·uᵢ.
    scaled_u: [DVec3; 3],
    v: [DVec3; 3],
}

impl Svd {
    /// Turns pairs of columns of M until all are orthogonal to each other.
    fn of(m: DMat3) -> Self {
        let mut columns = [m.x_axis, m.y_axis, m.z_axis];
        let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
        for _ in 0..SWEEPS {
            let pairs = [(0, 1), (0, 2), (1, 2)];
            if !pairs
                .map(|(p, q)| orthogonalise(&mut columns, &mut v, p, q))
                .contains(&true)
            {
                break;
            }
        }
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| columns[b].length().total_cmp(&columns[a].length()));
        let scaled_u = order.map(|i| columns[i]);
        Self {
            sigma: DVec3::from_array(scaled_u.map(DVec3::length)),
            scaled_u,
            v: order.map(|i| v[i]),
        }
    }
}

/// Makes columns `p` and `q` orthogonal by a rotation, applied to `v` too; whether there was any
/// need: a dot product above 2⁻⁵² of the product of the lengths.
fn orthogonalise(columns: &mut [DVec3; 3], v: &mut [DVec3; 3], p: usize, q: usize) -> bool {
    let (alpha, beta) = (columns[p].length_squared(), columns[q].length_squared());
    let dot = columns[p].dot(columns[q]);
    if dot.abs() <= f64::EPSILON * alpha.sqrt() * beta.sqrt() {
        return false;
    }
    // The smaller root t of t² + 2ζt − 1 = 0, the tangent of the angle to turn by.
    let zeta = (beta - alpha) / (2.0 * dot);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cosine = 1.0 / (1.0 + t * t).sqrt();
    let sine = cosine * t;
    for list in [columns, v] {
        let (a, b) = (list[p], list[q]);
        list[p] = a * cosine - b * sine;
        list[q] = a * sine + b * cosine;
    }
    true
}

/// The rotation for a singular matrix.
///
/// Rank 2: v₁ to u₁, v₂ to u₂, v₁×v₂ to u₁×u₂, the only proper rotation that does. Rank 1: the
/// rotation of [`arc`] from v₁ to u₁. Rank 0: none.
fn completed(svd: &Svd) -> DMat3 {
    if svd.sigma.x == 0.0 {
        return DMat3::IDENTITY;
    }
    let u0 = svd.scaled_u[0].normalize();
    if svd.sigma.y <= SINGULAR * svd.sigma.x {
        return arc(svd.v[0], u0);
    }
    // Orthogonal to u0 once more: its own rounding is relative to the small second column.
    let u1 = svd.scaled_u[1].reject_from_normalized(u0).normalize();
    let u = DMat3::from_cols(u0, u1, u0.cross(u1));
    let v = DMat3::from_cols(svd.v[0], svd.v[1], svd.v[0].cross(svd.v[1]));
    u * v.transpose()
}

/// The smallest rotation that turns the unit vector `a` to the unit vector `b`: half a turn about
/// `a`, then half a turn about the bisector. Where they are nearly opposite the bisector is lost to
/// rounding: the smallest to −`b` instead, then half a turn about a vector orthogonal to `b`.
fn arc(a: DVec3, b: DVec3) -> DMat3 {
    if a.dot(b) < NEARLY_OPPOSITE {
        return half_turn(b.any_orthonormal_vector()) * arc(a, -b);
    }
    half_turn((a + b).normalize()) * half_turn(a)
}

/// Half a turn about the unit vector `axis`: 2nnᵀ − I.
fn half_turn(axis: DVec3) -> DMat3 {
    DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * 2.0 - DMat3::IDENTITY
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use glam::DQuat;
    use proptest::prelude::*;

    /// Roundings of a handful of 3×3 products of entries up to one leave a few tens of 2⁻⁵³.
    const CLOSE: f64 = 1e-14;

    fn check(m: DMat3, tolerance: f64) -> Polar {
        let got = polar(m).unwrap();
        let (r, s, size) = (got.rotation, got.stretch, largest_entry(m));
        assert!(
            largest_entry(r * r.transpose() - DMat3::IDENTITY) <= CLOSE,
            "{m}: {r}"
        );
        assert!(r.determinant() > 0.0, "{m}: {r}");
        assert_eq!(s, s.transpose());
        assert!(
            largest_entry(r * s - m) <= tolerance * size,
            "{m}: {r}, {s}"
        );
        got
    }

    fn rotation(q: [f64; 4]) -> DMat3 {
        DMat3::from_quat(DQuat::from_array(q).normalize())
    }

    fn quaternion() -> impl Strategy<Value = [f64; 4]> {
        prop::array::uniform4(-1.0f64..1.0)
            .prop_filter("not tiny", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
    }

    proptest! {
        #[test]
        fn finds_the_factors_it_was_made_of(
            q in quaternion(), axes in quaternion(), sigma in prop::array::uniform3(0.001f64..10.0), mirrored: bool,
        ) {
            let (r, axes) = (rotation(q), rotation(axes));
            let sign = if mirrored { -1.0 } else { 1.0 };
            let s = axes * DMat3::from_diagonal(DVec3::from_array(sigma) * sign) * axes.transpose();
            let got = check(r * s, CLOSE);
            // The rotation's error is that of M over the sum of the two smallest singular values.
            prop_assert!(largest_entry(got.rotation - r) <= 1e-10);
            prop_assert!(largest_entry(got.stretch - s) <= 1e-9);
            let mut want = sigma;
            want.sort_by(|a, b| b.total_cmp(a));
            let sigma = singular_values(r * s).unwrap();
            prop_assert!((sigma - DVec3::from_array(want)).abs().max_element() <= 1e-13);
        }

        #[test]
        fn any_matrix_has_factors(m in prop::array::uniform9(-2i8..=2), power in -300i32..300) {
            let m = m.map(|x| f64::from(x) * 10f64.powi(power));
            check(DMat3::from_cols_array(&m), CLOSE);
        }
    }

    #[test]
    fn singular_ones_get_a_proper_rotation_that_reproduces_them() {
        let turn = DMat3::from_rotation_z(0.7);
        let flat = DMat3::from_diagonal(DVec3::new(3.0, 0.0, 2.0));
        // The flattened axis leaves the rotation determined, as long as it does not reflect.
        assert!(largest_entry(check(turn * flat, CLOSE).rotation - turn) <= CLOSE);
        let line = DMat3::from_diagonal(DVec3::new(0.0, 5.0, 0.0));
        assert!(largest_entry(check(turn * line, CLOSE).rotation - turn) <= CLOSE);
        let zero = check(DMat3::ZERO, 0.0);
        assert_eq!(
            (zero.rotation, zero.stretch),
            (DMat3::IDENTITY, DMat3::ZERO)
        );
        for tiny in [1e-9, 1e-11, 1e-13, 1e-15, 1e-200, 1e-310] {
            for sign in [1.0, -1.0] {
                let thin = DMat3::from_diagonal(DVec3::new(1.0, sign * tiny, 1.0));
                check(turn * thin, 4.0 * SINGULAR);
                let thread = DMat3::from_diagonal(DVec3::new(tiny, sign * tiny, 1.0));
                check(thread * turn, 4.0 * SINGULAR);
            }
        }
    }

    #[test]
    fn reflections_go_to_the_stretch() {
        let got = check(DMat3::from_diagonal(DVec3::new(-2.0, 3.0, 4.0)), CLOSE);
        // −M has the rotation by π about x, times a positive diagonal.
        let (r, s) = (DVec3::new(1.0, -1.0, -1.0), DVec3::new(-2.0, -3.0, -4.0));
        assert!(largest_entry(got.rotation - DMat3::from_diagonal(r)) <= CLOSE);
        assert!(largest_entry(got.stretch - DMat3::from_diagonal(s)) <= CLOSE);
    }

    #[test]
    fn lines_turn_to_any_direction() {
        for degrees in [0.0f64, 1e-7, 90.0, 177.0, 179.0, 180.0 - 1e-7, 180.0] {
            let turn = DMat3::from_rotation_y(degrees.to_radians());
            for line in [DVec3::X, DVec3::Z, DVec3::new(0.6, 0.0, 0.8)] {
                // The line's dyad, turned: rank 1.
                check(turn * (half_turn(line) + DMat3::IDENTITY), CLOSE);
            }
        }
    }

    #[test]
    fn rigid_is_what_neither_scales_nor_reflects() {
        let turn = rotation([0.1, -0.5, 0.3, 0.8]);
        assert!(is_rigid(turn, 1e-14));
        assert!(is_rigid(turn * 1.0009, 1e-3) && !is_rigid(turn * 1.0011, 1e-3));
        assert!(!is_rigid(-turn, 1e-3) && !is_rigid(DMat3::ZERO, 0.5));
        // A shear keeps the determinant, and scales.
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.1, 1.0, 0.0), DVec3::Z);
        assert!(!is_rigid(shear, 1e-3));
        assert!(!is_rigid(DMat3::NAN, 1e-3) && polar(DMat3::NAN).is_none());
        assert!(!is_rigid(turn, f64::NAN));
    }
}
