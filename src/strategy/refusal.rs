//! Why a device cannot run a case: what would be needed, and what there is.

use crate::result::{Reason, ReasonKind};

use crate::gpu::Capabilities;

use super::meshes::morph_word_count;
use super::source::SourceLayout;
use super::{Need, Setup};

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

/// The first limit of a place that the device does not meet.
pub(super) fn unmet(needs: &[Need]) -> Option<Reason> {
    needs
        .iter()
        .find_map(|need| beyond(need.name, need.need, need.have))
}

/// Storage buffers of one stage.
pub(super) fn storage_buffers(need: u64, c: &Capabilities) -> Need {
    let have = c.max_per_stage_descriptor_storage_buffers.into();
    Need {
        name: "maxPerStageDescriptorStorageBuffers",
        need,
        have,
    }
}

/// Invocations of a workgroup.
pub(super) fn invocations(need: u32, c: &Capabilities) -> Need {
    let have = c.max_compute_work_group_invocations.into();
    Need {
        name: "maxComputeWorkGroupInvocations",
        need: need.into(),
        have,
    }
}

/// The nine attributes of `skinned.vert`.
pub(super) fn attributes(c: &Capabilities) -> Need {
    Need {
        name: "maxVertexInputAttributes",
        need: 9,
        have: c.max_vertex_input_attributes.into(),
    }
}

/// A uniform range of `bytes`.
pub(super) fn uniform_range(bytes: u64, c: &Capabilities) -> Need {
    Need {
        name: "maxUniformBufferRange",
        need: bytes,
        have: c.max_uniform_buffer_range,
    }
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
