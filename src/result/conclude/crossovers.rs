//! Crossovers and fits over the number of passes, for every pair of places and axes point.

use rayon::prelude::*;

use super::sentence::{Shown, sentence};
use super::{FEWEST_ROUNDS, detectable, is_twin, metric_between, paired, place};
use crate::result::{
    Axes, Case, Crossover, Fit, Metric, ResultFile, compatible, engine_of, merged, number_of,
    place_order, text_of, without,
};
use crate::stats::{self, AtPasses, Bootstrap, CrossoverKind, fit_line};

/// One place at one axes point, over the numbers of passes.
struct Series<'a> {
    place: String,
    axes: Axes,
    /// Ascending.
    cases: Vec<(f64, &'a Case)>,
}

impl Series<'_> {
    /// The place, with its engine if it has one.
    fn label(&self) -> String {
        match engine_of(&self.axes) {
            Some(engine) => format!("{} ({engine})", self.place),
            None => self.place.clone(),
        }
    }
}

/// One for each pair of places at compatible axes; the earlier place is `a`.
pub(super) fn crossovers(file: &ResultFile, bootstrap: &Bootstrap) -> Vec<Crossover> {
    let series = series(file);
    let precedes = |a: &Series, b: &Series| {
        place_order(&a.place) < place_order(&b.place) && compatible(&a.axes, &b.axes)
    };
    let of_one = |a: &&Series| -> Vec<Crossover> {
        let seconds = series.iter().filter(|b| precedes(a, b));
        seconds
            .filter_map(|b| crossover(file, bootstrap, [a, b]))
            .collect()
    };
    let firsts: Vec<&Series> = series.iter().collect();
    firsts.par_iter().flat_map_iter(of_one).collect()
}

/// A line for each place and axes point with at least two measured numbers of passes.
pub(super) fn fits(file: &ResultFile) -> Vec<Fit> {
    series(file).iter().filter_map(fit).collect()
}

/// All places and points over passes of one kind; twins and mixed passes stay out.
fn series(file: &ResultFile) -> Vec<Series<'_>> {
    let mut all: Vec<Series> = Vec::new();
    for case in file
        .cases
        .iter()
        .filter(|case| !is_twin(case) && is_uniform(case))
    {
        let Some(passes) = number_of(&case.axes, "passes") else {
            continue;
        };
        let (place, axes) = (place(case), without(&case.axes, &["strategy", "passes"]));
        let known = all
            .iter_mut()
            .find(|known| known.place == place && known.axes == axes);
        match known {
            Some(known) => known.cases.push((passes, case)),
            None => all.push(Series {
                place,
                axes,
                cases: vec![(passes, case)],
            }),
        }
    }
    for series in &mut all {
        series.cases.sort_by(|p, q| p.0.total_cmp(&q.0));
    }
    all
}

fn is_uniform(case: &Case) -> bool {
    text_of(&case.axes, "pass-mix").is_none_or(|mix| mix == "uniform" || mix == "n/a")
}

fn crossover(file: &ResultFile, bootstrap: &Bootstrap, [a, b]: [&Series; 2]) -> Option<Crossover> {
    let (metric, points) = points(a, b);
    let enough = points.iter().all(|point| point.a.len() >= FEWEST_ROUNDS);
    let effect = detectable(file, metric).filter(|_| enough);
    let found = stats::crossover(&points, bootstrap, effect);
    let statement = sentence(&Shown {
        places: [&a.label(), &b.label()],
        metric,
        found: &found,
        enough,
        detectable: effect.is_some(),
        missing: missing(a)
            .or_else(|| missing(b))
            .filter(|_| points.is_empty()),
    });
    Some(Crossover {
        axes: merged(&a.axes, &b.axes)?,
        a: a.place.clone(),
        b: b.place.clone(),
        a_engine: engine_of(&a.axes),
        b_engine: engine_of(&b.axes),
        metric,
        passes: found.passes,
        ci95: found.ci,
        kind: found.kind,
        overtakes: found
            .overtakes
            .filter(|_| found.kind == CrossoverKind::Crosses),
        statement,
    })
}

/// The paired times at every number of passes that both were measured at, over the rounds that
/// all of these cases share; by `frame_wall` where any of them has no stamps.
fn points(a: &Series, b: &Series) -> (Metric, Vec<AtPasses>) {
    let wanted = metric_between(&a.place, &b.place);
    let both = |metric| {
        let pairs = pairs(a, b, metric);
        let rounds = shared_rounds(&pairs);
        let one = |(passes, a, b)| at(passes, [a, b], metric, &rounds);
        pairs.into_iter().filter_map(one).collect::<Vec<AtPasses>>()
    };
    let points = both(wanted);
    if points.is_empty() && wanted != Metric::FrameWall {
        let by_wall = both(Metric::FrameWall);
        if !by_wall.is_empty() {
            return (Metric::FrameWall, by_wall);
        }
    }
    (wanted, points)
}

fn pairs<'a>(a: &Series<'a>, b: &Series<'a>, metric: Metric) -> Vec<(f64, &'a Case, &'a Case)> {
    let partner = |&(passes, first): &(f64, &'a Case)| {
        let (_, second) = b.cases.iter().find(|(theirs, _)| *theirs == passes)?;
        let timed = |case| paired::stage(case, metric).is_some();
        (timed(first) && timed(second)).then_some((passes, first, *second))
    };
    a.cases.iter().filter_map(partner).collect()
}

fn shared_rounds(pairs: &[(f64, &Case, &Case)]) -> Vec<[u32; 2]> {
    let mut cases = pairs.iter().flat_map(|(_, a, b)| [a, b]);
    let Some(first) = cases.next() else {
        return Vec::new();
    };
    cases.fold(first.rounds.clone(), |mut rounds, case| {
        rounds.retain(|round| case.rounds.binary_search(round).is_ok());
        rounds
    })
}

fn at(passes: f64, cases: [&Case; 2], metric: Metric, rounds: &[[u32; 2]]) -> Option<AtPasses> {
    let times = |case: &Case| -> Option<Vec<f64>> {
        let samples = &paired::stage(case, metric)?.samples_ns;
        let one = |round| samples.get(case.rounds.binary_search(round).ok()?).copied();
        rounds.iter().map(one).collect()
    };
    let [a, b] = cases.map(times);
    Some(AtPasses {
        passes,
        a: a?,
        b: b?,
    })
}

/// Why a place has no times at all here, if so.
fn missing<'a>(series: &Series<'a>) -> Option<(String, &'a Case)> {
    let none = series
        .cases
        .iter()
        .all(|(_, case)| paired::frame(case).is_none());
    let (_, case) = series.cases.first().filter(|_| none)?;
    Some((series.label(), *case))
}

fn fit(series: &Series) -> Option<Fit> {
    let (_, first) = series
        .cases
        .iter()
        .find(|(_, case)| paired::frame(case).is_some())?;
    let (metric, _) = paired::frame(first)?;
    let point =
        |&(passes, case): &(f64, &Case)| Some([passes, paired::stage(case, metric)?.median_ns]);
    let points: Vec<[f64; 2]> = series.cases.iter().filter_map(point).collect();
    let line = fit_line(&points)?;
    let residual = |&[passes, time]: &[f64; 2]| [passes, time / line.at(passes) - 1.0];
    let residuals: Vec<[f64; 2]> = points.iter().map(residual).collect();
    let finite = residuals.iter().all(|[_, residual]| residual.is_finite());
    finite.then(|| Fit {
        axes: series.axes.clone(),
        strategy: series.place.clone(),
        metric,
        fixed_ns: line.fixed,
        per_pass_ns: line.slope,
        residuals,
    })
}
