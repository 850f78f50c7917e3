//! Real models in every place on every device, held against evaluations by others.
//!
//! The folder with the models, their `reference/` and `cases/` is named by SKINBENCH_MODELS.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;
use serde::Deserialize;
use skinbench::bench::{Drawing, GateOutcome, Lab, Playback, Station, gate};
use skinbench::gpu::{DeviceOptions, DeviceSummary};
use skinbench::math::normal::angle;
use skinbench::plan::{Draws, PassMix};
use skinbench::render::passes_of;
use skinbench::scene::Scene;
use skinbench::scene::import::load;
use skinbench::shader_types::PassKind;
use skinbench::strategy;

use support::{assert_silent, case, devices, lab, models, places};

/// Vertices of one node and primitive at one time, samples as `[vertex, x, y, z]`.
#[derive(Deserialize)]
struct Entry {
    time: f64,
    node: usize,
    primitive: usize,
    bbox_min: [f64; 3],
    bbox_max: [f64; 3],
    #[serde(alias = "positions")]
    samples: Vec<[f64; 4]>,
    #[serde(alias = "normals")]
    normals_numpy: Option<Vec<[f64; 4]>>,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(alias = "case")]
    file: String,
    /// Of a case: `1e-4 of the bounding-box diagonal; normals 1e-3 rad`.
    tolerance: Option<String>,
    #[serde(alias = "frames", default)]
    entries: Vec<Entry>,
}

/// Cases declare it; it covers the nine digits that references keep of a normal.
const NORMAL_TOLERANCE: f64 = 1e-3;

fn expected_in(folder: &Path) -> Vec<Expected> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let lists = ["SUMMARY.json", "LIST.json"];
    let is_data = |path: &&PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.ends_with(".json") && !lists.contains(&name)
    };
    let read =
        |path: &PathBuf| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    paths.iter().filter(is_data).map(read).collect()
}

fn hold(station: &Station, outcome: &GateOutcome, entry: &Entry, tolerance: f64, label: &str) {
    let scene = &station.scene;
    let index = scene.items.iter().position(|item| {
        scene.skeleton.nodes[item.node].gltf_node == entry.node
            && scene.meshes[item.mesh].gltf_primitive == entry.primitive
    });
    let first = station.output.vertices(0, index.expect(label)).start;
    let floats = station.output.attributes.floats();
    let triple = |vertex: f64, offset: usize| {
        let at = (first + vertex as usize) * floats + offset;
        let part = &outcome.vertices[at..at + 3];
        DVec3::new(part[0].into(), part[1].into(), part[2].into())
    };
    let diagonal = (DVec3::from(entry.bbox_max) - DVec3::from(entry.bbox_min)).length();
    for [vertex, x, y, z] in &entry.samples {
        let error = (triple(*vertex, 0) - DVec3::new(*x, *y, *z)).length() / diagonal;
        assert!(
            error <= tolerance,
            "{label}: vertex {vertex} is {error:e} of the diagonal off"
        );
    }
    for [vertex, x, y, z] in entry.normals_numpy.iter().flatten() {
        let error = angle(triple(*vertex, 3), DVec3::new(*x, *y, *z));
        assert!(
            error <= NORMAL_TOLERANCE,
            "{label}: normal {vertex} is {error:e} rad off"
        );
    }
}

fn drawing() -> Drawing {
    Drawing {
        passes: passes_of(PassMix::Uniform, 1),
        draws: Draws::PerCharacter,
        visible: 100,
    }
}

/// A place at each of the times: the gate, and then the others' numbers.
fn hold_in(place: &str, lab: &mut Lab, scene: &Arc<Scene>, expected: &Expected, tolerance: f64) {
    let drawing = drawing();
    let clip = (!scene.clips.is_empty()).then_some(0);
    let mut times: Vec<f64> = expected.entries.iter().map(|entry| entry.time).collect();
    times.dedup();
    let case = case(&[&format!("strategy={place}")]);
    let kinds = [PassKind::GBuffer];
    let mut station = Station::new(lab, scene, clip, &case, &kinds, Playback::Running).unwrap();
    for time in &times {
        station.set_playback(Playback::Fixed(*time));
        let outcome = gate(lab, &mut station, &drawing).unwrap();
        let label = format!(
            "{} in {place} on {} at {time} s",
            expected.file,
            lab.device.summary().name
        );
        assert_eq!(outcome.failure(&station), None, "{label}");
        for entry in expected.entries.iter().filter(|entry| entry.time == *time) {
            hold(&station, &outcome, entry, tolerance, &label);
        }
    }
}

/// Every file of a list in one place, on every device that has it.
fn hold_all(list: &str, place: &str) {
    let Some(folder) = models() else { return };
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        if !places(&lab).contains(&place) {
            continue;
        }
        let known = expected_in(&folder.join(list));
        // Files that must be refused have no values; `tests/import` holds their errors.
        for expected in known.iter().filter(|known| !known.entries.is_empty()) {
            let files = folder.join(if list == "reference" { "" } else { "cases" });
            let scene = Arc::new(load(&files.join(&expected.file)).unwrap());
            hold_in(place, &mut lab, &scene, expected, tolerance(expected));
            assert_silent(&instance, &expected.file);
        }
    }
}

/// As a case declares it, of the diagonal.
fn tolerance(expected: &Expected) -> f64 {
    let declared = expected.tolerance.as_ref();
    match declared.and_then(|text| text.split(' ').next()) {
        Some(declared) => declared.parse().unwrap(),
        // Its rotation keys are normalised bytes, which the primary reference uses as they are.
        None if expected.file.ends_with("Animation_SamplerType_01.gltf") => 3e-3,
        None => 1e-4,
    }
}

macro_rules! hold_in_each {
    ($($list:literal in $place:literal: $name:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            hold_all($list, $place);
        })+
    };
}

// A test a place, so that several cores can share them.
hold_in_each! {
    "reference" in "compute": references_hold_in_compute,
    "reference" in "vertex-storage": references_hold_in_vertex_storage,
    "reference" in "vertex-uniform": references_hold_in_vertex_uniform,
    "reference" in "vertex-texture": references_hold_in_vertex_texture,
    "reference" in "transform-feedback": references_hold_in_transform_feedback,
    "reference" in "cpu": references_hold_on_the_cpu,
    "cases/expected" in "compute": cases_hold_in_compute,
    "cases/expected" in "vertex-storage": cases_hold_in_vertex_storage,
    "cases/expected" in "vertex-uniform": cases_hold_in_vertex_uniform,
    "cases/expected" in "vertex-texture": cases_hold_in_vertex_texture,
    "cases/expected" in "transform-feedback": cases_hold_in_transform_feedback,
    "cases/expected" in "cpu": cases_hold_on_the_cpu,
}

/// Coarser palettes and outputs on real models. Held by the gate alone, whose tolerance knows the format:
/// the others' numbers are closer than halves or dual quaternions can come.
fn hold_format(axis: &str) {
    let Some(folder) = models() else { return };
    let software = |summary: &DeviceSummary| summary.name.contains("llvmpipe");
    for (instance, summary) in devices().into_iter().filter(|(_, device)| software(device)) {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for (files, list) in [("", "reference"), ("cases", "cases/expected")] {
            let known = expected_in(&folder.join(list));
            for expected in known.iter().filter(|known| !known.entries.is_empty()) {
                let scene = Arc::new(load(&folder.join(files).join(&expected.file)).unwrap());
                gate_once(&mut lab, &scene, axis, &expected.file);
                assert_silent(&instance, &expected.file);
            }
        }
    }
}

/// The gate at its own frame, in `compute`; a model that cannot be had so is named.
fn gate_once(lab: &mut Lab, scene: &Arc<Scene>, axis: &str, file: &str) {
    let case = case(&["strategy=compute", "attributes=pnt", axis]);
    let (kinds, clip) = ([PassKind::GBuffer], (!scene.clips.is_empty()).then_some(0));
    let refused = strategy::refuse(&Station::setup(lab, scene, clip, &case, &kinds), &case);
    if let Some(reason) = refused {
        println!("{file}: {}", reason.message);
        return;
    }
    let mut station = Station::new(lab, scene, clip, &case, &kinds, Playback::Running).unwrap();
    let drawing = drawing();
    let outcome = gate(lab, &mut station, &drawing).unwrap();
    assert_eq!(outcome.failure(&station), None, "{file} with {axis}");
}

#[test]
fn models_hold_in_dual_quaternions_with_scale() {
    hold_format("palette=dual-quat-scale");
}

#[test]
fn models_hold_in_halves() {
    hold_format("palette=rows3x4-half");
}

#[test]
fn models_hold_in_octahedra() {
    hold_format("output=oct16");
}
