//! Import of glTF 2.0: `.gltf` with files or data URIs, and `.glb`.
//!
//! Vertices keep their accessor order and count: nothing is split, welded or reordered. Missing
//! normals are area-weighted per accessor vertex (+Z where no triangle has area), missing tangents
//! are MikkTSpace corners averaged per accessor vertex (any perpendicular vector without texture
//! coordinates); points and lines get none. Weights are normalised once, and the scene says how many
//! vertices needed it. Key quaternions stay as stored.
//!
//! The JSON model is that of the `gltf` crate; accessors are read here, from raw bytes.

mod accessors;
mod assemble;
mod buffers;
mod clips;
mod container;
mod document;
mod error;
mod extensions;
mod influences;
mod morph;
mod nodes;
mod normals;
mod primitive;
mod strip;
mod tangents;
mod triangles;
mod validate;

pub use error::ImportError;
pub use triangles::triangles;

use super::Scene;
use std::path::Path;

/// Imports the default scene of the glTF file at `path`.
///
/// # Errors
/// An [`ImportError`] of one line when the file cannot be read, is malformed, demands an unknown
/// extension, or has nothing to deform.
pub fn load(path: &Path) -> Result<Scene, ImportError> {
    let file = path.display().to_string();
    let bytes = buffers::read_file(path).map_err(|what| ImportError::Read {
        file: file.clone(),
        what,
    })?;
    from_slice(&file, &bytes, path.parent())
}

/// Imports the default scene of the glTF file with the content `bytes`.
///
/// `name` stands for the file in messages and in [`Scene::source`]; buffers with a relative URI are
/// read from `base_dir`, and are an error without one.
///
/// # Errors
/// As [`load`].
pub fn from_slice(name: &str, bytes: &[u8], base_dir: Option<&Path>) -> Result<Scene, ImportError> {
    let document = document::Document::parse(name, bytes, base_dir)?;
    assemble::assemble(&document)
}
