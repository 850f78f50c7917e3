//! The program as people and scripts use it: output, files, exit codes, errors of one line.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

use support::{devices, models};

fn skinbench() -> Command {
    Command::cargo_bin("skinbench").unwrap()
}

/// One quick run of the built-in character; gives the result file and the exit code.
fn run(device: &str, more: &[&str], environment: &[(&str, &str)]) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/result.json");
    let mut command = skinbench();
    command.args([
        "run",
        "--device",
        device,
        "--validation",
        "--time-limit",
        "8",
        "--seed",
        "7",
    ]);
    command.args([
        "--axis",
        "vertices=600",
        "--axis",
        "joints=8",
        "--resolution",
        "64x64",
    ]);
    command
        .arg("--out")
        .arg(&out)
        .args(more)
        .envs(environment.iter().copied());
    let output = command.output().unwrap();
    let text = std::fs::read_to_string(&out);
    let code = output.status.code().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let text = text.unwrap_or_else(|error| panic!("{error}: {stderr}"));
    (serde_json::from_str(&text).unwrap(), code)
}

fn uuids() -> Vec<String> {
    devices()
        .into_iter()
        .map(|(_, summary)| summary.uuid)
        .collect()
}

#[test]
fn a_run_measures_four_places_and_leaves_a_whole_file() {
    for uuid in uuids() {
        let (file, code) = run(&uuid, &["--passes", "1,2", "--instances", "2"], &[]);
        assert_eq!(code, 0, "{:#}", file["warnings"]);
        assert_eq!(file["schema_version"], 1);
        assert_eq!(file["environment"]["device"]["uuid"], Value::from(uuid));
        let cases = file["cases"].as_array().unwrap();
        assert_eq!(
            cases.len(),
            9,
            "four places at two numbers of passes, and the A/A twin"
        );
        for case in cases {
            assert_eq!(case["status"], "measured", "{:#}", case["reason"]);
            let seen = &case["verification"];
            assert_eq!(seen["vertices"], 1200);
            assert!(seen["max_position_error"].as_f64().unwrap() < 1e-5);
            let samples = case["stages"]["frame_wall"]["samples_ns"]
                .as_array()
                .unwrap();
            assert_eq!(samples.len(), case["rounds"].as_array().unwrap().len());
            let vertex_place = case["axes"]["strategy"]
                .as_str()
                .unwrap()
                .starts_with("vertex");
            assert_eq!(case["stages"]["deform"].is_null(), vertex_place);
        }
        assert!(file["scene"]["render"]["covered_pixels"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_twin_and_a_seed_make_the_order_repeatable() {
    for uuid in uuids().into_iter().take(1) {
        let (file, _) = run(&uuid, &["--passes", "1", "--instances", "1"], &[]);
        assert_eq!(file["seed"], 7);
        let ids: Vec<_> = file["cases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["id"].as_str().unwrap())
            .collect();
        assert_eq!(
            ids.iter().filter(|id| id.ends_with("/aa")).count(),
            1,
            "{ids:?}"
        );
    }
}

#[test]
fn what_a_place_cannot_do_is_skipped_with_a_reason() {
    for uuid in uuids() {
        let more = [
            "--passes",
            "1",
            "--instances",
            "1",
            "--axis",
            "draws=instanced",
        ];
        let (file, code) = run(&uuid, &more, &[]);
        assert_eq!(code, 0);
        for case in file["cases"].as_array().unwrap() {
            let measured = case["axes"]["strategy"] == "vertex-storage";
            assert_eq!(
                case["status"],
                if measured { "measured" } else { "skipped" },
                "{case:#}"
            );
            if !measured {
                assert_eq!(case["reason"]["kind"], "n/a");
            }
        }
        let output = skinbench()
            .args([
                "run",
                "--device",
                &uuid,
                "--axis",
                "joints=400",
                "--dry-run",
            ])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.contains("a skin of 400 joints does not fit the uniform array of 320"),
            "{text}"
        );
        assert!(!Path::new("results").exists(), "a dry run writes nothing");
    }
}

#[cfg(feature = "spoil")]
#[test]
fn a_spoiled_place_is_invalid_and_never_timed() {
    for uuid in uuids() {
        for place in ["compute", "vertex-storage", "vertex-uniform", "cpu"] {
            let spoil = format!("{place}:wrong");
            let more = ["--passes", "1", "--instances", "2"];
            let (file, code) = run(&uuid, &more, &[("SKINBENCH_SPOIL", &spoil)]);
            assert_eq!(code, 1, "{place}");
            for case in file["cases"].as_array().unwrap() {
                let spoiled = case["axes"]["strategy"] == place;
                assert_eq!(
                    case["status"],
                    if spoiled { "invalid" } else { "measured" },
                    "{case:#}"
                );
                if spoiled {
                    assert!(case["stages"]["frame_wall"].is_null());
                    assert!(
                        case["reason"]["message"]
                            .as_str()
                            .unwrap()
                            .contains("vertex")
                    );
                }
            }
        }
    }
}

#[test]
fn verify_dumps_what_every_place_deformed() {
    let folder = tempfile::tempdir().unwrap();
    for uuid in uuids() {
        let dump = folder.path().join(&uuid);
        skinbench()
            .args(["verify", "--device", &uuid, "--validation", "--dump"])
            .arg(&dump)
            .assert()
            .code(0);
        let index: Value =
            serde_json::from_str(&std::fs::read_to_string(dump.join("index.json")).unwrap())
                .unwrap();
        let index = index.as_array().unwrap();
        // Six places; five on a device that captures nothing.
        let places: BTreeSet<_> = index
            .iter()
            .map(|entry| entry["strategy"].clone().to_string())
            .collect();
        assert!(
            places.len() >= 5 && index.len() == places.len(),
            "{places:?}"
        );
        for entry in index {
            let count = entry["count"].as_u64().unwrap();
            for part in ["positions", "normals"] {
                let bytes = std::fs::read(dump.join(entry[part].as_str().unwrap())).unwrap();
                assert_eq!(bytes.len() as u64, 12 * count, "{entry}");
            }
        }
    }
}

/// Fails with exit code 2 and exactly one line that contains every one of `parts`.
fn refused(arguments: &[&str], parts: &[&str]) {
    let output = skinbench().args(arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = stderr
        .lines()
        .filter(|line| !line.contains("software Vulkan driver"))
        .collect();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert_eq!(lines.len(), 1, "{arguments:?}: {stderr}");
    assert!(
        parts.iter().all(|part| lines[0].contains(part)),
        "{arguments:?}: {stderr}"
    );
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn wrong_input_ends_with_one_line() {
    if devices().is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("text.glb"), "not a model").unwrap();
    std::fs::write(path("empty.gltf"), r#"{"asset": {"version": "2.0"}}"#).unwrap();
    for command in ["run", "verify"] {
        refused(&[command, &path("absent.glb")], &["absent.glb"]);
        refused(&[command, &path("text.glb")], &["text.glb"]);
        refused(&[command, &path("empty.gltf")], &["empty.gltf"]);
        refused(
            &[command, "--device", "nothing-like-it"],
            &["nothing-like-it", "there are"],
        );
    }
    refused(&["run", "--clip", "no such clip"], &["no such clip"]);
    refused(&["run", "--resolution", "32768x1"], &["32768x1"]);
    refused(
        &["run", "--out", folder.path().to_str().unwrap()],
        &["--out"],
    );
    refused(
        &["run", "--out", &format!("{}/x.json", path("text.glb"))],
        &["text.glb"],
    );
    refused(&["run", "--passes", "0"], &["passes"]);
    refused(&["verify", "--dump", &path("text.glb")], &["text.glb"]);
}

#[test]
fn a_model_of_points_is_verified_but_not_timed() {
    let Some(models) = models() else { return };
    if devices().is_empty() {
        return;
    }
    let points = models.join("Mesh_PrimitiveMode/Mesh_PrimitiveMode_00.gltf");
    let points = points.to_str().unwrap();
    refused(&["run", points], &["points", "verify"]);
    skinbench()
        .args(["verify", "--validation", points])
        .assert()
        .code(0);
}

#[test]
fn devices_say_what_each_place_needs_and_has() {
    for uuid in uuids() {
        let output = skinbench()
            .args(["devices", "--format", "json"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        let all: Value = serde_json::from_slice(&output.stdout).unwrap();
        let device = all["devices"]
            .as_array()
            .unwrap()
            .iter()
            .find(|d| d["uuid"] == uuid.as_str())
            .unwrap();
        let need = &device["strategies"]["compute"]["needs"][0];
        assert_eq!(need["name"], "maxPerStageDescriptorStorageBuffers");
        assert!(need["have"].as_u64().unwrap() >= need["need"].as_u64().unwrap());
    }
}
