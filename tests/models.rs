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
use skinbench::gpu::DeviceOptions;
use skinbench::math::normal::angle;
use skinbench::plan::{Draws, PassMix};
use skinbench::render::passes_of;
use skinbench::scene::Scene;
use skinbench::scene::import::load;
use skinbench::shader_types::PassKind;

use support::{assert_silent, case, devices, lab, models};

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

/// Every place at each of the times: the gate, and then the others' numbers.
fn hold_in_every_place(lab: &mut Lab, scene: &Arc<Scene>, expected: &Expected, tolerance: f64) {
    let drawing = Drawing {
        passes: passes_of(PassMix::Uniform, 1),
        draws: Draws::PerCharacter,
        visible: 100,
    };
    let clip = (!scene.clips.is_empty()).then_some(0);
    let mut times: Vec<f64> = expected.entries.iter().map(|entry| entry.time).collect();
    times.dedup();
    for place in ["compute", "vertex-storage", "vertex-uniform", "cpu"] {
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
}

#[test]
fn references_hold_in_every_place_on_every_device() {
    let Some(folder) = models() else { return };
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for expected in expected_in(&folder.join("reference")) {
            // Its rotation keys are normalised bytes, which the primary reference uses as they are.
            let bytes = expected.file.ends_with("Animation_SamplerType_01.gltf");
            let scene = Arc::new(load(&folder.join(&expected.file)).unwrap());
            hold_in_every_place(&mut lab, &scene, &expected, if bytes { 3e-3 } else { 1e-4 });
            assert_silent(&instance, &expected.file);
        }
    }
}

#[test]
fn cases_hold_in_every_place_on_every_device() {
    let Some(folder) = models() else { return };
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for expected in expected_in(&folder.join("cases/expected")) {
            // Files that must be refused have no values; `tests/import` holds their errors.
            if expected.entries.is_empty() {
                continue;
            }
            let scene = Arc::new(load(&folder.join("cases").join(&expected.file)).unwrap());
            let declared = expected
                .tolerance
                .as_ref()
                .and_then(|text| text.split(' ').next());
            let tolerance = declared.unwrap().parse().unwrap();
            hold_in_every_place(&mut lab, &scene, &expected, tolerance);
            assert_silent(&instance, &expected.file);
        }
    }
}
