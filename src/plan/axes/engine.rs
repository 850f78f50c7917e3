//! Axis `engine`: whose choices the other axes spell.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Value};

named! {
    /// Whose place and choices the other axes take.
    pub enum Engine {
        /// No engine's: this benchmark's own.
        Default = "default",
        /// Godot's compute path (Forward+ and Mobile).
        Godot = "godot",
        /// Godot's OpenGL ES path (Compatibility).
        GodotGles = "godot-gles",
        /// Unity's compute skinning, one dispatch a mesh.
        Unity = "unity",
        /// Skinning in Unity's vertex stage.
        UnityVertex = "unity-vertex",
        /// Unity's compute skinning, batched.
        UnityBatched = "unity-batched",
        /// Unreal's skin cache.
        Unreal = "unreal",
        /// Bevy's vertex stage.
        Bevy = "bevy",
        /// three.js in WebGL.
        Three = "three",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "engine",
    "whose place and choices the other axes take (docs/STRATEGIES.md)",
    Allowed::Words(Engine::NAMES),
    Value::word(Engine::Default.name()),
)
.swept(Engine::NAMES)
.how_only();

impl Case {
    /// Whose place and choices the other axes took.
    pub fn engine(&self) -> Engine {
        self.word(&AXIS)
            .and_then(Engine::from_name)
            .unwrap_or(Engine::Default)
    }
}
