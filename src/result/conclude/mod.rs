//! From the samples of a result file to what it says: ratios, verdicts, crossovers and fits.
//!
//! Everything is drawn from the file alone, so that it can be drawn again from a stored one.

mod axis_ratios;
mod crossovers;
mod paired;
mod ratios;
mod sentence;
#[cfg(test)]
mod tests;

pub use axis_ratios::steps_to_default;

use rayon::prelude::*;

use super::{Case, Metric, Reason, ReasonKind, ResultFile, SelfComparison, Status, text_of};
use crate::stats::{Bootstrap, Verdict, minimum_detectable_effect};

/// Under so many rounds nothing is concluded: medians, but no verdicts.
pub const FEWEST_ROUNDS: usize = 10;

/// The ending of an A/A twin's id.
pub const TWIN_SUFFIX: &str = "/aa";

/// The confidence of intervals in a file that does not say.
const DEFAULT_CONFIDENCE: f64 = 0.95;

/// Which time a statement about two places rests on: `cpu` works on the host, so `frame_wall`.
pub fn metric_between(a: &str, b: &str) -> Metric {
    match a == "cpu" || b == "cpu" {
        true => Metric::FrameWall,
        false => Metric::FrameGpu,
    }
}

/// Replaces `ratios`, `axis_ratios`, `crossovers`, `fits`, the A/A comparison and the rates of every case by what
/// the samples in `file` say. The samples themselves are left alone.
pub fn conclude(file: &mut ResultFile) {
    let bootstrap = Bootstrap {
        confidence: file.timing.confidence.unwrap_or(DEFAULT_CONFIDENCE),
        seed: file.seed,
        ..Bootstrap::default()
    };
    rates(file);
    compare_twins(file, &bootstrap);
    file.ratios = ratios::ratios(file, &bootstrap);
    file.axis_ratios = axis_ratios::axis_ratios(file, &bootstrap);
    file.crossovers = crossovers::crossovers(file, &bootstrap);
    file.fits = crossovers::fits(file);
}

/// Whether `case` is an A/A twin, which no statement but the A/A comparison is about.
pub fn is_twin(case: &Case) -> bool {
    case.id.ends_with(TWIN_SUFFIX)
}

fn place(case: &Case) -> String {
    text_of(&case.axes, "strategy").unwrap_or_default()
}

/// The ratio of two cases and what it says of the first; `None` where one has no times.
fn estimated(file: &ResultFile, bootstrap: &Bootstrap, [a, b]: [&Case; 2]) -> Option<Estimated> {
    estimate(file, bootstrap, &paired::best_times(a, b)?)
}

/// The same by one metric.
fn estimated_by(
    file: &ResultFile,
    bootstrap: &Bootstrap,
    [a, b]: [&Case; 2],
    metric: Metric,
) -> Option<Estimated> {
    estimate(file, bootstrap, &paired::times(a, b, metric)?)
}

fn estimate(file: &ResultFile, bootstrap: &Bootstrap, times: &paired::Times) -> Option<Estimated> {
    let estimate = bootstrap.ratio(&times.a, &times.b)?;
    let enough = times.a.len() >= FEWEST_ROUNDS;
    Some(Estimated {
        metric: times.metric,
        median: estimate.median,
        ci95: estimate.ci,
        verdict: enough.then(|| Verdict::of(estimate.ci, detectable(file, times.metric))),
    })
}

/// What a ratio of any kind holds.
struct Estimated {
    metric: Metric,
    median: f64,
    ci95: [f64; 2],
    verdict: Option<Verdict>,
}

/// The minimum detectable effect by `metric`: the largest of all twins'.
fn detectable(file: &ResultFile, metric: Metric) -> Option<f64> {
    let twins = file.timing.self_comparisons.iter();
    let by_metric = twins.filter(|twin| twin.metric == metric);
    let effects = by_metric.map(|twin| twin.minimum_detectable_effect);
    effects.reduce(f64::max)
}

fn compare_twins(file: &mut ResultFile, bootstrap: &Bootstrap) {
    let twins = file.cases.iter().filter(|case| is_twin(case));
    let compared = twins
        .flat_map(|twin| compare_twin(file, twin, bootstrap))
        .collect();
    file.timing.self_comparisons = compared;
    let effect = [Metric::FrameGpu, Metric::FrameWall]
        .into_iter()
        .find_map(|metric| detectable(file, metric));
    file.timing.minimum_detectable_effect = effect;
    let reason = Reason::new(
        ReasonKind::Time,
        "minimum_detectable_effect",
        "needs a case measured twice (A/A) over at least ten rounds",
    );
    explain(
        &mut file.timing.null_reasons,
        "minimum_detectable_effect",
        effect,
        reason,
    );
}

fn compare_twin(file: &ResultFile, twin: &Case, bootstrap: &Bootstrap) -> Vec<SelfComparison> {
    let id = twin.id.strip_suffix(TWIN_SUFFIX);
    let Some(original) = file.cases.iter().find(|case| Some(case.id.as_str()) == id) else {
        return Vec::new();
    };
    let by = |metric| {
        let times = paired::times(twin, original, metric)?;
        let estimate = bootstrap.ratio(&times.a, &times.b)?;
        let effect = minimum_detectable_effect(estimate.ci)?;
        (times.a.len() >= FEWEST_ROUNDS).then(|| SelfComparison {
            id: twin.id.clone(),
            metric,
            median: estimate.median,
            ci95: estimate.ci,
            minimum_detectable_effect: effect,
        })
    };
    Metric::ALL.into_iter().filter_map(by).collect()
}

/// Vertices per second and the fraction of the copy bandwidth, from medians.
fn rates(file: &mut ResultFile) {
    let copy = file.timing.copy_bandwidth_bytes_per_s.kernel;
    file.cases.par_iter_mut().for_each(|case| {
        case.vertices_per_s = vertices_per_s(case);
        case.fraction_of_copy_bandwidth = copy_fraction(case, copy);
        if case.status != Status::Measured {
            return;
        }
        let reason = Reason::not_applicable(
            "vertices_per_s",
            "needs vertices_deformed and a median frame above 0",
        );
        explain(
            &mut case.null_reasons,
            "vertices_per_s",
            case.vertices_per_s,
            reason,
        );
        let reason = Reason::not_applicable(
            "fraction_of_copy_bandwidth",
            "needs bytes_moved, a deform stage on the device and the copy kernel's bandwidth",
        );
        let fraction = case.fraction_of_copy_bandwidth;
        explain(
            &mut case.null_reasons,
            "fraction_of_copy_bandwidth",
            fraction,
            reason,
        );
    });
}

fn vertices_per_s(case: &Case) -> Option<f64> {
    let stage = paired::frame(case)?.1;
    per_second(case.vertices_deformed? as f64, stage.median_ns)
}

fn copy_fraction(case: &Case, copy: Option<f64>) -> Option<f64> {
    let deform = case.stages.deform.as_ref()?;
    if deform.clock != super::Clock::Gpu {
        return None;
    }
    let bandwidth = per_second(case.bytes_moved? as f64, deform.median_ns)?;
    copy.filter(|copy| *copy > 0.0).map(|copy| bandwidth / copy)
}

fn per_second(amount: f64, ns: f64) -> Option<f64> {
    (ns > 0.0).then(|| amount * 1e9 / ns)
}

/// Gives `key` a reason while it is `null`, unless it has one, and takes it away when it is not.
fn explain(reasons: &mut super::NullReasons, key: &str, value: Option<f64>, reason: Reason) {
    match value {
        Some(_) => drop(reasons.remove(key)),
        None => drop(reasons.entry(key.to_owned()).or_insert(reason)),
    }
}
