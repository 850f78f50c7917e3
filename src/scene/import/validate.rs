//! Checks that all indices in the JSON are in range, through the `gltf` crate.

use super::container::container;
use super::error::ImportError;
use gltf::json::mesh::Semantic;
use gltf::json::validation::{Checked, Error, Validate};
use gltf::json::{Path, Root};

/// Refuses a model with an index out of range or an unknown value, naming the first place.
pub(super) fn check(file: &str, root: &Root) -> Result<(), ImportError> {
    check_positions(root).map_err(|what| container(file, &what))?;
    let mut found: Vec<(String, Error)> = Vec::new();
    root.validate(root, Path::new, &mut |path, error| {
        let path = path().to_string();
        if !tolerated(&path, error) {
            found.push((path, error));
        }
    });
    match found.first() {
        Some((path, error)) => Err(container(file, &format!("{path}: {error}"))),
        None => Ok(()),
    }
}

/// The crate's own check indexes the accessors with this one before it looks at its range.
fn check_positions(root: &Root) -> Result<(), String> {
    for (m, mesh) in root.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let accessor = primitive
                .attributes
                .get(&Checked::Valid(Semantic::Positions));
            if accessor.is_some_and(|accessor| accessor.value() >= root.accessors.len()) {
                return Err(format!(
                    "meshes[{m}].primitives[{p}].attributes.POSITION: Index out of bounds"
                ));
            }
        }
    }
    Ok(())
}

/// What the crate reports and this import can read all the same.
///
/// Accessors with neither buffer view nor sparse values are zeros (glTF 2.0 section 3.6.2.1), bounds
/// are not read, primitives without positions are left out with a warning, attributes with unknown
/// names are ignored, and required extensions are checked elsewhere.
fn tolerated(path: &str, error: Error) -> bool {
    match error {
        Error::Unsupported => true,
        Error::Missing => {
            let zeros = path.starts_with("accessors[") && path.ends_with(".bufferView");
            zeros || path.ends_with("[\"POSITION\"]") || is_bound(path)
        }
        Error::Invalid => is_bound(path) || path.contains("<invalid semantic name>"),
        _ => false,
    }
}

/// Whether the path is that of a `min` or `max`.
fn is_bound(path: &str) -> bool {
    path.ends_with(".min") || path.ends_with(".max")
}
