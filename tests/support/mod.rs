//! Devices and small plans for GPU tests.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::sync::Arc;

use skinbench::bench::{Drawing, Lab};
use skinbench::gpu::{Device, DeviceOptions, DeviceSummary, Instance, InstanceOptions};
use skinbench::plan::{AxisRequest, Case, Plan, RunRequest};
use skinbench::scene::{Scene, character};
use skinbench::shader_types::PassKind;

/// An instance with validation, and every device there is.
///
/// `SKINBENCH_TEST_DEVICES` (a comma-separated list of parts of names) says which devices must be
/// there; `scripts/test` sets it. Without it a machine without a driver skips, and says so.
pub fn devices() -> Vec<(Arc<Instance>, DeviceSummary)> {
    let wanted = std::env::var("SKINBENCH_TEST_DEVICES").unwrap_or_default();
    let wanted: Vec<&str> = wanted.split(',').filter(|name| !name.is_empty()).collect();
    let instance = match Instance::new(InstanceOptions { validation: true }) {
        Ok(instance) => Arc::new(instance),
        Err(error) if wanted.is_empty() => {
            println!("skipped: {error}");
            return Vec::new();
        }
        Err(error) => panic!("{error}"),
    };
    let all = instance.devices().unwrap();
    for name in &wanted {
        let found = all
            .iter()
            .any(|device| device.name.to_lowercase().contains(&name.to_lowercase()));
        assert!(
            found,
            "no device is called {name:?}: {:?}",
            all.iter().map(|d| &d.name).collect::<Vec<_>>()
        );
    }
    if all.is_empty() {
        println!("skipped: no Vulkan device");
    }
    all.into_iter()
        .map(|device| (Arc::clone(&instance), device))
        .collect()
}

/// Opens a device with a lab of 64×64.
pub fn lab(instance: &Arc<Instance>, summary: &DeviceSummary, options: DeviceOptions) -> Lab {
    Lab::new(Device::open(instance, summary, options).unwrap(), (64, 64)).unwrap()
}

/// Fails with the messages of the validation layer, if there are any.
pub fn assert_silent(instance: &Instance, what: &str) {
    let messages = instance.validation_log().drain();
    assert!(
        messages.is_empty(),
        "{what}: validation says: {messages:#?}"
    );
}

/// A small built-in character.
pub fn small(influences: usize) -> Arc<Scene> {
    let options = character::Options {
        vertices: 700,
        joints: 12,
        influences,
        seed: 3,
        ..character::Options::default()
    };
    Arc::new(character::build(options).unwrap())
}

/// The case of some axes, such as `["strategy=compute", "instances=3"]`.
pub fn case(axes: &[&str]) -> Case {
    let axes = axes
        .iter()
        .map(|axis| AxisRequest::axis(axis).unwrap())
        .collect();
    let request = RunRequest {
        axes,
        ..RunRequest::default()
    };
    let plan = Plan::build(request, 1).unwrap();
    let mut cases = plan.cases.into_iter().filter(|case| !case.is_aa());
    cases.next().unwrap()
}

/// The folder of models, or a printed line that they are skipped.
pub fn models() -> Option<PathBuf> {
    let folder = std::env::var_os("SKINBENCH_MODELS")
        .map(PathBuf::from)
        .filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("skipped: no models");
    }
    folder
}

/// Every place that the device has; of one that it does not have, a line that says so.
pub fn places(lab: &Lab) -> Vec<&'static str> {
    let mut all = vec![
        "compute",
        "vertex-storage",
        "vertex-uniform",
        "vertex-texture",
        "cpu",
    ];
    if lab.device.used().transform_feedback {
        all.push("transform-feedback");
    } else {
        let name = &lab.device.summary().name;
        println!("skipped: transform-feedback, which {name} does not have");
    }
    all
}

/// The kinds of pass of a drawing, each once: a pipeline is made for each.
pub fn kinds(drawing: &Drawing) -> Vec<PassKind> {
    let mut kinds = Vec::new();
    for pass in &drawing.passes {
        if !kinds.contains(&pass.kind) {
            kinds.push(pass.kind);
        }
    }
    kinds
}
