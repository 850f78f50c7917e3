//! From samples to the cases of a result file.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::looks::FIRST_LOOK;
use super::types::{CaseInfo, CaseRecord, FrameTimes, Measurement, StageInfo};
use crate::result::{
    Case, NullReasons, Reason, ReasonKind, ResultFile, Stage, Stages, Status, StopReason, conclude,
};
use crate::stats::Bootstrap;

/// [`fill`], then [`conclude`]: everything that a measurement adds to a result file.
///
/// May be called again with a longer measurement; what it wrote before is replaced.
pub fn summarise(measurement: &Measurement, cases: &[CaseInfo], file: &mut ResultFile) {
    fill(measurement, cases, file);
    conclude(file);
}

/// Writes status, stages, rounds and stop reason of each measured case into the case of the same
/// id (made when the file has none), and rounds and confidence into `timing`.
///
/// All else (axes of skipped cases, verification, memory, counters) is the caller's and is kept;
/// so are reasons that the caller gave for stages that a place does not have.
pub fn fill(measurement: &Measurement, cases: &[CaseInfo], file: &mut ResultFile) {
    file.timing.rounds = measurement.rounds_done();
    file.timing.dropped_rounds = measurement.dropped_rounds;
    file.timing.confidence = Some(measurement.confidence);
    let bootstrap = measurement.bootstrap();
    let pairs: Vec<(&CaseInfo, &CaseRecord)> = cases.iter().zip(&measurement.cases).collect();
    let stages: Vec<Stages<Option<Stage>>> = pairs
        .par_iter()
        .map(|(info, record)| stages(info, record, &bootstrap))
        .collect();
    let mut places = index(file);
    for ((info, record), stages) in pairs.into_iter().zip(stages) {
        let at = *places.entry(info.id.clone()).or_insert(file.cases.len());
        if at == file.cases.len() {
            file.cases.push(new_case(info));
        }
        write(&mut file.cases[at], record, stages, measurement.stop);
    }
}

fn index(file: &ResultFile) -> BTreeMap<String, usize> {
    let cases = file.cases.iter().enumerate();
    cases.map(|(at, case)| (case.id.clone(), at)).collect()
}

fn new_case(info: &CaseInfo) -> Case {
    Case {
        id: info.id.clone(),
        axes: info.axes.clone(),
        ..Case::default()
    }
}

fn write(
    case: &mut Case,
    record: &CaseRecord,
    stages: Stages<Option<Stage>>,
    stop: Option<StopReason>,
) {
    let (status, reason) = outcome(record, stop);
    case.status = status;
    case.reason = reason;
    if status != Status::Measured {
        case.stages = Stages::default();
        case.rounds = Vec::new();
        case.stop_reason = None;
        return;
    }
    explain_stages(&stages, record, &mut case.null_reasons);
    case.stages = stages;
    case.rounds = record.rounds.clone();
    case.stop_reason = stop.map(|stop| case_stop(stop, record.samples.len()));
    if stop.is_none() {
        let message = "the run had not ended when this was written";
        let reason = Reason::not_applicable("stop_reason", message);
        case.null_reasons.insert("stop_reason".to_owned(), reason);
    } else {
        case.null_reasons.remove("stop_reason");
    }
}

/// What became of a case, and why it is not `measured`.
fn outcome(record: &CaseRecord, stop: Option<StopReason>) -> (Status, Option<Reason>) {
    if let Some(error) = &record.error {
        return (
            Status::Failed,
            Some(Reason::new(ReasonKind::Error, "frame", error)),
        );
    }
    if !record.samples.is_empty() {
        return (Status::Measured, None);
    }
    let (kind, name, message) = match stop {
        Some(StopReason::FatalError) => (
            ReasonKind::Error,
            "device",
            "another case lost the device before this one's first complete round",
        ),
        Some(StopReason::Interrupted) => (
            ReasonKind::Time,
            "interrupted",
            "interrupted before the first complete round",
        ),
        _ => (
            ReasonKind::Time,
            "time-limit",
            "no complete round before the time limit: raise --time-limit or take fewer cases",
        ),
    };
    let reason = Reason::new(kind, name, message).with("a complete round", "none");
    (Status::Skipped, Some(reason))
}

/// Under ten rounds the reason to stop is less telling than that they were too few.
fn case_stop(stop: StopReason, rounds: usize) -> StopReason {
    let few = rounds < FIRST_LOOK as usize;
    match stop {
        StopReason::TimeLimit | StopReason::MaxRounds if few => StopReason::TooFewRounds,
        _ => stop,
    }
}

fn stages(info: &CaseInfo, record: &CaseRecord, bootstrap: &Bootstrap) -> Stages<Option<Stage>> {
    let rows: Vec<Stages<Option<f64>>> = record.samples.iter().map(FrameTimes::stages).collect();
    let infos = info.stages.list();
    Stages::from_fn(|at, _| {
        let samples = rows.iter().map(|row| *row.list()[at]).collect();
        stage(samples, infos[at], bootstrap)
    })
}

/// A stage from one time a round; `None` where a round has none or there are no rounds.
fn stage(samples: Vec<Option<f64>>, info: &StageInfo, bootstrap: &Bootstrap) -> Option<Stage> {
    let samples_ns = samples.into_iter().collect::<Option<Vec<f64>>>()?;
    let estimate = bootstrap.median(&samples_ns)?;
    Some(Stage {
        clock: info.clock,
        median_ns: estimate.median,
        ci95_ns: estimate.ci,
        samples_ns,
        repeats: info.repeats,
    })
}

/// Says of each missing stage why, unless the caller has said so already.
fn explain_stages(stages: &Stages<Option<Stage>>, record: &CaseRecord, reasons: &mut NullReasons) {
    let rows: Vec<Stages<Option<f64>>> = record.samples.iter().map(FrameTimes::stages).collect();
    for (at, (name, stage)) in Stages::NAMES.iter().zip(stages.list()).enumerate() {
        let key = format!("stages.{name}");
        if stage.is_some() {
            reasons.remove(&key);
            continue;
        }
        let sometimes = rows.iter().any(|row| row.list()[at].is_some());
        let reason = if sometimes {
            Reason::new(ReasonKind::Error, *name, "timed in some rounds only")
        } else {
            Reason::not_applicable(*name, "this place has no such stage, or no clock for it")
        };
        reasons.entry(key).or_insert(reason);
    }
}
