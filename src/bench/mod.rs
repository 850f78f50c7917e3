//! Measuring: the bench that runs frames, the gate before it, the loop around it.

pub mod measure;

mod compare_pictures;
mod describe;
mod environment;
mod error;
mod executor;
mod gate;
mod lab;
mod posing;
mod self_test;
mod session;
mod station;
mod verify;

pub use compare_pictures::{PictureVerdict, compare};
pub use error::BenchError;
pub use gate::{GATE_FRAME, GateOutcome, gate};
pub use lab::Lab;
pub use posing::Playback;
pub use self_test::{SelfTest, self_test};
pub use session::{Progress, RunInput, drawing_of, dry_run, run};
pub use station::{Drawing, Station, StationKey};
pub use verify::{VerifiedPlace, VerifyInput, dump, verify};
