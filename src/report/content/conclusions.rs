//! Who wins where, and how sure that is.

use std::collections::BTreeSet;

use super::{Grid, Lines, Varying, detectable};
use crate::report::units::{NONE, ratio, time};
use crate::result::{
    Axes, Crossover, Metric, Ratio, ResultFile, Status, is_twin, number_of, place_order, text_of,
};
use crate::stats::Verdict;

/// One row an axes point, one column a place: its time by that of `compute`.
pub(super) fn ratios(file: &ResultFile, varying: &Varying) -> Grid {
    let mut places: Vec<(&str, Metric)> = Vec::new();
    // Places that differ in axes of their own alone stand in one row.
    let mut points: Vec<&Axes> = Vec::new();
    for ratio in file.ratios.iter().filter(of_places) {
        let place = (ratio.a.as_str(), ratio.metric);
        if !places.contains(&place) {
            places.push(place);
        }
        let row = varying.values(&ratio.axes);
        if points.iter().all(|point| varying.values(point) != row) {
            points.push(&ratio.axes);
        }
    }
    places.sort_by_key(|(place, metric)| (place_order(place), *metric));
    points.sort_by_key(|axes| sort_key(axes, varying));
    let mut columns = varying.names().to_vec();
    columns.push("compute".to_owned());
    columns.extend(
        places
            .iter()
            .map(|(place, metric)| format!("{place}, by {}", metric.name())),
    );
    let row = |axes: &&Axes| {
        let mut row = varying.values(axes);
        row.push(base(file, axes));
        row.extend(places.iter().map(|place| cell(file, varying, axes, *place)));
        row
    };
    Grid {
        title: "Time by that of compute, paired round by round (below 1 = faster than compute)"
            .to_owned(),
        columns,
        rows: points.iter().map(row).collect(),
    }
}

/// Numbers in numeric order, texts after them.
fn sort_key(axes: &Axes, varying: &Varying) -> Vec<(u64, String)> {
    let key = |name: &String| {
        let number = number_of(axes, name).filter(|number| *number >= 0.0);
        // The bits of non-negative floating-point numbers ascend as the numbers do.
        let bits = number.map_or(u64::MAX, f64::to_bits);
        (bits, text_of(axes, name).unwrap_or_default())
    };
    varying.names().iter().map(key).collect()
}

/// The frame time of `compute` itself at a point.
fn base(file: &ResultFile, axes: &Axes) -> String {
    let here = file.cases.iter().find(|case| {
        case.status == Status::Measured
            && !is_twin(case)
            && text_of(&case.axes, "strategy").as_deref() == Some("compute")
            && crate::result::compatible(&crate::result::without(&case.axes, &["strategy"]), axes)
    });
    let stage = here.and_then(|case| {
        case.stages
            .frame_gpu
            .as_ref()
            .or(case.stages.frame_wall.as_ref())
    });
    stage.map_or(NONE.to_owned(), |stage| time(stage.median_ns))
}

fn cell(
    file: &ResultFile,
    varying: &Varying,
    axes: &Axes,
    (place, metric): (&str, Metric),
) -> String {
    let row = varying.values(axes);
    let same = |ratio: &&Ratio| {
        ratio.a == place && ratio.metric == metric && varying.values(&ratio.axes) == row
    };
    let mut ratios = file.ratios.iter().filter(of_places);
    let found = ratios.find(same);
    found.map_or(NONE.to_owned(), |found| {
        text(found.median, found.ci95, found.verdict)
    })
}

/// Whether no engine takes part.
fn of_places(ratio: &&Ratio) -> bool {
    ratio.a_engine.is_none() && ratio.b_engine.is_none()
}

/// "1.52 (1.48–1.57) slower".
pub(super) fn text(median: f64, ci: [f64; 2], verdict: Option<Verdict>) -> String {
    let [lo, hi] = ci.map(ratio);
    let verdict = verdict.map_or("too few rounds", Verdict::name);
    format!("{} ({lo}–{hi}) {verdict}", ratio(median))
}

/// The sentences on crossovers between places that were measured, then what the A/A comparison
/// allows to say. Places that were not measured are listed with their reasons elsewhere.
pub(super) fn crossovers(file: &ResultFile, varying: &Varying) -> Lines {
    let measured: BTreeSet<String> = file
        .cases
        .iter()
        .filter(|case| case.status == Status::Measured)
        .filter_map(|case| text_of(&case.axes, "strategy"))
        .collect();
    let both = |found: &&Crossover| measured.contains(&found.a) && measured.contains(&found.b);
    let sentence =
        |found: &Crossover| format!("{}{}", varying.prefix(&found.axes), found.statement);
    let mut lines: Vec<String> = file.crossovers.iter().filter(both).map(sentence).collect();
    lines.extend(detectable(file));
    Lines {
        title: "Who wins, and how sure that is".to_owned(),
        lines,
    }
}
