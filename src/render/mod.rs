//! What is drawn: passes, cameras, targets. Every place draws through these alike.

mod camera;
mod pass;
mod picture;
mod targets;

pub use camera::{Grid, Viewpoint, Views};
pub use pass::{Pass, passes_of};
pub use picture::{Differences, Picture, TriangleMask};
pub use targets::{TargetKind, Targets, formats_of};
