//! How often intervals hold the truth. The bounds are the requirement (95 % intervals must hold in
//! at least 93 % of 1000 runs, 90 % under correlation), not what happened to come out. With a true
//! coverage of 95 % the count of 1000 has a standard deviation of 6.9, so 930 lies 2.9 of them below.

use super::super::{Bootstrap, Verdict, minimum_detectable_effect};
use super::Noise;

const RUNS: u64 = 1000;

fn held(rounds: usize, confidence: f64, series: impl Fn(&mut Noise, usize) -> Vec<f64>) -> u64 {
    let inside = |&seed: &u64| {
        let bootstrap = Bootstrap {
            resamples: 500,
            confidence,
            seed,
        };
        let values = series(&mut Noise::new(seed), rounds);
        let ci = bootstrap.median(&values).unwrap().ci;
        ci[0] <= 1.0 && 1.0 <= ci[1]
    };
    (0..RUNS).filter(inside).count() as u64
}

/// AR(1): each value keeps `memory` of the one before; standard deviation 2 %.
fn correlated(noise: &mut Noise, rounds: usize, memory: f64) -> Vec<f64> {
    let mut state = noise.normal();
    let mut next = || {
        state = memory * state + (1.0 - memory * memory).sqrt() * noise.normal();
        1.0 + 0.02 * state
    };
    (0..rounds).map(|_| next()).collect()
}

#[test]
fn intervals_of_independent_values_hold() {
    for rounds in [10, 20, 40, 100] {
        let held = held(rounds, 0.95, |noise, n| noise.times(1.0, 0.02, n));
        assert!(held >= 930, "{rounds} rounds: {held} of {RUNS}");
    }
}

#[test]
fn intervals_of_skewed_values_with_outliers_hold() {
    let series = |noise: &mut Noise, n: usize| -> Vec<f64> {
        let mut one = || {
            let slow = if noise.uniform() < 0.1 { 10.0 } else { 1.0 };
            (0.02 * slow * noise.normal()).exp()
        };
        (0..n).map(|_| one()).collect()
    };
    for rounds in [10, 40] {
        let held = held(rounds, 0.95, series);
        assert!(held >= 930, "{rounds} rounds: {held} of {RUNS}");
    }
}

#[test]
fn intervals_at_the_confidence_of_seven_looks_hold_under_correlation() {
    for rounds in [10, 20, 40] {
        let held = held(rounds, 1.0 - 0.05 / 7.0, |noise, n| {
            correlated(noise, n, 0.5)
        });
        assert!(held >= 900, "{rounds} rounds: {held} of {RUNS}");
    }
}

#[test]
fn an_interval_is_not_needlessly_wide() {
    // The median of n normal values has a standard error of √(π/2n)·σ; a 95 % interval is 3.92 of
    // them wide. Half as much again allows for 100 values being few.
    let mut noise = Noise::new(5);
    let width = |_| {
        let values = noise.times(1.0, 0.02, 100);
        Bootstrap::default()
            .median(&values)
            .unwrap()
            .relative_width()
    };
    let mean = (0..100).map(width).sum::<f64>() / 100.0;
    let ideal = 3.92 * 0.02 * (std::f64::consts::PI / 200.0).sqrt();
    assert!(mean < 1.5 * ideal, "{mean} against {ideal}");
}

/// The same thing three times over: a twin sets the minimum detectable effect, and a third
/// measurement is judged by it.
#[test]
fn the_same_thing_is_rarely_called_different() {
    let called = |&seed: &u64| {
        let mut noise = Noise::new(seed);
        let bootstrap = Bootstrap::default();
        let [twin, case, other] = [0; 3].map(|_| noise.times(1e6, 0.02, 20));
        let aa = bootstrap.ratio(&twin, &case).unwrap();
        let mde = minimum_detectable_effect(aa.ci);
        let verdict = Verdict::of(bootstrap.ratio(&other, &case).unwrap().ci, mde);
        matches!(verdict, Verdict::Faster | Verdict::Slower)
    };
    let alarms = (0..RUNS).filter(called).count();
    assert!(alarms < 50, "{alarms} of {RUNS}");
}

#[test]
fn a_true_difference_of_three_percent_is_found() {
    let found = |&seed: &u64| {
        let mut noise = Noise::new(seed);
        let bootstrap = Bootstrap::default();
        let [twin, case] = [0; 2].map(|_| noise.times(1e6, 0.02, 100));
        let slower = noise.times(1.03e6, 0.02, 100);
        let mde = minimum_detectable_effect(bootstrap.ratio(&twin, &case).unwrap().ci);
        Verdict::of(bootstrap.ratio(&slower, &case).unwrap().ci, mde) == Verdict::Slower
    };
    let found = (0..RUNS).filter(found).count();
    assert!(found > 900, "{found} of {RUNS}");
}

#[test]
fn drift_and_neighbours_leave_ratios_alone() {
    let mut noise = Noise::new(9);
    let heat: Vec<f64> = (0..40).map(|round| 1.0 + 0.05 * f64::from(round)).collect();
    let spiked = |centre: f64, noise: &mut Noise| -> Vec<f64> {
        let times = noise.times(centre, 0.001, 40);
        times
            .iter()
            .zip(&heat)
            .map(|(time, heat)| time * heat)
            .collect()
    };
    let (a, b) = (spiked(2.0, &mut noise), spiked(1.0, &mut noise));
    let ratio = Bootstrap::default().ratio(&a, &b).unwrap();
    assert!((ratio.median - 2.0).abs() < 0.002, "{ratio:?}");
    assert!(ratio.relative_width() < 0.005, "{ratio:?}");
}
