//! Why a device cannot run a case: what would be needed, and what there is.

use crate::deform::palette::{LARGEST_HALF, Unfit, unfit};
use crate::gpu::Capabilities;
use crate::plan::{Case, Draws, JointIndex, PaletteLayout, Place, Robust};
use crate::result::Reason;

use super::meshes::morph_word_count;
use super::{Need, Setup};

/// A reason where `need` is beyond `have`.
pub(super) fn beyond(name: &'static str, need: u64, have: u64) -> Option<Reason> {
    Need::limit(name, need, have).reason()
}

/// One instanced draw is not possible in a place.
pub(super) fn not_instanced(why: &str) -> Reason {
    Reason::not_applicable(
        "draws",
        format!("draws=instanced is not possible here: {why}"),
    )
    .with("per-character or indirect", "instanced")
}

/// The first thing that a place needs and the device does not have.
pub(super) fn unmet(needs: &[Need]) -> Option<Reason> {
    needs.iter().find_map(Need::reason)
}

/// Storage buffers of one stage.
pub(super) fn storage_buffers(need: u64, c: &Capabilities) -> Need {
    let have = c.max_per_stage_descriptor_storage_buffers.into();
    Need::limit("maxPerStageDescriptorStorageBuffers", need, have)
}

/// Sampled images of one stage.
pub(super) fn sampled_images(need: u64, c: &Capabilities) -> Need {
    let have = c.max_per_stage_descriptor_sampled_images.into();
    Need::limit("maxPerStageDescriptorSampledImages", need, have)
}

/// Invocations of a workgroup.
pub(super) fn invocations(need: u32, c: &Capabilities) -> Need {
    let have = c.max_compute_work_group_invocations.into();
    Need::limit("maxComputeWorkGroupInvocations", need.into(), have)
}

/// The nine attributes of `skinned.glsl`.
pub(super) fn attributes(c: &Capabilities) -> Need {
    let have = c.max_vertex_input_attributes.into();
    Need::limit("maxVertexInputAttributes", 9, have)
}

/// A uniform range of `bytes`.
pub(super) fn uniform_range(bytes: u64, c: &Capabilities) -> Need {
    Need::limit("maxUniformBufferRange", bytes, c.max_uniform_buffer_range)
}

/// What no place can do with this scene on this device: what the case asks of the scene itself.
pub(super) fn of_case(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    instanced(case)
        .or_else(|| indirect(setup, case))
        .or_else(|| narrow_joints(setup, case))
        .or_else(|| palette_unfit(setup))
        .or_else(|| robust(setup, case))
}

fn instanced(case: &Case) -> Option<Reason> {
    let kept = case.place().writes_vertices() && case.draws() == Draws::Instanced;
    kept.then(|| not_instanced("each character has deformed vertices of its own"))
}

fn indirect(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    let used = setup.device.used().draw_indirect_first_instance;
    let needed = case.draws() == Draws::Indirect;
    needed
        .then(|| Need::feature("drawIndirectFirstInstance", used).reason())
        .flatten()
}

fn robust(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    let used = setup.device.used().pipeline_robustness;
    let needed = case.robust() == Robust::On && !setup.device.is_robust();
    needed
        .then(|| Need::feature("VK_EXT_pipeline_robustness", used).reason())
        .flatten()
}

/// Joints that a byte cannot name.
fn narrow_joints(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    if case.joint_index() != JointIndex::U8 || case.place() == Place::Cpu {
        return None;
    }
    let joints = setup.scene.meshes.iter().flat_map(|mesh| &mesh.joints);
    let most = u64::from(*joints.max()?) + 1;
    let message = format!("joint-index=u8 names 256 joints, and weights name {most}");
    (most > 256).then(|| Reason::not_applicable("joint-index", message).with(most, 256))
}

/// Joints that the palette's layout cannot hold.
fn palette_unfit(setup: &Setup<'_>) -> Option<Reason> {
    let half = setup.variant.palette == PaletteLayout::Rows3x4Half;
    if !half && setup.variant.palette != PaletteLayout::DualQuat {
        return None;
    }
    Some(match unfit(&setup.scene, setup.clip, half)? {
        Unfit::Scaled(palette, joint) => Reason::not_applicable(
            "palette",
            format!(
                "joint {joint} of palette {palette} scales, shears or mirrors, which a dual quaternion of 32 bytes cannot: take palette=dual-quat-scale"
            ),
        )
        .with("rigid joints", "a scaled joint"),
        Unfit::Large(number) => Reason::not_applicable(
            "palette",
            format!("a joint holds {number}, and halves end at {LARGEST_HALF}"),
        )
        .with(number, LARGEST_HALF),
    })
}

/// Poses or morph targets beyond what one descriptor shows. `alignment` is that of palettes in `vec4`s
/// where they lie in the buffer of poses too, `None` where they lie in textures.
pub(super) fn buffers_too_large(setup: &Setup<'_>, alignment: Option<usize>) -> Option<Reason> {
    let layout = setup.poses(&setup.scene, alignment.unwrap_or(1));
    let vec4s = match alignment {
        Some(_) => layout.vec4s(setup.blocks()),
        None => setup.blocks() * layout.morph_stride,
    };
    let meshes = &setup.scene.meshes;
    let morphs = meshes
        .iter()
        .filter(|mesh| setup.gathered_targets(mesh.morph_targets.len() as u32) > 0)
        .map(|mesh| 4 * morph_word_count(mesh, setup.variant.attributes) as u64)
        .max();
    // Both halves, each from a multiple of the alignment on.
    let half = vec4s.next_multiple_of(alignment.unwrap_or(1).max(1));
    storage_range(setup, (2 * 16 * half as u64).max(morphs.unwrap_or(0)))
}

/// A storage buffer of `need` bytes.
pub(super) fn storage_range(setup: &Setup<'_>, need: u64) -> Option<Reason> {
    let have = setup.device.capabilities().max_storage_buffer_range;
    beyond("maxStorageBufferRange", need, have)
}

/// `vertexOffset` of a draw is a signed 32-bit number.
pub(super) fn vertex_offset_too_large(setup: &Setup<'_>) -> Option<Reason> {
    let vertices = u64::from(setup.instances) * setup.output().vertices_per_instance as u64;
    beyond("vertexOffset", vertices, i32::MAX as u64)
}
