//! What a run says of cases that it skips: memory, time, and what no device could run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use skinbench::bench::{Lab, Progress, RunInput, dry_run, run};
use skinbench::gpu::{Capabilities, DeviceOptions};
use skinbench::plan::{AxisRequest, Plan, RunRequest};
use skinbench::result::{Reason, ReasonKind, ResultFile, Status};

use super::support::{assert_silent, devices, lab};
use super::{Said, said};

struct Quiet;

impl Progress for Quiet {
    fn say(&mut self, _text: &str) {}
    fn step(&mut self, _what: &str, _done: usize, _of: usize) {}
}

fn plan(axes: &[&str], limit: Option<Duration>) -> Plan {
    let axes = axes.iter().map(|axis| AxisRequest::axis(axis).unwrap());
    let request = RunRequest {
        axes: axes.collect(),
        ..RunRequest::default()
    };
    let mut plan = Plan::build(request, 1).unwrap();
    plan.cases.retain(|case| !case.is_aa());
    plan.time_limit = limit;
    plan
}

/// What a run, or what it would be, made of a plan.
fn file(lab: &mut Lab, plan: &Plan, dry: bool) -> (ResultFile, u64) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result.json");
    let input = RunInput {
        plan,
        command: Vec::new(),
        out: Path::new(&out),
        started_utc: String::new(),
        interrupted: &AtomicBool::new(false),
        kernel: None,
    };
    match dry {
        true => dry_run(lab, &input).unwrap(),
        false => (run(lab, &input, &mut Quiet).unwrap(), 0),
    }
}

/// The reason of each case that is skipped.
fn skipped(file: &ResultFile) -> BTreeMap<String, Said> {
    let reason = |case: &skinbench::result::Case| {
        let reason: Reason = case.reason.clone()?;
        Some((case.id.clone(), said(reason)))
    };
    file.cases.iter().filter_map(reason).collect()
}

/// The heap that [`little`] makes of any device.
static HEAP: AtomicU64 = AtomicU64::new(0);

fn little(capabilities: &mut Capabilities) {
    capabilities.device_heap_bytes = HEAP.load(Ordering::SeqCst);
}

/// The smallest heap of which eight tenths are `bytes`.
fn heap_for(bytes: u64) -> u64 {
    let near = bytes + bytes / 4;
    let fits = |heap: &u64| (*heap as f64 * 0.8) as u64 >= bytes;
    (near - 4..near + 4).find(fits).unwrap()
}

#[test]
fn all_live_cases_must_fit_into_memory_together() {
    let axes = [
        "strategy=compute,cpu",
        "vertices=600",
        "instances=1",
        "passes=1",
    ];
    let plan = plan(&axes, Some(Duration::from_secs(3)));
    for (instance, summary) in devices() {
        let mut whole = lab(&instance, &summary, DeviceOptions::default());
        let (all, bytes) = file(&mut whole, &plan, true);
        assert_eq!(skipped(&all), BTreeMap::new());
        drop(whole);
        let options = DeviceOptions {
            narrow: Some(little),
            ..DeviceOptions::default()
        };
        HEAP.store(heap_for(bytes - 1), Ordering::SeqCst);
        let (short, _) = file(&mut lab(&instance, &summary, options), &plan, true);
        // The last case is the one for which nothing is left.
        let last = all.cases.last().unwrap().id.clone();
        let reason = (
            ReasonKind::Memory,
            "device memory".to_owned(),
            json!(bytes),
            json!(bytes - 1),
        );
        assert_eq!(skipped(&short), BTreeMap::from([(last, reason)]));
        HEAP.store(heap_for(bytes), Ordering::SeqCst);
        let (enough, _) = file(&mut lab(&instance, &summary, options), &plan, false);
        assert_eq!(skipped(&enough), BTreeMap::new());
        assert!(
            enough
                .cases
                .iter()
                .all(|case| case.status == Status::Measured)
        );
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn a_time_limit_leaves_out_what_comes_too_late() {
    let axes = [
        "strategy=compute,cpu",
        "vertices=600",
        "instances=1",
        "passes=1",
    ];
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let none = plan(&axes, Some(Duration::from_nanos(1)));
        let (file_of_none, _) = file(&mut lab, &none, false);
        let reasons = skipped(&file_of_none);
        assert_eq!(reasons.len(), 2);
        for (kind, name, need, have) in reasons.into_values() {
            assert_eq!((kind, name.as_str()), (ReasonKind::Time, "time-limit"));
            assert_eq!(
                (need, have),
                (json!("time to verify it"), json!("0 s left"))
            );
        }
        let some = plan(&axes, Some(Duration::from_secs(3)));
        let (file_of_some, _) = file(&mut lab, &some, false);
        assert_eq!(skipped(&file_of_some), BTreeMap::new());
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn what_no_device_could_run_is_told_from_what_runs() {
    let rows = [
        (
            [
                "palette=dual-quat",
                "joint-scale=none,non-uniform",
                "passes=1",
            ],
            "palette",
        ),
        (
            ["palette=dual-quat,rows3x4", "normals=per-joint", "passes=1"],
            "normals",
        ),
        (
            ["joint-index=u8", "joints=256,257", "passes=1"],
            "joint-index",
        ),
        (
            ["pass-mix=frame", "passes=8,9", "draws=per-character"],
            "pass-mix",
        ),
    ];
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for (axes, name) in rows {
            let small = ["strategy=compute", "vertices=600", "instances=1"];
            let axes = [&axes[..], &small].concat();
            let plan = plan(&axes, Some(Duration::from_secs(2)));
            let (file, _) = file(&mut lab, &plan, false);
            let reasons = skipped(&file);
            assert_eq!(reasons.len(), 1, "{axes:?}");
            let (kind, found, need, have) = reasons.into_values().next().unwrap();
            assert_eq!((kind, found.as_str()), (ReasonKind::NotApplicable, name));
            assert!(need.is_string() && have.is_string(), "{need} {have}");
            let measured = |case: &&skinbench::result::Case| case.status == Status::Measured;
            assert_eq!(file.cases.iter().filter(measured).count(), 1, "{axes:?}");
        }
        assert_silent(&instance, &summary.name);
    }
}
