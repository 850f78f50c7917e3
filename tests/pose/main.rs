//! Poses, palettes and deformed vertices of real models, held against evaluations by others.
//!
//! The folder with the models, their `reference/` and `cases/` is named by SKINBENCH_MODELS.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod frame;

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde::Deserialize;
use skinbench::deform::cpu_place::deform_all;
use skinbench::deform::output::{Attributes, OutputLayout};
use skinbench::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use skinbench::deform::reference::pose::check_poses;
use skinbench::deform::reference::verify::{Verification, compare, compare_all};
use skinbench::deform::skin::{Source, deform_vertex};
use skinbench::deform::variant::Variant;
use skinbench::math::normal::angle;
use skinbench::plan::OutputFormat;
use skinbench::scene::Scene;
use skinbench::scene::import::load;
use skinbench::scene::playback::{Poses, evaluate_poses, times};

use frame::{Evaluated, by_reference, by_twin, frame};

/// `[vertex, x, y, z]`.
type Sample = [f64; 4];

/// Vertices of one node and primitive at one time.
#[derive(Deserialize)]
struct Entry {
    time: f64,
    node: usize,
    primitive: usize,
    count: usize,
    bbox_min: [f64; 3],
    bbox_max: [f64; 3],
    mean: [f64; 3],
    #[serde(alias = "positions")]
    samples: Vec<Sample>,
    #[serde(alias = "normals")]
    normals_numpy: Option<Vec<Sample>>,
}

#[derive(Deserialize)]
struct Reference {
    file: String,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Case {
    case: String,
    outcome: String,
    tolerance: String,
    #[serde(default)]
    frames: Vec<Entry>,
}

fn models() -> Option<PathBuf> {
    let folder = std::env::var_os("SKINBENCH_MODELS").map(PathBuf::from);
    let found = folder.filter(|folder| folder.is_dir());
    if found.is_none() {
        println!("skipped: no models");
    }
    found
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut out: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    let lists = ["SUMMARY.json", "LIST.json"];
    let wanted = |name: &str| name.ends_with(".json") && !lists.contains(&name);
    out.retain(|path| {
        path.file_name()
            .and_then(|n| n.to_str())
            .is_some_and(wanted)
    });
    out.sort();
    out
}

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Largest differences seen: position as a fraction of the diagonal, and normal in radians.
#[derive(Debug, Default)]
struct Worst {
    position: f64,
    normal: f64,
}

/// Tolerances: a fraction of the box's diagonal, and an angle in radians.
struct Tolerance {
    position: f64,
    normal: f64,
}

fn hold(label: &str, got: &Evaluated, want: &Entry, tolerance: &Tolerance, worst: &mut Worst) {
    assert_eq!(got.positions.len(), want.count, "{label}: vertices");
    let (low, high) = (DVec3::from(want.bbox_min), DVec3::from(want.bbox_max));
    let diagonal = (high - low).length();
    let mut near = |what: &str, got: DVec3, want: DVec3| {
        let error = (got - want).length() / diagonal;
        worst.position = worst.position.max(error);
        assert!(
            error <= tolerance.position,
            "{label}: {what} is {got}, not {want} ({error:e})"
        );
    };
    let all = || got.positions.iter().copied();
    near("lower corner", all().fold(DVec3::INFINITY, DVec3::min), low);
    near(
        "upper corner",
        all().fold(DVec3::NEG_INFINITY, DVec3::max),
        high,
    );
    near(
        "mean",
        all().sum::<DVec3>() / want.count as f64,
        want.mean.into(),
    );
    for &[index, x, y, z] in &want.samples {
        near(
            &format!("vertex {index}"),
            got.positions[index as usize],
            DVec3::new(x, y, z),
        );
    }
    for &[index, x, y, z] in want.normals_numpy.iter().flatten() {
        let normal = got.normals[index as usize].expect("a normal");
        let error = angle(normal, DVec3::new(x, y, z));
        worst.normal = worst.normal.max(error);
        assert!(
            error <= tolerance.normal,
            "{label}: normal {index} off by {error:e} rad"
        );
    }
}

fn item_of(scene: &Scene, entry: &Entry) -> usize {
    let found = scene.items.iter().position(|item| {
        scene.skeleton.nodes[item.node].gltf_node == entry.node
            && scene.meshes[item.mesh].gltf_primitive == entry.primitive
    });
    found.unwrap_or_else(|| panic!("{}: no item of node {}", scene.source, entry.node))
}

fn hold_all(scene: &Scene, entries: &[Entry], tolerance: &Tolerance) -> Worst {
    let mut worst = Worst::default();
    for entry in entries {
        let f = frame(scene, entry.time as f32);
        let item = item_of(scene, entry);
        let label = format!("{} node {} at {} s", scene.source, entry.node, entry.time);
        let source = |block| Source::of(scene, Variant::default(), &f.layout, block, 0, item);
        hold(
            &format!("{label}, f32"),
            &by_twin(&source(&f.uploaded)),
            entry,
            tolerance,
            &mut worst,
        );
        hold(
            &format!("{label}, f64"),
            &by_reference(&source(&f.exact)),
            entry,
            tolerance,
            &mut worst,
        );
    }
    worst
}

/// Normals of the references are rounded to nine digits, those of the cases to seven; 1e-3 rad is
/// what the cases declare, and covers f32 palettes whose blends are a hundredth of their terms.
const NORMAL_TOLERANCE: f64 = 1e-3;

#[test]
fn models_agree_with_other_implementations() {
    let Some(models) = models() else { return };
    let files = json_files(&models.join("reference"));
    assert!(!files.is_empty(), "no references");
    for path in &files {
        let reference: Reference = read(path);
        // Its rotation keys are normalised bytes, which the primary reference uses as they are.
        let bytes = reference.file.ends_with("Animation_SamplerType_01.gltf");
        let position = if bytes { 3e-3 } else { 1e-4 };
        let scene = load(&models.join(&reference.file)).unwrap();
        let tolerance = Tolerance {
            position,
            normal: NORMAL_TOLERANCE,
        };
        let worst = hold_all(&scene, &reference.entries, &tolerance);
        println!(
            "{}: {:.1e} of the diagonal, {:.1e} rad",
            reference.file, worst.position, worst.normal
        );
    }
    println!("{} models", files.len());
}

#[test]
fn cases_come_out_as_expected() {
    let Some(models) = models() else { return };
    let mut held = 0;
    for path in json_files(&models.join("cases/expected")) {
        let case: Case = read(&path);
        let loaded = load(&models.join("cases").join(&case.case));
        let Ok(scene) = loaded else {
            assert!(
                case.outcome.contains("error"),
                "{}: {:?}",
                case.case,
                loaded.err()
            );
            continue;
        };
        assert!(case.outcome != "error", "{}: no error", case.case);
        // "1e-4 of the bounding-box diagonal; normals 1e-3 rad"
        let fraction = case.tolerance.split_whitespace().next().unwrap();
        let position = fraction.parse().unwrap();
        let worst = hold_all(
            &scene,
            &case.frames,
            &Tolerance {
                position,
                normal: NORMAL_TOLERANCE,
            },
        );
        println!(
            "{}: {:.1e} of the diagonal, {:.1e} rad",
            case.case, worst.position, worst.normal
        );
        held += 1;
    }
    assert!(held >= 8, "only {held} cases with values");
}

fn passed(scene: &Scene, what: &str, verification: &Verification) {
    let first = verification
        .first_failure
        .map(|failure| failure.to_string());
    assert!(
        verification.passed(),
        "{}: {what}: {}",
        scene.source,
        first.unwrap_or_default()
    );
    assert!(
        verification.max_position_error < 1e-5,
        "{}: {what}: {verification:?}",
        scene.source
    );
}

/// Every model at some frames of play with several instances: the palettes, the twin and the place
/// `cpu` lie within the derived tolerances.
#[test]
fn twin_and_cpu_place_pass_the_gate_on_every_model() {
    let Some(models) = models() else { return };
    for path in json_files(&models.join("reference")) {
        let reference: Reference = read(&path);
        let scene = load(&models.join(&reference.file)).unwrap();
        let clip = (!scene.clips.is_empty()).then_some(0);
        let duration = scene.clips.first().map_or(0.0, |clip| clip.duration);
        let variant = Variant::with_attributes(Attributes::Pnt);
        let layout = PoseLayout::new(&scene, PaletteFormat::default(), 16);
        let mut poses = Poses::new(&scene, 3);
        let mut blocks = vec![[0.0; 4]; layout.vec4s(3)];
        for number in [0, 17, 101] {
            let times = times(number, 3, true, duration);
            evaluate_poses(&scene, clip, &times, &mut poses);
            write_poses(&scene, &layout, &poses, &mut blocks);
            check_poses(&scene, &layout, clip, &times, &blocks)
                .unwrap_or_else(|error| panic!("{}: {error}", scene.source));
            for item in 0..scene.items.len() {
                let source = Source::of(&scene, variant, &layout, &blocks, 2, item);
                let twin = compare(&source, Attributes::Pnt, 2, item, |v| {
                    deform_vertex(&source, v)
                });
                passed(&scene, "twin", &twin);
            }
            let output = OutputLayout::new(&scene, Attributes::Pnt, OutputFormat::F32);
            let mut out = vec![f32::NAN.to_bits(); output.floats(3)];
            deform_all(&scene, variant, &layout, &blocks, &output, 0..3, &mut out);
            let out = output.decode(&out);
            let place = compare_all(&scene, variant, &layout, &blocks, &output, 3, &out);
            passed(&scene, "cpu", &place);
        }
    }
}

#[test]
fn a_displaced_reference_would_be_noticed() {
    let got = Evaluated {
        positions: vec![DVec3::ZERO, DVec3::ONE],
        normals: vec![None; 2],
    };
    let entry = |x: f64| Entry {
        time: 0.0,
        node: 0,
        primitive: 0,
        count: 2,
        bbox_min: [0.0; 3],
        bbox_max: [1.0; 3],
        mean: [0.5; 3],
        samples: vec![[1.0, x, 1.0, 1.0]],
        normals_numpy: None,
    };
    let tolerance = Tolerance {
        position: 1e-4,
        normal: 1e-3,
    };
    let try_it = |x| {
        let attempt = || hold("", &got, &entry(x), &tolerance, &mut Worst::default());
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)).is_ok()
    };
    assert!(try_it(1.0));
    assert!(!try_it(1.001));
    assert!(!try_it(f64::NAN));
}
