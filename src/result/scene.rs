//! What was deformed and drawn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The scene of the run, before `instances` copies it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// The model's path as given, or `built-in` with its parameters.
    pub source: String,
    /// SHA-256 of the model file; for the built-in character, of its vertex data.
    pub sha256: String,
    /// Vertices of one character.
    pub vertices: u64,
    /// Triangles of one character.
    pub triangles: u64,
    /// Joints of one character.
    pub joints: u64,
    /// Joint influences a vertex in the widest mesh.
    pub influences: u32,
    /// Morph targets of the mesh that has most.
    pub morph_targets: u32,
    /// Name of the clip that played; `null` = the rest pose, for want of a clip.
    #[serde(default)]
    pub clip: Option<String>,
    /// Animation clips in the file.
    pub clips: u32,
    /// Vertices whose weights had to be normalised on import.
    pub normalised_weights: u64,
    /// The picture that the passes draw.
    pub render: Render,
    /// What import wants its user to know.
    pub warnings: Vec<String>,
}

/// The targets that the passes draw into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Render {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Vulkan formats by target.
    pub formats: BTreeMap<String, String>,
    /// Pixels that one character covers; `null` when no picture was read back.
    pub covered_pixels: Option<u64>,
}
