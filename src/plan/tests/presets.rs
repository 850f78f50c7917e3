//! What each preset measures.

use std::collections::BTreeSet;
use std::time::Duration;

use super::super::{
    Allowed, Axis, Case, Engine, Place, Plan, Preset, Resolution, RunRequest, axes,
};
use super::{ids, plan, request, with_model};

fn preset(preset: Preset) -> Plan {
    Plan::build(request(preset, &[]), 7).unwrap()
}

fn numbers(plan: &Plan, get: fn(&Case) -> u32) -> Vec<u32> {
    let all: BTreeSet<_> = plan.cases.iter().map(get).collect();
    all.into_iter().collect()
}

#[test]
fn quick_is_the_default_and_has_sixty_seconds() {
    let plan = Plan::build(RunRequest::default(), 7).unwrap();
    assert_eq!(plan, preset(Preset::Quick));
    assert_eq!(plan.cases.len(), 4 * 4 * 2 + 1);
    assert_eq!(numbers(&plan, Case::passes), [1, 2, 4, 8]);
    assert_eq!(numbers(&plan, Case::instances), [1, 16]);
    assert!(plan.cases.iter().all(|case| case.vertices() == Some(5000)));
    assert!(plan.cases.iter().all(|case| case.joints() == Some(64)));
    assert_eq!(plan.time_limit, Some(Duration::from_secs(60)));
    assert!((plan.ratio_target - 0.05).abs() < f64::EPSILON);
    assert_eq!(
        plan.resolution,
        Resolution {
            width: 256,
            height: 256
        }
    );
    assert_eq!((plan.seed, plan.model, plan.clip), (7, None, None));
}

#[test]
fn standard_is_bigger_and_has_ten_minutes() {
    let plan = preset(Preset::Standard);
    assert_eq!(plan.cases.len(), 4 * 4 * 2 + 1);
    assert_eq!(numbers(&plan, Case::instances), [1, 100]);
    assert!(
        plan.cases
            .iter()
            .all(|case| case.vertices() == Some(50_000))
    );
    assert_eq!(plan.time_limit, Some(Duration::from_secs(600)));
    assert!((plan.ratio_target - 0.02).abs() < f64::EPSILON);
}

#[test]
fn full_sweeps_each_axis_alone() {
    let plan = preset(Preset::Full);
    assert_eq!((plan.time_limit, plan.ratio_target), (None, 0.01));
    for case in plan.cases.iter().filter(|case| !case.is_aa()) {
        let id = case.id();
        let named: Vec<_> = id.split('/').skip(1).collect();
        let of_one_sweep = |axis: &&Axis| {
            let swept =
                |name: &str| axis.name == name || axis.beside.iter().any(|(n, _)| *n == name);
            named
                .iter()
                .all(|text| swept(text.split('=').next().unwrap()))
        };
        // What engines imply is the matter of `engines.rs`.
        let of_engines = case.engine() != Engine::Default || id.contains("attributes=pnt/");
        assert!(of_engines || axes::ALL.iter().any(of_one_sweep), "{id}");
    }
    for id in [
        "compute",
        "cpu/joints=1024",
        "compute/pass-mix=frame/passes=8",
        "vertex-texture/palette-texture=square",
        "transform-feedback/output=oct16-truncated",
        "compute/instances=16/visible=0",
        "compute/joint-scale=non-uniform/normals=direct",
        "compute/morph=sparse/morph-targets=8",
    ] {
        assert!(ids(&plan.cases).iter().any(|known| known == id), "{id}");
    }
    let distinct: BTreeSet<_> = ids(&plan.cases).into_iter().collect();
    assert_eq!(distinct.len(), plan.cases.len());
}

#[test]
fn full_measures_every_value_of_every_word() {
    let plan = preset(Preset::Full);
    // A kernel of one's own takes a file.
    for axis in axes::ALL.iter().filter(|axis| axis.name != axes::KERNEL) {
        let Allowed::Words(words) = axis.allowed else {
            continue;
        };
        for word in words {
            let has = |case: &Case| case.axes()[axis.name] == *word && case.impossible().is_none();
            assert!(plan.cases.iter().any(has), "{}={word}", axis.name);
        }
    }
}

#[test]
fn full_with_a_model_leaves_the_built_in_axes_alone() {
    let plan = Plan::build(with_model(request(Preset::Full, &[])), 7).unwrap();
    assert!(plan.cases.iter().all(|case| case.vertices().is_none()));
    let swept: BTreeSet<_> = ids(&plan.cases)
        .iter()
        .flat_map(|id| id.split('/').skip(1))
        .filter_map(|text| Some(text.split_once('=')?.0.to_owned()))
        .collect();
    let all = axes::ALL
        .iter()
        .filter(|axis| !axis.built_in_only && !axis.sweep.is_empty());
    assert_eq!(swept, all.map(|axis| axis.name.to_owned()).collect());
}

#[test]
fn an_explicit_axis_beats_the_preset() {
    let quick = plan(&["passes=3", "vertices=500"]);
    assert_eq!(numbers(&quick, Case::passes), [3]);
    assert!(quick.cases.iter().all(|case| case.vertices() == Some(500)));
    assert_eq!(numbers(&quick, Case::instances), [1, 16]);

    let full = Plan::build(request(Preset::Full, &["passes=3", "instances=2,5"]), 7).unwrap();
    assert_eq!(numbers(&full, Case::passes), [3]);
    assert_eq!(numbers(&full, Case::instances), [2, 5]);
}

#[test]
fn explicit_choices_beat_the_presets() {
    let asked = RunRequest {
        time_limit: Some(Duration::from_secs(5)),
        seed: Some(99),
        ..RunRequest::default()
    };
    let plan = Plan::build(asked, 7).unwrap();
    assert_eq!(
        (plan.time_limit, plan.seed),
        (Some(Duration::from_secs(5)), 99)
    );
}

fn twin_of(axes: &[&str]) -> String {
    let plan = plan(axes);
    let twins: Vec<_> = plan.cases.iter().filter(|case| case.is_aa()).collect();
    assert_eq!(twins.len(), 1);
    twins[0].original().id()
}

#[test]
fn the_twin_repeats_a_compute_case_of_middle_cost() {
    // costs instances · (1 + passes): 2, 3, 5, 9, 32, 48, 80, 144; the fifth of eight.
    assert_eq!(twin_of(&[]), "compute/instances=16");
    assert_eq!(twin_of(&["instances=1"]), "compute/passes=4");
    assert_eq!(
        twin_of(&["strategy=cpu,vertex-storage", "instances=1"]),
        "vertex-storage/passes=4"
    );
    // A case that cannot run shows nothing: of passes 8 and 64 only 8 is left.
    assert_eq!(
        twin_of(&["instances=1", "passes=8,64", "pass-mix=frame"]),
        "compute/pass-mix=frame/passes=8"
    );
}

#[test]
fn full_takes_every_place_and_the_others_the_four_first() {
    let places = |cases: &[Case]| cases.iter().map(Case::place).collect::<Vec<_>>();
    assert_eq!(places(&preset(Preset::Full).cases[..6]), Place::ALL);
    let four = [
        Place::Compute,
        Place::VertexStorage,
        Place::VertexUniform,
        Place::Cpu,
    ];
    for of in [Preset::Quick, Preset::Standard] {
        let places: BTreeSet<_> = places(&preset(of).cases).into_iter().collect();
        assert_eq!(places.into_iter().collect::<Vec<_>>(), four);
    }
}
