//! Every message, word for word: people read them, and scripts keep them.

use super::super::{AxisRequest, Plan, Preset, RunRequest};
use super::{error, plan, request, with_model};

fn axis_error(axes: &[&str]) -> String {
    error(request(Preset::Quick, axes))
}

fn passes_error(values: &str) -> String {
    error(RunRequest {
        axes: vec![AxisRequest::passes(values)],
        ..RunRequest::default()
    })
}

#[test]
fn an_unknown_axis_lists_those_there_are() {
    assert_eq!(
        axis_error(&["pallette=mat4"]),
        "--axis pallette=mat4: there is no axis 'pallette': choose one of strategy, passes, \
         pass-mix, instances, draws, vertices, joints, attributes, influences, poses, \
         influence-loop, palette, palette-texture, joint-index, weights, weight-normalise, \
         output, joint-scale, normals, morph-targets, morph-order, morph, workgroup, grouping, \
         partition, dirty, cache, visible, previous, index-order, robust, kernel, engine"
    );
}

#[test]
fn a_bad_value_names_axis_value_and_range() {
    assert_eq!(
        passes_error("0"),
        "--passes: axis passes has no value '0': give a whole number from 1 to 64"
    );
    assert_eq!(
        axis_error(&["influences=3"]),
        "--axis influences=3: axis influences has no value '3': give 1, 2, 4, 8 or 12"
    );
    assert_eq!(
        axis_error(&["draws=batched"]),
        "--axis draws=batched: axis draws has no value 'batched': \
         give per-character, indirect or instanced"
    );
    assert_eq!(
        axis_error(&["strategy=gpu"]),
        "--axis strategy=gpu: axis strategy has no value 'gpu': \
         give compute, vertex-storage, vertex-uniform, vertex-texture, transform-feedback or cpu"
    );
}

#[test]
fn only_plain_digits_are_numbers() {
    let bad = [
        "NaN",
        "-1",
        "+1",
        "1e9",
        "1.0",
        "0x4",
        "65",
        "99999999999999999999",
        "１",
        "٣",
        "inf",
        "1_0",
        "1 2",
        "2\n",
        "\u{1F600}",
    ];
    for value in bad {
        let said = passes_error(value);
        assert!(
            said.starts_with("--passes: axis passes has no value '"),
            "{said}"
        );
        assert!(
            said.ends_with("': give a whole number from 1 to 64"),
            "{said}"
        );
    }
}

#[test]
fn control_characters_are_escaped_and_long_texts_cut() {
    assert!(passes_error("1\r\n2").contains("'1\\r\\n2'"));
    let said = passes_error(&"9".repeat(500));
    assert!(said.contains("9…'") && said.len() < 200, "{said}");
}

#[test]
fn an_empty_value_is_an_error() {
    let said = "--passes: axis passes has an empty value: \
                give a whole number from 1 to 64, separated by commas";
    for values in ["", " ", ",", "1,", ",1", "1,,2"] {
        assert_eq!(passes_error(values), said, "{values:?}");
    }
}

#[test]
fn blanks_and_repeats_do_not_matter() {
    let blanks = plan(&["passes= 1, 2 ,1", "instances=1"]);
    let plain = plan(&["passes=1,2", "instances=1"]);
    assert_eq!(blanks, plain);
}

#[test]
fn parentheses_must_pair() {
    assert_eq!(
        axis_error(&["poses=own(1,2"]),
        "--axis poses=own(1,2: 'own(1,2' has an unpaired parenthesis: close each '(' with a ')'"
    );
}

#[test]
fn commas_in_parentheses_belong_to_one_value() {
    assert!(axis_error(&["poses=own(1,2)"]).contains("no value 'own(1,2)'"));
}

#[test]
fn an_axis_set_twice_is_an_error_even_where_both_agree() {
    for second in ["passes=4", "passes=1,2"] {
        let mut asked = request(Preset::Quick, &[second]);
        asked.axes.insert(0, AxisRequest::passes("1,2"));
        assert_eq!(
            error(asked),
            format!("--axis {second}: axis passes is already set by --passes: keep one of the two")
        );
    }
    let mut asked = request(Preset::Quick, &["strategy=cpu"]);
    asked.axes.insert(0, AxisRequest::strategies("compute"));
    assert_eq!(
        error(asked),
        "--axis strategy=cpu: axis strategy is already set by --strategies: keep one of the two"
    );
    assert_eq!(
        axis_error(&["joints=1", "poses=own", "joints=2"]),
        "--axis joints=2: axis joints is already set by --axis joints=1: keep one of the two"
    );
}

#[test]
fn axes_of_the_built_in_character_refuse_a_model() {
    let built_in = [
        "vertices=500",
        "joints=4",
        "influences=4",
        "morph-targets=1",
        "joint-scale=none",
    ];
    for axis in built_in {
        let name = axis.split('=').next().unwrap();
        assert_eq!(
            error(with_model(request(Preset::Quick, &[axis]))),
            format!(
                "--axis {axis}: axis {name} is of the built-in character alone: \
                 leave out the axis or MODEL"
            )
        );
    }
}

#[test]
fn an_axis_needs_a_name_and_values() {
    for text in ["passes", "", "=1", " =1", "1,2"] {
        assert_eq!(
            AxisRequest::axis(text).unwrap_err().to_string(),
            format!("--axis: '{text}' names no axis and values: write NAME=VALUE,VALUE")
        );
    }
}

#[test]
fn a_plan_of_which_nothing_can_run_is_refused() {
    assert_eq!(
        axis_error(&["pass-mix=frame", "passes=9,64"]),
        "no case can run: pass-mix needs at most 8 passes, not 9 passes: change one of the two"
    );
}

#[test]
fn a_plan_too_big_is_refused_before_it_is_made() {
    let many = |count: usize| {
        let list: Vec<_> = (1..=count).map(|number| number.to_string()).collect();
        format!("instances={}", list.join(","))
    };
    let said = axis_error(&[&many(5000), "passes=1,2,3"]);
    assert_eq!(
        said,
        "the axes make 60000 cases, more than 10000: name fewer values"
    );
    let allowed = request(
        Preset::Quick,
        &[&many(5000), "passes=1", "strategy=cpu,compute"],
    );
    assert_eq!(Plan::build(allowed, 7).unwrap().cases.len(), 10_001);
}
