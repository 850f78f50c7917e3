//! One case of a result file: a point of the plan and what was seen there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Axes, NullReasons, Reason};

/// What became of a case.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It passed the gate and was timed.
    Measured,
    /// It was not run; `reason` says why.
    #[default]
    Skipped,
    /// Its vertices are wrong; its times are withheld.
    Invalid,
    /// It stopped with an error.
    Failed,
}

impl Status {
    /// The word that the file uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Skipped => "skipped",
            Self::Invalid => "invalid",
            Self::Failed => "failed",
        }
    }
}

/// Why the rounds of a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Every ratio that a statement rests on is known closely enough.
    Converged,
    /// The time limit came first.
    TimeLimit,
    /// The time limit came before ten rounds: medians, but no verdicts.
    TooFewRounds,
    /// The largest number of rounds was reached.
    MaxRounds,
    /// The user interrupted the run.
    Interrupted,
    /// Another case lost the device.
    FatalError,
}

impl StopReason {
    /// The word that the file uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::TimeLimit => "time_limit",
            Self::TooFewRounds => "too_few_rounds",
            Self::MaxRounds => "max_rounds",
            Self::Interrupted => "interrupted",
            Self::FatalError => "fatal_error",
        }
    }
}

/// One point of the plan and what was seen there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// `strategy/axis=value/…`, only values that differ from the defaults; the A/A twin ends in `/aa`.
    pub id: String,
    /// Every axis with its value, defaults included.
    pub axes: Axes,
    /// Ids of the cases of engine `default` that this engine's case is held against; absent for a
    /// case of `default`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partners: Vec<String>,
    /// What became of it.
    pub status: Status,
    /// Why it is not `measured`; `null` when it is.
    pub reason: Option<Reason>,
    /// What the gate saw; `null` when the case never reached it.
    pub verification: Option<Verification>,
    /// Times by stage; each `null` where the place has no such stage or was not timed.
    pub stages: Stages<Option<Stage>>,
    /// `[process, round]` of each sample, parallel to every `samples_ns`; both count from 0.
    pub rounds: Vec<[u32; 2]>,
    /// Why the rounds ended; `null` when there were none.
    pub stop_reason: Option<StopReason>,
    /// Creating the pipelines, in nanoseconds on the host's clock.
    pub pipeline_creation_ns: Option<f64>,
    /// Vertices that one frame deforms, counted once for each time it does so.
    pub vertices_deformed: Option<u64>,
    /// Bytes that the deformation of one frame reads and writes, from the layouts.
    pub bytes_moved: Option<u64>,
    /// `vertices_deformed` by the median frame (`frame_gpu`; `frame_wall` for `cpu`).
    pub vertices_per_s: Option<f64>,
    /// `bytes_moved` by the median of `deform`, as a fraction of the copy kernel's bandwidth.
    pub fraction_of_copy_bandwidth: Option<f64>,
    /// Memory in bytes.
    pub memory_bytes: Memory,
    /// Numbers from query pools, by name; `null` with a reason where the device has none.
    pub counters: BTreeMap<String, Option<f64>>,
    /// Why a `null` above is `null`, by path (`stages.deform`, `counters.vertex_invocations`).
    #[serde(default)]
    pub null_reasons: NullReasons,
}

/// What the gate saw of a case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Vertices compared.
    pub vertices: u64,
    /// Of these, vertices whose blend of dual quaternions lies so near a tie or a flip that f32 does not
    /// decide it: they were only asked to be finite.
    #[serde(default)]
    pub ambiguous: u64,
    /// Normals and tangents whose direction f32 does not determine: likewise.
    #[serde(default)]
    pub undetermined: u64,
    /// As a fraction of the diagonal of the deform item's own deformed bounding box.
    /// `null` = not a number was read back, which is a failure.
    pub max_position_error: Option<f64>,
    /// In degrees; `null` without normals.
    pub max_normal_error_deg: Option<f64>,
    /// In degrees; `null` without tangents.
    pub max_tangent_error_deg: Option<f64>,
    /// How far the *method* is from the exact normal, in degrees; invalidates nothing.
    pub method_normal_error_deg: Option<MethodError>,
    /// Whether the picture equals that of the first place; `null` when no pictures were compared.
    pub image_identical: Option<bool>,
}

/// Mean and largest error over vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MethodError {
    /// Mean over vertices.
    pub mean: f64,
    /// Largest of all vertices.
    pub max: f64,
}

/// One value for each stage of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stages<T> {
    /// Evaluating the clips: local to world transforms of all joints.
    pub pose: T,
    /// Building the joint palettes.
    pub palette: T,
    /// Bringing palettes (and, for `cpu`, vertices) to the device.
    pub upload: T,
    /// Deforming vertices before any pass; `null` for places that do so inside the passes.
    pub deform: T,
    /// Drawing.
    pub passes: T,
    /// From the start of `pose` to the fence seen by the host.
    pub frame_wall: T,
    /// From the first stamp of the frame to the last.
    pub frame_gpu: T,
}

impl Stages<()> {
    /// The names, in the order of [`Stages::list`].
    pub const NAMES: [&'static str; 7] = [
        "pose",
        "palette",
        "upload",
        "deform",
        "passes",
        "frame_wall",
        "frame_gpu",
    ];
}

impl<T> Stages<T> {
    /// The values in the order of [`Stages::NAMES`].
    pub fn list(&self) -> [&T; 7] {
        let Self {
            pose,
            palette,
            upload,
            deform,
            passes,
            frame_wall,
            frame_gpu,
        } = self;
        [pose, palette, upload, deform, passes, frame_wall, frame_gpu]
    }

    /// One value for each stage, from its place in [`Stages::NAMES`] and its name.
    pub fn from_fn(mut make: impl FnMut(usize, &'static str) -> T) -> Self {
        let mut at = |index: usize| make(index, Stages::<()>::NAMES[index]);
        Self {
            pose: at(0),
            palette: at(1),
            upload: at(2),
            deform: at(3),
            passes: at(4),
            frame_wall: at(5),
            frame_gpu: at(6),
        }
    }
}

/// Whose clock a time was read from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The processor's monotonic clock.
    #[default]
    Host,
    /// The device's timestamps.
    Gpu,
}

/// The times of one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Whose clock.
    pub clock: Clock,
    /// Median over rounds, in nanoseconds.
    pub median_ns: f64,
    /// Interval of the median that holds it in at least 95 of 100 runs, in nanoseconds.
    pub ci95_ns: [f64; 2],
    /// One time a round in nanoseconds, parallel to the case's `rounds`. Floating point because a
    /// tick is a floating-point number of nanoseconds; integers below 2⁵³ are exact.
    pub samples_ns: Vec<f64>,
    /// How often the stage was repeated in its bracket; the times are of one repetition.
    pub repeats: u32,
}

/// Memory of a case in bytes; `null` where the place has no such buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Bind-pose vertices, weights and morph targets.
    pub source: Option<u64>,
    /// Joint palettes of all characters, without padding.
    pub palette: Option<u64>,
    /// Deformed vertices of this frame.
    pub output: Option<u64>,
    /// Deformed vertices or palettes of the frame before.
    pub previous: Option<u64>,
}
