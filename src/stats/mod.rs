//! Statistics without assumptions about a distribution: medians, block bootstraps, paired ratios,
//! verdicts, lines and crossovers.
//!
//! Every function is total: an empty or non-finite input gives `None` or `Unclear`, and a NaN
//! never wins a comparison. Randomness comes from a seed, so that every interval can be had again.

mod bootstrap;
mod crossover;
mod fit;
mod order;
#[cfg(test)]
mod tests;
mod verdict;

pub use bootstrap::{Bootstrap, Estimate, FEWEST_FOR_INTERVAL};
pub use crossover::{AtPasses, Crossover, CrossoverKind, Side, crossover};
pub use fit::{Line, fit_line};
pub use order::{median, quantile};
pub use verdict::{SAME_WITHIN, Verdict, minimum_detectable_effect};
