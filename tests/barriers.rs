//! The barriers of a frame: recorded as they should be, and missed when they are left out.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use skinbench::bench::{Drawing, Lab, Playback, Station};
use skinbench::gpu::{Access, BarrierRecord, DeviceOptions, Optional, RecordOptions};
use skinbench::plan::{Draws, PassMix};
use skinbench::render::passes_of;

use support::{assert_silent, case, devices, lab, small};

fn drawing() -> Drawing {
    Drawing {
        passes: passes_of(PassMix::Uniform, 2),
        draws: Draws::PerCharacter,
        visible: 100,
    }
}

fn station(lab: &Lab, place: &str) -> Station {
    let kinds = [skinbench::shader_types::PassKind::GBuffer];
    let case = case(&[&format!("strategy={place}"), "instances=2"]);
    Station::new(lab, &small(4), Some(0), &case, &kinds, Playback::Running).unwrap()
}

fn recorded(lab: &mut Lab, place: &str) -> Vec<BarrierRecord> {
    let mut station = station(lab, place);
    let options = RecordOptions {
        keep_barriers: true,
        ..RecordOptions::default()
    };
    station.start(lab, &drawing(), 0, options).unwrap();
    lab.wait().unwrap();
    lab.recorded(0).barriers.clone()
}

fn has(barriers: &[BarrierRecord], scope: &str, before: &[Access], after: &[Access]) -> bool {
    barriers.iter().any(|barrier| {
        barrier.scope.ends_with(scope)
            && before.iter().all(|access| barrier.before.contains(access))
            && barrier.after == after
    })
}

#[test]
fn every_hazard_of_a_frame_has_its_barrier() {
    use Access::{
        ColorAttachment, ComputeRead, ComputeWrite, DepthAttachment, TransferRead, TransferWrite,
        VertexAttributeRead, VertexStorageRead, VertexUniformRead,
    };
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        let compute = recorded(&mut lab, "compute");
        // Palettes: the last readers, then the copy; the copy, then the kernel.
        assert!(has(
            &compute,
            "upload",
            &[ComputeRead, TransferWrite],
            &[TransferWrite]
        ));
        assert!(has(&compute, "upload", &[TransferWrite], &[ComputeRead]));
        // Vertices: write after read, write after write (which the layer does not see), read after write.
        assert!(has(
            &compute,
            "deform",
            &[VertexAttributeRead, ComputeWrite],
            &[ComputeWrite]
        ));
        assert!(has(
            &compute,
            "passes",
            &[ComputeWrite],
            &[VertexAttributeRead]
        ));
        // Attachments of the second pass: the layer does not look into dynamic rendering.
        let attachment = [ColorAttachment, TransferRead];
        assert!(has(&compute, "g-buffer", &attachment, &[ColorAttachment]));
        assert!(has(
            &compute,
            "g-buffer",
            &[DepthAttachment, TransferRead],
            &[DepthAttachment]
        ));
        let storage = recorded(&mut lab, "vertex-storage");
        assert!(has(
            &storage,
            "upload",
            &[VertexStorageRead, TransferWrite],
            &[TransferWrite]
        ));
        assert!(has(
            &storage,
            "upload",
            &[TransferWrite],
            &[VertexStorageRead]
        ));
        let uniform = recorded(&mut lab, "vertex-uniform");
        assert!(has(
            &uniform,
            "upload",
            &[TransferWrite],
            &[VertexUniformRead, VertexStorageRead]
        ));
        let cpu = recorded(&mut lab, "cpu");
        assert!(has(
            &cpu,
            "upload",
            &[VertexAttributeRead, TransferWrite],
            &[TransferWrite]
        ));
        assert!(has(
            &cpu,
            "passes",
            &[TransferWrite],
            &[VertexAttributeRead]
        ));
        assert_silent(&instance, &summary.name);
    }
}

/// Runs frames of `place` without the barriers of one name and gives what validation said.
fn without(lab: &mut Lab, place: &str, barrier: &str) -> Vec<String> {
    let mut station = station(lab, place);
    for _ in 0..2 {
        let options = RecordOptions {
            omit_barrier: Some(barrier.to_owned()),
            ..RecordOptions::default()
        };
        station.start(lab, &drawing(), 0, options).unwrap();
        lab.wait().unwrap();
    }
    lab.device.validation_log().drain()
}

#[test]
fn a_removed_barrier_is_caught() {
    let fallback = Optional {
        synchronization2: false,
        dynamic_rendering: false,
        ..Optional::ALL
    };
    for (instance, summary) in devices() {
        for use_optional in [Optional::ALL, fallback] {
            let options = DeviceOptions {
                use_optional,
                ..DeviceOptions::default()
            };
            let mut lab = lab(&instance, &summary, options);
            for (place, barrier) in [
                ("compute", "upload -> deform"),
                ("compute", "deform -> passes"),
                ("vertex-storage", "upload -> deform"),
                ("vertex-uniform", "upload -> deform"),
                ("cpu", "upload -> passes"),
            ] {
                assert_eq!(
                    without(&mut lab, place, "no such barrier"),
                    [""; 0],
                    "{place}"
                );
                let messages = without(&mut lab, place, barrier);
                assert!(
                    !messages.is_empty(),
                    "{place} without {barrier} on {}",
                    summary.name
                );
            }
        }
        instance.validation_log().drain();
    }
}
