//! Why a case is skipped: each reason with what is needed and what there is, and the case run as soon
//! as there is enough.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod cases;
mod features;
mod layers;
mod limits;
mod session;
#[path = "../support/mod.rs"]
mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use skinbench::bench::{Lab, Playback, Station, drawing_of, gate};
use skinbench::plan::Case;
use skinbench::result::{Reason, ReasonKind};
use skinbench::scene::{Scene, character};
use skinbench::strategy;

use support::kinds;

/// Why `case` of `scene` cannot run; `None` where it can.
fn refused(lab: &Lab, scene: &Arc<Scene>, case: &Case) -> Option<Reason> {
    let kinds = kinds(&drawing_of(case));
    let setup = Station::setup(lab, scene, Some(0), case, &kinds);
    strategy::refuse(&setup, case)
}

/// Asserts that `case` is not refused, and puts it through the gate.
fn runs(lab: &mut Lab, scene: &Arc<Scene>, case: &Case) {
    assert_eq!(refused(lab, scene, case), None, "{case}");
    let drawing = drawing_of(case);
    let playback = Playback::Running;
    let made = Station::new(lab, scene, Some(0), case, &kinds(&drawing), playback);
    let mut station = made.unwrap_or_else(|error| panic!("{case}: {error}"));
    let outcome = gate(lab, &mut station, &drawing).unwrap();
    assert_eq!(outcome.failure(&station), None, "{case}");
    assert_eq!(outcome.verification.vertices, station.vertices(), "{case}");
}

/// What a reason says, but for its message.
type Said = (ReasonKind, String, Value, Value);

fn said(reason: Reason) -> Said {
    let (need, have) = (
        reason.need.unwrap_or_default(),
        reason.have.unwrap_or_default(),
    );
    (reason.kind, reason.name, need, have)
}

fn limit(name: &str, need: u64, have: u64) -> Said {
    (ReasonKind::Limit, name.to_owned(), json!(need), json!(have))
}

fn missing(name: &str) -> Said {
    (ReasonKind::Feature, name.to_owned(), json!(1), json!(0))
}

/// A character of 700 vertices with 4 influences.
fn of(joints: usize, morph_targets: usize) -> Arc<Scene> {
    let options = character::Options {
        vertices: 700,
        joints,
        morph_targets,
        ..character::Options::default()
    };
    Arc::new(character::build(options).unwrap())
}
