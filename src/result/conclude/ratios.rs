//! Each place against `compute` at the same axes, and each engine against `default`.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{estimated, is_twin, place};
use crate::result::{
    Axes, Case, ENGINE, Ratio, ResultFile, Status, engine_of, merged, shared, without,
};
use crate::stats::Bootstrap;

/// The place that the others are held against.
const BASE: &str = "compute";

/// One ratio for each measured case and each measured `compute` case at its axes, then one for each
/// measured case of an engine and each of its measured partners.
pub(super) fn ratios(file: &ResultFile, bootstrap: &Bootstrap) -> Vec<Ratio> {
    let mut all = of_places(file, bootstrap);
    all.extend(of_engines(file, bootstrap));
    all
}

fn of_places(file: &ResultFile, bootstrap: &Bootstrap) -> Vec<Ratio> {
    let cases: Vec<(&Case, Axes)> = measured(file)
        .map(|case| (case, without(&case.axes, &["strategy"])))
        .collect();
    let (bases, others): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|(case, _)| place(case) == BASE);
    let against_bases = |(case, axes): &(&Case, Axes)| -> Vec<Ratio> {
        let met = bases
            .iter()
            .filter(|(base, _)| !are_partners(case, base))
            .filter_map(|(base, at)| Some((base, merged(axes, at)?)));
        met.filter_map(|(base, axes)| ratio(file, bootstrap, [case, base], axes))
            .collect()
    };
    others.par_iter().flat_map_iter(against_bases).collect()
}

fn of_engines(file: &ResultFile, bootstrap: &Bootstrap) -> Vec<Ratio> {
    let by_id: BTreeMap<&str, &Case> = measured(file)
        .map(|case| (case.id.as_str(), case))
        .collect();
    let pairs: Vec<[&Case; 2]> = measured(file)
        .flat_map(|case| case.partners.iter().map(move |id| (case, id)))
        .filter_map(|(case, id)| Some([case, *by_id.get(id.as_str())?]))
        .collect();
    let against = |pair: &[&Case; 2]| {
        let axes = shared(&pair[0].axes, &pair[1].axes, &["strategy", ENGINE]);
        ratio(file, bootstrap, *pair, axes)
    };
    pairs.par_iter().filter_map(against).collect()
}

fn measured(file: &ResultFile) -> impl Iterator<Item = &Case> {
    let measured = |case: &&Case| case.status == Status::Measured && !is_twin(case);
    file.cases.iter().filter(measured)
}

fn are_partners(a: &Case, b: &Case) -> bool {
    a.partners.contains(&b.id) || b.partners.contains(&a.id)
}

fn ratio(
    file: &ResultFile,
    bootstrap: &Bootstrap,
    [case, base]: [&Case; 2],
    axes: Axes,
) -> Option<Ratio> {
    let estimated = estimated(file, bootstrap, [case, base])?;
    Some(Ratio {
        axes,
        a: place(case),
        b: place(base),
        a_engine: engine_of(&case.axes),
        b_engine: engine_of(&base.axes),
        metric: estimated.metric,
        median: estimated.median,
        ci95: estimated.ci95,
        verdict: estimated.verdict,
    })
}
