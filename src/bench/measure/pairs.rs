//! Which ratios the statements of a run rest on.

use std::collections::BTreeMap;

use super::types::{CaseInfo, Comparison};
use crate::result::{compatible, metric_between, place_order, steps_to_default, text_of, without};

/// Every pair of places at the same axes, every twin with its case, every engine's case with those
/// it is held against, and every value of an axis with the default.
///
/// The ratios and the crossovers rest on nothing else.
pub fn comparisons(cases: &[CaseInfo]) -> Vec<Comparison> {
    let points: Vec<Point> = cases.iter().map(Point::new).collect();
    let mut pairs = twins(cases);
    pairs.extend(engines(cases));
    pairs.extend(steps(cases));
    for (a, first) in points.iter().enumerate() {
        for (b, second) in points.iter().enumerate() {
            if cases[a].twin_of.is_none() && cases[b].twin_of.is_none() && first.precedes(second) {
                pairs.push(comparison(cases, [a, b]));
            }
        }
    }
    pairs
}

fn twins(cases: &[CaseInfo]) -> Vec<Comparison> {
    let twin = |(a, case): (usize, &CaseInfo)| {
        let b = case.twin_of.filter(|b| *b < cases.len())?;
        Some(comparison(cases, [a, b]))
    };
    cases.iter().enumerate().filter_map(twin).collect()
}

fn engines(cases: &[CaseInfo]) -> Vec<Comparison> {
    let of_one = |(a, case): (usize, &CaseInfo)| {
        let known = case.partners.iter().filter(|b| **b < cases.len());
        let compared = known.map(|b| comparison(cases, [a, *b]));
        compared.collect::<Vec<_>>()
    };
    cases.iter().enumerate().flat_map(of_one).collect()
}

fn steps(cases: &[CaseInfo]) -> Vec<Comparison> {
    let timed = || {
        cases
            .iter()
            .enumerate()
            .filter(|(_, case)| case.twin_of.is_none())
    };
    let by_id: BTreeMap<&str, usize> = timed().map(|(at, case)| (case.id.as_str(), at)).collect();
    let of_one = |(a, case): (usize, &CaseInfo)| {
        let steps = steps_to_default(&case.id).into_iter();
        let known = steps.filter_map(|(_, id)| by_id.get(id.as_str()).copied());
        known.map(|b| comparison(cases, [a, b])).collect::<Vec<_>>()
    };
    timed().flat_map(of_one).collect()
}

fn comparison(cases: &[CaseInfo], [a, b]: [usize; 2]) -> Comparison {
    let place = |at: usize| text_of(&cases[at].axes, "strategy").unwrap_or_default();
    let metric = metric_between(&place(a), &place(b));
    Comparison { a, b, metric }
}

struct Point {
    place: String,
    axes: crate::result::Axes,
}

impl Point {
    fn new(case: &CaseInfo) -> Self {
        Self {
            place: text_of(&case.axes, "strategy").unwrap_or_default(),
            axes: without(&case.axes, &["strategy"]),
        }
    }

    fn precedes(&self, other: &Self) -> bool {
        place_order(&self.place) < place_order(&other.place) && compatible(&self.axes, &other.axes)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use serde_json::json;

    use super::*;
    use crate::result::Metric;

    fn info(id: &str, engine: &str, palette: &str) -> CaseInfo {
        let place = id.split('/').next().unwrap();
        let axes = [
            ("strategy", place),
            ("engine", engine),
            ("palette", palette),
        ];
        CaseInfo {
            id: id.to_owned(),
            axes: axes
                .map(|(name, value)| (name.to_owned(), json!(value)))
                .into(),
            ..CaseInfo::default()
        }
    }

    #[test]
    fn statements_rest_on_places_twins_engines_and_axes() {
        let mut cases = vec![
            info("compute", "default", "rows3x4"),
            info("cpu", "default", "rows3x4"),
            info("compute/palette=mat4", "default", "mat4"),
            info("vertex-storage/engine=bevy/palette=mat4", "bevy", "mat4"),
            info("compute/palette=mat4/aa", "default", "mat4"),
        ];
        cases[3].partners = vec![0, 1, 9];
        cases[4].twin_of = Some(2);
        let mut pairs: Vec<_> = comparisons(&cases)
            .iter()
            .map(|pair| (pair.a, pair.b, pair.metric))
            .collect();
        pairs.sort_unstable();
        let (gpu, wall) = (Metric::FrameGpu, Metric::FrameWall);
        assert_eq!(
            pairs,
            [
                (0, 1, wall),
                (2, 0, gpu),
                (2, 3, gpu),
                (3, 0, gpu),
                (3, 1, wall),
                (4, 2, gpu),
            ]
        );
    }
}
