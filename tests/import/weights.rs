//! Joints and weights.

use crate::builder::{Builder, U8, U16, at, words};
use serde_json::json;

/// Gives the character joints and weights of vertex 0 in one more set; the other vertices use none.
fn add_set(file: &mut Builder, set: usize, joints: [u8; 4], weights: [f32; 4]) {
    let joints = file.accessor("VEC4", U8, &[joints, [0; 4], [0; 4], [0; 4]].concat());
    let weights = file.floats("VEC4", &[weights, [0.0; 4], [0.0; 4], [0.0; 4]].concat());
    file.attributes()[format!("JOINTS_{set}")] = json!(joints);
    file.attributes()[format!("WEIGHTS_{set}")] = json!(weights);
}

#[test]
fn weights_that_sum_to_one_stay_as_stored() {
    let scene = Builder::character().scene();
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.influences, 4);
    assert_eq!(
        mesh.weights[4..12],
        [0.5, 0.5, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0]
    );
    // Slot 1 of vertex 0 holds joint 1 with weight 0 in the file.
    assert_eq!(
        mesh.joints,
        [0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]
    );
    assert_eq!((scene.normalised_weights, scene.warnings.len()), (0, 0));
}

#[test]
fn other_sums_are_normalised_and_counted() {
    let mut file = Builder::character();
    file.overwrite(at::WEIGHTS, 0, &[0.5, 0.48, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let scene = file.scene();
    assert_eq!(scene.normalised_weights, 2);
    let expected = [0.5 / 0.98_f64, 0.48 / 0.98, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0];
    for (got, want) in scene.meshes[0].weights.iter().zip(expected) {
        // 0.48 and the quotient are rounded to f32, each by at most 2⁻²⁴ relative; so is the sum's
        // share of the first rounding.
        assert!(
            (f64::from(*got) - want).abs() <= 3.0 * 2.0_f64.powi(-24) * want,
            "{got} {want}"
        );
    }
    let sentence = &scene.warnings[0];
    assert!(
        sentence.starts_with("2 of 4 vertices of mesh 0 (quad)"),
        "{sentence}"
    );
    assert!(
        sentence.contains("did not sum to one; they were normalised"),
        "{sentence}"
    );
}

#[test]
fn vertices_without_weight_follow_joint_0() {
    let mut file = Builder::character();
    file.overwrite(at::WEIGHTS, 12, &[0.0; 4]);
    let scene = file.scene();
    assert_eq!(scene.meshes[0].weights[12..], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(scene.meshes[0].joints[12..], [0; 4]);
    assert_eq!(scene.normalised_weights, 0);
    assert!(
        scene.warnings[0].starts_with("1 of 4 vertices"),
        "{:?}",
        scene.warnings
    );
}

#[test]
fn unorm_weights_and_both_joint_widths() {
    for (component, most) in [(U8, 255_u16), (U16, 65535)] {
        let mut file = Builder::character();
        let joints = file.accessor("VEC4", U16, &words(&[1, 0, 0, 0].repeat(4)));
        let stored = [
            most - 2,
            2,
            0,
            0,
            most,
            0,
            0,
            0,
            most,
            0,
            0,
            0,
            most - 1,
            0,
            0,
            0,
        ];
        let bytes = if component == U8 {
            stored.map(|w| w as u8).to_vec()
        } else {
            words(&stored)
        };
        let weights = file.accessor("VEC4", component, &bytes);
        file.attributes()["JOINTS_0"] = json!(joints);
        file.attributes()["WEIGHTS_0"] = json!(weights);
        file.refused(&["WEIGHTS_0", "not allowed"]);
        file.json["accessors"][weights]["normalized"] = json!(true);
        let scene = file.scene();
        let most = f32::from(most);
        assert_eq!(
            scene.meshes[0].weights[..2],
            [(most - 2.0) / most, 2.0 / most]
        );
        assert_eq!(
            scene.meshes[0].weights[12], 1.0,
            "a sum one step short is normalised"
        );
        assert_eq!(scene.normalised_weights, 1);
        assert_eq!(scene.meshes[0].joints[4], 1);
    }
}

#[test]
fn eight_and_twelve_influences_stay_in_order() {
    let mut file = Builder::character();
    file.overwrite(at::WEIGHTS, 0, &[0.25, 0.0, 0.0, 0.0]);
    add_set(&mut file, 1, [1, 1, 0, 0], [0.25, 0.0, 0.0, 0.25]);
    let normalised = file.scene();
    assert_eq!(normalised.meshes[0].influences, 8);
    assert_eq!(
        normalised.normalised_weights, 1,
        "the sum runs over both sets"
    );
    add_set(&mut file, 2, [0, 0, 1, 0], [0.0, 0.0, 0.25, 0.0]);
    let mesh = &file.scene().meshes[0];
    assert_eq!(mesh.influences, 12);
    assert_eq!(
        mesh.weights[..12],
        [0.25, 0., 0., 0., 0.25, 0., 0., 0.25, 0., 0., 0.25, 0.]
    );
    assert_eq!(mesh.joints[..12], [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(mesh.weights[12..16], [0.5, 0.5, 0.0, 0.0]);
    add_set(&mut file, 3, [0; 4], [0.0; 4]);
    file.refused(&[
        "JOINTS_3",
        "mesh 0 (quad) primitive 0",
        "more than 12 influences",
    ]);
}

#[test]
fn sets_must_be_whole() {
    let mut file = Builder::character();
    file.attributes()
        .as_object_mut()
        .unwrap()
        .remove("WEIGHTS_0");
    file.refused(&["JOINTS_0", "no WEIGHTS"]);
    let mut file = Builder::character();
    add_set(&mut file, 2, [0; 4], [0.0; 4]);
    file.refused(&["JOINTS_2", "lower set"]);
    let mut file = Builder::character();
    file.attributes()["WEIGHTS_1"] = json!(at::WEIGHTS);
    file.refused(&["WEIGHTS_1", "no JOINTS"]);
}

#[test]
fn bad_weights_name_their_vertex() {
    for (number, part) in [
        (f32::NAN, "NaN"),
        (f32::INFINITY, "inf"),
        (-0.25, "negative"),
    ] {
        let mut file = Builder::character();
        file.overwrite(at::WEIGHTS, 9, &[number]);
        file.refused(&["accessor 4", "WEIGHTS_0", "vertex 2", part]);
    }
}

#[test]
fn joints_beyond_the_skin_are_refused_where_they_weigh() {
    let mut file = Builder::character();
    let bytes = [0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1, 9, 0, 0];
    let joints = file.accessor("VEC4", U8, &bytes);
    file.attributes()["JOINTS_0"] = json!(joints);
    file.refused(&[
        &format!("accessor {joints}"),
        "quad",
        "vertex 1",
        "joint 2",
        "has 2 joints",
    ]);
    // With weight 0 the same index is none.
    file.overwrite(at::WEIGHTS, 4, &[1.0, 0.0]);
    let scene = file.scene();
    assert_eq!(
        scene.meshes[0].joints,
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]
    );
}

#[test]
fn a_mesh_is_checked_against_each_of_its_skins() {
    let mut file = Builder::character();
    let short = file.push("skins", json!({"joints": [1]}));
    let node = file.push("nodes", json!({"mesh": 0, "skin": short}));
    file.json["scenes"][0]["nodes"] = json!([0, 2, node]);
    file.refused(&[
        "accessor 3",
        "vertex 1",
        "joint 1",
        "skin 1",
        "has 1 joints",
    ]);
}
