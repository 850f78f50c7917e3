//! The measuring loop: rounds in random order over any [`Executor`], with a stopping rule.
//!
//! Nothing here knows a device, a file or a terminal: the loop is tested with a fake clock.
//! [`measure`] gathers samples, [`fill`] writes them into a result file, and
//! [`crate::result::conclude`] draws ratios, verdicts and crossovers from that file alone.

mod fill;
mod looks;
mod pairs;
mod record;
mod run;
mod settling;
mod types;

pub use fill::{fill, summarise};
pub use looks::{FIRST_LOOK, confidence, schedule};
pub use pairs::comparisons;
pub use run::measure;
pub use types::{
    CaseInfo, CaseRecord, Comparison, Executor, FrameTimes, Measurement, Observer, Options,
    StageInfo,
};
