//! Axis `engine`: what it implies, what wins over it, and beside what it stands.

use std::collections::BTreeSet;

use super::super::{Case, Engine, Place, Plan, Preset, axes};
use super::{error, ids, plan, request, with_model};

fn full(axes: &[&str]) -> Plan {
    Plan::build(request(Preset::Full, axes), 7).unwrap()
}

/// The case of an engine at its own choices.
fn of(engine: &str) -> Case {
    let plan = plan(&[&format!("engine={engine}"), "passes=1", "instances=1"]);
    let mut cases = plan.cases.into_iter().filter(|case| !case.is_aa());
    let case = cases.next().unwrap();
    assert_eq!(cases.next(), None);
    case
}

#[test]
fn each_engine_has_the_axes_of_the_facts() {
    let expected = [
        "compute/attributes=pnt/engine=godot/normals=direct/output=oct16-truncated/weights=unorm16",
        "transform-feedback/attributes=pnt/engine=godot-gles/normals=direct/\
         output=oct16-truncated/weights=unorm16",
        "compute/attributes=pnt/engine=unity/joint-index=u32/morph=sparse/morph-order=after/\
         normals=direct-raw/palette=mat4",
        "vertex-uniform/engine=unity-vertex/joint-index=u32/normals=direct/weight-normalise=two",
        "compute/attributes=pnt/engine=unity-batched/grouping=batched/joint-index=u32/\
         morph=sparse/morph-order=after/normals=direct-raw/palette=mat4",
        "compute/attributes=pnt/engine=unreal/grouping=batched/joint-index=u8/normals=direct/\
         output=snorm8/weights=unorm8",
        "vertex-storage/attributes=pnt/draws=instanced/engine=bevy/normals=inverse-transpose/\
         palette=mat4",
        "vertex-texture/engine=three/normals=direct/palette=mat4/palette-texture=square",
    ];
    let found: Vec<_> = Engine::NAMES[1..]
        .iter()
        .map(|engine| of(engine).id())
        .collect();
    assert_eq!(found, expected);
    for engine in Engine::NAMES {
        let case = of(if *engine == "default" {
            "godot"
        } else {
            engine
        });
        assert_eq!((case.influences(), case.workgroup()), (Some(4), 64));
        assert_eq!(case.impossible(), None, "{case}");
    }
}

#[test]
fn the_table_names_axes_values_and_places_that_exist() {
    for engine in Engine::ALL {
        let row = super::super::engine::row_of(*engine);
        assert_eq!(row.is_none(), *engine == Engine::Default);
        for (name, values) in row
            .iter()
            .flat_map(|row| row.sets.iter().chain(row.large_skins))
        {
            let axis = axes::find(&axes::ALL, name).unwrap();
            axis.parse_all(values.iter().copied(), "test").unwrap();
            assert!((axis.applies)(row.unwrap().place), "{engine} {name}");
            assert!(!values.is_empty());
        }
    }
}

#[test]
fn default_alone_is_what_it_always_was() {
    for preset in [Preset::Quick, Preset::Standard] {
        let named = Plan::build(request(preset, &["engine=default"]), 7).unwrap();
        assert_eq!(named, Plan::build(request(preset, &[]), 7).unwrap());
    }
}

#[test]
fn default_takes_the_inputs_of_the_engine_beside_it() {
    let plan = plan(&["engine=default,godot", "passes=1", "instances=1"]);
    let mut found = ids(&plan.cases);
    found.retain(|id| !id.ends_with("/aa"));
    assert_eq!(
        found,
        [
            "compute/attributes=pnt/weights=unorm16",
            "vertex-storage/attributes=pnt/weights=unorm16",
            "vertex-uniform/attributes=pnt/weights=unorm16",
            // cpu reads no packed vertex.
            "cpu/attributes=pnt",
            "compute/attributes=pnt/engine=godot/normals=direct/output=oct16-truncated/\
             weights=unorm16",
        ]
    );
    for case in plan
        .cases
        .iter()
        .filter(|case| case.engine() == Engine::Default)
    {
        assert!(["f32", "n/a"].contains(&case.axes()["output"].as_str().unwrap()));
        assert_eq!(case.axes()["normals"], "cofactor");
    }
}

#[test]
fn engines_of_equal_inputs_share_their_default() {
    let plan = plan(&[
        "engine=default,unity,unity-batched,godot",
        "strategy=compute",
        "passes=1",
        "instances=1",
    ]);
    let defaults: BTreeSet<_> = plan
        .cases
        .iter()
        .filter(|case| case.engine() == Engine::Default && !case.is_aa())
        .map(Case::id)
        .collect();
    let expected = [
        "compute/attributes=pnt/joint-index=u32",
        "compute/attributes=pnt/weights=unorm16",
    ];
    assert!(defaults.iter().eq(expected.iter()), "{defaults:?}");
}

#[test]
fn an_engine_beats_a_preset_and_leaves_the_rest_to_it() {
    let standard = Plan::build(request(Preset::Standard, &["engine=three"]), 7).unwrap();
    assert!(
        standard
            .cases
            .iter()
            .all(|case| case.place() == Place::VertexTexture)
    );
    assert!(
        standard
            .cases
            .iter()
            .all(|case| case.vertices() == Some(50_000))
    );
    assert_eq!(standard.cases.len(), 4 * 2 + 1);
    // Of what `full` sweeps, what the engine allows is left.
    let swept: BTreeSet<_> = full(&["engine=unreal"])
        .cases
        .iter()
        .filter_map(Case::influences)
        .collect();
    assert_eq!(swept.into_iter().collect::<Vec<_>>(), [4, 8, 12]);
    assert!(
        full(&["engine=unreal"])
            .cases
            .iter()
            .all(|case| case.axes()["palette"] == "rows3x4")
    );
}

#[test]
fn a_named_axis_wins_where_the_engine_leaves_a_choice() {
    let given = [
        "engine=default,godot",
        "influences=8",
        "morph-targets=3",
        "passes=1",
        "instances=1",
    ];
    for case in plan(&given).cases {
        assert_eq!(
            (case.influences(), case.morph_targets()),
            (Some(8), Some(3))
        );
    }
    let bevy = plan(&["engine=bevy", "weights=unorm16"]);
    assert!(
        bevy.cases
            .iter()
            .all(|case| case.axes()["weights"] == "unorm16")
    );
    let same = plan(&["engine=godot", "palette=rows3x4", "workgroup=64"]);
    assert_eq!(same.cases, plan(&["engine=godot"]).cases);
}

#[test]
fn a_named_axis_that_contradicts_a_named_engine_is_an_error() {
    let said = |axes: &[&str]| error(request(Preset::Quick, axes));
    assert_eq!(
        said(&["engine=default,godot", "palette=rows3x4,mat4"]),
        "--axis palette=rows3x4,mat4: engine godot of --axis engine=default,godot has palette \
         rows3x4, not mat4: leave out one of the two"
    );
    assert_eq!(
        said(&["influences=2", "engine=godot"]),
        "--axis influences=2: engine godot of --axis engine=godot has influences 4 or 8, not 2: \
         leave out one of the two"
    );
    assert!(said(&["influences=8", "engine=unity,unreal"]).contains("engine unity of"));
    assert!(said(&["draws=per-character", "engine=bevy"]).contains("has draws instanced"));
}

#[test]
fn places_that_are_not_listed_drop_their_engines() {
    let given = [
        "engine=default,godot,bevy,three",
        "strategy=compute,cpu",
        "passes=1",
        "instances=1",
    ];
    let engines: BTreeSet<_> = plan(&given).cases.iter().map(Case::engine).collect();
    assert!(engines.into_iter().eq([Engine::Default, Engine::Godot]));
    let places: BTreeSet<_> = plan(&given).cases.iter().map(Case::place).collect();
    assert!(places.into_iter().eq([Place::Compute, Place::Cpu]));
    // A dropped engine contradicts nothing.
    assert!(
        !plan(&[
            "engine=default,bevy",
            "strategy=compute",
            "draws=per-character"
        ])
        .cases
        .is_empty()
    );
    // With no engine beside it, default has its own inputs.
    let alone = plan(&[
        "engine=default,bevy",
        "strategy=compute",
        "passes=1",
        "instances=1",
    ]);
    assert_eq!(ids(&alone.cases), ["compute", "compute/aa"]);
    assert_eq!(
        error(request(
            Preset::Quick,
            &["engine=bevy,three", "strategy=cpu"]
        )),
        "--axis strategy=cpu: no engine of --axis engine=bevy,three runs there: \
         add one of vertex-storage, vertex-texture"
    );
}

#[test]
fn a_swept_engine_that_contradicts_a_named_axis_is_left_out() {
    let engines = |axes: &[&str]| -> Vec<_> {
        let all: BTreeSet<_> = full(axes).cases.iter().map(Case::engine).collect();
        all.into_iter().collect()
    };
    assert_eq!(engines(&[]), Engine::ALL);
    let mat4 = [
        Engine::Default,
        Engine::Unity,
        Engine::UnityBatched,
        Engine::Bevy,
        Engine::Three,
    ];
    assert_eq!(engines(&["palette=mat4"]), mat4);
    assert_eq!(engines(&["palette=dual-quat"]), [Engine::Default]);
    assert_eq!(
        engines(&["strategy=vertex-uniform"]),
        [Engine::Default, Engine::UnityVertex]
    );
}

#[test]
fn unreal_widens_its_index_for_large_skins() {
    let plan = plan(&[
        "engine=default,unreal",
        "joints=256,257",
        "passes=1",
        "instances=1",
    ]);
    let compute = plan
        .cases
        .iter()
        .filter(|case| case.place() == Place::Compute && !case.is_aa());
    let seen: Vec<_> = compute
        .map(|case| {
            (
                case.engine(),
                case.joints().unwrap(),
                case.joint_index().name(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (Engine::Default, 256, "u8"),
            (Engine::Default, 257, "u16"),
            (Engine::Unreal, 256, "u8"),
            (Engine::Unreal, 257, "u16"),
        ]
    );
    assert!(plan.cases.iter().all(|case| case.impossible().is_none()));
}

#[test]
fn with_a_model_its_influences_stay_its_own() {
    let asked = with_model(request(Preset::Quick, &["engine=default,godot"]));
    let plan = Plan::build(asked, 7).unwrap();
    for case in &plan.cases {
        assert_eq!(case.axes()["influences"], "n/a");
        assert_eq!(case.axes()["attributes"], "pnt");
    }
    assert!(plan.cases.iter().any(|case| case.engine() == Engine::Godot));
}

fn partner_ids(plan: &Plan, id: &str) -> Vec<String> {
    let case = plan.cases.iter().find(|case| case.id() == id).unwrap();
    plan.partners(case).iter().map(|case| case.id()).collect()
}

#[test]
fn an_engine_is_held_against_the_default_of_its_inputs() {
    let plan = plan(&["engine=default,godot,three", "passes=1,2", "instances=1"]);
    let three = "vertex-texture/engine=three/normals=direct/palette=mat4/palette-texture=square";
    assert_eq!(
        partner_ids(&plan, three),
        ["compute", "vertex-storage", "vertex-uniform", "cpu"]
    );
    assert_eq!(
        partner_ids(&plan, &format!("{three}/passes=2")),
        [
            "compute/passes=2",
            "vertex-storage/passes=2",
            "vertex-uniform/passes=2",
            "cpu/passes=2"
        ]
    );
    let godot =
        "compute/attributes=pnt/engine=godot/normals=direct/output=oct16-truncated/weights=unorm16";
    assert_eq!(
        partner_ids(&plan, godot),
        [
            "compute/attributes=pnt/weights=unorm16",
            "vertex-storage/attributes=pnt/weights=unorm16",
            "vertex-uniform/attributes=pnt/weights=unorm16",
            "cpu/attributes=pnt",
        ]
    );
    assert!(partner_ids(&plan, "compute").is_empty());
    let twin = plan.cases.iter().find(|case| case.is_aa()).unwrap();
    assert!(plan.partners(twin).is_empty());
}

#[test]
fn of_what_full_sweeps_the_default_without_detours_is_the_partner() {
    let three = "vertex-texture/engine=three/normals=direct/palette=mat4/palette-texture=square";
    assert_eq!(partner_ids(&full(&[]), three), Place::NAMES);
    // Named for both, the way is equal.
    let named = plan(&[
        "engine=default,three",
        "palette=mat4",
        "passes=1",
        "instances=1",
    ]);
    let expected = ["compute/palette=mat4", "vertex-storage/palette=mat4"];
    assert_eq!(partner_ids(&named, three)[..2], expected);
    // Poses are no engine's: each is held against the same.
    let posed = plan(&[
        "engine=default,three",
        "poses=own,shared",
        "passes=1",
        "instances=16",
    ]);
    let shared = "vertex-texture/engine=three/instances=16/normals=direct/palette=mat4/palette-texture=square/poses=shared";
    assert!(
        partner_ids(&posed, shared)
            .iter()
            .all(|id| id.ends_with("poses=shared"))
    );
}
