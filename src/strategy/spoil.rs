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

#[cfg(feature = "spoil")]
fn asked(place: Place) -> bool {
    std::env::var("SKINBENCH_SPOIL").is_ok_and(|value| value == format!("{}:wrong", place.name()))
}

#[cfg(not(feature = "spoil"))]
fn asked(_place: Place) -> bool {
    false
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
