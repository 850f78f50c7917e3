//! What holds for any request.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::{Allowed, AxisRequest, Plan, Preset, RunRequest, axes};

/// A few allowed values of the axis at `index`, as text.
fn values(index: usize) -> BoxedStrategy<Vec<String>> {
    let one = match axes::ALL[index].allowed {
        Allowed::Range(min, max) => (min..=max).prop_map(|number| number.to_string()).boxed(),
        Allowed::Steps(steps) => prop::sample::select(steps)
            .prop_map(|n| n.to_string())
            .boxed(),
        Allowed::Words(words) => prop::sample::select(words).prop_map(str::to_owned).boxed(),
    };
    prop::collection::vec(one, 1..3).boxed()
}

/// A request for any of the axes, with any allowed values, in any order.
fn any_request() -> impl Strategy<Value = RunRequest> {
    let all: Vec<usize> = (0..axes::ALL.len()).collect();
    let chosen = prop::sample::subsequence(all, 0..=axes::ALL.len()).prop_shuffle();
    let named = chosen.prop_flat_map(|indices| {
        let lists: Vec<_> = indices.iter().map(|index| values(*index)).collect();
        (Just(indices), lists)
    });
    (named, prop::sample::select(Preset::ALL)).prop_map(|((indices, lists), preset)| RunRequest {
        preset,
        axes: indices
            .iter()
            .zip(lists)
            .map(|(index, list)| {
                let name = axes::ALL[*index].name;
                AxisRequest::flag(&format!("--axis {name}"), name, &list.join(","))
            })
            .collect(),
        ..RunRequest::default()
    })
}

proptest! {
    #[test]
    fn identifiers_and_axes_determine_each_other(request in any_request()) {
        let Ok(plan) = Plan::build(request, 7) else { return Ok(()) };
        let mut by_id = BTreeMap::new();
        let mut by_axes = BTreeMap::new();
        for case in &plan.cases {
            prop_assert!(by_id.insert(case.id(), case.clone()).is_none(), "{}", case);
            let key = (serde_json::to_string(&case.axes()).unwrap(), case.is_aa());
            prop_assert!(by_axes.insert(key, case.id()).is_none(), "{}", case);
        }
        prop_assert_eq!(plan.cases.iter().filter(|case| case.is_aa()).count(), 1);
    }

    #[test]
    fn a_plan_survives_storing(request in any_request()) {
        let Ok(plan) = Plan::build(request, 7) else { return Ok(()) };
        let text = serde_json::to_string(&plan).unwrap();
        let again: Plan = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(again, plan);
    }

    #[test]
    fn any_text_is_an_axis_or_one_line(text in ".*", name in 0..axes::ALL.len()) {
        let given = [text.clone(), format!("{}={text}", axes::ALL[name].name)];
        for given in given {
            let built = AxisRequest::axis(&given).and_then(|axis| {
                Plan::build(RunRequest { axes: vec![axis], ..RunRequest::default() }, 7)
            });
            if let Err(error) = built {
                let said = error.to_string();
                prop_assert!(!said.chars().any(|c| c.is_control()), "{said:?}");
            }
        }
    }
}
