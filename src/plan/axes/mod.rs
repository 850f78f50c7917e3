//! Every axis there is: one file and one line each.
//!
//! None of them is without meaning in some place yet, so `n/a` comes from a MODEL alone (its
//! vertices, joints and influences are what the file has). `pass-mix` changes nothing at one pass
//! and `poses` nothing at one instance, but that holds in every place alike, and a curve over
//! passes or instances needs its first point under both values: they are not merged.

use super::Axis;

mod attributes;
mod draws;
mod influences;
mod instances;
mod joints;
mod pass_mix;
mod passes;
mod poses;
mod strategy;
mod vertices;

pub use attributes::Attributes;
pub use draws::Draws;
pub use pass_mix::{MAX_FRAME_PASSES, PassMix};
pub use poses::Poses;
pub use strategy::Place;

/// The name of the axis of places.
pub const STRATEGY: &str = strategy::AXIS.name;

/// All axes. In a plan the first varies fastest, so that places stand side by side.
pub static ALL: [&Axis; 10] = [
    &strategy::AXIS,
    &passes::AXIS,
    &pass_mix::AXIS,
    &instances::AXIS,
    &draws::AXIS,
    &vertices::AXIS,
    &joints::AXIS,
    &attributes::AXIS,
    &influences::AXIS,
    &poses::AXIS,
];

/// The axis of that name, among `axes`.
pub fn find(axes: &[&'static Axis], name: &str) -> Option<&'static Axis> {
    axes.iter().copied().find(|axis| axis.name == name)
}
