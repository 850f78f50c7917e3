//! Topologies, indices, morph targets, normals and tangents.

use crate::builder::{Builder, U16, at, words};
use serde_json::json;
use skinbench::scene::Topology;

/// A quad as strip order, in the plane z = 0, facing +Z.
const QUAD: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.];

#[test]
fn all_seven_modes() {
    let modes = [
        Topology::Points,
        Topology::Lines,
        Topology::LineLoop,
        Topology::LineStrip,
        Topology::Triangles,
        Topology::TriangleStrip,
        Topology::TriangleFan,
    ];
    for (mode, topology) in (0..).zip(modes) {
        let mesh = &Builder::rigid(mode, &QUAD).scene().meshes[0];
        assert_eq!(mesh.topology, topology);
        assert_eq!(mesh.indices, [0, 1, 2, 3]);
        let made = if topology.has_surface() { 4 } else { 0 };
        assert_eq!(
            (mesh.normals.len(), mesh.tangents.len()),
            (made, made),
            "{topology:?}"
        );
        assert_eq!((mesh.influences, mesh.joints.len()), (0, 0));
    }
    Builder::rigid(7, &QUAD).refused(&["meshes[0].primitives[0].mode"]);
}

#[test]
fn strips_and_fans_face_the_right_way() {
    assert_eq!(
        Builder::rigid(5, &QUAD).scene().meshes[0].normals,
        [[0.0, 0.0, 1.0]; 4]
    );
    let around = [0., 0., 0., 1., 0., 0., 1., 1., 0., 0., 1., 0.];
    assert_eq!(
        Builder::rigid(6, &around).scene().meshes[0].normals,
        [[0.0, 0.0, 1.0]; 4]
    );
}

#[test]
fn triangles_without_indices_are_flat() {
    // Two triangles folded along an edge: each vertex has the normal of its own triangle.
    let roof = [
        0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 0., 0., 1., 0., 0., 0., 1.,
    ];
    let mesh = &Builder::rigid(4, &roof).scene().meshes[0];
    assert_eq!(mesh.normals[..3], [[0.0, 0.0, 1.0]; 3]);
    assert_eq!(mesh.normals[3..], [[1.0, 0.0, 0.0]; 3]);
    assert_eq!(mesh.vertex_count(), 6);
}

#[test]
fn made_tangents_are_unit_and_perpendicular() {
    let mut file = Builder::character();
    // U grows along +X and V down along −Y.
    let tangents = file.scene().meshes[0].tangents.clone();
    assert_eq!(tangents, [[1.0, 0.0, 0.0, 1.0]; 4]);
    file.attributes()
        .as_object_mut()
        .unwrap()
        .remove("TEXCOORD_0");
    for [x, y, z, w] in &file.scene().meshes[0].tangents {
        assert_eq!((x * x + y * y, *z, *w), (1.0, 0.0, 1.0));
    }
}

#[test]
fn stored_directions_are_kept_or_mended() {
    let mut file = Builder::character();
    let tangents = file.floats(
        "VEC4",
        &[
            0., 1., 0., -1., 0., 2., 0., -1., 0., 0., 0., 1., 0., 1., 0., 0.,
        ],
    );
    file.attributes()["TANGENT"] = json!(tangents);
    file.overwrite(at::NORMAL, 0, &[0.0, 0.0, 5.0, 0.0, 0.0, 0.0]);
    let scene = file.scene();
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.normals, [[0.0, 0.0, 1.0]; 4]);
    assert_eq!(mesh.tangents[..2], [[0.0, 1.0, 0.0, -1.0]; 2]);
    assert_eq!(mesh.tangents[3], [0.0, 1.0, 0.0, 1.0]);
    let [x, y, z, _] = mesh.tangents[2];
    assert_eq!((x * x + y * y, z), (1.0, 0.0));
    assert!(
        scene
            .warnings
            .iter()
            .any(|w| w.starts_with("2 of 4 normals")),
        "{:?}",
        scene.warnings
    );
    assert!(
        scene.warnings.iter().any(|w| w.starts_with("3 tangents")),
        "{:?}",
        scene.warnings
    );
    // Stored tangents mean nothing without stored normals.
    file.attributes().as_object_mut().unwrap().remove("NORMAL");
    assert_eq!(file.scene().meshes[0].tangents, [[1.0, 0.0, 0.0, 1.0]; 4]);
}

#[test]
fn points_keep_the_normals_they_have() {
    let mut file = Builder::rigid(0, &QUAD);
    let normals = file.floats("VEC3", &[1.0, 0.0, 0.0].repeat(4));
    file.attributes()["NORMAL"] = json!(normals);
    let mesh = &file.scene().meshes[0];
    assert_eq!(mesh.normals, [[1.0, 0.0, 0.0]; 4]);
    assert!(mesh.tangents.is_empty());
}

#[test]
fn indices_stay_below_the_vertex_count() {
    for (index, part) in [(4, "there are 4 vertices"), (65535, "no primitive restart")] {
        let mut file = Builder::character();
        let indices = file.accessor("SCALAR", U16, &words(&[0, 1, 2, 1, index, 2]));
        file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        let accessor = format!("accessor {indices}");
        file.refused(&[&accessor, "indices", "index 4 is", &index.to_string(), part]);
    }
}

#[test]
fn morph_targets_hold_all_three_attributes() {
    let mut file = Builder::character();
    let tangents = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0].repeat(4));
    let shift = file.floats("VEC3", &[0.5; 12]);
    file.json["meshes"][0]["weights"] = json!([0.25, -1.5]);
    file.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{"NORMAL": shift, "TANGENT": shift}, {"POSITION": at::TARGET}]);
    let scene = file.scene();
    let targets = &scene.meshes[0].morph_targets;
    assert_eq!(targets.len(), 2);
    assert!(targets[0].positions.is_empty());
    assert_eq!(targets[0].normals, [[0.5; 3]; 4]);
    assert!(
        targets[0].tangents.is_empty(),
        "the primitive itself stores no tangents"
    );
    assert!(
        scene.warnings[0].starts_with("1 normals or tangents"),
        "{:?}",
        scene.warnings
    );
    assert_eq!(scene.rest.morph_weights, [0.25, -1.5]);
    assert_eq!(scene.morph_ranges[2], (0, 2));
    file.attributes()["TANGENT"] = json!(tangents);
    file.json["nodes"][2]["weights"] = json!([3, 4]);
    let scene = file.scene();
    assert_eq!(scene.meshes[0].morph_targets[0].tangents, [[0.5; 3]; 4]);
    assert_eq!(
        scene.rest.morph_weights,
        [3.0, 4.0],
        "the node's weights come before the mesh's"
    );
}

#[test]
fn morph_lists_must_match() {
    let mut file = Builder::character();
    file.json["meshes"][0]["weights"] = json!([1, 2]);
    file.refused(&["morph weights of node 2", "2 for 1 morph targets"]);
    file.json["meshes"][0]["weights"] = json!([1e300]);
    file.refused(&["morph weights of node 2", "not a finite number"]);
    let mut file = Builder::character();
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(json!({"attributes": {"POSITION": 0}}));
    file.refused(&["mesh 0", "1 morph targets and another 0"]);
}

#[test]
fn nodes_cannot_multiply_targets_without_limit() {
    let mut file = Builder::character();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({}); 10_000]);
    for _ in 0..10_000 {
        file.push("nodes", json!({"mesh": 0}));
    }
    file.refused(&["morph weights"]);
}

#[test]
fn primitives_without_positions_are_left_out() {
    let mut file = Builder::character();
    let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.insert(0, json!({"attributes": {"NORMAL": 1}, "targets": [{}]}));
    let scene = file.scene();
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(scene.meshes[0].gltf_primitive, 1);
    assert!(
        scene.warnings[0].contains("no POSITION"),
        "{:?}",
        scene.warnings
    );
}

#[test]
fn accessors_out_of_range_are_refused() {
    for attribute in ["POSITION", "NORMAL", "JOINTS_0", "TEXCOORD_0"] {
        let mut file = Builder::character();
        file.attributes()[attribute] = json!(1000);
        file.refused(&[
            "meshes[0].primitives[0].attributes",
            attribute,
            "out of bounds",
        ]);
    }
}
