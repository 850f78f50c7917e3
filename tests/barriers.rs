//! The barriers of a frame: recorded as they should be, and missed when they are left out.
//!
//! The lists are whole: a barrier that is removed, or that forgets who wrote or reads, changes its list.
//! That holds those too that the validation layer does not see: a capture before a vertex is read, and
//! one dispatch writing after another.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use skinbench::bench::{Drawing, Lab, Playback, Station, drawing_of};
use skinbench::gpu::{BarrierRecord, DeviceOptions, Optional, RecordOptions};
use skinbench::scene::{Scene, character};

use support::{case, devices, kinds, lab};

/// What a case's frames wait for.
struct Frames {
    axes: &'static [&'static str],
    /// The barriers of a frame before those of its passes, in order.
    list: &'static [&'static str],
    /// Those that the validation layer misses within one frame. It does not look across submits, into
    /// captures, or at one dispatch writing after another: what is not named here is held by the list.
    seen: &'static [&'static str],
}

const UPLOAD: &str = "upload -> deform";
const PASSES: &str = "deform -> passes";

/// The attachments of a g-buffer, drawn to or read back before.
const G_BUFFER: [&str; 3] = [
    "passes > g-buffer: attachments: color 0 [ColorAttachment, TransferRead] -> [ColorAttachment]",
    "passes > g-buffer: attachments: color 1 [ColorAttachment, TransferRead] -> [ColorAttachment]",
    "passes > g-buffer: attachments: depth [DepthAttachment, TransferRead] -> [DepthAttachment]",
];

/// Those of the passes that `pass-mix=frame` adds to it.
const FRAME: [&str; 4] = [
    "passes > shadow: attachments: depth [DepthAttachment, TransferRead] -> [DepthAttachment]",
    "passes > depth: attachments: depth [DepthAttachment, TransferRead] -> [DepthAttachment]",
    "passes > velocity: attachments: color 0 [ColorAttachment, TransferRead] -> [ColorAttachment]",
    "passes > velocity: attachments: depth [DepthAttachment, TransferRead] -> [DepthAttachment]",
];

/// Compute: poses after their last readers and the copy before; vertices after the passes that read
/// them and the dispatches that wrote them.
const COMPUTE: [&str; 4] = [
    "upload: reuse poses: poses [ComputeRead, TransferWrite] -> [TransferWrite]",
    "upload: upload -> deform: poses [TransferWrite] -> [ComputeRead]",
    "deform: reuse output: deformed vertices [VertexAttributeRead, ComputeWrite] -> [ComputeWrite]",
    "passes: deform -> passes: deformed vertices [ComputeWrite] -> [VertexAttributeRead]",
];

const FEEDBACK: [&str; 7] = [
    "upload: reuse poses: poses [VertexStorageRead, TransferWrite] -> [TransferWrite]",
    "upload: reuse poses: palette texture 1 [VertexSampledRead, TransferWrite] -> [TransferWrite]",
    "upload: upload -> deform: poses [TransferWrite] -> [VertexStorageRead]",
    "upload: upload -> deform: palette texture 1 [TransferWrite] -> [VertexSampledRead]",
    "deform: reuse output: deformed vertices [VertexAttributeRead, TransformFeedbackWrite] -> [TransformFeedbackWrite]",
    "deform: attachments: color 0 [ColorAttachment] -> [ColorAttachment]",
    "passes: deform -> passes: deformed vertices [TransformFeedbackWrite] -> [VertexAttributeRead]",
];

const CPU: [&str; 2] = [
    "upload: reuse output: deformed vertices [VertexAttributeRead, TransferWrite] -> [TransferWrite]",
    "passes: upload -> passes: deformed vertices [TransferWrite] -> [VertexAttributeRead]",
];

const MORPH: &str =
    "deform: morph -> morph: deformed vertices [ComputeWrite] -> [ComputeRead, ComputeWrite]";

/// With `previous=palette` and with poses that stand still fewer or more dispatches stand between the
/// same barriers.
const ALL: [Frames; 14] = [
    Frames {
        axes: &["strategy=compute"],
        list: &COMPUTE,
        seen: &[UPLOAD, PASSES],
    },
    Frames {
        axes: &["strategy=compute", "previous=palette", "pass-mix=frame"],
        list: &COMPUTE,
        seen: &[UPLOAD, PASSES],
    },
    Frames {
        axes: &["strategy=compute", "dirty=50"],
        list: &COMPUTE,
        seen: &[UPLOAD, PASSES],
    },
    Frames {
        axes: &["strategy=compute", "morph=sparse", "morph-order=before"],
        list: &[
            COMPUTE[0],
            COMPUTE[1],
            // The copy of the bind pose writes first; then each target, and the kernel after the last.
            "deform: reuse output: deformed vertices [VertexAttributeRead, ComputeWrite] -> [TransferWrite]",
            "deform: bind pose -> morphs: deformed vertices [TransferWrite] -> [ComputeRead, ComputeWrite]",
            MORPH,
            MORPH,
            COMPUTE[3],
        ],
        seen: &[UPLOAD, "bind pose -> morphs", PASSES],
    },
    Frames {
        axes: &["strategy=compute", "morph=sparse", "morph-order=after"],
        // Before the first target, between both, and before the dispatch that renormalises.
        list: &[
            COMPUTE[0], COMPUTE[1], COMPUTE[2], MORPH, MORPH, MORPH, COMPUTE[3],
        ],
        seen: &[UPLOAD, PASSES],
    },
    Frames {
        axes: &["strategy=vertex-storage"],
        list: &[
            "upload: reuse poses: poses [VertexStorageRead, TransferWrite] -> [TransferWrite]",
            "upload: upload -> deform: poses [TransferWrite] -> [VertexStorageRead]",
        ],
        seen: &[UPLOAD],
    },
    Frames {
        axes: &["strategy=vertex-uniform"],
        list: &[
            "upload: reuse poses: poses [VertexUniformRead, VertexStorageRead, TransferWrite] -> [TransferWrite]",
            "upload: upload -> deform: poses [TransferWrite] -> [VertexUniformRead, VertexStorageRead]",
        ],
        seen: &[UPLOAD],
    },
    Frames {
        axes: &["strategy=vertex-texture"],
        list: &[FEEDBACK[0], FEEDBACK[1], FEEDBACK[2], FEEDBACK[3]],
        // Of a texture the layout is missing too.
        seen: &["reuse poses", UPLOAD],
    },
    Frames {
        axes: &[
            "strategy=vertex-texture",
            "dirty=50",
            "palette-texture=square",
        ],
        list: &[FEEDBACK[0], FEEDBACK[1], FEEDBACK[2], FEEDBACK[3]],
        seen: &["reuse poses", UPLOAD],
    },
    Frames {
        axes: &["strategy=transform-feedback"],
        list: &FEEDBACK,
        seen: &["reuse poses", UPLOAD],
    },
    Frames {
        axes: &[
            "strategy=transform-feedback",
            "previous=palette",
            "pass-mix=frame",
        ],
        list: &FEEDBACK,
        seen: &["reuse poses", UPLOAD],
    },
    Frames {
        axes: &["strategy=transform-feedback", "dirty=50"],
        list: &FEEDBACK,
        seen: &["reuse poses", UPLOAD],
    },
    Frames {
        axes: &["strategy=cpu"],
        list: &CPU,
        seen: &["upload -> passes"],
    },
    Frames {
        axes: &[
            "strategy=cpu",
            "previous=palette",
            "pass-mix=frame",
            "dirty=50",
        ],
        list: &CPU,
        seen: &["upload -> passes"],
    },
];

/// A small character with two morph targets.
fn scene() -> Arc<Scene> {
    let options = character::Options {
        vertices: 700,
        joints: 12,
        morph_targets: 2,
        ..character::Options::default()
    };
    Arc::new(character::build(options).unwrap())
}

/// Two characters whose frames are recorded.
struct Recorder {
    station: Station,
    drawing: Drawing,
}

impl Recorder {
    fn new(lab: &Lab, axes: &[&str]) -> Self {
        let case = case(&[axes, &["instances=2", "passes=4"]].concat());
        let drawing = drawing_of(&case);
        let kinds = kinds(&drawing);
        let playback = Playback::Running;
        let station = Station::new(lab, &scene(), Some(0), &case, &kinds, playback).unwrap();
        Self { station, drawing }
    }

    /// Runs two frames and gives the barriers of the second.
    fn run(&mut self, lab: &mut Lab, omit_barrier: Option<&str>) -> Vec<BarrierRecord> {
        for _ in 0..2 {
            let options = RecordOptions {
                keep_barriers: true,
                omit_barrier: omit_barrier.map(str::to_owned),
            };
            self.station.start(lab, &self.drawing, 0, options).unwrap();
            lab.wait().unwrap();
        }
        lab.recorded(0).barriers.clone()
    }
}

fn lines(barriers: &[BarrierRecord]) -> Vec<String> {
    let line = |b: &BarrierRecord| {
        let scope = b.scope.trim_start_matches("frame > ");
        let resource = b.resource.split(": ").last().unwrap();
        let (name, before, after) = (&b.name, &b.before, &b.after);
        format!("{scope}: {name}: {resource} {before:?} -> {after:?}")
    };
    barriers.iter().map(line).collect()
}

/// The whole list of a frame: of four g-buffers, or of one pass of each kind.
fn expected(frames: &Frames) -> Vec<&'static str> {
    let passes = match frames.axes.contains(&"pass-mix=frame") {
        true => [&G_BUFFER[..], &FRAME].concat(),
        false => G_BUFFER.repeat(4),
    };
    [frames.list, &passes].concat()
}

/// The list is as it should be, and without a barrier that it sees the layer speaks.
fn hold(lab: &mut Lab, frames: &Frames) {
    let (axes, device) = (frames.axes, lab.device.summary().name.clone());
    let log = |lab: &Lab| lab.device.validation_log().drain();
    let mut recorder = Recorder::new(lab, axes);
    assert_eq!(
        lines(&recorder.run(lab, None)),
        expected(frames),
        "{axes:?}"
    );
    assert_eq!(log(lab), [""; 0], "{axes:?} on {device}");
    for name in frames.seen {
        let left = recorder.run(lab, Some(name));
        assert!(left.iter().all(|barrier| barrier.name != *name));
        assert!(!log(lab).is_empty(), "{axes:?} without {name} on {device}");
    }
}

fn hold_all(use_optional: Optional) {
    for (instance, summary) in devices() {
        let options = DeviceOptions {
            use_optional,
            ..DeviceOptions::default()
        };
        let mut lab = lab(&instance, &summary, options);
        for frames in &ALL {
            let feedback = frames.axes[0] == "strategy=transform-feedback";
            if feedback && !lab.device.capabilities().has.transform_feedback {
                println!("{}: no {:?}", summary.name, frames.axes);
                continue;
            }
            hold(&mut lab, frames);
        }
    }
}

#[test]
fn every_hazard_has_its_barrier() {
    hold_all(Optional::ALL);
}

#[test]
fn every_hazard_has_its_barrier_of_vulkan_1_0() {
    hold_all(Optional {
        synchronization2: false,
        dynamic_rendering: false,
        ..Optional::ALL
    });
}
