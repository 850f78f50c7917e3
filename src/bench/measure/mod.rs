//! The measuring loop: rounds in random order over any [`Executor`], with a stopping rule.
//!
//! Nothing here knows a device, a file or a terminal: the loop is tested with a fake clock.

mod types;

pub use types::{
    CaseInfo, CaseRecord, Comparison, Executor, FrameTimes, Measurement, Observer, Options,
    StageInfo,
};
