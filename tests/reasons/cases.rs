//! What has no meaning, and what the scene forbids: each beside a case that differs in one thing and
//! runs.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use serde_json::json;
use skinbench::bench::Lab;
use skinbench::gpu::DeviceOptions;
use skinbench::result::ReasonKind;
use skinbench::scene::{Scene, character};

use super::support::{assert_silent, case, devices, lab};
use super::{Said, of, refused, runs, said};

fn meaningless(
    name: &str,
    need: impl Into<serde_json::Value>,
    have: impl Into<serde_json::Value>,
) -> Said {
    (
        ReasonKind::NotApplicable,
        name.to_owned(),
        need.into(),
        have.into(),
    )
}

fn each(body: impl Fn(&mut Lab)) {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        body(&mut lab);
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn a_dual_quaternion_holds_rigid_joints_alone() {
    let options = character::Options {
        vertices: 700,
        joints: 12,
        non_uniform_scale: true,
        ..character::Options::default()
    };
    // As a model would bring it: the case says nothing of scales.
    let scaled = Arc::new(character::build(options).unwrap());
    let case = case(&["strategy=compute", "palette=dual-quat"]);
    each(|lab| {
        let reason = said(refused(lab, &scaled, &case).unwrap());
        assert_eq!(
            reason,
            meaningless("palette", "rigid joints", "a scaled joint")
        );
        runs(lab, &of(12, 0), &case);
    });
}

#[test]
fn a_byte_names_256_joints() {
    let case = case(&["strategy=compute", "joint-index=u8"]);
    each(|lab| {
        let reason = said(refused(lab, &of(257, 0), &case).unwrap());
        assert_eq!(reason, meaningless("joint-index", 257, 256));
        runs(lab, &of(256, 0), &case);
    });
}

/// The character with every joint's palette moved by `distance` along x.
fn far(distance: f32) -> Arc<Scene> {
    let mut scene = (*of(12, 0)).clone();
    for inverse in &mut scene.skins[0].inverse_bind_matrices {
        *inverse *= Mat4::from_translation(Vec3::new(distance, 0.0, 0.0));
    }
    Arc::new(scene)
}

#[test]
fn halves_end_at_65504() {
    let case = case(&["strategy=compute", "palette=rows3x4-half"]);
    each(|lab| {
        let (kind, name, need, have) = said(refused(lab, &far(1e6), &case).unwrap());
        assert_eq!(
            (kind, name.as_str()),
            (ReasonKind::NotApplicable, "palette")
        );
        assert_eq!(have, json!(65_504.0));
        assert!((9e5..1.1e6).contains(&need.as_f64().unwrap()), "{need}");
        runs(lab, &far(1e3), &case);
    });
}

#[test]
fn targets_are_added_in_place_to_floats_alone() {
    let packed = case(&["strategy=compute", "morph=sparse", "output=oct16"]);
    let floats = case(&["strategy=compute", "morph=sparse", "output=f32"]);
    let scene = of(12, 2);
    each(|lab| {
        let reason = said(refused(lab, &scene, &packed).unwrap());
        assert_eq!(reason, meaningless("morph", "f32", "oct16"));
        runs(lab, &scene, &floats);
    });
}

#[test]
fn one_draw_for_all_needs_vertices_that_are_deformed_as_they_are_drawn() {
    let scene = of(12, 0);
    let reason = meaningless("draws", "per-character or indirect", "instanced");
    each(|lab| {
        for place in ["compute", "transform-feedback", "vertex-uniform", "cpu"] {
            let strategy = format!("strategy={place}");
            let case = case(&[&strategy, "draws=instanced", "instances=3"]);
            assert_eq!(
                said(refused(lab, &scene, &case).unwrap()),
                reason,
                "{place}"
            );
        }
        for place in ["vertex-storage", "vertex-texture"] {
            let strategy = format!("strategy={place}");
            runs(
                lab,
                &scene,
                &case(&[&strategy, "draws=instanced", "instances=3"]),
            );
        }
    });
}
