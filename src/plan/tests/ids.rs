//! Identifiers: what people script against.

use super::super::grid::Grid;
use super::super::{Allowed, Axis, Case, Place, Plan, Preset, Value, axes};
use super::{case, ids, plan, request};

/// An axis as a later version might add it. In the order of names it stands before all others.
static LATER: Axis = Axis::new(
    "aaa-later",
    "an axis of a later version",
    Allowed::Words(&["old-way", "new-way"]),
    Value::word("old-way"),
)
.only_where(|place| place == Place::Compute);

fn with_later() -> Vec<&'static Axis> {
    let mut known = axes::ALL.to_vec();
    known.push(&LATER);
    known
}

#[test]
fn a_case_at_the_defaults_is_its_place() {
    assert_eq!(case(&["strategy=cpu"]).id(), "cpu");
}

#[test]
fn other_values_are_named_with_axes_sorted() {
    let given = [
        "strategy=vertex-storage",
        "poses=shared",
        "vertices=50000",
        "attributes=pnt",
        "joints=64",
        "draws=instanced",
        "pass-mix=frame",
        "passes=4",
        "instances=16",
        "influences=8",
    ];
    assert_eq!(
        case(&given).id(),
        "vertex-storage/attributes=pnt/draws=instanced/influences=8/instances=16/\
         pass-mix=frame/passes=4/poses=shared/vertices=50000"
    );
}

#[test]
fn the_twin_ends_in_aa_and_shares_the_axes() {
    let cases = plan(&["strategy=compute", "passes=2", "instances=1"]).cases;
    assert_eq!(ids(&cases), ["compute/passes=2", "compute/passes=2/aa"]);
    assert!(cases[1].is_aa() && !cases[0].is_aa());
    assert_eq!(cases[0].axes(), cases[1].axes());
    assert_eq!(cases[1].original(), cases[0]);
    assert_ne!(cases[0], cases[1]);
}

#[test]
fn a_new_axis_changes_no_old_identifier() {
    for preset in [Preset::Quick, Preset::Standard, Preset::Full] {
        let before = Plan::build(request(preset, &[]), 7).unwrap();
        let after = Plan::build_among(&with_later(), request(preset, &[]), 7).unwrap();
        assert_eq!(ids(&before.cases), ids(&after.cases));
        assert!(after.cases[0].axes().contains_key("aaa-later"));
    }
}

#[test]
fn an_axis_without_meaning_in_a_place_is_measured_once_there() {
    let given = [
        "strategy=compute,cpu",
        "passes=1",
        "instances=1",
        "aaa-later=old-way,new-way",
    ];
    let plan = Plan::build_among(&with_later(), request(Preset::Quick, &given), 7).unwrap();
    let mut found = ids(&plan.cases);
    found.retain(|id| !id.ends_with("/aa"));
    assert_eq!(found, ["compute", "cpu", "compute/aaa-later=new-way"]);
    let cpu = &plan.cases[ids(&plan.cases).iter().position(|id| id == "cpu").unwrap()];
    assert_eq!(cpu.axes()["aaa-later"], "n/a");
}

#[test]
fn another_place_takes_what_means_something_there() {
    let mut grid = Grid::defaults(&with_later());
    grid.set(&LATER, vec![Value::word("new-way")]);
    let there = super::super::grid::expand(&[grid], false).unwrap();
    assert_eq!(there[0].id(), "compute/aaa-later=new-way");
    let cpu = there[0].with(Place::Cpu);
    assert_eq!(
        (cpu.id().as_str(), cpu.axes()["aaa-later"].clone()),
        ("cpu", "n/a".into())
    );
    let back = cpu.with(Place::Compute);
    assert_eq!(back.axes()["aaa-later"], "old-way");
}

#[test]
fn every_default_is_allowed_and_registered_once() {
    let mut names: Vec<_> = axes::ALL.iter().map(|axis| axis.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), axes::ALL.len());
    for axis in axes::ALL {
        let text = axis.default.to_string();
        assert_eq!(
            axis.parse(&text, "test").unwrap(),
            axis.default,
            "{}",
            axis.name
        );
        axis.parse_all(axis.sweep.iter().copied(), "test").unwrap();
        for (other, values) in axis.beside {
            let other = axes::find(&axes::ALL, other).unwrap();
            other.parse_all(values.iter().copied(), "test").unwrap();
        }
    }
    for preset in Preset::ALL {
        for (name, values) in preset.values() {
            let axis = axes::find(&axes::ALL, name).unwrap();
            axis.parse_all(values.iter().copied(), "test").unwrap();
        }
    }
}

#[test]
fn display_is_the_identifier() {
    let case: Case = case(&["passes=2"]);
    assert_eq!(case.to_string(), case.id());
}
