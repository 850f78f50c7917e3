//! Each place against `compute` at the same axes.

use rayon::prelude::*;

use super::paired::best_times;
use super::{FEWEST_ROUNDS, detectable, is_twin, place};
use crate::result::{Axes, Case, Ratio, ResultFile, Status, merged, without};
use crate::stats::{Bootstrap, Verdict};

/// The place that the others are held against.
const BASE: &str = "compute";

/// One ratio for each measured case and each measured `compute` case at its axes.
pub(super) fn ratios(file: &ResultFile, bootstrap: &Bootstrap) -> Vec<Ratio> {
    let measured = |case: &&Case| case.status == Status::Measured && !is_twin(case);
    let cases: Vec<(&Case, Axes)> = file
        .cases
        .iter()
        .filter(measured)
        .map(|case| (case, without(&case.axes, &["strategy"])))
        .collect();
    let (bases, others): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|(case, _)| place(case) == BASE);
    let against_bases = |(case, axes): &(&Case, Axes)| -> Vec<Ratio> {
        let met = bases
            .iter()
            .filter_map(|(base, at)| Some((base, merged(axes, at)?)));
        met.filter_map(|(base, axes)| ratio(file, bootstrap, [case, base], axes))
            .collect()
    };
    others.par_iter().flat_map_iter(against_bases).collect()
}

fn ratio(
    file: &ResultFile,
    bootstrap: &Bootstrap,
    [case, base]: [&Case; 2],
    axes: Axes,
) -> Option<Ratio> {
    let times = best_times(case, base)?;
    let estimate = bootstrap.ratio(&times.a, &times.b)?;
    let enough = times.a.len() >= FEWEST_ROUNDS;
    let verdict = enough.then(|| Verdict::of(estimate.ci, detectable(file, times.metric)));
    Some(Ratio {
        axes,
        a: place(case),
        b: place(base),
        metric: times.metric,
        median: estimate.median,
        ci95: estimate.ci,
        verdict,
    })
}
