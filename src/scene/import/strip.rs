//! Takes out of the JSON what nothing here reads, before it is given types.
//!
//! The JSON model of the `gltf` crate has no place for an animation channel without a target node,
//! nor for a texture without a source, and refuses the whole file for either. glTF says that such a
//! channel is ignored, and textures do not move vertices.

use gltf::json::Value;

/// What a channel may move.
const PATHS: [&str; 4] = ["translation", "rotation", "scale", "weights"];

/// Removes appearance, cameras and what cannot be played; says what a reader must know.
pub(super) fn remove_unread(json: &mut Value, warnings: &mut Vec<String>) {
    for key in [
        "cameras",
        "images",
        "materials",
        "samplers",
        "textures",
        "extensions",
    ] {
        remove(json, key);
    }
    for node in list(json, "nodes") {
        remove(node, "camera");
    }
    for mesh in list(json, "meshes") {
        list(mesh, "primitives").for_each(|primitive| remove(primitive, "material"));
    }
    let ignored: usize = list(json, "animations").map(drop_channels).sum();
    if ignored > 0 {
        warnings.push(format!(
            "{ignored} animation channels were ignored: their target is not translation, \
             rotation, scale or weights of a node"
        ));
    }
}

/// Drops channels that move no property of a node; how many of them had a target at all.
fn drop_channels(animation: &mut Value) -> usize {
    let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) else {
        return 0;
    };
    let mut foreign = 0;
    channels.retain(|channel| {
        let target = channel.get("target");
        let path = target
            .and_then(|target| target.get("path"))
            .and_then(Value::as_str);
        let has_node = target.and_then(|target| target.get("node")).is_some();
        let known = path.is_none_or(|path| PATHS.contains(&path));
        foreign += usize::from(!known);
        known && has_node
    });
    foreign
}

/// The objects of a list, none where there is no list.
fn list<'a>(json: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    json.get_mut(key)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
}

/// Removes `key` from an object.
fn remove(json: &mut Value, key: &str) {
    if let Some(object) = json.as_object_mut() {
        object.remove(key);
    }
}
