//! Every axis there is: one file and one line each.
//!
//! An axis that means nothing in some place is `n/a` there, and so are with a MODEL the axes of the
//! built-in character. What changes nothing at one point but something beside others is not `n/a`:
//! `pass-mix` changes nothing at one pass and `poses` nothing at one instance, but that holds in
//! every place alike, and a curve over passes or instances needs its first point under both values.

use super::Axis;

mod attributes;
mod cache;
mod dirty;
mod draws;
mod engine;
mod grouping;
mod index_order;
mod influence_loop;
mod influences;
mod instances;
mod joint_index;
mod joint_scale;
mod joints;
mod kernel;
mod morph;
mod morph_order;
mod morph_targets;
mod normals;
mod output;
mod palette;
mod palette_texture;
mod partition;
mod pass_mix;
mod passes;
mod poses;
mod previous;
mod robust;
mod strategy;
mod vertices;
mod visible;
mod weight_normalise;
mod weights;
mod workgroup;

pub use attributes::Attributes;
pub use cache::CacheKey;
pub use draws::Draws;
pub use engine::Engine;
pub use grouping::Grouping;
pub use index_order::IndexOrder;
pub use influence_loop::InfluenceLoop;
pub use joint_index::JointIndex;
pub use joint_scale::JointScale;
pub use kernel::KernelChoice;
pub use morph::MorphMethod;
pub use morph_order::MorphOrder;
pub use normals::NormalMode;
pub use output::OutputFormat;
pub use palette::PaletteLayout;
pub use palette_texture::PaletteTexture;
pub use partition::Partition;
pub use pass_mix::{MAX_FRAME_PASSES, PassMix};
pub use poses::Poses;
pub use previous::Previous;
pub use robust::Robust;
pub use strategy::Place;
pub use weight_normalise::WeightNormalise;
pub use weights::WeightFormat;

/// The name of the axis of places.
pub const STRATEGY: &str = strategy::AXIS.name;

/// The name of the axis of engines.
pub const ENGINE: &str = engine::AXIS.name;

/// The name of the axis of kernels.
pub const KERNEL: &str = kernel::AXIS.name;

/// All axes. In a plan the first varies fastest, so that places stand side by side.
pub static ALL: [&Axis; 33] = [
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
    &influence_loop::AXIS,
    &palette::AXIS,
    &palette_texture::AXIS,
    &joint_index::AXIS,
    &weights::AXIS,
    &weight_normalise::AXIS,
    &output::AXIS,
    &joint_scale::AXIS,
    &normals::AXIS,
    &morph_targets::AXIS,
    &morph_order::AXIS,
    &morph::AXIS,
    &workgroup::AXIS,
    &grouping::AXIS,
    &partition::AXIS,
    &dirty::AXIS,
    &cache::AXIS,
    &visible::AXIS,
    &previous::AXIS,
    &index_order::AXIS,
    &robust::AXIS,
    &kernel::AXIS,
    &engine::AXIS,
];

/// The axis of that name, among `axes`.
pub fn find(axes: &[&'static Axis], name: &str) -> Option<&'static Axis> {
    axes.iter().copied().find(|axis| axis.name == name)
}
