//! The times of two cases in the rounds that both have.

use super::place;
use crate::result::{Case, Metric, Stage, Status};

/// Times of two cases in nanoseconds, parallel, in the order of rounds.
pub(super) struct Times {
    pub metric: Metric,
    pub a: Vec<f64>,
    pub b: Vec<f64>,
}

/// The times by `metric` in the rounds that both cases have; `None` when one was not measured or
/// has no such time.
pub(super) fn times(a: &Case, b: &Case, metric: Metric) -> Option<Times> {
    let (left, right) = (stage(a, metric)?, stage(b, metric)?);
    let mut times = Times {
        metric,
        a: Vec::new(),
        b: Vec::new(),
    };
    for [i, j] in common([&a.rounds, &b.rounds]) {
        times.a.push(*left.samples_ns.get(i)?);
        times.b.push(*right.samples_ns.get(j)?);
    }
    (!times.a.is_empty()).then_some(times)
}

/// The times by the metric that suits both places, by `frame_wall` where a side has no stamps.
pub(super) fn best_times(a: &Case, b: &Case) -> Option<Times> {
    let metric = super::metric_between(&place(a), &place(b));
    times(a, b, metric).or_else(|| times(a, b, Metric::FrameWall))
}

/// The frame time of a case: by stamps, but by the host's clock for `cpu` or without stamps.
pub(super) fn frame(case: &Case) -> Option<(Metric, &Stage)> {
    let metric = super::metric_between(&place(case), &place(case));
    let by = |metric| Some((metric, stage(case, metric)?));
    by(metric).or_else(|| by(Metric::FrameWall))
}

/// The stage behind `metric`, for a measured case.
pub(super) fn stage(case: &Case, metric: Metric) -> Option<&Stage> {
    if case.status != Status::Measured {
        return None;
    }
    match metric {
        Metric::FrameGpu => case.stages.frame_gpu.as_ref(),
        Metric::FrameWall => case.stages.frame_wall.as_ref(),
        Metric::Deform => case.stages.deform.as_ref(),
        Metric::Palette => case.stages.palette.as_ref(),
    }
}

/// Indices of the rounds that occur in every list; the lists ascend.
pub(super) fn common<const N: usize>(lists: [&[[u32; 2]]; N]) -> Vec<[usize; N]> {
    let Some(first) = lists.first() else {
        return Vec::new();
    };
    let everywhere = first.iter().filter_map(|round| {
        let found = lists.map(|list| list.binary_search(round).ok());
        found
            .iter()
            .all(Option::is_some)
            .then(|| found.map(Option::unwrap_or_default))
    });
    everywhere.collect()
}
