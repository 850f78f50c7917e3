//! Engines against `default`, and values of an axis against its default.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use super::axis_ratios::steps_to_default;
use super::conclude;
use crate::result::{
    Axes, Case, Clock, Ratio, ResultFile, Stage, Stages, Status, engine_of, merged, shared,
};
use crate::stats::{CrossoverKind, Verdict};

fn axes(values: &[(&str, Value)]) -> Axes {
    let own = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
    values.iter().map(own).collect()
}

/// A case whose frame takes `ns` in each of 20 rounds.
fn case(id: &str, values: &[(&str, Value)], ns: f64) -> Case {
    let stage = |clock| Stage {
        clock,
        median_ns: ns,
        ci95_ns: [ns, ns],
        samples_ns: vec![ns; 20],
        repeats: 1,
    };
    let mut axes = axes(values);
    let place = id.split('/').next().unwrap();
    axes.insert("strategy".to_owned(), json!(place));
    Case {
        id: id.to_owned(),
        axes,
        status: Status::Measured,
        stages: Stages {
            frame_gpu: Some(stage(Clock::Gpu)),
            frame_wall: Some(stage(Clock::Host)),
            ..Stages::default()
        },
        rounds: (0..20).map(|round| [0, round]).collect(),
        ..Case::default()
    }
}

fn concluded(cases: Vec<Case>) -> ResultFile {
    let mut file = ResultFile {
        cases,
        ..ResultFile::default()
    };
    let mut twin = file.cases[0].clone();
    twin.id.push_str("/aa");
    twin.partners.clear();
    file.cases.push(twin);
    conclude(&mut file);
    file
}

/// `default` in two places and an engine, which asks for another palette.
fn engines() -> Vec<Case> {
    let common = |engine: &str, palette: &str, workgroup: Value| {
        [
            ("engine", json!(engine)),
            ("palette", json!(palette)),
            ("workgroup", workgroup),
            ("passes", json!(1)),
            ("weights", json!("f32")),
        ]
    };
    let mut bevy = case(
        "vertex-storage/engine=bevy/palette=mat4",
        &common("bevy", "mat4", json!("n/a")),
        300.0,
    );
    bevy.partners = vec![
        "compute".to_owned(),
        "vertex-storage".to_owned(),
        "gone".to_owned(),
    ];
    vec![
        case("compute", &common("default", "rows3x4", json!(64)), 100.0),
        case(
            "vertex-storage",
            &common("default", "rows3x4", json!("n/a")),
            200.0,
        ),
        bevy,
    ]
}

#[test]
fn an_engine_is_held_against_its_partners() {
    let file = concluded(engines());
    let of_engines: Vec<&Ratio> = file
        .ratios
        .iter()
        .filter(|r| r.a_engine.is_some())
        .collect();
    let seen: Vec<_> = of_engines
        .iter()
        .map(|r| (r.a.as_str(), r.b.as_str(), r.median))
        .collect();
    assert_eq!(
        seen,
        [
            ("vertex-storage", "compute", 3.0),
            ("vertex-storage", "vertex-storage", 1.5)
        ]
    );
    for ratio in &of_engines {
        assert_eq!(
            (ratio.a_engine.as_deref(), ratio.b_engine.as_deref()),
            (Some("bevy"), None)
        );
        assert_eq!(ratio.verdict, Some(Verdict::Slower));
    }
    // What both agree on; the workgroup is compute's alone.
    let agreed = [
        ("passes", json!(1)),
        ("weights", json!("f32")),
        ("workgroup", json!(64)),
    ];
    assert_eq!(of_engines[0].axes, axes(&agreed));
    assert_eq!(file.ratios.len(), 3, "and vertex-storage against compute");
}

#[test]
fn a_partner_that_was_not_measured_gives_no_ratio() {
    let mut cases = engines();
    cases[1].status = Status::Skipped;
    let file = concluded(cases);
    assert_eq!(file.ratios.len(), 1);
    assert_eq!(file.ratios[0].b, "compute");
}

#[test]
fn who_named_the_axes_does_not_matter_where_they_agree() {
    let mut cases = engines();
    for case in &mut cases {
        case.axes.insert("palette".to_owned(), json!("mat4"));
    }
    cases[2].partners.clear();
    let file = concluded(cases.clone());
    let seen: Vec<_> = file
        .ratios
        .iter()
        .map(|r| (r.a_engine.as_deref(), r.median))
        .collect();
    assert_eq!(seen, [(None, 2.0), (Some("bevy"), 3.0)]);
    assert_eq!(file.ratios[1].axes.get("engine"), None);
    let bevy = file
        .crossovers
        .iter()
        .find(|c| c.b_engine.is_some())
        .unwrap();
    assert_eq!(
        (bevy.kind, bevy.a_engine.as_deref()),
        (CrossoverKind::AlwaysFaster, None)
    );
    assert!(
        bevy.statement.contains("vertex-storage (bevy)"),
        "{}",
        bevy.statement
    );
    // As a partner it is said once.
    cases[2].partners = vec!["compute".to_owned()];
    assert_eq!(concluded(cases).ratios.len(), 2);
}

#[test]
fn files_without_engines_look_as_before() {
    let file = concluded(engines()[..2].to_vec());
    let text = serde_json::to_value(&file).unwrap();
    let ratio = text["ratios"][0].as_object().unwrap();
    assert!(!ratio.contains_key("a_engine") && !ratio.contains_key("b_engine"));
    assert!(
        !text["crossovers"][0]
            .as_object()
            .unwrap()
            .contains_key("a_engine")
    );
    assert!(
        !text["cases"][0]
            .as_object()
            .unwrap()
            .contains_key("partners")
    );
    let mut old = text;
    old.as_object_mut().unwrap().remove("axis_ratios");
    assert_eq!(serde_json::from_value::<ResultFile>(old).unwrap(), file);
}

#[test]
fn engines_survive_the_file() {
    let file = concluded(engines());
    let text = serde_json::to_string(&file).unwrap();
    assert_eq!(serde_json::from_str::<ResultFile>(&text).unwrap(), file);
}

#[test]
fn the_default_is_one_part_of_the_id_away() {
    let steps = |id: &'static str| steps_to_default(id);
    assert_eq!(steps("compute"), []);
    assert_eq!(
        steps("compute/normals=direct/palette=mat4/passes=2"),
        [
            ("normals", "compute/palette=mat4/passes=2".to_owned()),
            ("palette", "compute/normals=direct/passes=2".to_owned()),
        ]
    );
    assert_eq!(steps("cpu/engine=godot/instances=16/vertices=500"), []);
}

fn palettes() -> Vec<Case> {
    let palette = |id, palette: &str, passes: u32, ns| {
        case(
            id,
            &[("palette", json!(palette)), ("passes", json!(passes))],
            ns,
        )
    };
    vec![
        palette("compute", "rows3x4", 1, 100.0),
        palette("compute/palette=dual-quat", "dual-quat", 1, 140.0),
        palette("compute/palette=dual-quat/passes=2", "dual-quat", 2, 150.0),
        palette("compute/palette=mat4", "mat4", 1, 50.0),
        palette("compute/palette=mat4/passes=2", "mat4", 2, 60.0),
        palette("compute/passes=2", "rows3x4", 2, 120.0),
        palette("cpu/palette=mat4", "mat4", 1, 1000.0),
    ]
}

#[test]
fn each_value_is_held_against_the_default_in_its_place() {
    let file = concluded(palettes());
    let seen: Vec<_> = file
        .axis_ratios
        .iter()
        .map(|r| {
            (
                r.a.as_str().unwrap(),
                r.axes["passes"].as_u64().unwrap(),
                r.median,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("dual-quat", 1, 1.4),
            ("dual-quat", 2, 1.25),
            ("mat4", 1, 0.5),
            ("mat4", 2, 0.5)
        ]
    );
    for ratio in &file.axis_ratios {
        assert_eq!(
            (ratio.axis.as_str(), ratio.strategy.as_str()),
            ("palette", "compute")
        );
        assert_eq!((ratio.b.clone(), ratio.axes.len()), (json!("rows3x4"), 1));
        let faster = ratio.a == json!("mat4");
        let verdict = if faster {
            Verdict::Faster
        } else {
            Verdict::Slower
        };
        assert_eq!(ratio.verdict, Some(verdict));
        assert_eq!(ratio.ci95, [ratio.median; 2]);
    }
}

#[test]
fn few_rounds_give_no_verdict_on_an_axis() {
    let mut cases = palettes();
    for case in &mut cases {
        case.rounds.truncate(9);
    }
    let file = concluded(cases);
    assert_eq!(file.axis_ratios.len(), 4);
    assert!(file.axis_ratios.iter().all(|ratio| ratio.verdict.is_none()));
}

#[test]
fn what_was_not_measured_gives_no_ratio_of_axes() {
    let mut cases = palettes();
    cases[0].status = Status::Invalid;
    let left: Vec<_> = concluded(cases)
        .axis_ratios
        .iter()
        .map(|r| r.axes["passes"].clone())
        .collect();
    assert_eq!(left, [json!(2), json!(2)]);
}

#[test]
fn points_ignore_the_engine_and_say_which_it_was() {
    let [ours, theirs] =
        ["default", "bevy"].map(|engine| axes(&[("engine", json!(engine)), ("passes", json!(1))]));
    assert_eq!(merged(&ours, &theirs), Some(axes(&[("passes", json!(1))])));
    assert_eq!(merged(&theirs, &theirs), Some(theirs.clone()));
    assert_eq!(
        (engine_of(&ours), engine_of(&theirs)),
        (None, Some("bevy".to_owned()))
    );
    let other = axes(&[("engine", json!("bevy")), ("passes", json!(2))]);
    assert_eq!(
        shared(&other, &theirs, &[]),
        axes(&[("engine", json!("bevy"))])
    );
    assert_eq!(merged(&other, &ours), None);
}
