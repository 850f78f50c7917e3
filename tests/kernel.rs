//! A kernel of one's own: the example passes the gate as ours does, a spoilt one does not, and the
//! program says what is wrong with a file.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use serde_json::Value;
use skinbench::bench::{
    Drawing, GateOutcome, Lab, PictureVerdict, Playback, Station, compare, gate,
};
use skinbench::gpu::DeviceOptions;
use skinbench::plan::{AxisRequest, Case, Draws, KernelChoice, PassMix, Plan, RunRequest};
use skinbench::render::passes_of;
use skinbench::scene::Scene;
use skinbench::strategy::Kernel;

use support::{assert_silent, devices, lab, small};

const EXAMPLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/minimal.comp.spv"));

/// The example with 0.5 where its normals' side and its floats say 1: positions stay, normals do not.
/// OpConstant is `4 << 16 | 43, type, id, bits`.
fn spoilt() -> Vec<u8> {
    let mut words: Vec<u32> = EXAMPLE
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    let one = |w: &[u32]| w[0] == (4 << 16 | 43) && w[3] == (-1f32).to_bits();
    let at = words.windows(4).position(one).unwrap();
    words[at + 3] = 0f32.to_bits();
    let zero = |w: &[u32]| w[0] == (4 << 16 | 43) && w[3] == 1f32.to_bits();
    let at = words.windows(4).position(zero).unwrap();
    words[at + 3] = (-1f32).to_bits();
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The same case with our kernel and with the user's.
fn pair(axes: &[&str]) -> [Case; 2] {
    let axes = axes.iter().chain(&["strategy=compute"]);
    let request = RunRequest {
        axes: axes.map(|axis| AxisRequest::axis(axis).unwrap()).collect(),
        kernel: Some("minimal.spv".into()),
        ..RunRequest::default()
    };
    let plan = Plan::build(request, 1).unwrap();
    [KernelChoice::Ours, KernelChoice::Own].map(|choice| {
        let mut cases = plan.cases.iter().filter(|case| !case.is_aa());
        cases.find(|case| case.kernel() == choice).unwrap().clone()
    })
}

fn gated(
    lab: &mut Lab,
    scene: &Arc<Scene>,
    case: &Case,
    kernel: &Kernel,
) -> (Station, GateOutcome) {
    let drawing = Drawing {
        passes: passes_of(PassMix::Frame, 4),
        draws: Draws::PerCharacter,
        visible: 100,
    };
    let kinds: Vec<_> = drawing.passes.iter().map(|pass| pass.kind).collect();
    let running = Playback::Running;
    let own = Some(kernel);
    let mut station =
        Station::with_kernel(lab, scene, Some(0), case, &kinds, running, own).unwrap();
    let outcome = gate(lab, &mut station, &drawing).unwrap();
    (station, outcome)
}

#[test]
fn the_example_passes_the_gate_with_the_pictures_of_ours() {
    let kernel = Kernel::from_spirv(Path::new("minimal.spv"), EXAMPLE).unwrap();
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for (attributes, influences) in [("p", 1), ("pn", 4), ("pnt", 8)] {
            let scene = small(influences);
            let attributes = format!("attributes={attributes}");
            for more in [
                "grouping=per-mesh",
                "grouping=batched",
                "workgroup=128",
                "influence-loop=partitioned",
            ] {
                let axes = [attributes.as_str(), "instances=3", more];
                let [ours, own] = pair(&axes).map(|case| gated(&mut lab, &scene, &case, &kernel));
                assert_eq!(own.1.failure(&own.0), None, "{axes:?}");
                let seen = own.1.verification.vertices;
                assert_eq!(seen, own.0.vertices(), "{axes:?}");
                let verdict = compare(&own.0, &own.1, &ours.1);
                assert!(matches!(verdict, PictureVerdict::Identical), "{axes:?}");
                assert_eq!(own.1.vertices, ours.1.vertices, "{axes:?}");
            }
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn a_spoilt_example_does_not_pass() {
    let kernel = Kernel::from_spirv(Path::new("spoilt.spv"), &spoilt()).unwrap();
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let [ours, own] =
            pair(&["instances=2"]).map(|case| gated(&mut lab, &small(4), &case, &kernel));
        assert_eq!(ours.1.failure(&ours.0), None, "ours is not touched");
        let failure = own.1.failure(&own.0).unwrap();
        assert!(
            failure.contains("first") && failure.contains("vertex"),
            "{failure}"
        );
        assert_silent(&instance, &summary.name);
    }
}

fn skinbench() -> Command {
    Command::cargo_bin("skinbench").unwrap()
}

/// Runs the smallest plan with a kernel; the file that it leaves, and the exit code.
fn run(device: &str, kernel: &Path) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result.json");
    let small = [
        "vertices=600",
        "joints=8",
        "strategy=compute,vertex-storage",
    ];
    let mut command = skinbench();
    command.args([
        "run",
        "--device",
        device,
        "--validation",
        "--time-limit",
        "8",
    ]);
    command.args(["--resolution", "64x64", "--passes", "1", "--instances", "2"]);
    command.args(small.iter().flat_map(|axis| ["--axis", axis]));
    command.arg("--out").arg(&out).arg("--kernel").arg(kernel);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&out).unwrap_or_else(|error| panic!("{error}: {said}"));
    (
        serde_json::from_str(&text).unwrap(),
        output.status.code().unwrap(),
    )
}

/// The case of a place with that kernel, the A/A twin apart.
fn case_of(file: &Value, place: &str, kernel: &str) -> Value {
    let is = |case: &&Value| {
        let twin = case["id"].as_str().unwrap().ends_with("/aa");
        !twin && case["axes"]["strategy"] == place && case["axes"]["kernel"] == kernel
    };
    file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .find(is)
        .unwrap()
        .clone()
}

#[test]
fn the_program_measures_a_kernel_beside_ours_and_withholds_the_times_of_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (
        folder.path().join("good.spv"),
        folder.path().join("bad.spv"),
    );
    std::fs::write(&good, EXAMPLE).unwrap();
    std::fs::write(&bad, spoilt()).unwrap();
    for (_, summary) in devices() {
        let (file, code) = run(&summary.uuid, &good);
        assert_eq!(code, 0, "{:#}", file["warnings"]);
        let own = case_of(&file, "compute", "own");
        assert_eq!(own["status"], "measured", "{:#}", own["reason"]);
        assert_eq!(own["verification"]["image_identical"], true);
        assert_eq!(file["plan"]["kernel"]["path"], good.to_str().unwrap());
        assert_eq!(file["plan"]["kernel"]["sha256"].as_str().unwrap().len(), 64);
        let ratios = file["axis_ratios"].as_array().unwrap();
        assert!(
            ratios.iter().any(|ratio| ratio["axis"] == "kernel"),
            "{ratios:#?}"
        );

        let (file, code) = run(&summary.uuid, &bad);
        assert_eq!(code, 1);
        let own = case_of(&file, "compute", "own");
        assert_eq!(own["status"], "invalid");
        assert!(
            own["reason"]["message"]
                .as_str()
                .unwrap()
                .contains("vertex")
        );
        assert!(own["stages"]["deform"].is_null());
        for (place, kernel) in [("compute", "ours"), ("vertex-storage", "n/a")] {
            let other = case_of(&file, place, kernel);
            assert_eq!(other["status"], "measured", "{place}");
        }
    }
}

/// Fails with exit code 2 and one line that contains every one of `parts`.
fn refused(kernel: &Path, more: &[&str], parts: &[&str]) {
    let mut command = skinbench();
    let output = command
        .args(["run", "--dry-run", "--kernel"])
        .arg(kernel)
        .args(more)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{kernel:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{kernel:?}: {said}");
    assert!(
        parts.iter().all(|part| said.contains(part)),
        "{kernel:?}: {said}"
    );
    assert!(output.stdout.is_empty(), "{kernel:?}");
}

#[test]
fn a_file_that_is_no_kernel_ends_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    refused(
        &folder.path().join("absent.spv"),
        &[],
        &["absent.spv", "name a .spv or .comp file"],
    );
    refused(folder.path(), &[], &["cannot read --kernel"]);
    refused(&write("garbage.spv", &[7; 100]), &[], &["magic number"]);
    refused(
        &write("cut.spv", &EXAMPLE[..EXAMPLE.len() / 8 * 4]),
        &[],
        &["compile it again"],
    );
    let vertex = skinbench::shader_types::Module::SkinnedStorageVert.spirv();
    let vertex: Vec<u8> = vertex.iter().flat_map(|word| word.to_le_bytes()).collect();
    refused(
        &write("vertex.spv", &vertex),
        &[],
        &["no compute entry point `main`, but Vertex `main`"],
    );
    let good = write("good.spv", EXAMPLE);
    refused(&good, &["--strategies", "cpu"], &["no case would run it"]);
}

const SOURCE: &str = include_str!("../examples/kernels/minimal.comp");

#[cfg(feature = "compile")]
#[test]
fn glsl_is_compiled_and_its_errors_are_one_line() {
    use skinbench::strategy::read_kernel;
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| {
        let path = folder.path().join("mine.comp");
        std::fs::write(&path, text).unwrap();
        path
    };
    let (kernel, digest) = read_kernel(&write(SOURCE)).unwrap();
    assert_eq!((kernel.fixed_workgroup, digest.len()), (None, 64));
    let fixed = SOURCE.replace("local_size_x_id = 3", "local_size_x = 128");
    let (kernel, _) = read_kernel(&write(&fixed)).unwrap();
    assert_eq!(kernel.fixed_workgroup, Some(128));
    let ours = include_str!("../shaders/deform.comp");
    read_kernel(&write(ours)).unwrap();
    refused(
        &write(&fixed),
        &[],
        &["fixed workgroup of 128", "local_size_x_id = 3"],
    );
    refused(
        &write("#version 450\nvoid main() { x; }"),
        &[],
        &["does not compile", "undeclared"],
    );
    let missing = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"none.glsl\"\nvoid main() {}";
    refused(&write(missing), &[], &["none.glsl", "vertex.glsl"]);
    refused(&write("void main() \0"), &[], &["byte of value 0"]);
    let local = SOURCE.replace("local_size_x_id = 3", "local_size_x = 8, local_size_y = 8");
    refused(&write(&local), &[], &["workgroup is 8×8×1"]);
}

#[cfg(not(feature = "compile"))]
#[test]
fn glsl_is_refused_with_the_way_to_compile_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.comp");
    std::fs::write(&path, SOURCE).unwrap();
    refused(
        &path,
        &[],
        &["glslc --target-env=vulkan1.1", "--features compile"],
    );
}

#[test]
fn a_fixed_workgroup_runs_where_the_case_has_it() {
    let mut module = fixed_at(128);
    let kernel = Kernel::from_spirv(Path::new("fixed.spv"), &module).unwrap();
    assert_eq!(kernel.fixed_workgroup, Some(128));
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let [_, own] = pair(&["workgroup=128"]);
        let (station, outcome) = gated(&mut lab, &small(4), &own, &kernel);
        assert_eq!(outcome.failure(&station), None);
        let [_, other] = pair(&["workgroup=64"]);
        let mut setup = Station::setup(&lab, &small(4), Some(0), &other, &[]);
        setup.kernel = Some(&kernel);
        let reason = skinbench::strategy::refuse(&setup, &other).unwrap();
        assert!(
            reason.message.contains("fixed at 128"),
            "{}",
            reason.message
        );
        drop(setup);
        assert_silent(&instance, &summary.name);
    }
    module.truncate(20);
    assert!(Kernel::from_spirv(Path::new("fixed.spv"), &module).is_err());
}

/// The example with the number that stands for its specialization constant 3, and no id for it.
fn fixed_at(x: u32) -> Vec<u8> {
    let mut words: Vec<u32> = EXAMPLE
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    // OpDecorate %id SpecId 3
    let is = |w: &[u32]| w[0] == (4 << 16 | 71) && w[2] == 1 && w[3] == 3;
    let at = words.windows(4).position(is).unwrap();
    let id = words[at + 1];
    words.drain(at..at + 4);
    // OpSpecConstant type %id value
    let is = |w: &[u32]| w[0] == (4 << 16 | 50) && w[2] == id;
    let at = words.windows(4).position(is).unwrap();
    words[at + 3] = x;
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
