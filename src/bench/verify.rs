//! `verify`: the gate alone, over all items, and the dump of what was deformed.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::compare_pictures::{PictureVerdict, compare};
use super::error::BenchError;
use super::gate::{GateOutcome, gate};
use super::lab::Lab;
use super::posing::Playback;
use super::session::scenes::Scenes;
use super::station::{Drawing, Station};
use crate::deform::output::Attributes;
use crate::deform::reference::verify::Verification;
use crate::plan::{Case, Draws, PassMix, VerifyPlan};
use crate::render::passes_of;
use crate::result::Reason;
use crate::strategy;

/// What is verified.
pub struct VerifyInput<'a> {
    /// Places, scene, time.
    pub plan: &'a VerifyPlan,
}

/// What became of one place.
pub struct VerifiedPlace {
    /// The case.
    pub case: Case,
    /// Why it was not run.
    pub skipped: Option<Reason>,
    /// What is wrong, in one line.
    pub failure: Option<String>,
    /// How vertices agree with the reference.
    pub verification: Option<Verification>,
    /// Whether the picture equals the first place's.
    pub image_identical: Option<bool>,
    /// The station and what it made, for a dump.
    made: Option<(Station, GateOutcome)>,
}

/// Puts every place of the plan through the gate, points and lines included.
///
/// # Errors
/// A scene that cannot be read, a lost device, no memory.
pub fn verify(lab: &mut Lab, input: &VerifyInput<'_>) -> Result<Vec<VerifiedPlace>, BenchError> {
    let plan = input.plan;
    let mut scenes = Scenes::new(plan.model.as_deref(), plan.clip.as_ref());
    let mut all: Vec<VerifiedPlace> = Vec::new();
    for case in &plan.cases {
        let place = verify_case(lab, &mut scenes, case, plan.time_s, &all)?;
        all.push(place);
    }
    Ok(all)
}

fn verify_case(
    lab: &mut Lab,
    scenes: &mut Scenes<'_>,
    case: &Case,
    time: f64,
    before: &[VerifiedPlace],
) -> Result<VerifiedPlace, BenchError> {
    let character = scenes.of(case)?;
    let drawing = Drawing {
        passes: passes_of(PassMix::Frame, 4),
        draws: Draws::PerCharacter,
        visible: 100,
    };
    let kinds: Vec<_> = drawing.passes.iter().map(|pass| pass.kind).collect();
    let mut out = VerifiedPlace {
        case: case.clone(),
        skipped: strategy::refuse(
            &Station::setup(lab, &character.whole, character.clip, case, &kinds),
            case,
        ),
        failure: None,
        verification: None,
        image_identical: None,
        made: None,
    };
    if out.skipped.is_some() {
        return Ok(out);
    }
    let playback = Playback::Fixed(time);
    let mut station = Station::new(
        lab,
        &character.whole,
        character.clip,
        case,
        &kinds,
        playback,
    )?;
    let outcome = gate(lab, &mut station, &drawing)?;
    out.failure = outcome.failure(&station);
    out.verification = Some(outcome.verification);
    let group = case.comparison_key();
    let first = before
        .iter()
        .find(|other| other.case.comparison_key() == group && other.made.is_some());
    if let Some((_, first)) = first.and_then(|first| first.made.as_ref()) {
        match compare(&station, &outcome, first) {
            PictureVerdict::Identical => out.image_identical = Some(true),
            PictureVerdict::Explained => out.image_identical = Some(false),
            PictureVerdict::Unexplained(message) => {
                out.image_identical = Some(false);
                out.failure.get_or_insert(message);
            }
        }
    }
    out.made = Some((station, outcome));
    Ok(out)
}

/// Writes positions and normals of every place, and `index.json`.
///
/// glTF accessor order and count, world space (the root of the scene, without the place of a copy
/// in the picture), little-endian f32, three a vertex.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn dump(places: &[VerifiedPlace], dir: &Path) -> Result<(), BenchError> {
    fs::create_dir_all(dir).map_err(|error| failed(dir, &error))?;
    let mut index = Vec::new();
    for (station, outcome, place) in places.iter().filter_map(|place| {
        place
            .made
            .as_ref()
            .map(|(s, o)| (s, o, place.case.place().name()))
    }) {
        for instance in 0..station.instances as usize {
            for item in 0..station.adapted.original.items.len() {
                index.push(dump_item(dir, station, outcome, place, instance, item)?);
            }
        }
    }
    let text = serde_json::to_vec_pretty(&Value::Array(index)).unwrap_or_default();
    write(&dir.join("index.json"), &text)
}

fn dump_item(
    dir: &Path,
    station: &Station,
    outcome: &GateOutcome,
    place: &str,
    instance: usize,
    index: usize,
) -> Result<Value, BenchError> {
    let item = &station.adapted.original.items[index];
    let mesh = &station.adapted.original.meshes[item.mesh];
    let node = station.adapted.original.skeleton.nodes[item.node].gltf_node;
    let stem = format!(
        "{place}-i{instance}-n{node}-m{}-p{}-{index}",
        mesh.gltf_mesh, mesh.gltf_primitive
    );
    let vertices = station.original_output.vertices(instance, index);
    let floats = station.original_output.attributes.floats();
    let part = |offset: usize| -> Vec<u8> {
        let rows = vertices.clone().filter_map(|v| {
            outcome
                .vertices
                .get(v * floats + offset..v * floats + offset + 3)
        });
        rows.flatten().flat_map(|f| f.to_le_bytes()).collect()
    };
    let positions = format!("{stem}.positions.f32");
    write(&dir.join(&positions), &part(0))?;
    let has_normals =
        station.original_output.attributes != Attributes::P && !mesh.normals.is_empty();
    let normals = has_normals.then(|| format!("{stem}.normals.f32"));
    if let Some(normals) = &normals {
        write(&dir.join(normals), &part(3))?;
    }
    Ok(json!({
        "node": node,
        "mesh": mesh.gltf_mesh,
        "primitive": mesh.gltf_primitive,
        "instance": instance,
        "strategy": place,
        "count": vertices.len(),
        "positions": positions,
        "normals": normals,
    }))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), BenchError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(path, &error))?;
    std::io::Write::write_all(&mut file, bytes).map_err(|error| failed(path, &error))?;
    file.persist(path)
        .map_err(|error| failed(path, &error.error))?;
    Ok(())
}

fn failed(path: &Path, error: &std::io::Error) -> BenchError {
    BenchError::Dump {
        path: path.display().to_string(),
        message: error.to_string(),
    }
}
