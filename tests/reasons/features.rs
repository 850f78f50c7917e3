//! Features: without one a case is refused, with it it runs.

use skinbench::gpu::{Capabilities, DeviceOptions};

use super::support::{assert_silent, case, devices, lab};
use super::{missing, of, refused, runs, said};

fn without(narrow: fn(&mut Capabilities)) -> DeviceOptions {
    DeviceOptions {
        narrow: Some(narrow),
        ..DeviceOptions::default()
    }
}

#[test]
fn transform_feedback() {
    let case = case(&["strategy=transform-feedback", "instances=2"]);
    let scene = of(12, 0);
    for (instance, summary) in devices() {
        let options = without(|c| c.has.transform_feedback = false);
        let lacking = lab(&instance, &summary, options);
        let reason = said(refused(&lacking, &scene, &case).unwrap());
        assert_eq!(reason, missing("VK_EXT_transform_feedback"));
        drop(lacking);
        let mut whole = lab(&instance, &summary, DeviceOptions::default());
        if whole.device.capabilities().has.transform_feedback {
            runs(&mut whole, &scene, &case);
        } else {
            println!("{}: no transform feedback to switch on", summary.name);
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn indirect_draws_that_begin_at_any_instance() {
    let scene = of(12, 0);
    for (instance, summary) in devices() {
        for place in ["compute", "vertex-storage"] {
            let strategy = format!("strategy={place}");
            let case = case(&[&strategy, "draws=indirect", "instances=3"]);
            let options = without(|c| c.has.draw_indirect_first_instance = false);
            let lacking = lab(&instance, &summary, options);
            let reason = said(refused(&lacking, &scene, &case).unwrap());
            assert_eq!(reason, missing("drawIndirectFirstInstance"));
            drop(lacking);
            let mut whole = lab(&instance, &summary, DeviceOptions::default());
            runs(&mut whole, &scene, &case);
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn robust_access() {
    let case = case(&["strategy=compute", "robust=on"]);
    let scene = of(12, 0);
    for (instance, summary) in devices() {
        let narrow: fn(&mut Capabilities) = |c| c.has.pipeline_robustness = false;
        let lacking = lab(&instance, &summary, without(narrow));
        let reason = said(refused(&lacking, &scene, &case).unwrap());
        assert_eq!(reason, missing("VK_EXT_pipeline_robustness"));
        drop(lacking);
        let whole_device = DeviceOptions {
            robust_buffer_access: true,
            ..without(narrow)
        };
        let mut robust = lab(&instance, &summary, whole_device);
        runs(&mut robust, &scene, &case);
        drop(robust);
        let mut whole = lab(&instance, &summary, DeviceOptions::default());
        if whole.device.capabilities().has.pipeline_robustness {
            runs(&mut whole, &scene, &case);
        } else {
            println!(
                "{}: no robustness of one pipeline to switch on",
                summary.name
            );
        }
        assert_silent(&instance, &summary.name);
    }
}
