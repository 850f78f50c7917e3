//! Spoiling a place on purpose, so that anyone can see the harness notice (feature `spoil`).

use std::sync::Arc;

use crate::plan::Place;
use crate::scene::Scene;

/// The scene as `place` gets it: itself, or with one vertex displaced where
/// `SKINBENCH_SPOIL=PLACE:wrong` names the place and the feature is on.
pub(super) fn scene_for(place: Place, scene: &Arc<Scene>) -> Arc<Scene> {
    if asked(place) {
        Arc::new(displaced(scene))
    } else {
        Arc::clone(scene)
    }
}

fn asked(place: Place) -> bool {
    spoiled().is_some_and(|value| value == format!("{}:wrong", place.name()))
}

/// What `SKINBENCH_SPOIL` says; nothing without the feature.
pub fn spoiled() -> Option<String> {
    if cfg!(feature = "spoil") {
        std::env::var("SKINBENCH_SPOIL").ok()
    } else {
        None
    }
}

/// Refuses a `SKINBENCH_SPOIL` that would spoil nothing.
///
/// # Errors
/// One line that lists the values there are.
pub fn check_spoiled() -> Result<(), String> {
    let Some(value) = spoiled() else {
        return Ok(());
    };
    if Place::ALL.iter().any(|place| asked(*place)) {
        return Ok(());
    }
    let known: Vec<_> = Place::ALL
        .iter()
        .map(|place| format!("{}:wrong", place.name()))
        .collect();
    Err(format!(
        "SKINBENCH_SPOIL={value:?} spoils nothing: use one of {}",
        known.join(", ")
    ))
}

/// The last vertex of the first item moved by a hundredth of the mesh's size: little enough that
/// only a check of every vertex finds it.
fn displaced(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    let Some(mesh) = scene.items.first().map(|item| item.mesh) else {
        return scene;
    };
    let positions = &mut scene.meshes[mesh].positions;
    let size = positions
        .iter()
        .flatten()
        .fold(0f32, |size, c| size.max(c.abs()));
    if let Some(last) = positions.last_mut() {
        last[1] += 0.01 * size.max(1e-3);
    }
    scene
}
