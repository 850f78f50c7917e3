//! Scenes of a run: the model, or built-in characters by their axes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::bench::BenchError;
use crate::plan::{Case, ClipChoice, JointScale};
use crate::scene::adapt::optimise_triangles;
use crate::scene::{PaletteSource, Scene, character, import};

/// A scene with what of it is timed.
#[derive(Clone)]
pub(in crate::bench) struct Character {
    /// Everything that is deformed and verified.
    pub whole: Arc<Scene>,
    /// The items with a surface: what is timed. The same as `whole` where all have one.
    pub timed: Arc<Scene>,
    /// The clip that plays.
    pub clip: Option<usize>,
}

/// Loads each scene once.
pub(in crate::bench) struct Scenes<'a> {
    model: Option<&'a Path>,
    clip: Option<&'a ClipChoice>,
    loaded: BTreeMap<Option<BuiltIn>, Character>,
}

impl<'a> Scenes<'a> {
    pub fn new(model: Option<&'a Path>, clip: Option<&'a ClipChoice>) -> Self {
        Self {
            model,
            clip,
            loaded: BTreeMap::new(),
        }
    }

    /// The character of a case.
    ///
    /// # Errors
    /// A file that cannot be read, a character that cannot be made, a clip that is not there.
    pub fn of(&mut self, case: &Case) -> Result<Character, BenchError> {
        let key = match self.model {
            Some(_) => None,
            None => Some(BuiltIn::of(case)),
        };
        if let Some(character) = self.loaded.get(&key) {
            return Ok(character.clone());
        }
        let scene = match (self.model, key) {
            (Some(path), _) => optimised(import::load(path)?),
            (None, key) => built_in(&key.unwrap_or(BuiltIn::of(case)))?,
        };
        let character = self.character(scene)?;
        self.loaded.insert(key, character.clone());
        Ok(character)
    }

    fn character(&self, scene: Scene) -> Result<Character, BenchError> {
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        let clip = match self.clip {
            Some(choice) => Some(choice.resolve(&names)?),
            None => (!scene.clips.is_empty()).then_some(0),
        };
        let whole = Arc::new(scene);
        let timed = match surfaces(&whole) {
            Some(scene) => Arc::new(scene),
            None => Arc::clone(&whole),
        };
        Ok(Character { whole, timed, clip })
    }
}

/// A file's triangles as an engine would have them: the axis `index-order` begins from here.
fn optimised(mut scene: Scene) -> Scene {
    scene.meshes.iter_mut().for_each(optimise_triangles);
    scene
}

/// What tells one built-in character from another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct BuiltIn {
    vertices: u32,
    joints: u32,
    influences: u32,
    morph_targets: u32,
    non_uniform_scale: bool,
}

impl BuiltIn {
    fn of(case: &Case) -> Self {
        Self {
            vertices: case.vertices().unwrap_or(0),
            joints: case.joints().unwrap_or(0),
            influences: case.influences().unwrap_or(0),
            morph_targets: case.morph_targets().unwrap_or(0),
            non_uniform_scale: case.joint_scale() == JointScale::NonUniform,
        }
    }
}

fn built_in(wanted: &BuiltIn) -> Result<Scene, BenchError> {
    let options = character::Options {
        vertices: wanted.vertices as usize,
        joints: wanted.joints as usize,
        influences: wanted.influences as usize,
        morph_targets: wanted.morph_targets as usize,
        non_uniform_scale: wanted.non_uniform_scale,
        ..character::Options::default()
    };
    Ok(character::build(options)?)
}

/// The scene with only those items that have a surface, and the meshes and palettes that they use; `None`
/// where all items have one.
fn surfaces(scene: &Scene) -> Option<Scene> {
    let has_surface = |item: &&crate::scene::Item| scene.meshes[item.mesh].topology.has_surface();
    if scene.items.iter().all(|item| has_surface(&item)) {
        return None;
    }
    let mut left = scene.clone();
    left.items = scene.items.iter().filter(has_surface).cloned().collect();
    let mut meshes: Vec<usize> = left.items.iter().map(|item| item.mesh).collect();
    meshes.sort_unstable();
    meshes.dedup();
    left.meshes = meshes
        .iter()
        .map(|mesh| scene.meshes[*mesh].clone())
        .collect();
    let mut used: Vec<usize> = left.items.iter().map(|item| item.palette).collect();
    used.sort_unstable();
    used.dedup();
    left.palettes = used
        .iter()
        .map(|palette| scene.palettes[*palette])
        .collect::<Vec<PaletteSource>>();
    for item in &mut left.items {
        item.mesh = meshes.partition_point(|mesh| *mesh < item.mesh);
        item.palette = used.partition_point(|palette| *palette < item.palette);
    }
    Some(left)
}
