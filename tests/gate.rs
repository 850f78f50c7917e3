//! Every place on every device: vertices against the reference, pictures against each other,
//! validation silent.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use skinbench::bench::{
    Drawing, GateOutcome, Lab, PictureVerdict, Playback, Station, compare, gate, self_test,
};
use skinbench::gpu::{Capabilities, DeviceOptions, Optional};
use skinbench::plan::{Draws, PassMix};
use skinbench::render::passes_of;
use skinbench::scene::{MorphTarget, Scene};

use support::{assert_silent, case, devices, kinds, lab, places, small};

fn drawing(mix: PassMix, passes: u32, draws: Draws) -> Drawing {
    Drawing {
        passes: passes_of(mix, passes),
        draws,
        visible: 100,
    }
}

/// Puts one place through the gate and asserts that it passes.
fn pass_gate(
    lab: &mut Lab,
    scene: &Arc<Scene>,
    axes: &[&str],
    drawing: &Drawing,
) -> (Station, GateOutcome) {
    let case = case(axes);
    let kinds = kinds(drawing);
    let clip = (!scene.clips.is_empty()).then_some(0);
    let mut station = Station::new(lab, scene, clip, &case, &kinds, Playback::Running).unwrap();
    let outcome = gate(lab, &mut station, drawing).unwrap();
    assert_eq!(outcome.failure(&station), None, "{axes:?}");
    assert_eq!(
        outcome.verification.vertices,
        station.vertices(),
        "{axes:?}"
    );
    (station, outcome)
}

/// All places give the same picture and verified vertices.
fn pass_all_places(lab: &mut Lab, scene: &Arc<Scene>, axes: &[&str], drawing: &Drawing) {
    let mut first: Option<(Station, GateOutcome)> = None;
    for place in places(lab) {
        let strategy = format!("strategy={place}");
        let axes: Vec<&str> = axes.iter().copied().chain([strategy.as_str()]).collect();
        let (station, outcome) = pass_gate(lab, scene, &axes, drawing);
        assert!(
            outcome
                .pictures
                .iter()
                .all(|(_, _, picture)| picture.covered_pixels() > 0),
            "{axes:?}"
        );
        if let Some((_, first)) = &first {
            // Other pictures are right only where other vertices explain them.
            match compare(&station, &outcome, first) {
                PictureVerdict::Identical | PictureVerdict::Explained => {}
                PictureVerdict::Unexplained(message) => panic!("{axes:?}: {message}"),
            }
        }
        first.get_or_insert((station, outcome));
    }
}

const INSTANCES: &[&str] = &["instances=3"];

/// Every place on every device, with each of these axes.
fn pass_each(rows: &[(&[&str], usize)], drawing: &Drawing) {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for (axes, influences) in rows {
            pass_all_places(&mut lab, &small(*influences), axes, drawing);
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn every_place_passes_the_gate_with_every_attribute() {
    let frame = drawing(PassMix::Frame, 4, Draws::PerCharacter);
    let rows: [(&[&str], usize); 2] = [
        (&["attributes=p", "instances=3"], 4),
        (&["attributes=pnt", "instances=3"], 4),
    ];
    pass_each(&rows, &frame);
}

#[test]
fn every_place_passes_the_gate_with_1_to_4_influences() {
    let one = drawing(PassMix::Uniform, 1, Draws::PerCharacter);
    pass_each(&[1, 2, 4].map(|influences| (INSTANCES, influences)), &one);
}

#[test]
fn every_place_passes_the_gate_with_8_and_12_influences() {
    let one = drawing(PassMix::Uniform, 1, Draws::PerCharacter);
    pass_each(&[8, 12].map(|influences| (INSTANCES, influences)), &one);
}

#[test]
fn every_pass_mix_passes_the_gate() {
    let all = drawing(PassMix::Frame, 8, Draws::PerCharacter);
    pass_each(&[(&["instances=5"], 4)], &all);
    let two = drawing(PassMix::Uniform, 2, Draws::PerCharacter);
    pass_each(&[(&["instances=5"], 4)], &two);
}

#[test]
fn shared_poses_pass_the_gate() {
    let all = drawing(PassMix::Frame, 4, Draws::PerCharacter);
    pass_each(&[(&["poses=shared", "instances=5"], 4)], &all);
}

#[test]
fn without_synchronization2_and_dynamic_rendering_everything_still_works() {
    for (instance, summary) in devices() {
        let use_optional = Optional {
            synchronization2: false,
            dynamic_rendering: false,
            ..Optional::ALL
        };
        let options = DeviceOptions {
            use_optional,
            ..DeviceOptions::default()
        };
        let mut lab = lab(&instance, &summary, options);
        assert!(!lab.device.used().synchronization2 && !lab.device.used().dynamic_rendering);
        let frame = drawing(PassMix::Frame, 5, Draws::PerCharacter);
        pass_all_places(&mut lab, &small(4), &["instances=2"], &frame);
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn one_instanced_draw_gives_the_same_picture() {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let scene = small(4);
        let axes = ["strategy=vertex-storage", "instances=6"];
        let (_, each) = pass_gate(
            &mut lab,
            &scene,
            &axes,
            &drawing(PassMix::Frame, 4, Draws::PerCharacter),
        );
        let (_, once) = pass_gate(
            &mut lab,
            &scene,
            &axes,
            &drawing(PassMix::Frame, 4, Draws::Instanced),
        );
        for (a, b) in each.pictures.iter().zip(&once.pictures) {
            assert!(
                a.2.differences(&b.2).pixels.is_empty(),
                "{:?} on {}",
                a.0,
                summary.name
            );
        }
        assert_silent(&instance, &summary.name);
    }
}

/// A device that shows few bytes at once and runs few workgroups.
fn narrow(capabilities: &mut Capabilities) {
    capabilities.max_storage_buffer_range = 16 << 10;
    capabilities.max_compute_work_group_count = 3;
}

#[test]
fn big_meshes_are_split_into_windows_and_dispatches() {
    for (instance, summary) in devices() {
        let options = DeviceOptions {
            narrow: Some(narrow),
            ..DeviceOptions::default()
        };
        let mut lab = lab(&instance, &summary, options);
        let frame = drawing(PassMix::Frame, 4, Draws::PerCharacter);
        pass_gate(
            &mut lab,
            &small(4),
            &["strategy=compute", "instances=7"],
            &frame,
        );
        assert_silent(&instance, &summary.name);
    }
}

/// The character with `count` morph targets whose weights move.
fn morphed(count: usize) -> Arc<Scene> {
    let mut scene = (*small(4)).clone();
    let mesh = &mut scene.meshes[0];
    let vertices = mesh.vertex_count();
    mesh.morph_targets = (0..count)
        .map(|target| {
            let wave = |at: usize| ((at * 7 + target * 13) % 29) as f32 / 290.0 - 0.05;
            let list = |shift: usize| {
                (0..vertices)
                    .map(|v| [wave(v), wave(v + shift), wave(v + 2 * shift)])
                    .collect()
            };
            // The second target gives no normals, as files may.
            let normals = if target == 1 { Vec::new() } else { list(5) };
            MorphTarget {
                positions: list(1),
                normals,
                tangents: list(3),
            }
        })
        .collect();
    let node = scene.items[0].node;
    scene.rest.morph_weights = (0..count).map(|target| 0.7 - 0.3 * target as f32).collect();
    scene.morph_ranges[node] = (0, count);
    scene.items[0].first_morph_weight = 0;
    Arc::new(scene)
}

/// Morph targets before or after skinning, in every place.
fn pass_morphed(counts: &[usize], order: &str, drawing: &Drawing) {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for count in counts {
            let axes = ["attributes=pnt", "instances=2", order];
            pass_all_places(&mut lab, &morphed(*count), &axes, drawing);
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn morph_targets_pass_the_gate_with_negative_weights_too() {
    let one = drawing(PassMix::Uniform, 1, Draws::PerCharacter);
    pass_morphed(&[1, 4], "morph-order=before", &one);
    pass_morphed(&[4], "morph-order=after", &one);
}

#[test]
fn morph_targets_before_skinning_pass_the_gate_with_the_frame_before() {
    let frame = drawing(PassMix::Frame, 4, Draws::PerCharacter);
    pass_morphed(&[5], "morph-order=before", &frame);
}

#[test]
fn morph_targets_after_skinning_pass_the_gate_with_the_frame_before() {
    let frame = drawing(PassMix::Frame, 4, Draws::PerCharacter);
    pass_morphed(&[5], "morph-order=after", &frame);
}

#[test]
fn a_displaced_vertex_does_not_pass() {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let scene = small(4);
        let drawing = drawing(PassMix::Uniform, 1, Draws::PerCharacter);
        let kinds = [skinbench::shader_types::PassKind::GBuffer];
        for place in places(&lab) {
            let case = case(&[&format!("strategy={place}"), "instances=2"]);
            let mut station =
                Station::new(&lab, &scene, Some(0), &case, &kinds, Playback::Running).unwrap();
            // The reference is asked about a scene that the place did not get.
            let mut moved = (*scene).clone();
            moved.meshes[0].positions.last_mut().unwrap()[1] += 0.01;
            station.scene = Arc::new(moved);
            let outcome = gate(&mut lab, &mut station, &drawing).unwrap();
            assert_eq!(outcome.verification.failures, 2, "{place}");
            let failure = outcome.failure(&station).unwrap();
            assert!(failure.contains("vertex 699: position"), "{failure}");
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn nothing_leaks_and_the_device_closes_in_order() {
    for (instance, summary) in devices() {
        let held = Arc::strong_count(&instance);
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let drawing = drawing(PassMix::Frame, 4, Draws::PerCharacter);
        pass_gate(&mut lab, &small(4), &["strategy=compute"], &drawing);
        drop(lab);
        // Every object holds the device and the device the instance: a leaked one would show here,
        // and the layer names every raw object that outlives its device.
        assert_eq!(Arc::strong_count(&instance), held);
        assert_silent(&instance, &summary.name);
    }
}

/// A device whose storage range holds not even one vertex of a big buffer.
fn tiny(capabilities: &mut Capabilities) {
    capabilities.max_storage_buffer_range = 64;
}

#[test]
fn a_place_that_fails_half_way_leaves_nothing_behind() {
    for (instance, summary) in devices() {
        let options = DeviceOptions {
            narrow: Some(tiny),
            ..DeviceOptions::default()
        };
        let lab = lab(&instance, &summary, options);
        let case = case(&["strategy=compute", "instances=2"]);
        let kinds = [skinbench::shader_types::PassKind::GBuffer];
        // `refuse` would have said so; going on regardless ends after most objects were made.
        let made = Station::new(&lab, &small(4), Some(0), &case, &kinds, Playback::Running);
        let error = made.err().expect("a window of 64 bytes").to_string();
        assert!(error.contains("64 bytes"), "{error}");
        drop(lab);
        assert_silent(&instance, &summary.name);
    }
}

/// A queue that counts nothing.
fn without_stamps(capabilities: &mut Capabilities) {
    capabilities.timestamp_valid_bits = 0;
}

#[test]
fn without_timestamps_frames_run_and_the_self_test_says_so() {
    for (instance, summary) in devices() {
        let options = DeviceOptions {
            narrow: Some(without_stamps),
            ..DeviceOptions::default()
        };
        let mut lab = lab(&instance, &summary, options);
        let test = self_test(&lab.device).unwrap();
        assert!(!test.usable && test.failure.unwrap().contains("timestampValidBits"));
        let case = case(&["strategy=compute"]);
        let kinds = [skinbench::shader_types::PassKind::GBuffer];
        let drawing = drawing(PassMix::Uniform, 1, Draws::PerCharacter);
        let mut station =
            Station::new(&lab, &small(4), Some(0), &case, &kinds, Playback::Running).unwrap();
        let times = station.run(&mut lab, &drawing).unwrap();
        assert_eq!(
            (times.deform, times.passes, times.frame_gpu),
            (None, None, None)
        );
        assert!(times.frame_wall > 0.0);
        assert_eq!(lab.recorded(0).stamps, 0);
        assert_silent(&instance, &summary.name);
    }
}
