//! What each engine does, one row an engine. docs/STRATEGIES.md says where each fact comes from, and
//! which are assumed: what the facts leave open is not here, and so is free.

use crate::plan::{Engine, Place, Settings};

/// The most joints of a skin that is not large.
pub(super) const SMALL_SKIN: u32 = 256;

/// What one engine does.
#[derive(Debug)]
pub(in crate::plan) struct Row {
    /// Whose.
    pub engine: Engine,
    /// Where it deforms.
    pub place: Place,
    /// The axes that it sets: the values that it allows, the one it takes unasked first.
    pub sets: Settings<'static>,
    /// What it takes unasked where the built-in character has more than [`SMALL_SKIN`] joints.
    pub large_skins: Settings<'static>,
}

impl Row {
    const fn new(engine: Engine, place: Place, sets: Settings<'static>) -> Self {
        Self {
            engine,
            place,
            sets,
            large_skins: &[],
        }
    }

    /// The values of `axis` that the engine allows; `None` where it says nothing.
    pub fn allows(&self, axis: &str) -> Option<&'static [&'static str]> {
        let set = self.sets.iter().find(|(name, _)| *name == axis);
        set.map(|(_, values)| *values)
    }
}

impl Engine {
    /// Where the engine deforms; `None` for `default`, which runs in every place.
    pub fn place(self) -> Option<Place> {
        row(self).map(|row| row.place)
    }
}

/// The row of an engine; `None` for `default`.
pub(in crate::plan) fn row(engine: Engine) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.engine == engine)
}

static TABLE: [Row; 8] = [
    Row::new(
        Engine::Godot,
        Place::Compute,
        &[
            ("attributes", &["pnt"]),
            ("palette", &["rows3x4"]),
            ("influences", &["4", "8"]),
            ("joint-index", &["u16"]),
            ("weights", &["unorm16"]),
            ("normals", &["direct"]),
            ("output", &["oct16-truncated"]),
            ("morph-order", &["before"]),
            ("morph", &["dense"]),
            ("grouping", &["per-mesh"]),
            ("workgroup", &["64"]),
        ],
    ),
    Row::new(
        Engine::GodotGles,
        Place::TransformFeedback,
        &[
            ("attributes", &["pnt"]),
            ("palette", &["rows3x4"]),
            ("palette-texture", &["256"]),
            ("influences", &["4", "8"]),
            ("joint-index", &["u16"]),
            ("weights", &["unorm16"]),
            ("normals", &["direct"]),
            ("output", &["oct16-truncated"]),
            ("morph-order", &["before"]),
        ],
    ),
    Row::new(
        Engine::Unity,
        Place::Compute,
        &[
            ("attributes", &["pnt"]),
            ("palette", &["mat4"]),
            ("influences", &["4", "1", "2"]),
            ("joint-index", &["u32"]),
            ("weights", &["f32"]),
            ("normals", &["direct-raw"]),
            ("output", &["f32"]),
            ("morph-order", &["after"]),
            ("morph", &["sparse"]),
            ("grouping", &["per-mesh"]),
            ("workgroup", &["64"]),
        ],
    ),
    Row::new(
        Engine::UnityVertex,
        Place::VertexUniform,
        &[
            ("palette", &["rows3x4"]),
            ("influences", &["4", "1", "2"]),
            ("joint-index", &["u32"]),
            ("weights", &["f32"]),
            ("weight-normalise", &["two"]),
            ("normals", &["direct"]),
            ("morph-order", &["before"]),
            ("draws", &["per-character"]),
        ],
    ),
    Row::new(
        Engine::UnityBatched,
        Place::Compute,
        &[
            ("attributes", &["pnt"]),
            ("palette", &["mat4"]),
            ("influences", &["4", "1", "2"]),
            ("joint-index", &["u32"]),
            ("weights", &["f32"]),
            ("normals", &["direct-raw"]),
            ("output", &["f32"]),
            ("morph-order", &["after"]),
            ("morph", &["sparse"]),
            ("grouping", &["batched"]),
            ("workgroup", &["64"]),
        ],
    ),
    Row {
        large_skins: &[("joint-index", &["u16"])],
        ..Row::new(
            Engine::Unreal,
            Place::Compute,
            &[
                ("attributes", &["pnt"]),
                ("palette", &["rows3x4"]),
                ("influences", &["4", "8", "12"]),
                ("joint-index", &["u8", "u16"]),
                ("weights", &["unorm8"]),
                ("normals", &["direct"]),
                ("output", &["snorm8"]),
                ("morph-order", &["before"]),
                ("grouping", &["batched"]),
                ("workgroup", &["64"]),
                ("cache", &["revision"]),
            ],
        )
    },
    Row::new(
        Engine::Bevy,
        Place::VertexStorage,
        &[
            ("attributes", &["pnt"]),
            ("palette", &["mat4"]),
            ("influences", &["4"]),
            ("joint-index", &["u16"]),
            ("weights", &["f32", "unorm16"]),
            ("normals", &["inverse-transpose"]),
            ("morph-order", &["before"]),
            ("draws", &["instanced"]),
        ],
    ),
    Row::new(
        Engine::Three,
        Place::VertexTexture,
        &[
            ("palette", &["mat4"]),
            ("palette-texture", &["square"]),
            ("influences", &["4"]),
            ("joint-index", &["u16"]),
            ("weights", &["f32"]),
            ("normals", &["direct"]),
            ("morph-order", &["before"]),
            ("draws", &["per-character"]),
        ],
    ),
];
