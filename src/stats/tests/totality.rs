//! Empty, broken and boundary inputs, and what must hold for every input.

use proptest::prelude::*;

use super::super::*;

#[test]
fn medians_and_quantiles_by_hand() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), Some(1.75));
    assert_eq!(quantile(&[7.0], 1.0), Some(7.0));
}

#[test]
fn nothing_comes_from_nothing_or_from_not_a_number() {
    let bootstrap = Bootstrap::default();
    for broken in [
        &[][..],
        &[f64::NAN],
        &[1.0, f64::NAN, 2.0],
        &[f64::INFINITY; 12],
    ] {
        assert_eq!(median(broken), None);
        assert_eq!(quantile(broken, 0.5), None);
        assert_eq!(bootstrap.median(broken), None);
        assert_eq!(bootstrap.ratio(broken, broken), None);
    }
    assert_eq!(quantile(&[1.0], f64::NAN), None);
    assert_eq!(bootstrap.ratio(&[1.0; 12], &[1.0; 11]), None);
    assert_eq!(bootstrap.ratio(&[1.0; 12], &[0.0; 12]), None);
    assert_eq!(fit_line(&[]), None);
    assert_eq!(fit_line(&[[1.0, 2.0], [1.0, 3.0]]), None);
    assert_eq!(fit_line(&[[1.0, f64::NAN], [2.0, 3.0]]), None);
    assert_eq!(
        crossover(&[], &bootstrap, Some(0.0)).kind,
        CrossoverKind::Unclear
    );
}

#[test]
fn a_resampler_that_draws_nothing_gives_nothing() {
    let none = Bootstrap {
        resamples: 0,
        ..Bootstrap::default()
    };
    assert_eq!(none.median(&[1.0; 12]), None);
}

#[test]
fn few_values_give_their_range() {
    let estimate = Bootstrap::default().median(&[3.0, 1.0, 2.0]).unwrap();
    assert_eq!(estimate.ci, [1.0, 3.0]);
}

#[test]
fn verdicts_at_their_borders() {
    let of = |lo: f64, hi: f64, mde: f64| Verdict::of([lo, hi], Some(mde));
    assert_eq!(of(0.80, 0.90, 0.02), Verdict::Faster);
    assert_eq!(of(1.10, 1.20, 0.02), Verdict::Slower);
    assert_eq!(of(1.125, 1.25, 0.125), Verdict::Unclear);
    assert_eq!(of(0.97, 1.03, 0.01), Verdict::Same);
    assert_eq!(of(0.90, 1.08, 0.12), Verdict::Same);
    assert_eq!(of(1.02, 1.03, 0.01), Verdict::Slower);
    assert_eq!(of(0.90, 1.01, 0.01), Verdict::Unclear);
    assert_eq!(of(1.0, 1.0, 0.0), Verdict::Same);
    assert_eq!(of(f64::NAN, 0.5, 0.01), Verdict::Unclear);
    assert_eq!(of(0.5, f64::NAN, 0.01), Verdict::Unclear);
    assert_eq!(of(0.5, 0.6, f64::NAN), Verdict::Unclear);
    assert_eq!(Verdict::of([0.5, 0.6], None), Verdict::Unclear);
}

#[test]
fn the_minimum_detectable_effect_is_the_larger_end() {
    let mde = |lo, hi| minimum_detectable_effect([lo, hi]);
    assert_eq!(mde(0.75, 1.125), Some(0.25));
    assert_eq!(mde(1.0, 1.0), Some(0.0));
    // Its point estimate may be exactly 1; the interval still counts.
    assert_eq!(mde(1.0, 1.5), Some(0.5));
    assert_eq!(mde(f64::NAN, 1.5), None);
}

#[test]
fn a_line_is_found_again() {
    let line = fit_line(&[[1.0, 12.0], [2.0, 14.0], [4.0, 18.0], [8.0, 26.0]]).unwrap();
    // Sums of four terms of magnitude below 1 in f64: errors of a few 1e-16, divided by spreads
    // above 1e-2.
    assert!(
        (line.fixed - 10.0).abs() < 1e-11 && (line.slope - 2.0).abs() < 1e-11,
        "{line:?}"
    );
    assert!((line.at(3.0) - 16.0).abs() < 1e-11);
}

proptest! {
    #[test]
    fn an_interval_is_ordered_reproducible_and_within_the_values(
        values in proptest::collection::vec(1e-3_f64..1e9, 1..60), seed: u64,
    ) {
        let bootstrap = Bootstrap { resamples: 50, confidence: 0.95, seed };
        let estimate = bootstrap.median(&values).unwrap();
        let [lo, hi] = estimate.ci;
        prop_assert!(lo <= hi);
        prop_assert!(values.iter().any(|value| *value <= lo));
        prop_assert!(values.iter().any(|value| *value >= hi));
        prop_assert_eq!(bootstrap.median(&values), Some(estimate));
    }

    #[test]
    fn a_verdict_and_its_mirror_agree(lo in 0.5_f64..2.0, width in 0.0_f64..0.5, mde in 0.0_f64..0.2) {
        // About 1: [1 − x, 1 − y] mirrors [1 + y, 1 + x].
        let there = Verdict::of([lo, lo + width], Some(mde));
        let back = Verdict::of([2.0 - lo - width, 2.0 - lo], Some(mde));
        let turned = match there {
            Verdict::Faster => Verdict::Slower,
            Verdict::Slower => Verdict::Faster,
            other => other,
        };
        prop_assert_eq!(back, turned);
    }
}
