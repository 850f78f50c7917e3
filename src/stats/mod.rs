//! Statistics without assumptions about a distribution: medians, block bootstraps, paired ratios,
//! verdicts, lines and crossovers.
//!
//! Every function is total: an empty or non-finite input gives `None` or `Unclear`, and a NaN
//! never wins a comparison. Randomness comes from a seed, so that every interval can be had again.

mod verdict;

pub use verdict::{SAME_WITHIN, Verdict, minimum_detectable_effect};

use serde::{Deserialize, Serialize};

/// Which of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// How the times of two places lie to each other over the measured numbers of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrossoverKind {
    /// One wins at few passes, the other at many.
    Crosses,
    /// `a` wins at every measured number of passes.
    AlwaysFaster,
    /// `a` wins at none: `b` does at every one.
    Never,
    /// The intervals do not decide.
    Unclear,
}
