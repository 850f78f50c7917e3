//! The specialization constants of every kernel that deforms: the one place where a variant becomes
//! numbers.

use crate::plan::{MorphOrder, NormalMode, OutputFormat, PaletteLayout};
use crate::shader_types as c;

use super::Setup;
use super::setup::attributes_constant;
use super::source::SourceLayout;

/// Place of a value among those of its enumeration, which the shaders' numbers follow.
fn rank<T: PartialEq>(all: &[T], value: T) -> u32 {
    all.iter().position(|other| *other == value).unwrap_or(0) as u32
}

/// The constants of a variant on meshes of one source layout, of whose slots `looped` are visited.
pub(super) fn deforming(
    setup: &Setup<'_>,
    layout: &SourceLayout,
    looped: usize,
) -> Vec<(u32, u32)> {
    let variant = &setup.variant;
    vec![
        c::ATTRIBUTES.with(attributes_constant(variant.attributes)),
        c::INFLUENCES.with(layout.influences as u32),
        c::LOOPED.with(looped as u32),
        c::PALETTE.with(rank(PaletteLayout::ALL, variant.palette)),
        c::EARLY_OUT.with(variant.early_out.into()),
        c::JOINT_BYTES.with(layout.joint_bytes()),
        c::WEIGHT_BYTES.with(layout.weight_bytes()),
        c::NORMALISE.with(variant.normalises(layout.influences).into()),
        c::OUTPUT.with(rank(OutputFormat::ALL, variant.output)),
        c::NORMALS.with(rank(NormalMode::ALL, variant.normals)),
        c::MORPH_AFTER.with((variant.morph_order == MorphOrder::After).into()),
    ]
}

/// The constants of a kernel that draws what was deformed.
pub(super) fn predeformed(setup: &Setup<'_>) -> Vec<(u32, u32)> {
    vec![
        c::ATTRIBUTES.with(attributes_constant(setup.variant.attributes)),
        c::OUTPUT.with(rank(OutputFormat::ALL, setup.variant.output)),
    ]
}
