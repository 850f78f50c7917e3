//! Why a device cannot run a case: what would be needed, and what there is.

use crate::result::{Reason, ReasonKind};

use super::Setup;
use super::meshes::morph_word_count;
use super::source::SourceLayout;

/// A reason where `need` is beyond `have`.
pub(super) fn beyond(name: &str, need: u64, have: u64) -> Option<Reason> {
    let message = format!("{name}: {need} is needed, the device has {have}");
    (need > have).then(|| Reason::new(ReasonKind::Limit, name, message).with(need, have))
}

/// One instanced draw is not possible in a place.
pub(super) fn not_instanced(why: &str) -> Reason {
    Reason::not_applicable(
        "draws",
        format!("draws=instanced is not possible here: {why}"),
    )
}

/// The compute kernel binds four storage buffers.
pub(super) fn needs_four_storage_buffers(setup: &Setup<'_>) -> Option<Reason> {
    let have = setup
        .device
        .capabilities()
        .max_per_stage_descriptor_storage_buffers;
    beyond("maxPerStageDescriptorStorageBuffers", 4, have.into())
}

/// A workgroup beyond the device's.
pub(super) fn workgroup_too_large(setup: &Setup<'_>, workgroup: u32) -> Option<Reason> {
    let have = setup
        .device
        .capabilities()
        .max_compute_work_group_invocations;
    beyond(
        "maxComputeWorkGroupInvocations",
        workgroup.into(),
        have.into(),
    )
}

/// `skinned.vert` has nine attributes.
pub(super) fn too_many_attributes(setup: &Setup<'_>) -> Option<Reason> {
    beyond(
        "maxVertexInputAttributes",
        9,
        setup
            .device
            .capabilities()
            .max_vertex_input_attributes
            .into(),
    )
}

/// Poses or morph targets beyond what one descriptor shows. Source and output of `compute` are cut
/// into windows, but a window must hold some vertices.
pub(super) fn buffers_too_large(setup: &Setup<'_>, compute: bool) -> Option<Reason> {
    let have = setup.device.capabilities().max_storage_buffer_range;
    let layout = crate::deform::palette::PoseLayout::new(&setup.scene, 16);
    let poses = 2 * 16 * layout.stride as u64 * setup.blocks() as u64;
    let meshes = &setup.scene.meshes;
    let morphs = meshes
        .iter()
        .map(|mesh| 4 * morph_word_count(mesh, setup.attributes) as u64)
        .max();
    let strides = meshes
        .iter()
        .map(|mesh| u64::from(SourceLayout::of(mesh, setup.attributes).stride()))
        .max();
    // Half a range must hold a workgroup of the widest vertex.
    let window = if compute {
        2 * 64 * strides.unwrap_or(0)
    } else {
        0
    };
    beyond(
        "maxStorageBufferRange",
        poses.max(morphs.unwrap_or(0)).max(window),
        have,
    )
}

/// `vertexOffset` of a draw is a signed 32-bit number.
pub(super) fn vertex_offset_too_large(setup: &Setup<'_>) -> Option<Reason> {
    let vertices = u64::from(setup.instances) * setup.output().vertices_per_instance as u64;
    beyond("vertexOffset", vertices, i32::MAX as u64)
}
