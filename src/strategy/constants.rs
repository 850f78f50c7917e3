//! The specialization constants of every kernel that deforms: the one place where a variant becomes
//! numbers. Those of an enumeration are the places of its values, which the shaders' numbers follow.

use crate::plan::MorphOrder;
use crate::shader_types as c;

use super::Setup;
use super::setup::attributes_constant;
use super::source::SourceLayout;

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
        c::PALETTE.with(variant.palette as u32),
        c::EARLY_OUT.with(variant.early_out.into()),
        c::JOINT_BYTES.with(layout.joint_bytes()),
        c::WEIGHT_BYTES.with(layout.weight_bytes()),
        c::NORMALISE.with(variant.normalises(layout.influences).into()),
        c::OUTPUT.with(variant.output as u32),
        c::NORMALS.with(variant.normals as u32),
        c::MORPH_AFTER.with((variant.morph_order == MorphOrder::After).into()),
    ]
}

/// The constants of a kernel that draws what was deformed.
pub(super) fn predeformed(setup: &Setup<'_>) -> Vec<(u32, u32)> {
    vec![
        c::ATTRIBUTES.with(attributes_constant(setup.variant.attributes)),
        c::OUTPUT.with(setup.variant.output as u32),
    ]
}
