//! Import of glTF: every rule on small files made here, malformed files, and real models.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "import/accessors.rs"]
mod accessors;
#[path = "import/builder.rs"]
mod builder;
#[path = "import/clips.rs"]
mod clips;
#[path = "import/containers.rs"]
mod containers;
#[path = "import/malformed.rs"]
mod malformed;
#[path = "import/meshes.rs"]
mod meshes;
#[path = "import/models.rs"]
mod models;
#[path = "import/nodes.rs"]
mod nodes;
#[path = "import/weights.rs"]
mod weights;
