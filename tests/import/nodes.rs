//! The node hierarchy, skins, instances and the default scene.

use crate::builder::{Builder, at};
use glam::{Mat4, Quat, Vec3};
use serde_json::json;
use skinbench::scene::{Item, Local, PaletteSource};

#[test]
fn the_character_is_one_item_of_one_skin() {
    let scene = Builder::character().scene();
    assert_eq!(scene.palettes, [PaletteSource::Skin(0)]);
    assert_eq!(
        scene.items,
        [Item {
            node: 2,
            mesh: 0,
            palette: 0,
            first_morph_weight: 0
        }]
    );
    assert_eq!(scene.skins[0].joints, [0, 1]);
    assert_eq!(scene.skins[0].inverse_bind_matrices, [Mat4::IDENTITY; 2]);
    assert_eq!(scene.skeleton.nodes[1].parent, Some(0));
    assert_eq!(scene.skeleton.nodes[1].name, "knee");
    assert_eq!(scene.morph_ranges, [(0, 0), (0, 0), (0, 1)]);
    assert_eq!(scene.rest.morph_weights, [0.0]);
    let up = Local::Trs {
        translation: Vec3::Y,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };
    assert_eq!(scene.rest.locals[1], up);
}

#[test]
fn parents_come_first_whatever_the_file_says() {
    let mut file = Builder::character();
    file.json["nodes"] = json!([
        {"mesh": 0, "skin": 0}, {"name": "leaf"}, {"children": [1]}, {"children": [2, 0]}, {},
    ]);
    file.json["skins"] = json!([{"joints": [1, 4]}]);
    file.json["scenes"] = json!([{"nodes": [3]}]);
    file.json["animations"] = json!([]);
    let scene = file.scene();
    let nodes = &scene.skeleton.nodes;
    assert_eq!(nodes.len(), 5, "joints outside the scene are there too");
    assert!(
        nodes
            .iter()
            .enumerate()
            .all(|(i, node)| node.parent.is_none_or(|p| p < i))
    );
    let file_order: Vec<_> = nodes.iter().map(|node| node.gltf_node).collect();
    assert_eq!(file_order, [3, 2, 1, 0, 4]);
    assert_eq!(scene.skins[0].joints, [2, 4]);
    assert_eq!(scene.items[0].node, 3);
    assert_eq!(scene.skins[0].inverse_bind_matrices, [Mat4::IDENTITY; 2]);
}

#[test]
fn cycles_and_double_parents_are_refused() {
    let with = |nodes: serde_json::Value| {
        let mut file = Builder::character();
        file.json["nodes"] = nodes;
        file
    };
    let body = json!({"mesh": 0, "skin": 0});
    with(json!([{"children": [1]}, {"children": [0]}, body])).refused(&["node 0", "cycle"]);
    with(json!([{"children": [0]}, {}, body])).refused(&["node 0", "cycle"]);
    with(json!([{"children": [2]}, {"children": [2]}, body]))
        .refused(&["node 2", "node 0", "node 1"]);
    with(json!([{"children": [2, 2]}, {}, body])).refused(&["node 2", "child of node 0"]);
    with(json!([{"children": [7]}, {}, body])).refused(&["nodes[0].children", "out of bounds"]);
}

#[test]
fn a_long_chain_of_nodes_does_not_exhaust_the_stack() {
    let mut file = Builder::character();
    for node in 3..100_000 {
        file.push("nodes", json!({"children": [node + 1]}));
    }
    file.push("nodes", json!({}));
    assert_eq!(file.scene().skeleton.nodes.len(), 100_001);
}

#[test]
fn matrix_nodes_stay_matrices_unless_a_clip_moves_them() {
    let mut file = Builder::character();
    let matrix = Mat4::from_scale_rotation_translation(
        Vec3::new(1.0, 2.0, 4.0),
        Quat::from_rotation_x(0.5),
        Vec3::new(7.0, 8.0, 9.0),
    );
    file.json["nodes"][0] = json!({"children": [1], "matrix": matrix.to_cols_array()});
    assert_eq!(file.scene().rest.locals[0], Local::Matrix(matrix));
    file.json["animations"][0]["channels"][0]["target"]["node"] = json!(0);
    let scene = file.scene();
    assert!(
        scene.warnings[0].contains("matrix was taken apart"),
        "{:?}",
        scene.warnings
    );
    let Local::Trs {
        translation,
        rotation,
        scale,
    } = scene.rest.locals[0]
    else {
        panic!("{:?}", scene.rest.locals[0]);
    };
    assert_eq!(translation, Vec3::new(7.0, 8.0, 9.0));
    // Lengths of columns and a quaternion from them: a dozen roundings of numbers up to 4.
    assert!(scale.abs_diff_eq(Vec3::new(1.0, 2.0, 4.0), 12.0 * 4.0 * f32::EPSILON));
    assert!(rotation.abs_diff_eq(Quat::from_rotation_x(0.5), 12.0 * f32::EPSILON));
    file.json["nodes"][0]["matrix"] = json!(vec![0.0; 16]);
    file.refused(&["node 0", "no inverse"]);
}

#[test]
fn transforms_must_be_sound() {
    let with = |key: &str, value: serde_json::Value| {
        let mut file = Builder::character();
        file.json["nodes"][1][key] = value;
        file
    };
    with("rotation", json!([0, 0, 0, 0])).refused(&["node 1 (knee)", "rotation is zero"]);
    with("translation", json!([1e300, 0, 0])).refused(&["node 1 (knee)", "not finite"]);
    let scene = with("rotation", json!([0, 0, 3, 4])).scene();
    let Local::Trs { rotation, .. } = scene.rest.locals[1] else {
        panic!()
    };
    assert_eq!(rotation, Quat::from_xyzw(0.0, 0.0, 0.6, 0.8));
}

#[test]
fn skins_need_a_matrix_a_joint() {
    let mut file = Builder::character();
    file.json["skins"][0]["joints"] = json!([0, 1, 2]);
    file.refused(&[
        "accessor 7",
        "inverse bind matrices of skin 0",
        "2 for 3 joints",
    ]);
    file.json["skins"][0]["joints"] = json!([]);
    file.refused(&["skin 0", "no joints"]);
    file.json["skins"][0]["joints"] = json!([0, 55]);
    file.refused(&["skins[0].joints", "out of bounds"]);
    let mut file = Builder::character();
    file.overwrite(at::MATRICES, 12, &[1.0, 2.0, 3.0, 0.5]);
    let scene = file.scene();
    assert_eq!(
        scene.skins[0].inverse_bind_matrices[0],
        Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0))
    );
    assert!(
        scene.warnings[0].contains("0, 0, 0, 1"),
        "{:?}",
        scene.warnings
    );
}

#[test]
fn instances_share_meshes_and_nodes_of_one_skin_share_a_palette() {
    let mut file = Builder::character();
    let other = file.push("skins", json!({"joints": [1, 0]}));
    file.push("nodes", json!({"mesh": 0, "skin": 0}));
    file.push("nodes", json!({"mesh": 0, "skin": other, "weights": [0.5]}));
    file.push("nodes", json!({"mesh": 0}));
    file.json["scenes"][0]["nodes"] = json!([0, 2, 3, 4, 5]);
    let scene = file.scene();
    assert_eq!(
        scene.palettes,
        [
            PaletteSource::Skin(0),
            PaletteSource::Skin(1),
            PaletteSource::Node(5)
        ]
    );
    let seen: Vec<_> = scene
        .items
        .iter()
        .map(|item| (item.node, item.mesh, item.palette))
        .collect();
    assert_eq!(seen, [(2, 0, 0), (3, 0, 0), (4, 0, 1), (5, 1, 2)]);
    assert_eq!(
        scene.meshes[1].influences, 0,
        "without a skin the joints mean nothing"
    );
    assert!(scene.meshes[1].joints.is_empty() && scene.meshes[1].weights.is_empty());
    let firsts: Vec<_> = scene
        .items
        .iter()
        .map(|item| item.first_morph_weight)
        .collect();
    assert_eq!(firsts, [0, 1, 2, 3]);
    assert_eq!(scene.rest.morph_weights, [0.0, 0.0, 0.5, 0.0]);
    assert_eq!((scene.joint_count(0), scene.joint_count(2)), (2, 1));
}

#[test]
fn a_skinned_node_without_joints_follows_its_node() {
    let mut file = Builder::character();
    file.json["meshes"][0]["primitives"][0]["attributes"] = json!({"POSITION": 0});
    let scene = file.scene();
    assert_eq!(scene.palettes, [PaletteSource::Node(2)]);
    assert!(
        scene
            .warnings
            .iter()
            .any(|warning| warning.contains("no JOINTS_0"))
    );
}

#[test]
fn the_default_scene_is_the_named_one_or_the_first_or_all() {
    let mut file = Builder::character();
    let lone = file.push("nodes", json!({"children": [4]}));
    file.push("nodes", json!({"mesh": 0}));
    file.json["scenes"] = json!([{"nodes": [2]}, {"nodes": [lone]}]);
    let nodes = |file: &Builder| -> Vec<_> { file.scene().items.iter().map(|i| i.node).collect() };
    assert_eq!(nodes(&file), [2]);
    file.json["scene"] = json!(1);
    assert_eq!(nodes(&file), [4]);
    file.json.as_object_mut().unwrap().remove("scene");
    file.json["scenes"] = json!([]);
    assert_eq!(nodes(&file), [2, 4]);
    file.json["scene"] = json!(3);
    file.refused(&["scene", "out of bounds"]);
}

#[test]
fn a_scene_without_meshes_has_nothing_to_deform() {
    let mut file = Builder::character();
    file.json["scenes"] = json!([{"nodes": [0]}]);
    file.refused(&["nothing to deform"]);
    Builder::empty().refused(&["nothing to deform"]);
    let mut file = Builder::character();
    file.json["meshes"][0]["primitives"][0]["attributes"] = json!({"NORMAL": 1});
    file.refused(&["nothing to deform"]);
}

#[test]
fn names_from_the_file_stay_on_one_line() {
    let mut file = Builder::character();
    file.json["meshes"][0]["name"] = json!("two\nlines");
    file.json["nodes"][1]["name"] = json!("a\tb");
    let scene = file.scene();
    assert_eq!(scene.meshes[0].name, "two lines.0");
    assert_eq!(scene.skeleton.nodes[1].name, "a b");
    file.overwrite(at::POSITION, 0, &[f32::NAN]);
    file.refused(&["two lines"]);
}
