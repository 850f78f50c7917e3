//! What `verify` checks.

use super::super::{AxisRequest, Place, VerifyPlan, VerifyRequest};
use super::ids;

#[test]
fn every_place_at_its_defaults_and_no_twin() {
    let plan = VerifyPlan::build(VerifyRequest::default()).unwrap();
    assert_eq!(ids(&plan.cases), Place::NAMES);
}

#[test]
fn places_and_instances_can_be_named() {
    let request = VerifyRequest {
        model: Some("fox.glb".into()),
        axes: vec![AxisRequest::strategies("cpu"), AxisRequest::instances("3")],
        ..VerifyRequest::default()
    };
    let plan = VerifyPlan::build(request).unwrap();
    assert_eq!(ids(&plan.cases), ["cpu/instances=3"]);
    assert_eq!(plan.cases[0].vertices(), None);
}

#[test]
fn a_bad_axis_is_refused() {
    let request = VerifyRequest {
        axes: vec![AxisRequest::instances("0")],
        ..VerifyRequest::default()
    };
    assert_eq!(
        VerifyPlan::build(request).unwrap_err().to_string(),
        "--instances: axis instances has no value '0': give a whole number from 1 to 100000"
    );
}

#[test]
fn only_places_may_be_several() {
    let request = VerifyRequest {
        axes: vec![
            AxisRequest::strategies("cpu,compute"),
            AxisRequest::instances("1,2"),
        ],
        ..VerifyRequest::default()
    };
    assert_eq!(
        VerifyPlan::build(request).unwrap_err().to_string(),
        "--instances: axis instances has several values, and this command takes one: \
         give a whole number from 1 to 100000"
    );
}
