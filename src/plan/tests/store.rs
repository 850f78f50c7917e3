//! A plan in a result file.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::super::{ClipChoice, Plan, Preset, Resolution};
use super::{plan, request, with_model};

fn read(json: Json) -> Result<Plan, String> {
    serde_json::from_value(json).map_err(|error| error.to_string())
}

fn written(plan: &Plan) -> Json {
    serde_json::to_value(plan).unwrap()
}

#[test]
fn a_stored_plan_is_the_plan_again() {
    for preset in [Preset::Quick, Preset::Standard, Preset::Full] {
        let given = [
            &[][..],
            &["passes=1,3", "pass-mix=frame,uniform"],
            &["engine=default,godot,unreal,three", "passes=1,3"],
        ];
        for axes in given {
            let mut asked = request(preset, axes);
            asked.seed = Some(u64::MAX);
            asked.clip = Some(ClipChoice::Name("Walk".to_owned()));
            asked.time_limit = Some(Duration::from_millis(12_345));
            asked.resolution = Resolution {
                width: 640,
                height: 480,
            };
            for asked in [asked.clone(), with_model(asked)] {
                let plan = Plan::build(asked, 7).unwrap();
                let text = serde_json::to_string(&plan).unwrap();
                let again: Plan = serde_json::from_str(&text).unwrap();
                assert_eq!(again.cases, plan.cases);
                assert_eq!(written(&again), written(&plan));
            }
        }
    }
}

#[test]
fn what_is_stored_can_be_read() {
    let plan = plan(&["passes=1,2", "strategy=cpu", "instances=1"]);
    let grid: Json = serde_json::from_str(
        r#"{
            "strategy": ["cpu"], "passes": [1, 2], "pass-mix": ["uniform"], "instances": [1],
            "draws": ["per-character"], "vertices": [5000], "joints": [64], "attributes": ["pn"],
            "influences": [4], "poses": ["own"], "influence-loop": ["fixed"],
            "palette": ["rows3x4"], "palette-texture": ["256"], "joint-index": ["u16"],
            "weights": ["f32"], "weight-normalise": ["off"], "output": ["f32"],
            "joint-scale": ["none"], "normals": ["cofactor"], "morph-targets": [0],
            "morph-order": ["before"], "morph": ["dense"], "workgroup": [64],
            "grouping": ["per-mesh"], "partition": ["off"], "dirty": [100],
            "cache": ["revision"], "visible": [100], "previous": ["buffer"],
            "index-order": ["optimised"], "robust": ["off"], "kernel": ["ours"],
            "engine": ["default"]
        }"#,
    )
    .unwrap();
    let expected = json!({
        "preset": "quick", "model": null, "clip": null, "seed": 7, "kernel": null,
        "time_limit_s": 60.0,
        "ratio_target": 0.05, "resolution": {"width": 256, "height": 256}, "grids": [grid],
    });
    assert_eq!(written(&plan), expected);
}

#[test]
fn a_plan_stored_before_an_axis_was_added_takes_its_default() {
    let plan = plan(&[]);
    let mut stored = written(&plan);
    let grid = stored["grids"][0].as_object_mut().unwrap();
    assert!(grid.remove("poses").is_some() && grid.remove("influences").is_some());
    assert_eq!(read(stored).unwrap(), plan);
}

#[test]
fn a_broken_plan_is_refused_in_one_line() {
    let broken = |key: &str, value: Json| {
        let mut stored = written(&plan(&[]));
        stored[key] = value;
        let said = read(stored).unwrap_err();
        assert!(!said.contains('\n'), "{said:?}");
        said
    };
    assert!(broken("preset", json!("slow")).contains("'slow' is not plan.preset"));
    assert!(broken("grids", json!([{"pallette": ["mat4"]}])).contains("'pallette' is not an axis"));
    assert!(broken("grids", json!([{"passes": [0]}])).contains("axis passes has no value '0'"));
    assert!(broken("grids", json!([{"passes": []}])).contains("at least one value"));
    assert!(broken("grids", json!([])).contains("at least one grid"));
    assert!(broken("resolution", json!({"width": 0, "height": 1})).contains("'0x1'"));
    assert!(broken("time_limit_s", json!(0.0)).contains("'0' is not a time limit"));
    assert!(broken("ratio_target", json!(1.5)).contains("plan.ratio_target"));
    assert!(broken("seed", json!(-1)).contains("-1"));
    assert!(broken("surprise", json!(1)).contains("surprise"));
}
