//! What a case says of itself, and how cases are grouped.

use std::collections::BTreeSet;

use serde_json::json;

use super::super::{Attributes, Case, Draws, JointScale, PassMix, Place, Plan, Poses, Preset};
use super::{case, ids, plan, request, with_model};

#[test]
fn typed_access_gives_the_values() {
    let case = case(&[
        "strategy=vertex-uniform",
        "passes=3",
        "pass-mix=frame",
        "instances=7",
        "draws=instanced",
        "attributes=p",
        "poses=shared",
        "vertices=600",
        "joints=65",
        "influences=12",
    ]);
    assert_eq!(case.place(), Place::VertexUniform);
    assert_eq!((case.passes(), case.pass_mix()), (3, PassMix::Frame));
    assert_eq!((case.instances(), case.draws()), (7, Draws::Instanced));
    assert_eq!(
        (case.attributes(), case.poses()),
        (Attributes::P, Poses::Shared)
    );
    assert_eq!(case.vertices(), Some(600));
    assert_eq!((case.joints(), case.influences()), (Some(65), Some(12)));
}

#[test]
fn the_defaults_are_the_contracts() {
    let axes = case(&["strategy=compute"]).axes();
    let expected = json!({
        "strategy": "compute", "passes": 1, "pass-mix": "uniform", "instances": 1,
        "draws": "per-character", "vertices": 5000, "joints": 64, "attributes": "pn",
        "influences": 4, "poses": "own", "influence-loop": "fixed", "palette": "rows3x4",
        "palette-texture": "n/a", "joint-index": "u16", "weights": "f32",
        "weight-normalise": "off", "output": "f32", "joint-scale": "none", "normals": "cofactor",
        "morph-targets": 0, "morph-order": "before", "morph": "dense", "workgroup": 64,
        "grouping": "per-mesh", "partition": "n/a", "dirty": 100, "cache": "revision",
        "visible": 100, "previous": "buffer", "index-order": "optimised", "robust": "off",
        "kernel": "ours", "engine": "default",
    });
    assert_eq!(serde_json::Value::Object(axes), expected);
}

#[test]
fn a_model_has_no_axis_of_the_built_in_character() {
    let plan = Plan::build(with_model(request(Preset::Standard, &[])), 7).unwrap();
    for case in &plan.cases {
        assert_eq!(
            (case.vertices(), case.joints(), case.influences()),
            (None, None, None)
        );
        assert_eq!(
            (case.morph_targets(), case.joint_scale()),
            (None, JointScale::None)
        );
        let built_in = [
            "vertices",
            "joints",
            "influences",
            "joint-scale",
            "morph-targets",
        ];
        for axis in built_in {
            assert_eq!(case.axes()[axis], "n/a");
            assert!(!case.id().contains(axis), "{case}");
        }
        assert_eq!(case.with(Place::Cpu).vertices(), None);
    }
}

#[test]
fn attributes_say_what_is_written() {
    let all: Vec<_> = Attributes::ALL
        .iter()
        .map(|a| (a.name(), a.has_normal(), a.has_tangent(), a.output_floats()))
        .collect();
    assert_eq!(
        all,
        [
            ("p", false, false, 3),
            ("pn", true, false, 6),
            ("pnt", true, true, 10)
        ]
    );
}

#[test]
fn cases_of_one_point_share_a_key() {
    let plan = plan(&["passes=1,2", "instances=1,16"]);
    let points: BTreeSet<_> = plan.cases.iter().map(Case::comparison_key).collect();
    let compute = plan
        .cases
        .iter()
        .filter(|case| case.place() == Place::Compute);
    let curves: BTreeSet<_> = compute
        .map(|case| case.axes_without(&["strategy", "passes"]))
        .collect();
    assert_eq!((points.len(), curves.len()), (4, 2));
    let names: Vec<_> = curves.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["defaults", "instances=16"]);
    let last = curves.iter().next_back().unwrap().to_json();
    assert_eq!((last["instances"].clone(), last.len()), (json!(16), 31));
}

#[test]
fn keys_order_numbers_by_size() {
    let small = case(&["instances=16"]).axes_without(&[]);
    let large = case(&["instances=100"]).axes_without(&[]);
    assert!(small < large);
}

#[test]
fn the_same_point_is_found_in_another_place() {
    let plan = plan(&[]);
    for case in plan.cases.iter().filter(|case| !case.is_aa()) {
        for place in Place::ALL {
            let other = case.with(*place);
            assert_eq!(other.place(), *place);
            assert_eq!(other.comparison_key(), case.comparison_key());
            let first = *place == Place::Cpu || *place < Place::VertexTexture;
            assert_eq!(plan.cases.contains(&other), first, "{other}");
        }
    }
}

#[test]
fn places_stand_side_by_side_whatever_the_order_of_arguments() {
    let one = plan(&["strategy=cpu,compute", "passes=2,1", "instances=1"]);
    let other = plan(&["instances=1", "passes=1,2,1", "strategy=compute,cpu"]);
    assert_eq!(one.cases, other.cases);
    let mut found = ids(&one.cases);
    found.retain(|id| !id.ends_with("/aa"));
    assert_eq!(
        found,
        ["compute", "cpu", "compute/passes=2", "cpu/passes=2"]
    );
}

#[test]
fn a_frame_has_at_most_eight_passes() {
    let plan = plan(&["pass-mix=frame,uniform", "passes=8,9", "strategy=compute"]);
    let impossible: Vec<_> = plan
        .cases
        .iter()
        .filter_map(|case| Some((case.id(), case.impossible()?.to_string())))
        .collect();
    let why = "pass-mix needs at most 8 passes, not 9 passes".to_owned();
    assert_eq!(
        impossible,
        [
            ("compute/pass-mix=frame/passes=9".to_owned(), why.clone()),
            (
                "compute/instances=16/pass-mix=frame/passes=9".to_owned(),
                why
            ),
        ]
    );
}
