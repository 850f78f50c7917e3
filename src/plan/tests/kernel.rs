//! A kernel of one's own beside ours.

use serde_json::{Value as Json, json};

use super::super::{KernelChoice, KernelFile, Place, Plan, Preset, RunRequest};
use super::{error, ids, request, with_model};

fn with_kernel(mut request: RunRequest) -> RunRequest {
    request.kernel = Some("my/skin.spv".into());
    request
}

fn planned(preset: Preset, axes: &[&str]) -> Plan {
    Plan::build(with_kernel(request(preset, axes)), 7).unwrap()
}

#[test]
fn every_case_of_compute_is_entered_once_more() {
    let axes = ["passes=1,2", "instances=1", "strategy=compute,cpu"];
    let mut found = ids(&planned(Preset::Quick, &axes).cases);
    found.retain(|id| !id.ends_with("/aa"));
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "compute",
            "compute/kernel=own",
            "compute/kernel=own/passes=2",
            "compute/passes=2",
            "cpu",
            "cpu/passes=2",
        ]
    );
    for preset in [Preset::Quick, Preset::Standard, Preset::Full] {
        for model in [false, true] {
            let mut asked = request(preset, &["engine=default,unity,unreal"]);
            if model {
                asked = with_model(asked);
            }
            let plain = Plan::build(asked.clone(), 7).unwrap();
            let plan = Plan::build(with_kernel(asked), 7).unwrap();
            let compute = |plan: &Plan, choice| {
                let all = plan.cases.iter().filter(|case| !case.is_aa());
                all.filter(|case| case.place() == Place::Compute && case.kernel() == choice)
                    .count()
            };
            let ours = compute(&plain, KernelChoice::Ours);
            assert!(ours > 0);
            assert_eq!(compute(&plan, KernelChoice::Ours), ours, "{preset:?}");
            assert_eq!(compute(&plan, KernelChoice::Own), ours, "{preset:?}");
            assert_eq!(plan.cases.len(), plain.cases.len() + ours, "{preset:?}");
        }
    }
}

#[test]
fn named_values_win_over_both() {
    let plan = planned(Preset::Quick, &["kernel=own", "strategy=compute,cpu"]);
    let own = |place| {
        if place == Place::Compute {
            "own"
        } else {
            "n/a"
        }
    };
    for case in &plan.cases {
        assert_eq!(case.axes()["kernel"], own(case.place()), "{case}");
    }
}

#[test]
fn the_twin_stays_one_of_ours_where_there_is_one() {
    for preset in [Preset::Quick, Preset::Standard, Preset::Full] {
        let plan = planned(preset, &[]);
        let twin = plan.cases.iter().find(|case| case.is_aa()).unwrap();
        assert_eq!(
            (twin.place(), twin.kernel()),
            (Place::Compute, KernelChoice::Ours)
        );
    }
    let alone = planned(Preset::Quick, &["kernel=own", "strategy=compute"]);
    let twin = alone.cases.iter().find(|case| case.is_aa()).unwrap();
    assert_eq!(twin.kernel(), KernelChoice::Own);
}

#[test]
fn both_kernels_must_draw_the_same() {
    let plan = planned(
        Preset::Quick,
        &["passes=1", "instances=1", "strategy=compute"],
    );
    let keys: Vec<_> = plan
        .cases
        .iter()
        .map(|case| case.comparison_key())
        .collect();
    assert_eq!(keys.len(), 3);
    assert!(keys.iter().all(|key| *key == keys[0]));
}

#[test]
fn a_kernel_and_cases_for_it_go_together() {
    assert_eq!(
        error(request(Preset::Quick, &["kernel=own"])),
        "axis kernel has the value own, and there is no kernel: give --kernel FILE"
    );
    for axes in [["strategy=cpu"], ["kernel=ours"]] {
        assert_eq!(
            error(with_kernel(request(Preset::Quick, &axes))),
            "--kernel my/skin.spv: no case would run it: leave compute among the places and own \
             among the values of axis kernel"
        );
    }
}

#[test]
fn a_stored_plan_names_the_kernel() {
    let mut plan = planned(Preset::Quick, &[]);
    let digest = "ab".repeat(32);
    plan.kernel.as_mut().unwrap().sha256 = Some(digest.clone());
    let stored = serde_json::to_value(&plan).unwrap();
    assert_eq!(
        stored["kernel"],
        json!({"path": "my/skin.spv", "sha256": digest})
    );
    let again: Plan = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(again, plan);
    let read = |stored: Json| serde_json::from_value::<Plan>(stored).map_err(|e| e.to_string());
    let mut without = stored.clone();
    without["kernel"] = Json::Null;
    assert!(read(without).unwrap_err().contains("there is no kernel"));
    let mut old =
        serde_json::to_value(Plan::build(request(Preset::Quick, &[]), 7).unwrap()).unwrap();
    assert!(old.as_object_mut().unwrap().remove("kernel").is_some());
    assert_eq!(read(old).unwrap().kernel, None);
    assert_eq!(KernelFile::named("x".into()).sha256, None);
}
