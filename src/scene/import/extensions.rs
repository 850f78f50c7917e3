//! Which extensions a file may demand.

use super::error::{ImportError, one_line};
use gltf::json::Value;

/// Integer vertex attributes.
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Beginnings of extensions that change only how a surface looks: nothing here reads that.
const APPEARANCE: [&str; 7] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
];

/// Refuses a file that requires what is not supported here, naming the extension.
pub(super) fn check_required(file: &str, json: &Value) -> Result<(), ImportError> {
    match listed(json, "extensionsRequired").find(|name| !harmless(name)) {
        Some(name) => Err(ImportError::RequiredExtension {
            file: one_line(file),
            name: one_line(name),
        }),
        None => Ok(()),
    }
}

/// A sentence about used extensions that are ignored and could matter, if there are any.
pub(super) fn ignored_warning(json: &Value) -> Option<String> {
    let ignored: Vec<_> = listed(json, "extensionsUsed")
        .filter(|name| !harmless(name))
        .map(one_line)
        .collect();
    (!ignored.is_empty()).then(|| format!("extensions were ignored: {}", ignored.join(", ")))
}

/// Whether the file uses integer vertex attributes.
pub(super) fn uses_quantization(json: &Value) -> bool {
    let mut names = listed(json, "extensionsUsed").chain(listed(json, "extensionsRequired"));
    names.any(|name| name == QUANTIZATION)
}

/// Whether the deformed vertices are right with this extension in the file.
fn harmless(name: &str) -> bool {
    name == QUANTIZATION || APPEARANCE.iter().any(|start| name.starts_with(start))
}

/// The strings of a list at the root.
fn listed<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    json.get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
