//! From plan, scene and places to the keys of a result file.

use super::lab::Lab;
use super::measure::{CaseInfo, StageInfo};
use super::station::{Drawing, Station};
use crate::gpu::Statistics;
use crate::plan::{Case, Place};
use crate::render::{TargetKind, formats_of};
use crate::result::{self, Clock, Memory, Reason, ReasonKind, Render, Stages, Tool};
use crate::scene::Scene;
use crate::scene::import::triangles;
use crate::shader_types::PassKind;

/// What built this program.
pub(super) fn tool() -> Tool {
    let revision = env!("SKINBENCH_GIT_REVISION");
    let mut tool = Tool {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build_profile: env!("SKINBENCH_BUILD_PROFILE").to_owned(),
        ..Tool::default()
    };
    if revision.is_empty() {
        for name in ["git_revision", "git_dirty"] {
            let reason = Reason::new(
                ReasonKind::Feature,
                name,
                "a debug build, or built outside a repository",
            );
            tool.null_reasons.insert(name.to_owned(), reason);
        }
    } else {
        tool.git_revision = Some(revision.to_owned());
        tool.git_dirty = Some(env!("SKINBENCH_GIT_DIRTY") == "true");
    }
    tool
}

/// The scene of a run.
pub(super) fn scene(
    scene: &Scene,
    clip: Option<usize>,
    lab: &Lab,
    covered_pixels: Option<u64>,
) -> result::Scene {
    let meshes = || scene.items.iter().map(|item| &scene.meshes[item.mesh]);
    let triangle_count =
        |mesh: &crate::scene::Mesh| triangles(mesh.topology, &mesh.indices).len() as u64;
    result::Scene {
        source: scene.source.clone(),
        sha256: scene.sha256.clone(),
        vertices: meshes().map(|mesh| mesh.vertex_count() as u64).sum(),
        triangles: meshes().map(triangle_count).sum(),
        joints: (0..scene.palettes.len())
            .map(|palette| scene.joint_count(palette) as u64)
            .sum(),
        influences: meshes()
            .map(|mesh| mesh.influences as u32)
            .max()
            .unwrap_or(0),
        morph_targets: meshes()
            .map(|mesh| mesh.morph_targets.len() as u32)
            .max()
            .unwrap_or(0),
        clip: clip.map(|clip| scene.clips[clip].name.clone()),
        clips: scene.clips.len() as u32,
        normalised_weights: scene.normalised_weights as u64,
        render: render(lab, covered_pixels),
        warnings: scene.warnings.clone(),
    }
}

fn render(lab: &Lab, covered_pixels: Option<u64>) -> Render {
    let (width, height) = lab.targets.extent();
    let formats = TargetKind::ALL.map(|kind| {
        let names: Vec<_> = formats_of(kind)
            .all()
            .into_iter()
            .map(|format| format.name())
            .collect();
        (format!("{kind:?}").to_lowercase(), names.join(" + "))
    });
    Render {
        width,
        height,
        formats: formats.into_iter().collect(),
        covered_pixels,
    }
}

/// A case before anything was done with it.
pub(super) fn case(case: &Case) -> result::Case {
    result::Case {
        id: case.id(),
        axes: axes(case),
        ..result::Case::default()
    }
}

fn axes(case: &Case) -> result::Axes {
    case.axes().into_iter().collect()
}

/// A case for the measuring loop; `twin_of` is the index of the live case it repeats.
pub(super) fn case_info(case: &Case, twin_of: Option<usize>) -> CaseInfo {
    let deform_clock = if case.place() == Place::Cpu {
        Clock::Host
    } else {
        Clock::Gpu
    };
    let stages = Stages::from_fn(|_, name| {
        let clock = match name {
            "upload" | "passes" | "frame_gpu" => Clock::Gpu,
            "deform" => deform_clock,
            _ => Clock::Host,
        };
        StageInfo { clock, repeats: 1 }
    });
    CaseInfo {
        id: case.id(),
        axes: axes(case),
        twin_of,
        partners: Vec::new(),
        stages,
    }
}

/// What is known of a live case without timing it.
pub(super) fn fill_case(out: &mut result::Case, station: &Station, drawing: &Drawing) {
    let kinds: Vec<PassKind> = drawing.passes.iter().map(|pass| pass.kind).collect();
    let times = station.prepared.deformations(&kinds);
    let memory = station.prepared.memory();
    out.pipeline_creation_ns = Some(station.prepared.pipeline_creation_ns());
    // Those whose pose stands still, or that are not seen, may be left out.
    let characters = station.deformed_characters(drawing);
    let per_character = station.vertices() / u64::from(station.instances.max(1));
    out.vertices_deformed = Some(characters * per_character * times);
    let all = u128::from(station.prepared.bytes_moved() * times);
    let share = all * u128::from(characters) / u128::from(station.instances.max(1));
    out.bytes_moved = Some(share as u64);
    out.memory_bytes = Memory {
        source: Some(memory.source),
        palette: Some(memory.palette),
        output: memory.output,
        previous: memory.previous,
    };
    absent(
        out,
        "fraction_of_copy_bandwidth",
        ReasonKind::Feature,
        "this version measures no copy bandwidth",
    );
    if memory.output.is_none() {
        let why = "vertices exist only inside the passes";
        absent(out, "memory_bytes.output", ReasonKind::NotApplicable, why);
    }
    if memory.previous.is_none() {
        let why = "no pass draws the frame before";
        absent(out, "memory_bytes.previous", ReasonKind::NotApplicable, why);
    }
}

/// Counts of one untimed frame.
pub(super) fn fill_counters(out: &mut result::Case, counted: Option<Statistics>) {
    let number =
        |pick: fn(&Statistics) -> u64| counted.as_ref().map(|statistics| pick(statistics) as f64);
    let counters = [
        ("vertex_invocations", number(|s| s.vertex_invocations)),
        ("compute_invocations", number(|s| s.compute_invocations)),
    ];
    for (name, value) in counters {
        if value.is_none() {
            let why = "the device has no pipelineStatisticsQuery";
            absent(out, &format!("counters.{name}"), ReasonKind::Feature, why);
        }
        out.counters.insert(name.to_owned(), value);
    }
}

/// Says why a number is null.
pub(super) fn absent(out: &mut result::Case, path: &str, kind: ReasonKind, message: &str) {
    out.null_reasons
        .insert(path.to_owned(), Reason::new(kind, path, message));
}
