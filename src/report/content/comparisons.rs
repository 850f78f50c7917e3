//! Engines against `default`, and values of an axis against its default.

use super::conclusions::text;
use super::{Grid, Varying};
use crate::result::{Axes, AxisRatio, Ratio, ResultFile, axis_text, is_twin, without};

/// One row a ratio in which an engine takes part.
pub(super) fn engines(file: &ResultFile, varying: &Varying) -> Grid {
    let side = |place: &str, engine: &Option<String>| {
        let engine = engine.as_deref().unwrap_or("default");
        format!("{engine}, {place}")
    };
    let row = |ratio: &Ratio| {
        vec![
            side(&ratio.a, &ratio.a_engine),
            side(&ratio.b, &ratio.b_engine),
            varying.named(&ratio.axes),
            ratio.metric.name().to_owned(),
            text(ratio.median, ratio.ci95, ratio.verdict),
        ]
    };
    let engine = |ratio: &&Ratio| ratio.a_engine.is_some() || ratio.b_engine.is_some();
    Grid {
        title: "Engines by the default given the same vertices (below 1 = faster than the default)"
            .to_owned(),
        columns: ["engine", "against", "both at", "by", "ratio"]
            .map(str::to_owned)
            .to_vec(),
        rows: file.ratios.iter().filter(engine).map(row).collect(),
    }
}

/// One row a ratio of a value of an axis and the axis's default.
pub(super) fn axes(file: &ResultFile) -> Grid {
    let row = |ratio: &AxisRatio| {
        vec![
            ratio.axis.clone(),
            format!("{} by {}", axis_text(&ratio.a), axis_text(&ratio.b)),
            ratio.strategy.clone(),
            beside(file, ratio),
            ratio.metric.name().to_owned(),
            text(ratio.median, ratio.ci95, ratio.verdict),
        ]
    };
    let mut rows: Vec<_> = file.axis_ratios.iter().map(row).collect();
    rows.sort_by(|a, b| a[0].cmp(&b[0]));
    Grid {
        title: "Each value by the default of its axis (below 1 = faster than the default)"
            .to_owned(),
        columns: ["axis", "values", "place", "beside", "by", "ratio"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    }
}

/// What else is off its default there: the id of the case at the axis's default, without its place.
fn beside(file: &ResultFile, ratio: &AxisRatio) -> String {
    let point = |axes: &Axes| without(axes, &["strategy", &ratio.axis]);
    let base = file.cases.iter().find(|case| {
        !is_twin(case)
            && case.axes.get(&ratio.axis) == Some(&ratio.b)
            && case.axes.get("strategy").map(axis_text).as_ref() == Some(&ratio.strategy)
            && point(&case.axes) == ratio.axes
    });
    let id = base.map_or("", |case| case.id.as_str());
    id.split('/').skip(1).collect::<Vec<_>>().join(" ")
}
