//! Crossovers of lines whose crossing is known.

use super::super::*;
use super::Noise;

const PASSES: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Times of two places with `[fixed, per pass]` costs over 40 rounds with noise of `spread`.
fn measured(a: [f64; 2], b: [f64; 2], spread: f64, seed: u64) -> Vec<AtPasses> {
    let mut noise = Noise::new(seed);
    let mut times =
        |[fixed, slope]: [f64; 2], passes: f64| noise.times(fixed + slope * passes, spread, 40);
    let at = |&passes: &f64| AtPasses {
        passes,
        a: times(a, passes),
        b: times(b, passes),
    };
    PASSES.iter().map(at).collect()
}

fn judge(points: &[AtPasses]) -> Crossover {
    crossover(points, &Bootstrap::default(), Some(0.01))
}

#[test]
fn lines_cross_where_they_must() {
    // 10 + 2n = 4 + 4n at n = 3.
    let found = judge(&measured([10.0, 2.0], [4.0, 4.0], 0.0, 1));
    assert_eq!(
        (found.kind, found.overtakes),
        (CrossoverKind::Crosses, Some(Side::A))
    );
    assert_eq!(found.passes, Some(3.0));
    assert_eq!(found.ci, Some([3.0, 3.0]));
}

#[test]
fn the_interval_of_a_noisy_crossing_holds_the_truth() {
    let holds = |&seed: &u64| {
        let found = judge(&measured([10.0, 2.0], [4.0, 4.0], 0.03, seed));
        let ci = found.ci.unwrap_or([f64::NAN; 2]);
        found.kind == CrossoverKind::Crosses && ci[0] <= 3.0 && 3.0 <= ci[1]
    };
    let held = (0..200).filter(holds).count();
    // 95 % of 200 with a standard deviation of 3.1; 93 % is the requirement.
    assert!(held >= 186, "{held} of 200");
}

#[test]
fn the_other_way_round_the_other_overtakes() {
    let found = judge(&measured([4.0, 4.0], [10.0, 2.0], 0.01, 2));
    assert_eq!(
        (found.kind, found.overtakes),
        (CrossoverKind::Crosses, Some(Side::B))
    );
    let passes = found.passes.unwrap();
    assert!(passes > 2.0 && passes < 4.0, "{passes}");
}

#[test]
fn a_winner_everywhere_is_always_faster_and_its_mirror_never() {
    let found = judge(&measured([1.0, 1.0], [2.0, 2.0], 0.02, 3));
    assert_eq!(found.kind, CrossoverKind::AlwaysFaster);
    assert_eq!(
        (found.passes, found.ci, found.overtakes),
        (None, None, None)
    );
    let mirrored = judge(&measured([2.0, 2.0], [1.0, 1.0], 0.02, 3));
    assert_eq!(mirrored.kind, CrossoverKind::Never);
}

#[test]
fn a_crossing_beyond_the_last_number_is_not_extrapolated() {
    // 10 + 2n = 1 + 2.5n at n = 18.
    let found = judge(&measured([10.0, 2.0], [1.0, 2.5], 0.01, 4));
    assert_eq!(found.kind, CrossoverKind::Never);
    assert_eq!(found.passes, None);
}

#[test]
fn equals_are_unclear_and_so_is_everything_without_a_detectable_effect() {
    let equal = judge(&measured([3.0, 1.0], [3.0, 1.0], 0.02, 5));
    assert_eq!(equal.kind, CrossoverKind::Unclear);
    let points = measured([1.0, 1.0], [2.0, 2.0], 0.02, 6);
    let blind = crossover(&points, &Bootstrap::default(), None);
    assert_eq!(blind.kind, CrossoverKind::Unclear);
}

#[test]
fn changing_sides_twice_is_unclear() {
    let mut points = measured([10.0, 2.0], [4.0, 4.0], 0.01, 7);
    let last = points.last_mut().unwrap();
    std::mem::swap(&mut last.a, &mut last.b);
    assert_eq!(judge(&points).kind, CrossoverKind::Unclear);
}

#[test]
fn a_round_that_is_not_a_number_wins_nothing() {
    let mut points = measured([1.0, 1.0], [2.0, 2.0], 0.02, 8);
    points[0].a[3] = f64::NAN;
    assert_eq!(judge(&points).kind, CrossoverKind::Unclear);
}

#[test]
fn order_of_points_does_not_matter() {
    let mut points = measured([10.0, 2.0], [4.0, 4.0], 0.02, 9);
    let forward = judge(&points);
    points.reverse();
    assert_eq!(judge(&points), forward);
}
