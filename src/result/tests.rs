//! The file's text, its store, and what is concluded from it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::store::{StoreError, default_path, parse, read, slug, to_json, write_atomic};
use super::*;
use crate::stats::{CrossoverKind, Verdict};

/// A case of `place` at `passes` whose frame takes `ns`, the same in each of 20 rounds.
fn case(place: &str, passes: u32, ns: f64) -> Case {
    let stage = Stage {
        clock: Clock::Gpu,
        median_ns: ns,
        ci95_ns: [ns, ns],
        samples_ns: vec![ns; 20],
        repeats: 1,
    };
    Case {
        id: format!("{place}/passes={passes}"),
        axes: axes(&[("strategy", json!(place)), ("passes", json!(passes))]),
        status: Status::Measured,
        stages: Stages {
            frame_gpu: Some(stage.clone()),
            frame_wall: Some(Stage {
                clock: Clock::Host,
                ..stage
            }),
            ..Stages::default()
        },
        rounds: (0..20).map(|round| [0, round]).collect(),
        stop_reason: Some(StopReason::Converged),
        vertices_deformed: Some(1000),
        ..Case::default()
    }
}

fn axes(values: &[(&str, Value)]) -> Axes {
    let own = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
    values.iter().map(own).collect()
}

/// compute 10 + 2n against vertex-storage 4 + 4n (equal at 3) and cpu 100 + n, with a twin.
fn measured() -> ResultFile {
    let mut file = ResultFile::default();
    for passes in [1, 2, 4, 8] {
        let n = f64::from(passes);
        file.cases.push(case("compute", passes, 10.0 + 2.0 * n));
        file.cases
            .push(case("vertex-storage", passes, 4.0 + 4.0 * n));
        file.cases.push(case("cpu", passes, 100.0 + n));
    }
    let mut twin = case("compute", 1, 12.0);
    twin.id.push_str("/aa");
    file.cases.push(twin);
    conclude(&mut file);
    file
}

#[test]
fn the_text_has_every_key_of_the_contract() {
    let value: Value = serde_json::from_str(&to_json(&ResultFile::default()).unwrap()).unwrap();
    let keys = [
        "schema_version",
        "tool",
        "command",
        "plan",
        "started_utc",
        "seed",
        "environment",
        "scene",
        "timing",
        "cases",
        "processes",
        "ratios",
        "crossovers",
        "warnings",
    ];
    for key in keys {
        assert!(value.get(key).is_some(), "{key}");
    }
    let pointers = [
        "/environment/power/governor",
        "/environment/device/driver/conformance",
        "/environment/device/timestamp_valid_bits",
        "/environment/assumed",
        "/scene/normalised_weights",
        "/scene/render/covered_pixels",
        "/timing/self_test",
        "/timing/minimum_detectable_effect",
        "/timing/copy_bandwidth_bytes_per_s/command",
        "/timing/dropped_rounds",
    ];
    for pointer in pointers {
        assert!(value.pointer(pointer).is_some(), "{pointer}");
    }
    let case = serde_json::to_value(Case::default()).unwrap();
    let keys = [
        "id",
        "axes",
        "status",
        "reason",
        "verification",
        "stages",
        "rounds",
        "stop_reason",
        "pipeline_creation_ns",
        "vertices_deformed",
        "bytes_moved",
        "vertices_per_s",
        "fraction_of_copy_bandwidth",
        "memory_bytes",
        "counters",
    ];
    for key in keys {
        assert!(case.get(key).is_some(), "{key}");
    }
    for stage in Stages::NAMES {
        assert_eq!(case["stages"][stage], Value::Null);
    }
}

#[test]
fn words_are_those_of_the_contract() {
    let text = |value: Value| value.as_str().unwrap().to_owned();
    assert_eq!(text(json!(ReasonKind::NotApplicable)), "n/a");
    assert_eq!(text(json!(CrossoverKind::AlwaysFaster)), "always-faster");
    assert_eq!(text(json!(TimeSource::GpuTimestamps)), "gpu_timestamps");
    assert_eq!(text(json!(Metric::FrameWall)), Metric::FrameWall.name());
    assert_eq!(
        text(json!(StopReason::TooFewRounds)),
        StopReason::TooFewRounds.name()
    );
    assert_eq!(text(json!(Status::Invalid)), Status::Invalid.name());
    assert_eq!(text(json!(Verdict::Faster)), Verdict::Faster.name());
    assert_eq!(
        text(json!(DeviceKind::Integrated)),
        DeviceKind::Integrated.name()
    );
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/folder/result.json");
    let mut file = measured();
    file.cases[0].stages.frame_gpu.as_mut().unwrap().samples_ns[3] = 12.345_678_901_234_567;
    write_atomic(&path, &file).unwrap();
    assert!(
        read(&path).unwrap() == file,
        "numbers come back to the last bit"
    );
    let names = fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(names, 1, "no temporary file is left behind");
}

#[test]
fn a_number_that_is_not_finite_is_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    write_atomic(&path, &ResultFile::default()).unwrap();
    let mut broken = measured();
    broken.cases[0]
        .stages
        .frame_gpu
        .as_mut()
        .unwrap()
        .samples_ns[3] = f64::NAN;
    let error = write_atomic(&path, &broken).unwrap_err();
    assert!(matches!(error, StoreError::NotFinite { .. }), "{error}");
    assert_eq!(
        read(&path).unwrap(),
        ResultFile::default(),
        "the old file stays"
    );
}

#[test]
fn errors_name_the_file_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "{").unwrap();
    let result = ResultFile::default();
    let errors = [
        write_atomic(folder.path(), &result).unwrap_err(),
        write_atomic(&blocked.join("below.json"), &result).unwrap_err(),
        read(&folder.path().join("absent.json")).unwrap_err(),
        read(&blocked).unwrap_err(),
    ];
    for error in errors {
        let text = error.to_string();
        assert!(
            !text.contains('\n') && text.contains(&*folder.path().to_string_lossy()),
            "{text}"
        );
    }
}

#[test]
fn another_version_is_refused_by_name() {
    let path = Path::new("other.json");
    let newer = ResultFile {
        schema_version: 2,
        ..ResultFile::default()
    };
    for text in [
        to_json(&newer).unwrap(),
        r#"{"schema_version": 2}"#.to_owned(),
    ] {
        let error = parse(&text, path).unwrap_err();
        assert!(error.to_string().contains("schema_version 2"), "{error}");
    }
    let error = parse(r#"{"schema_version": 1}"#, path).unwrap_err();
    assert!(matches!(error, StoreError::Malformed { .. }), "{error}");
}

#[test]
fn names_become_file_names() {
    assert_eq!(slug("NVIDIA GeForce RTX 4090"), "nvidia-geforce-rtx-4090");
    assert_eq!(
        slug("llvmpipe (LLVM 15.0.6, 256 bits)"),
        "llvmpipe-llvm-15-0-6-256-bits"
    );
    assert_eq!(slug("../.."), "device");
    let started = jiff::Timestamp::UNIX_EPOCH;
    assert_eq!(
        default_path("A/B", started),
        Path::new("results/a-b-19700101t000000z.json")
    );
}

#[test]
fn ratios_are_against_compute_at_the_same_axes_by_the_right_metric() {
    let file = measured();
    assert_eq!(file.ratios.len(), 8);
    let at = |a: &str, passes: u32| {
        let here = |ratio: &&Ratio| ratio.a == a && ratio.axes["passes"] == json!(passes);
        file.ratios.iter().find(here).unwrap()
    };
    let storage = at("vertex-storage", 1);
    assert_eq!(
        (storage.b.as_str(), storage.metric),
        ("compute", Metric::FrameGpu)
    );
    assert_eq!(
        (storage.median, storage.verdict),
        (8.0 / 12.0, Some(Verdict::Faster))
    );
    assert_eq!(at("vertex-storage", 8).verdict, Some(Verdict::Slower));
    assert_eq!(at("cpu", 1).metric, Metric::FrameWall);
    assert_eq!(file.timing.minimum_detectable_effect, Some(0.0));
}

#[test]
fn every_pair_has_one_crossover() {
    let file = measured();
    let of = |a: &str, b: &str| {
        let pair: Vec<&Crossover> = file
            .crossovers
            .iter()
            .filter(|found| found.a == a && found.b == b)
            .collect();
        assert_eq!(pair.len(), 1, "{a} against {b}");
        pair[0]
    };
    assert_eq!(file.crossovers.len(), 3);
    let found = of("compute", "vertex-storage");
    assert_eq!(
        (found.kind, found.passes),
        (CrossoverKind::Crosses, Some(3.0))
    );
    assert_eq!(
        found.statement,
        "compute overtakes vertex-storage from 3 passes, by frame_gpu"
    );
    assert_eq!(of("compute", "cpu").kind, CrossoverKind::AlwaysFaster);
    let cpu = of("vertex-storage", "cpu");
    assert_eq!(
        (cpu.kind, cpu.metric),
        (CrossoverKind::AlwaysFaster, Metric::FrameWall)
    );
}

#[test]
fn a_pair_that_was_not_measured_says_why() {
    let mut file = measured();
    for case in file
        .cases
        .iter_mut()
        .filter(|case| case.id.starts_with("vertex-storage"))
    {
        case.status = Status::Skipped;
        case.reason = Some(Reason::new(ReasonKind::Limit, "x", "too small a range"));
        case.stages = Stages::default();
        case.rounds.clear();
    }
    conclude(&mut file);
    let found = &file.crossovers[0];
    assert_eq!(found.kind, CrossoverKind::Unclear);
    assert_eq!(
        found.statement,
        "compute against vertex-storage is unclear, by frame_gpu: vertex-storage is skipped: too \
         small a range"
    );
}

#[test]
fn under_ten_rounds_nothing_is_called() {
    let mut file = measured();
    for case in &mut file.cases {
        case.rounds.truncate(9);
        for stage in [&mut case.stages.frame_gpu, &mut case.stages.frame_wall] {
            stage.as_mut().unwrap().samples_ns.truncate(9);
        }
    }
    conclude(&mut file);
    assert!(file.ratios.iter().all(|ratio| ratio.verdict.is_none()));
    assert!(
        file.crossovers
            .iter()
            .all(|found| found.kind == CrossoverKind::Unclear)
    );
    assert_eq!(file.timing.minimum_detectable_effect, None);
    assert!(
        file.timing
            .null_reasons
            .contains_key("minimum_detectable_effect")
    );
}

#[test]
fn without_stamps_statements_fall_back_to_the_wall() {
    let mut file = measured();
    for case in &mut file.cases {
        case.stages.frame_gpu = None;
    }
    conclude(&mut file);
    assert!(
        file.ratios
            .iter()
            .all(|ratio| ratio.metric == Metric::FrameWall)
    );
    assert_eq!(file.crossovers[0].kind, CrossoverKind::Crosses);
    assert_eq!(file.timing.minimum_detectable_effect, Some(0.0));
}

#[test]
fn an_axis_without_meaning_meets_every_value() {
    let compute = axes(&[("workgroup", json!(64)), ("passes", json!(1))]);
    let vertex = axes(&[("workgroup", json!("n/a")), ("passes", json!(1))]);
    assert_eq!(merged(&vertex, &compute), Some(compute.clone()));
    assert_eq!(merged(&compute, &vertex), Some(compute.clone()));
    let other = axes(&[("workgroup", json!(32)), ("passes", json!(1))]);
    assert_eq!(merged(&compute, &other), None);
    assert!(compatible(&vertex, &other) && !compatible(&compute, &other));
}

#[test]
fn pairs_hold_on_to_the_rounds_that_both_have() {
    let mut file = measured();
    // Fifteen rounds are missing in one: paired by position, or with what is not there, ratios
    // would be off by a round.
    for (place, first) in [("vertex-storage/passes=1", 0), ("compute/passes=1", 15)] {
        let case = file.cases.iter_mut().find(|case| case.id == place).unwrap();
        case.rounds = (first..20).map(|round| [0, round]).collect();
        let times = (first..20)
            .map(|round| f64::from(100 + 50 * (round % 2)))
            .collect();
        case.stages.frame_gpu.as_mut().unwrap().samples_ns = times;
    }
    conclude(&mut file);
    let ratio = file
        .ratios
        .iter()
        .find(|ratio| ratio.axes["passes"] == json!(1))
        .unwrap();
    assert_eq!((ratio.median, ratio.ci95), (1.0, [1.0, 1.0]));
}

#[test]
fn rates_come_from_medians_and_nulls_have_reasons() {
    let file = measured();
    let case = &file.cases[0];
    // 1000 vertices in 12 ns.
    assert!((case.vertices_per_s.unwrap() - 1000.0 / 12.0e-9).abs() < 1.0);
    assert_eq!(case.fraction_of_copy_bandwidth, None);
    assert!(case.null_reasons.contains_key("fraction_of_copy_bandwidth"));
}
