//! Which ratios the statements of a run rest on.

use super::types::{CaseInfo, Comparison};
use crate::result::{Metric, compatible, metric_between, place_order, text_of, without};

/// Every pair of places at the same axes, and every twin with its case.
///
/// Both the ratios against `compute` and the crossovers rest on nothing else.
pub fn comparisons(cases: &[CaseInfo]) -> Vec<Comparison> {
    let points: Vec<Point> = cases.iter().map(Point::new).collect();
    let mut pairs = twins(cases);
    for (a, first) in points.iter().enumerate() {
        for (b, second) in points.iter().enumerate() {
            if cases[a].twin_of.is_none() && cases[b].twin_of.is_none() && first.precedes(second) {
                let metric = metric_between(&first.place, &second.place);
                pairs.push(Comparison { a, b, metric });
            }
        }
    }
    pairs
}

fn twins(cases: &[CaseInfo]) -> Vec<Comparison> {
    let twin = |(a, case): (usize, &CaseInfo)| {
        let b = case.twin_of.filter(|b| *b < cases.len())?;
        let place = text_of(&case.axes, "strategy").unwrap_or_default();
        let metric: Metric = metric_between(&place, &place);
        Some(Comparison { a, b, metric })
    };
    cases.iter().enumerate().filter_map(twin).collect()
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
