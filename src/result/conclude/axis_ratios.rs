//! What one axis costs: each of its values against its default within one place.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Estimated, estimated, estimated_by, is_twin, place};
use crate::result::{AxisRatio, Case, ENGINE, Metric, ResultFile, Status, without};
use crate::stats::Bootstrap;

/// Axes that say how much is done, which fits and crossovers speak of, and the one that stands for
/// many others.
const LEFT_OUT: [&str; 4] = ["passes", "instances", "vertices", ENGINE];

/// The axes that a case is off the default of, each with the id of the case that is at its default
/// and otherwise the same.
///
/// An id names exactly the values that differ from the defaults, so that case's id is this one
/// without one part.
pub fn steps_to_default(id: &str) -> Vec<(&str, String)> {
    let parts: Vec<&str> = id.split('/').collect();
    let step = |at: usize| {
        let (axis, _) = parts[at].split_once('=')?;
        let rest = [&parts[..at], &parts[at + 1..]].concat();
        (!LEFT_OUT.contains(&axis)).then(|| (axis, rest.join("/")))
    };
    (1..parts.len()).filter_map(step).collect()
}

/// One for each measured case and each axis on which it has a measured neighbour at the default.
pub(super) fn axis_ratios(file: &ResultFile, bootstrap: &Bootstrap) -> Vec<AxisRatio> {
    let measured = |case: &&Case| case.status == Status::Measured && !is_twin(case);
    let cases: Vec<&Case> = file.cases.iter().filter(measured).collect();
    let by_id: BTreeMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), *case)).collect();
    let of_one = |case: &&Case| -> Vec<AxisRatio> {
        let steps = steps_to_default(&case.id).into_iter();
        let known = steps.filter_map(|(axis, id)| Some((axis, *by_id.get(id.as_str())?)));
        known
            .flat_map(|(axis, base)| ratios(file, bootstrap, axis, [case, base]))
            .collect()
    };
    cases.par_iter().flat_map_iter(of_one).collect()
}

/// Axes that change what the host does for a palette.
const ON_HOST: [&str; 5] = ["palette", "normals", "cache", "dirty", "partition"];

/// By the frame, by the stage `deform` where there is one, and by `palette` for what the host pays.
fn ratios(
    file: &ResultFile,
    bootstrap: &Bootstrap,
    axis: &str,
    pair: [&Case; 2],
) -> Vec<AxisRatio> {
    let frame = estimated(file, bootstrap, pair);
    let deform = estimated_by(file, bootstrap, pair, Metric::Deform);
    let palette = ON_HOST
        .contains(&axis)
        .then(|| estimated_by(file, bootstrap, pair, Metric::Palette))
        .flatten();
    [frame, deform, palette]
        .into_iter()
        .flatten()
        .filter_map(|estimated| ratio(axis, pair, estimated))
        .collect()
}

fn ratio(axis: &str, [case, base]: [&Case; 2], estimated: Estimated) -> Option<AxisRatio> {
    Some(AxisRatio {
        axis: axis.to_owned(),
        strategy: place(case),
        axes: without(&case.axes, &["strategy", axis]),
        a: case.axes.get(axis)?.clone(),
        b: base.axes.get(axis)?.clone(),
        metric: estimated.metric,
        median: estimated.median,
        ci95: estimated.ci95,
        verdict: estimated.verdict,
    })
}
