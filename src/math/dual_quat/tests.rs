use super::*;
use crate::math::bounded::U;
use crate::math::rotation::normalise;
use glam::{DMat4, Mat4};
use proptest::prelude::*;

fn about_z(degrees: f64) -> DualQuat<f64> {
    DualQuat::<f64>::new(DQuat::from_rotation_z(degrees.to_radians()), DVec3::ZERO)
}

fn negated(dq: DualQuat<f64>) -> DualQuat<f64> {
    DualQuat {
        real: dq.real.map(|x| -x),
        dual: dq.dual.map(|x| -x),
    }
}

/// Degrees by which rows turn about z, after checking that they turn about it and keep lengths.
fn turned(rows: [[f64; 4]; 3]) -> f64 {
    let radius = rows[0][0].hypot(rows[1][0]);
    assert!((radius - 1.0).abs() <= 1e-15 && (rows[2][2] - 1.0).abs() <= 1e-15);
    rows[1][0].atan2(rows[0][0]).to_degrees()
}

/// Decimals as published: half a unit of the fourth.
fn as_published(got: f64, want: f64) {
    assert!((got - want).abs() <= 0.5e-4, "{got}, not {want}");
}

#[test]
fn a_quarter_weight_turns_as_published_and_keeps_the_radius() {
    for (degrees, want) in [(90.0, 21.5982), (120.0, 27.7958), (180.0, 36.8699)] {
        let got = blend_f64(&[0.75, 0.25], &[about_z(0.0), about_z(degrees)]);
        as_published(turned(got.unit.rows()), want);
    }
}

const THREE: [(f64, f64); 3] = [(0.0, 0.35), (120.0, 0.4), (240.0, 0.25)];

/// Angle of the three joints in this order, those in the bit set `minus` negated.
fn three(order: [usize; 3], minus: usize) -> f64 {
    let weights = order.map(|i| THREE[i].1);
    let dqs = order.map(|i| {
        let dq = about_z(THREE[i].0);
        if minus >> i & 1 == 1 { negated(dq) } else { dq }
    });
    turned(blend_f64(&weights, &dqs).unit.rows())
}

#[test]
fn neither_order_nor_sign_matters() {
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for order in orders {
        for minus in 0..8 {
            as_published(three(order, minus), 105.8946);
        }
    }
}

#[test]
fn the_first_of_equal_weights_is_the_pivot() {
    assert_eq!(pivot(&[0.25f32, 0.375, 0.375]), 1);
    assert_eq!(pivot(&[0.5f64, 0.5]), 0);
    assert_eq!(pivot::<f32>(&[]), 0);
    assert_eq!(blend::<f32>(&[], &[]), DualQuat::identity());
    // With the pivot at 0° its flips differ from those of 120°: the published other outcome.
    let dqs = THREE.map(|(degrees, _)| about_z(degrees));
    let first = blend_f64(&[0.3501, 0.35, 0.2999], &dqs);
    let second = blend_f64(&[0.35, 0.3501, 0.2999], &dqs);
    let apart = turned(first.unit.rows()) - turned(second.unit.rows());
    assert!(apart.abs() > 60.0, "{apart}");
    for blended in [first, second] {
        assert!((blended.tie_margin - 1e-4).abs() <= 1e-15, "{blended:?}");
    }
}

#[test]
fn margins_count_only_what_matters() {
    // Half a turn about z has dot product 0 with none.
    let got = blend_f64(&[0.75, 0.25], &[about_z(0.0), about_z(180.0)]);
    assert!(got.flip_margin <= 1e-16);
    let got = blend_f64(&[1.0, 0.0], &[about_z(0.0), about_z(180.0)]);
    assert_eq!((got.flip_margin, got.tie_margin), (1.0, f64::INFINITY));
    // Two slots that agree, and two that are each other's negatives: any pivot gives the same.
    for second in [about_z(60.0), negated(about_z(60.0))] {
        let got = blend_f64(&[0.5, 0.5], &[about_z(0.0), second]);
        let cosine = 30f64.to_radians().cos();
        assert!(
            (got.tie_margin - cosine).abs() <= 1e-15 && (got.flip_margin - cosine).abs() <= 1e-15
        );
    }
}

/// A unit quaternion, as normalised in f32.
fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0)
        .prop_filter("not tiny", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01)
        .prop_map(|q| normalise(Quat::from_array(q)))
}

fn rigid() -> impl Strategy<Value = DualQuat<f32>> {
    (rotation(), prop::array::uniform3(-9.0f32..9.0))
        .prop_map(|(q, t)| DualQuat::<f32>::new(q, Vec3::from_array(t)))
}

/// Weights and transforms of 1 to 12 slots; every third weight is zero.
fn slots() -> impl Strategy<Value = (Vec<f32>, Vec<DualQuat<f32>>)> {
    prop::collection::vec((0.01f32..1.0, rigid()), 1..=12).prop_map(|slots| {
        let used = |(i, (w, _)): (usize, &(f32, _))| if i % 3 == 2 { 0.0 } else { *w };
        let weights: Vec<f32> = slots.iter().enumerate().map(used).collect();
        let sum: f32 = weights.iter().sum();
        let weights = weights.iter().map(|w| w / sum).collect();
        (weights, slots.into_iter().map(|(_, dq)| dq).collect())
    })
}

fn wide(weights: &[f32], dqs: &[DualQuat<f32>]) -> (Vec<f64>, Vec<DualQuat<f64>>) {
    let weights = weights.iter().map(|&w| f64::from(w)).collect();
    (weights, dqs.iter().map(DualQuat::lifted).collect())
}

proptest! {
    #[test]
    fn parts_give_the_matrix_they_were_made_of(q in rotation(), t in prop::array::uniform3(-9.0f64..9.0)) {
        let (q, t) = (q.as_dquat().normalize(), DVec3::from_array(t));
        let rows = DualQuat::<f64>::new(q, t).rows();
        let want = DMat4::from_rotation_translation(q, t);
        for (row, got) in rows.iter().enumerate() {
            let apart = (want.row(row) - glam::DVec4::from_array(*got)).abs();
            prop_assert!(apart.max_element() <= 1e-14);
        }
    }

    #[test]
    fn blending_equals_gives_the_same(dq in rigid(), weights in prop::collection::vec(0.01f64..1.0, 1..9)) {
        let dq: DualQuat<f64> = dq.lifted();
        let dqs: Vec<_> = (0..weights.len()).map(|i| if i % 2 == 0 { dq } else { negated(dq) }).collect();
        let (got, want) = (blend_f64(&weights, &dqs).unit.rows(), dq.normalised().rows());
        for (got, want) in got.as_flattened().iter().zip(want.as_flattened()) {
            prop_assert!((got - want).abs() <= 1e-13);
        }
    }

    #[test]
    fn a_shared_rotation_blends_translations_linearly(
        q in rotation(), t in prop::array::uniform3(-9.0f64..9.0), w in 0.0f64..1.0,
    ) {
        let (q, t) = (q.as_dquat().normalize(), DVec3::from_array(t));
        let dqs = [DualQuat::<f64>::new(q, t), DualQuat::<f64>::new(q, DVec3::ONE)];
        let rows = blend_f64(&[w, 1.0 - w], &dqs).unit.rows();
        let want = t * w + DVec3::ONE * (1.0 - w);
        prop_assert!((DVec3::from_array(rows.map(|row| row[3])) - want).length() <= 1e-13);
    }

    #[test]
    fn orthogonalising_the_dual_part_changes_no_row((weights, dqs) in slots()) {
        let (weights, dqs) = wide(&weights, &dqs);
        let plain = blend(&weights, &dqs);
        let along = dot(plain.real, plain.dual);
        let mut orthogonal = plain;
        for i in 0..4 {
            orthogonal.dual[i] -= along * plain.real[i];
        }
        for (a, b) in plain.rows().as_flattened().iter().zip(orthogonal.rows().as_flattened()) {
            prop_assert!((a - b).abs() <= 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn the_blend_is_no_shorter_than_the_largest_weight((weights, dqs) in slots()) {
        let (weights, dqs) = wide(&weights, &dqs);
        let got = blend_f64(&weights, &dqs);
        prop_assert!(got.unit.real.iter().all(|x| x.is_finite()));
        prop_assert!(unnormalised_length(&weights, &dqs) >= weights[pivot(&weights)] - 1e-6);
    }

    #[test]
    fn f32_stays_within_the_bound((weights, dqs) in slots()) {
        let (weights64, dqs64) = wide(&weights, &dqs);
        let reference = blend_f64(&weights64, &dqs64);
        prop_assume!(reference.flip_margin > UNDECIDED && reference.tie_margin > UNDECIDED);
        let bound = rows_tolerance(&weights, &dqs);
        let got = blend(&weights, &dqs).rows();
        // A component of the sum is off by (n + 1)u, its length by twice that at most (four
        // components, |x|₁ ≤ 2|x|₂) and the roundings of a root and a quotient: an entry of a
        // rotation is at most eight such components.
        let n = weights.len() as f64;
        let length = unnormalised_length(&weights64, &dqs64);
        let most = 8.0 * (3.0 * (n + 1.0) / length + 20.0) * U;
        for (row, want) in reference.unit.rows().iter().enumerate() {
            for column in 0..4 {
                let entry = bound[row][column];
                prop_assert_eq!(entry.value, want[column]);
                prop_assert!(entry.admits(got[row][column]), "{entry:?}: {}", got[row][column]);
                prop_assert!(column == 3 || entry.error <= most, "{entry:?} > {most:e}");
            }
        }
    }

    #[test]
    fn one_slot_is_the_joint_itself(q in rotation(), t in prop::array::uniform3(-9.0f32..9.0)) {
        let t = Vec3::from_array(t);
        let rows = blend(&[1.0f32], &[DualQuat::<f32>::new(q, t)]).rows();
        let want = Mat4::from_rotation_translation(q, t);
        for (row, got) in rows.iter().enumerate() {
            let apart = (want.row(row) - glam::Vec4::from_array(*got)).abs();
            // Some twenty roundings of numbers up to 2·9·√3.
            prop_assert!(apart.max_element() <= 4e-5);
        }
    }
}

fn unnormalised_length(weights: &[f64], dqs: &[DualQuat<f64>]) -> f64 {
    let chosen = dqs[pivot(weights)];
    let mut sum = glam::DVec4::ZERO;
    for (&weight, dq) in weights.iter().zip(dqs) {
        let sign = if dot(dq.real, chosen.real) < 0.0 {
            -1.0
        } else {
            1.0
        };
        sum += sign * weight * glam::DVec4::from_array(dq.real);
    }
    sum.length()
}
