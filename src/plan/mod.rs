//! What to measure: axes, cases and their identifiers, presets, and the validated [`Plan`].
//!
//! An [`Axis`] is one dimension of a variant with its values; a [`Case`] is one point of the
//! cartesian product. A request ([`RunRequest`], plain data) becomes a [`Plan`] or one clear
//! error. What a device cannot run is not decided here: those cases stay and are skipped with a
//! reason by whoever knows the device. Only a combination that no device could run is known here
//! ([`Case::impossible`]).

mod axis;
mod build;
mod case;
mod choice;
mod engine;
mod error;
mod grid;
mod kernel;
mod named;
mod preset;
mod request;
mod store;
mod value;
mod verify;

pub mod axes;

#[cfg(test)]
mod tests;

pub use axes::{
    Attributes, CacheKey, Draws, Engine, Grouping, IndexOrder, InfluenceLoop, JointIndex,
    JointScale, KernelChoice, MorphMethod, MorphOrder, NormalMode, OutputFormat, PaletteLayout,
    PaletteTexture, Partition, PassMix, Place, Poses, Previous, Robust, WeightFormat,
    WeightNormalise,
};
pub use axis::{Axis, Settings};
pub use build::Plan;
pub use case::{AxesKey, Case, Impossible};
pub use choice::{ClipChoice, Resolution, parse_clip_time, parse_seed, parse_time_limit};
pub use error::{MAX_CASES, PlanError, shown};
pub use kernel::KernelFile;
pub use preset::Preset;
pub use request::{AxisRequest, RunRequest};
pub use value::{Allowed, NOT_APPLICABLE, Value};
pub use verify::{VerifyPlan, VerifyRequest};
