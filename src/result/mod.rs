//! The result file, `schema_version` 1: plain data with every key the file has, and its store.
//!
//! Times are nanoseconds, sizes bytes, angles degrees, positions in the model's units. A number
//! that was not measured is `null`, never 0, and its reason stands in the nearest `null_reasons`.
//! `docs/RESULT_FORMAT.md` describes every key.

mod axes;
mod case;
mod conclude;
mod environment;
mod json;
mod reason;
mod scene;
mod statement;
pub mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use axes::{
    Axes, ENGINE, NOT_APPLICABLE, PLACES, axis_text, compatible, engine_of, merged, number_of,
    place_order, shared, text_of, without,
};
pub use case::{Case, Clock, Memory, MethodError, Stage, Stages, Status, StopReason, Verification};
pub use conclude::{
    FEWEST_ROUNDS, TWIN_SUFFIX, conclude, is_twin, metric_between, steps_to_default,
};
pub use environment::{Assumed, Device, DeviceKind, Driver, Environment, Power};
pub use reason::{NullReasons, Reason, ReasonKind};
pub use scene::{Render, Scene};
pub use statement::{AxisRatio, Crossover, Fit, Metric, Ratio, SelfComparison};

/// The version that this build writes and reads.
pub const SCHEMA_VERSION: u32 = 1;

/// One run, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultFile {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What measured.
    pub tool: Tool,
    /// The command line, program first.
    pub command: Vec<String>,
    /// The validated plan, so that `--like` can run it again.
    pub plan: Value,
    /// When the run began, RFC 3339 in UTC.
    pub started_utc: String,
    /// The seed of the rounds' order and of every bootstrap.
    pub seed: u64,
    /// Where.
    pub environment: Environment,
    /// What was deformed.
    pub scene: Scene,
    /// How time was taken.
    pub timing: Timing,
    /// Every case of the plan, skipped ones too.
    pub cases: Vec<Case>,
    /// How many fresh processes took part.
    pub processes: u32,
    /// Each place against `compute` at the same axes, and each engine against `default`.
    pub ratios: Vec<Ratio>,
    /// Each value of an axis against its default, within one place.
    #[serde(default)]
    pub axis_ratios: Vec<AxisRatio>,
    /// One for each pair of places and axes point.
    pub crossovers: Vec<Crossover>,
    /// A line through the passes for each place and axes point.
    #[serde(default)]
    pub fits: Vec<Fit>,
    /// What the reader should know before believing anything.
    pub warnings: Vec<String>,
}

impl Default for ResultFile {
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Tool::default(),
            command: Vec::new(),
            plan: Value::Object(serde_json::Map::new()),
            started_utc: String::new(),
            seed: 0,
            environment: Environment::default(),
            scene: Scene::default(),
            timing: Timing::default(),
            cases: Vec::new(),
            processes: 1,
            ratios: Vec::new(),
            axis_ratios: Vec::new(),
            crossovers: Vec::new(),
            fits: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// What measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// The crate's version.
    pub version: String,
    /// The commit it was built from; `null` when built outside a repository.
    pub git_revision: Option<String>,
    /// Whether the working tree had changes; `null` when built outside a repository.
    pub git_dirty: Option<bool>,
    /// `release` or `debug`.
    pub build_profile: String,
    /// Why any of the above is `null`.
    #[serde(default)]
    pub null_reasons: NullReasons,
}

/// What `frame_gpu` and the device's stages were read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeSource {
    /// Timestamp queries.
    GpuTimestamps,
    /// The host's clock around the fence: the queue has no usable stamps.
    #[default]
    Fence,
}

/// How time was taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Where the device's times come from.
    pub source: TimeSource,
    /// What the timestamp self-test saw.
    pub self_test: BTreeMap<String, Value>,
    /// The A/A interval's larger absolute end as a fraction, by `frame_gpu` (by `frame_wall`
    /// without stamps); `null` without an A/A twin or under ten rounds.
    pub minimum_detectable_effect: Option<f64>,
    /// The A/A comparison by each metric; empty without a twin.
    #[serde(default)]
    pub self_comparisons: Vec<SelfComparison>,
    /// The confidence of each interval, raised above 0.95 for the number of looks.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// What a copy reaches in this run.
    pub copy_bandwidth_bytes_per_s: CopyBandwidth,
    /// Complete rounds.
    pub rounds: u32,
    /// Rounds that were dropped: incomplete at the time limit, or disturbed.
    pub dropped_rounds: u32,
    /// Why any of the above is `null`.
    #[serde(default)]
    pub null_reasons: NullReasons,
}

/// Bytes read plus written by second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CopyBandwidth {
    /// A copy kernel: the yardstick.
    pub kernel: Option<f64>,
    /// `vkCmdCopyBuffer` beside it.
    pub command: Option<f64>,
}
