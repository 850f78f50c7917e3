//! Every value of every axis in every place on every device: verified, or skipped with a true reason.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use skinbench::bench::{
    Drawing, GateOutcome, Lab, PictureVerdict, Playback, Station, compare, drawing_of, gate,
};
use skinbench::gpu::{DeviceOptions, DeviceSummary};
use skinbench::plan::{AxesKey, AxisRequest, Case, JointScale, Plan, Preset, RunRequest};
use skinbench::result::Reason;
use skinbench::scene::{Scene, character};
use skinbench::shader_types::PassKind;
use skinbench::strategy;

use support::{assert_silent, devices, lab};

const PLACES: &str =
    "strategy=compute,vertex-storage,vertex-uniform,vertex-texture,transform-feedback,cpu";

/// Combinations that no sweep of one axis makes.
const MIXED: [&[&str]; 8] = [
    &[
        "joints=320",
        "partition=on",
        "influence-loop=partitioned,early-out",
        "draws=per-character,indirect",
    ],
    &[
        "palette=mat4,rows3x4,rows3x4-half,dual-quat-scale",
        "normals=cofactor,flagged,direct-raw,inverse-transpose",
        "joint-scale=non-uniform",
        "attributes=pnt",
    ],
    &[
        "palette=mat4,rows3x4,rows3x4-half",
        "normals=per-joint",
        "joint-scale=non-uniform",
        "attributes=pnt",
        "weights=unorm16",
    ],
    &[
        "palette=dual-quat",
        "morph-targets=5",
        "morph-order=before,after",
        "attributes=pnt",
        "output=f32,oct16",
    ],
    &[
        "morph-targets=5",
        "morph=dense,sparse",
        "morph-order=before,after",
        "attributes=p,pnt",
        "previous=buffer,palette",
        "pass-mix=frame",
    ],
    &[
        "influences=8",
        "influence-loop=partitioned,early-out",
        "weights=unorm8",
        "joint-index=u8,u32",
        "weight-normalise=on",
        "grouping=batched",
    ],
    &[
        "joints=320",
        "partition=on",
        "palette=rows3x4,mat4,dual-quat",
        "index-order=shuffled",
        "draws=per-character,indirect",
    ],
    &[
        "dirty=0,50",
        "cache=revision,hash",
        "previous=buffer,palette",
        "pass-mix=frame",
        "morph-targets=2",
        "morph=dense,sparse",
        "visible=50",
    ],
];

/// The cases of preset `full` on a small character, and mixed ones.
fn cases() -> Vec<Case> {
    let mut all = plan(Preset::Full, &["vertices=600", PLACES]);
    for axes in MIXED {
        let mixed = axes.contains(&"pass-mix=frame");
        let passes = if mixed { "passes=4" } else { "passes=1" };
        let common = ["vertices=600", passes, "instances=3", PLACES];
        all.extend(plan(Preset::Quick, &[axes, &common[..]].concat()));
    }
    all
}

/// The cases of a plan.
fn plan(preset: Preset, axes: &[&str]) -> Vec<Case> {
    let axes = axes
        .iter()
        .map(|axis| AxisRequest::axis(axis).unwrap())
        .collect();
    let request = RunRequest {
        preset,
        axes,
        ..RunRequest::default()
    };
    let plan = Plan::build(request, 1).unwrap();
    let cases = plan.cases.into_iter();
    cases.filter(|case| !case.is_aa()).collect()
}

/// Built-in characters, each made once.
#[derive(Default)]
struct Characters(BTreeMap<String, Arc<Scene>>);

impl Characters {
    fn of(&mut self, case: &Case) -> Arc<Scene> {
        let options = character::Options {
            vertices: case.vertices().unwrap() as usize,
            joints: case.joints().unwrap() as usize,
            influences: case.influences().unwrap() as usize,
            morph_targets: case.morph_targets().unwrap() as usize,
            non_uniform_scale: case.joint_scale() == JointScale::NonUniform,
            ..character::Options::default()
        };
        let make = || Arc::new(character::build(options).unwrap());
        Arc::clone(self.0.entry(format!("{options:?}")).or_insert_with(make))
    }
}

/// What became of the cases of one device.
#[derive(Default)]
struct Seen {
    verified: usize,
    skipped: BTreeMap<String, Vec<String>>,
    wrong: Vec<String>,
    firsts: BTreeMap<AxesKey, GateOutcome>,
}

fn try_case(lab: &mut Lab, scene: &Arc<Scene>, case: &Case, seen: &mut Seen) {
    let drawing: Drawing = drawing_of(case);
    let kinds: Vec<PassKind> = drawing.passes.iter().map(|pass| pass.kind).collect();
    let refused = {
        let setup = Station::setup(lab, scene, Some(0), case, &kinds);
        strategy::refuse(&setup, case)
    };
    let impossible = case
        .impossible()
        .map(|why| Reason::not_applicable(why.name, why.to_string()).with(why.need, why.have));
    if let Some(reason) = impossible.or(refused) {
        let full = reason.need.is_some() && reason.have.is_some() || reason.name == "draws";
        assert!(full, "{case}: {reason:?}");
        let entry = seen.skipped.entry(reason.message).or_default();
        entry.push(case.id());
        return;
    }
    let made = Station::new(lab, scene, Some(0), case, &kinds, Playback::Running);
    let mut station = made.unwrap_or_else(|error| panic!("{case}: {error}"));
    let outcome = gate(lab, &mut station, &drawing).unwrap();
    seen.verified += 1;
    if let Some(failure) = outcome.failure(&station) {
        seen.wrong.push(format!("{case}: {failure}"));
        return;
    }
    assert_eq!(outcome.verification.vertices, station.vertices(), "{case}");
    match seen.firsts.get(&case.comparison_key()) {
        None => {
            seen.firsts.insert(case.comparison_key(), outcome);
        }
        Some(first) => {
            if let PictureVerdict::Unexplained(message) = compare(&station, &outcome, first) {
                seen.wrong.push(format!("{case}: {message}"));
            }
        }
    }
}

/// In how many parts the cases are tried, so that several cores can.
const PARTS: usize = 6;

/// Cases of which pictures are compared are in one part.
fn part_of(case: &Case) -> usize {
    let key = format!("{}", case.comparison_key());
    key.bytes().map(usize::from).sum::<usize>() % PARTS
}

fn run_part(lab: &mut Lab, summary: &DeviceSummary, part: usize) {
    let mut seen = Seen::default();
    let mut characters = Characters::default();
    // The largest steps of a sweep are slow on a software driver, and no different in kind.
    let fits = |case: &&Case| case.instances() <= 100 && case.vertices() <= Some(50_000);
    let all = cases();
    for case in all.iter().filter(fits).filter(|case| part_of(case) == part) {
        let scene = characters.of(case);
        try_case(lab, &scene, case, &mut seen);
    }
    let skipped: usize = seen.skipped.values().map(Vec::len).sum();
    println!(
        "{}: {} verified, {skipped} skipped",
        summary.name, seen.verified
    );
    for (why, ids) in &seen.skipped {
        println!("  {} cases: {why} ({})", ids.len(), ids[0]);
    }
    let (name, count) = (&summary.name, seen.wrong.len());
    assert!(
        seen.wrong.is_empty(),
        "{name}: {count} wrong: {:#?}",
        seen.wrong
    );
    if name.contains("llvmpipe") {
        assert!(5 * seen.verified >= 4 * (seen.verified + skipped), "{name}");
    }
}

/// Every value of every axis is verified, or skipped with a reason.
fn every_value(part: usize) {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        run_part(&mut lab, &summary, part);
        assert_silent(&instance, &summary.name);
    }
}

macro_rules! parts {
    ($($name:ident = $part:literal),+) => {
        $(#[test]
        fn $name() {
            every_value($part);
        })+
    };
}

parts!(
    every_value_1_of_6 = 0,
    every_value_2_of_6 = 1,
    every_value_3_of_6 = 2,
    every_value_4_of_6 = 3,
    every_value_5_of_6 = 4,
    every_value_6_of_6 = 5
);
