//! What a result says: ratios, crossovers, fits and the A/A comparison behind them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Axes;
use crate::stats::{CrossoverKind, Side, Verdict};

/// Which time of a frame a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// From the first stamp to the last.
    FrameGpu,
    /// From the start of the pose to the fence seen; the metric wherever `cpu` takes part.
    FrameWall,
    /// The stage `deform`, where a place has one: what an axis costs, undiluted by the passes.
    Deform,
    /// The stage `palette`: what an axis costs the host.
    Palette,
}

impl Metric {
    /// All of them; the frames first.
    pub const ALL: [Self; 4] = [Self::FrameGpu, Self::FrameWall, Self::Deform, Self::Palette];

    /// The word that the file uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::FrameGpu => "frame_gpu",
            Self::FrameWall => "frame_wall",
            Self::Deform => "deform",
            Self::Palette => "palette",
        }
    }
}

/// One place against another at the same axes, or an engine against `default` given the same
/// vertices; paired round by round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The point both stand at, without `strategy`; for an engine the axes that both agree on.
    pub axes: Axes,
    /// The place above the line.
    pub a: String,
    /// The place below the line: `compute`, or any place of `default` below an engine.
    pub b: String,
    /// The engine of a; absent where it is `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a_engine: Option<String>,
    /// The engine of b; absent where it is `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b_engine: Option<String>,
    /// Which time.
    pub metric: Metric,
    /// Median over rounds of a's time by b's; above 1, `a` is slower.
    pub median: f64,
    /// Interval of that median.
    pub ci95: [f64; 2],
    /// Is `a` faster or slower than `b`? `null` under ten rounds.
    pub verdict: Option<Verdict>,
}

/// One value of an axis against the axis's default in one place, all other axes equal, paired round
/// by round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisRatio {
    /// The axis in which they differ.
    pub axis: String,
    /// The place of both.
    pub strategy: String,
    /// The point both stand at, without `strategy` and `axis`.
    pub axes: Axes,
    /// The value above the line.
    pub a: Value,
    /// The value below the line: the default.
    pub b: Value,
    /// Which time.
    pub metric: Metric,
    /// Median over rounds of the time at `a` by that at `b`; above 1, `a` is slower.
    pub median: f64,
    /// Interval of that median.
    pub ci95: [f64; 2],
    /// Is `a` faster or slower than `b`? `null` under ten rounds.
    pub verdict: Option<Verdict>,
}

/// From how many passes on one place overtakes another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossover {
    /// The point both stand at, without `strategy` and `passes`.
    pub axes: Axes,
    /// The first place.
    pub a: String,
    /// The second place.
    pub b: String,
    /// The engine of a; absent where it is `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a_engine: Option<String>,
    /// The engine of b; absent where it is `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b_engine: Option<String>,
    /// Which time.
    pub metric: Metric,
    /// Where the two are equal, between measured numbers of passes; `null` unless they cross.
    pub passes: Option<f64>,
    /// Interval of `passes`, never beyond the measured numbers; `null` unless they cross.
    pub ci95: Option<[f64; 2]>,
    /// Whether they cross.
    pub kind: CrossoverKind,
    /// Which of the two wins beyond `passes`; `null` unless they cross.
    pub overtakes: Option<Side>,
    /// The same in a sentence.
    pub statement: String,
}

/// `T(passes) = fixed_ns + per_pass_ns · passes` of one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The point, without `strategy` and `passes`.
    pub axes: Axes,
    /// The place.
    pub strategy: String,
    /// Which time.
    pub metric: Metric,
    /// Cost that does not depend on the number of passes, in nanoseconds.
    pub fixed_ns: f64,
    /// Cost of each pass, in nanoseconds.
    pub per_pass_ns: f64,
    /// `[passes, measured median by fitted time − 1]`: how well a line describes it.
    pub residuals: Vec<[f64; 2]>,
}

/// A case against its twin: the same thing measured twice in the same rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfComparison {
    /// The twin's id, which ends in `/aa`.
    pub id: String,
    /// Which time.
    pub metric: Metric,
    /// Median over rounds of the twin's time by the case's.
    pub median: f64,
    /// Interval of that median.
    pub ci95: [f64; 2],
    /// The larger absolute end of the interval minus 1: nothing smaller is called a difference.
    pub minimum_detectable_effect: f64,
}
