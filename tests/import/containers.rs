//! GLB, data URIs, external files, extensions, hashes.

use crate::builder::{Builder, assert_refused, glb};
use serde_json::json;
use sha2::{Digest, Sha256};
use skinbench::scene::import::{from_slice, load};

fn hex(parts: &[&[u8]]) -> String {
    Sha256::digest(parts.concat())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn all_three_containers_hold_the_same_scene() {
    let file = Builder::character();
    let folder = tempfile::tempdir().unwrap();
    let mut json = file.json.clone();
    json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "my%20mesh.bin"}]);
    let text = serde_json::to_vec(&json).unwrap();
    std::fs::write(folder.path().join("my mesh.bin"), &file.bin).unwrap();
    std::fs::write(folder.path().join("a.gltf"), &text).unwrap();
    let external = load(&folder.path().join("a.gltf")).unwrap();
    let embedded = from_slice("test", &file.gltf(), None).unwrap();
    let binary = file.scene();
    assert_eq!(external.meshes, binary.meshes);
    assert_eq!(embedded.meshes, binary.meshes);
    assert_eq!(external.clips, binary.clips);
    assert_eq!(external.sha256, hex(&[&text, &file.bin]));
    assert_eq!(embedded.sha256, hex(&[&file.gltf()]));
    assert_eq!(binary.sha256, hex(&[&file.glb()]));
    assert_eq!(binary.source, "test.glb");
    assert!(binary.warnings.is_empty(), "{:?}", binary.warnings);
}

#[test]
fn missing_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.gltf");
    assert_refused(load(&path), &["test.gltf", "cannot be read"]);
    assert_refused(
        load(folder.path().join("test.gltf/..").as_path()),
        &["cannot be read"],
    );
    let mut json = Builder::character().json;
    json["buffers"] = json!([{"byteLength": 4, "uri": "gone.bin"}]);
    std::fs::write(&path, serde_json::to_vec(&json).unwrap()).unwrap();
    assert_refused(load(&path), &["gone.bin", "cannot be read", "buffer 0"]);
    std::fs::write(folder.path().join("gone.bin"), [1, 2]).unwrap();
    assert_refused(load(&path), &["buffer 0", "byteLength is 4", "only 2"]);
}

#[test]
fn buffers_must_be_reachable() {
    let with = |buffer: serde_json::Value| {
        let mut json = Builder::character().json;
        json["buffers"] = json!([buffer]);
        from_slice("test", &serde_json::to_vec(&json).unwrap(), None)
    };
    assert_refused(
        with(json!({"byteLength": 4, "uri": "a.bin"})),
        &["buffer 0", "a.bin"],
    );
    assert_refused(
        with(json!({"byteLength": 4})),
        &["buffer 0", "neither a URI nor a GLB chunk"],
    );
    let uri = "data:application/octet-stream;base64,????";
    assert_refused(
        with(json!({"byteLength": 4, "uri": uri})),
        &["buffer 0", "data URI"],
    );
    let here = std::env::temp_dir();
    let mut json = Builder::character().json;
    json["buffers"] = json!([{"byteLength": 4, "uri": "http://localhost/a.bin"}]);
    let result = from_slice("test", &serde_json::to_vec(&json).unwrap(), Some(&here));
    assert_refused(result, &["not a relative file name"]);
}

#[test]
fn required_extensions_are_refused_by_name() {
    let mut file = Builder::character();
    file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    let scene = file.scene();
    assert!(
        scene.warnings[0].contains("KHR_draco_mesh_compression"),
        "{:?}",
        scene.warnings
    );
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file.refused(&["required extension KHR_draco_mesh_compression is not supported"]);
    file.json["extensionsRequired"] = json!(["KHR_texture_basisu", "KHR_materials_unlit"]);
    file.json["extensionsUsed"] = json!(["KHR_texture_basisu", "KHR_materials_unlit"]);
    assert!(
        file.scene().warnings.is_empty(),
        "appearance moves no vertex"
    );
}

#[test]
fn extras_materials_and_broken_textures_do_not_matter() {
    let mut file = Builder::character();
    file.json["extras"] = json!({"any": [1, {"thing": null}]});
    file.json["nodes"][0]["extras"] = json!({"deep": {"er": 1}});
    file.json["nodes"][0]["camera"] = json!(77);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(99);
    file.json["textures"] = json!([{}]);
    file.attributes()["_CUSTOM"] = json!(0);
    file.attributes()["unprefixed"] = json!(0);
    assert_eq!(file.scene().meshes, Builder::character().scene().meshes);
}

#[test]
fn versions_and_foreign_files_are_told_apart() {
    let mut file = Builder::character();
    file.json["asset"]["version"] = json!("1.0");
    file.refused(&["asset.version is 1.0"]);
    file.json["asset"] = json!({"version": "2.1", "minVersion": "2.1"});
    file.refused(&["asset.minVersion is 2.1"]);
    assert_refused(from_slice("test", b"", None), &["JSON is broken"]);
    assert_refused(
        from_slice("test", b"\x89PNG\r\n", None),
        &["JSON is broken"],
    );
    assert_refused(from_slice("test", b"{}", None), &["no asset"]);
    assert_refused(from_slice("test", b"[1, 2]", None), &["no asset"]);
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    assert_refused(from_slice("test", &deep, None), &["JSON is broken"]);
    let marked = [b"\xef\xbb\xbf".as_slice(), &Builder::character().gltf()].concat();
    assert!(from_slice("test", &marked, None).is_ok());
}

#[test]
fn lying_glb_lengths_are_refused() {
    let sound = Builder::character().glb();
    let spoilt = |at: usize, value: u32| {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        from_slice("test", &bytes, None)
    };
    for length in [0, 11, 12, 19, u32::MAX, sound.len() as u32 + 1] {
        assert_refused(spoilt(8, length), &["GLB"]);
    }
    for length in [u32::MAX, sound.len() as u32] {
        assert_refused(spoilt(12, length), &["GLB chunk states"]);
    }
    assert_refused(spoilt(4, 1), &["GLB version 1"]);
    assert_refused(spoilt(16, 0x004e_4942), &["first chunk"]);
}

#[test]
fn unknown_chunks_are_skipped() {
    let file = Builder::character();
    let mut json = file.json.clone();
    json["buffers"] = json!([{"byteLength": file.bin.len()}]);
    let mut bytes = glb(&serde_json::to_vec(&json).unwrap(), &file.bin);
    let json_end = 20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    bytes.splice(json_end..json_end, *b"\x04\0\0\0XTRA1234");
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(
        from_slice("test", &bytes, None).unwrap().meshes,
        file.scene().meshes
    );
}
