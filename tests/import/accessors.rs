//! Component types, strides, sparse values, absent buffer views, and bounds.

use crate::builder::{Builder, F32, U8, U16, U32, at, words};
use serde_json::json;

#[test]
fn indices_of_all_widths_and_none() {
    let narrow: Vec<u8> = vec![0, 1, 2, 1, 3, 2];
    let wide: Vec<u8> = narrow
        .iter()
        .flat_map(|i| u32::from(*i).to_le_bytes())
        .collect();
    for (component, bytes) in [
        (U8, narrow.clone()),
        (U16, words(&[0, 1, 2, 1, 3, 2])),
        (U32, wide),
    ] {
        let mut file = Builder::character();
        let indices = file.accessor("SCALAR", component, &bytes);
        file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        assert_eq!(file.scene().meshes[0].indices, [0, 1, 2, 1, 3, 2]);
    }
    let positions: Vec<f32> = (0..18).map(|i| (i * i % 7) as f32).collect();
    assert_eq!(
        Builder::rigid(4, &positions).scene().meshes[0].indices,
        [0, 1, 2, 3, 4, 5]
    );
}

#[test]
fn strides_leave_gaps_out() {
    let mut file = Builder::character();
    let mut bytes = Vec::new();
    for vertex in 0..4_u8 {
        bytes.extend(
            [vertex as f32, 10.0, 20.0]
                .iter()
                .flat_map(|x: &f32| x.to_le_bytes()),
        );
        bytes.extend([0xff; 8]);
    }
    // The last element needs no gap after it.
    bytes.truncate(bytes.len() - 8);
    let view = file.view(&bytes);
    file.json["bufferViews"][view]["byteStride"] = json!(20);
    file.json["accessors"][at::POSITION]["bufferView"] = json!(view);
    let expected = [0.0, 1.0, 2.0, 3.0].map(|x| [x, 10.0, 20.0]);
    assert_eq!(file.scene().meshes[0].positions, expected);
    file.json["bufferViews"][view]["byteStride"] = json!(8);
    file.refused(&["accessor 0", "POSITION", "stride of 8"]);
}

#[test]
fn sparse_values_lie_over_the_base_or_over_zeros() {
    let mut file = Builder::character();
    let indices = file.view(&[1, 3]);
    let values: Vec<u8> = [7.0_f32, 8., 9., -1., -2., -3.]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let values = file.view(&values);
    file.json["accessors"][at::POSITION]["sparse"] = json!({"count": 2,
        "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values}});
    let stored = Builder::character().scene().meshes[0].positions.clone();
    let expected = [stored[0], [7.0, 8.0, 9.0], stored[2], [-1.0, -2.0, -3.0]];
    assert_eq!(file.scene().meshes[0].positions, expected);
    file.json["accessors"][at::POSITION]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    let expected = [[0.0; 3], [7.0, 8.0, 9.0], [0.0; 3], [-1.0, -2.0, -3.0]];
    assert_eq!(file.scene().meshes[0].positions, expected);
}

#[test]
fn sparse_lies_are_refused() {
    let sound = {
        let mut file = Builder::character();
        let indices = file.view(&[1, 3, 3, 4]);
        let values = file.view(&[0; 48]);
        file.json["accessors"][at::POSITION]["sparse"] = json!({"count": 2,
            "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values}});
        file
    };
    let spoilt = |pointer: &str, value: serde_json::Value| {
        let mut file = sound.clone();
        *file.json["accessors"][at::POSITION]["sparse"]
            .pointer_mut(pointer)
            .unwrap() = value;
        file
    };
    assert!(sound.import().is_ok());
    spoilt("/count", json!(3)).refused(&["accessor 0", "sparse index 3 does not increase upon 3"]);
    spoilt("/count", json!(0)).refused(&["accessor 0", "0 sparse values"]);
    spoilt("/count", json!(u64::MAX)).refused(&["accessor 0", "sparse values"]);
    spoilt("/indices/componentType", json!(F32)).refused(&["componentType"]);
    spoilt("/values/bufferView", json!(999)).refused(&["bufferView", "out of bounds"]);
    let mut file = spoilt("/count", json!(1));
    file.json["accessors"][at::POSITION]["sparse"]["indices"]["byteOffset"] = json!(3);
    file.refused(&["accessor 0", "sparse index 4 is beyond its count"]);
}

#[test]
fn accessors_without_a_view_are_zeros() {
    let mut file = Builder::character();
    file.json["accessors"][at::POSITION]
        .as_object_mut()
        .unwrap()
        .remove("bufferView");
    assert_eq!(file.scene().meshes[0].positions, [[0.0; 3]; 4]);
    let zeros = file.push(
        "accessors",
        json!({"componentType": F32, "type": "VEC3", "count": 4}),
    );
    file.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{"POSITION": zeros}, {"POSITION": 6}]);
    let targets = &file.scene().meshes[0].morph_targets;
    assert_eq!(targets.len(), 2, "a target of zeros stays a target");
    assert!(targets[0].positions.iter().flatten().all(|x| *x == 0.0));
    assert_eq!(targets[1].positions[3], [0.0, 0.0, 2.0]);
}

#[test]
fn lying_counts_are_refused_before_anything_is_allocated() {
    for count in [5_u64, 1 << 40, u64::MAX] {
        let mut file = Builder::character();
        file.json["accessors"][at::POSITION]["count"] = json!(count);
        file.refused(&[
            "accessor 0",
            "POSITION of mesh 0 (quad) primitive 0",
            "buffer view 0",
        ]);
        file.json["accessors"][at::POSITION]
            .as_object_mut()
            .unwrap()
            .remove("bufferView");
        let part = if count == 5 { "count" } else { "MiB" };
        let part = if count == u64::MAX { "too large" } else { part };
        file.refused(&["accessor", part]);
    }
    let mut file = Builder::character();
    file.json["accessors"][at::TARGET] =
        json!({"componentType": F32, "type": "VEC3", "count": 1_u64 << 40});
    file.refused(&["accessor 6", "POSITION of target 0", "but 4 is needed"]);
    file.json["accessors"][at::TARGET]["count"] = json!(0);
    file.refused(&["accessor 6", "its count is 0"]);
}

#[test]
fn views_and_offsets_stay_within_their_buffer() {
    for (key, value) in [
        ("byteLength", 1_u64 << 40),
        ("byteOffset", u64::MAX),
        ("byteLength", u64::MAX),
    ] {
        let mut file = Builder::character();
        file.json["bufferViews"][at::NORMAL][key] = json!(value);
        file.refused(&[
            "accessor 1",
            "NORMAL",
            "buffer view 1 reaches beyond buffer 0",
        ]);
    }
    for offset in [4_u64, u64::MAX] {
        let mut file = Builder::character();
        file.json["accessors"][at::NORMAL]["byteOffset"] = json!(offset);
        file.refused(&["accessor 1", "reach beyond buffer view 1 of 48 bytes"]);
    }
}

#[test]
fn types_must_fit_their_use() {
    let spoilt = |accessor: usize, key: &str, value: serde_json::Value| {
        let mut file = Builder::character();
        file.json["accessors"][accessor][key] = value;
        file
    };
    spoilt(at::POSITION, "type", json!("VEC4")).refused(&["accessor 0", "Vec4", "Vec3"]);
    spoilt(at::POSITION, "type", json!("VEC9")).refused(&["accessors[0].type"]);
    spoilt(at::POSITION, "componentType", json!(1)).refused(&["accessors[0].componentType"]);
    spoilt(at::POSITION, "componentType", json!(U16)).refused(&[
        "accessor 0",
        "U16",
        "not allowed",
    ]);
    spoilt(at::JOINTS, "componentType", json!(5120)).refused(&["accessor 3", "JOINTS_0", "I8"]);
    spoilt(at::INDICES, "componentType", json!(F32)).refused(&["accessor 5", "indices", "F32"]);
    spoilt(at::NORMAL, "count", json!(3)).refused(&["accessor 1", "count is 3, but 4 is needed"]);
}

#[test]
fn numbers_must_be_finite() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut file = Builder::character();
        file.overwrite(at::POSITION, 7, &[number]);
        file.refused(&["accessor 0", "POSITION", "vertex 2", "not a finite number"]);
        let mut file = Builder::character();
        file.overwrite(at::TARGET, 11, &[number]);
        file.refused(&["accessor 6", "target 0", "vertex 3"]);
    }
}

#[test]
fn quantised_attributes_need_their_extension() {
    let mut file = Builder::character();
    let normals = file.accessor("VEC4", 5120, &[0, 0, 127, 0].repeat(4));
    file.json["accessors"][normals]["type"] = json!("VEC3");
    file.json["accessors"][normals]["normalized"] = json!(true);
    file.json["bufferViews"][normals]["byteStride"] = json!(4);
    file.attributes()["NORMAL"] = json!(normals);
    let positions = file.accessor("VEC3", U16, &words(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    file.attributes()["POSITION"] = json!(positions);
    file.refused(&["not allowed"]);
    file.json["extensionsUsed"] = json!(["KHR_mesh_quantization"]);
    file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let mesh = &file.scene().meshes[0];
    assert_eq!(mesh.positions[3], [9.0, 10.0, 11.0]);
    assert_eq!(mesh.normals, [[0.0, 0.0, 1.0]; 4]);
}
