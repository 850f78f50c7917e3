#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::{AxisRequest, Case, Plan, PlanError, Preset, RunRequest};

mod axes;
mod cases;
mod choices;
mod engines;
mod errors;
mod ids;
mod kernel;
mod presets;
mod properties;
mod store;
mod verify;

/// A request for `--axis` arguments under a preset.
fn request(preset: Preset, axes: &[&str]) -> RunRequest {
    RunRequest {
        preset,
        axes: axes
            .iter()
            .map(|text| AxisRequest::axis(text).unwrap())
            .collect(),
        ..RunRequest::default()
    }
}

fn with_model(mut request: RunRequest) -> RunRequest {
    request.model = Some("fox.glb".into());
    request
}

fn plan(axes: &[&str]) -> Plan {
    Plan::build(request(Preset::Quick, axes), 7).unwrap()
}

fn error(request: RunRequest) -> String {
    let error: PlanError = Plan::build(request, 7).unwrap_err();
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text:?}");
    text
}

fn ids(cases: &[Case]) -> Vec<String> {
    cases.iter().map(Case::id).collect()
}

/// One case at the defaults, but for these axes.
fn case(axes: &[&str]) -> Case {
    let plan = Plan::build(request(Preset::Full, axes), 7).unwrap();
    plan.cases.into_iter().next().unwrap()
}
