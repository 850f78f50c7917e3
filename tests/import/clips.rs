//! Animations.

use crate::builder::{Builder, at};
use serde_json::json;
use skinbench::scene::{ChannelTarget, Interpolation};

#[test]
fn a_clip_keeps_keys_as_stored() {
    let mut file = Builder::character();
    file.overwrite(at::ROTATIONS, 4, &[0.0, 0.0, -0.6, -0.79]);
    let clip = &file.scene().clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("kick", 1.5));
    let channel = &clip.channels[0];
    assert_eq!(channel.target, ChannelTarget::Rotation(1));
    assert_eq!(
        (channel.interpolation, channel.width),
        (Interpolation::Linear, 4)
    );
    assert_eq!(channel.times, [0.0, 1.5]);
    assert_eq!(channel.values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.6, -0.79]);
}

#[test]
fn normalised_integer_rotations() {
    for (component, bytes) in [
        (5120, vec![0, 0, 0, 127, 0, 0, 0x80, 0]),
        (
            5122,
            [[0, 0, 0, 32767], [0, 0, -32768, 0]]
                .concat()
                .iter()
                .flat_map(|x: &i16| x.to_le_bytes())
                .collect(),
        ),
    ] {
        let mut file = Builder::character();
        let output = file.accessor("VEC4", component, &bytes);
        file.json["animations"][0]["samplers"][0]["output"] = json!(output);
        file.refused(&[
            "values of animation 0 (kick) rotation of node 1",
            "not allowed",
        ]);
        file.json["accessors"][output]["normalized"] = json!(true);
        let values = &file.scene().clips[0].channels[0].values;
        assert_eq!(*values, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0]);
    }
}

#[test]
fn every_path_and_interpolation() {
    let mut file = Builder::character();
    let three = file.floats("SCALAR", &[0.5, 1.0, 4.0]);
    let moves = file.floats("VEC3", &[1.0; 9]);
    let spline = file.floats("VEC3", &[0.0; 18]);
    let weights = file.floats("SCALAR", &[0.0, 1.0]);
    file.json["animations"][0] = json!({
        "samplers": [{"input": three, "output": moves, "interpolation": "STEP"},
            {"input": at::TIMES, "output": spline, "interpolation": "CUBICSPLINE"},
            {"input": at::TIMES, "output": weights}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}},
            {"sampler": 1, "target": {"node": 0, "path": "scale"}},
            {"sampler": 2, "target": {"node": 2, "path": "weights"}}],
    });
    let scene = file.scene();
    let clip = &scene.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("clip 0", 4.0));
    let seen: Vec<_> = clip
        .channels
        .iter()
        .map(|c| (c.target, c.interpolation, c.values.len()))
        .collect();
    assert_eq!(
        seen,
        [
            (ChannelTarget::Translation(0), Interpolation::Step, 9),
            (ChannelTarget::Scale(0), Interpolation::CubicSpline, 18),
            (ChannelTarget::Weights(2), Interpolation::Linear, 2),
        ]
    );
    assert_eq!(clip.channels[2].width, 1);
}

#[test]
fn bad_keys_are_refused() {
    let spoilt = |accessor, numbers: &[f32]| {
        let mut file = Builder::character();
        file.overwrite(accessor, 0, numbers);
        file
    };
    let times = [
        "accessor 8",
        "key times of animation 0 (kick) rotation of node 1",
    ];
    spoilt(at::TIMES, &[1.5, 1.5]).refused(&[times[0], times[1], "key 1 at 1.5 s is not later"]);
    spoilt(at::TIMES, &[2.0, 1.0]).refused(&[times[0], "not later"]);
    spoilt(at::TIMES, &[-1.0, 1.0]).refused(&[times[0], "before 0"]);
    spoilt(at::TIMES, &[0.0, f32::NAN]).refused(&[times[0], "key 1 holds NaN"]);
    spoilt(at::ROTATIONS, &[0.0; 4]).refused(&["accessor 9", "key 0", "length 0"]);
    let mut file = Builder::character();
    file.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
    file.refused(&["accessor 9", "count is 2, but 6 is needed"]);
    file.json["animations"][0]["samplers"][0]["interpolation"] = json!("BEZIER");
    file.refused(&["animations[0].samplers[0].interpolation"]);
}

#[test]
fn channels_without_node_are_ignored_and_foreign_ones_named() {
    let mut file = Builder::character();
    let channels = file.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.push(json!({"sampler": 0, "target": {"path": "rotation"}}));
    assert!(file.scene().warnings.is_empty());
    let channels = file.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.push(json!({"sampler": 0, "target": {"path": "pointer",
        "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0"}}}}));
    channels.push(json!({"sampler": 0, "target": {"node": 0, "path": "visibility"}}));
    let scene = file.scene();
    assert_eq!(scene.clips[0].channels.len(), 1);
    assert!(
        scene.warnings[0].starts_with("2 animation channels were ignored"),
        "{:?}",
        scene.warnings
    );
}

#[test]
fn channels_without_effect_are_ignored_with_a_warning() {
    let mut file = Builder::character();
    let channels = file.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap();
    channels.push(json!({"sampler": 0, "target": {"node": 1, "path": "rotation"}}));
    channels.push(json!({"sampler": 0, "target": {"node": 0, "path": "weights"}}));
    let scene = file.scene();
    assert_eq!(scene.clips[0].channels.len(), 1);
    assert!(
        scene.warnings[0].starts_with("2 channels of clip kick"),
        "{:?}",
        scene.warnings
    );
}

#[test]
fn channels_of_missing_nodes_are_refused() {
    let mut file = Builder::character();
    file.json["animations"][0]["channels"][0]["target"]["node"] = json!(9);
    file.refused(&["animation 0 (kick)", "node 9", "does not exist"]);
    let mut file = Builder::character();
    file.json["animations"][0]["channels"][0]["sampler"] = json!(1);
    file.refused(&["animations[0].channels[0].sampler", "out of bounds"]);
}
