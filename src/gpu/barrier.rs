//! Barriers: what a test sees of them, and how they are recorded in both vocabularies.

use ash::vk;

use super::access::{Access, AccessInfo, access_info};
use super::buffer::Buffer;
use super::image::Image;

/// A resource in a barrier.
#[derive(Clone, Copy)]
pub enum Resource<'a> {
    /// A whole buffer.
    Buffer(&'a Buffer),
    /// A whole image.
    Image(&'a Image),
}

impl Resource<'_> {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Buffer(buffer) => buffer.name(),
            Self::Image(image) => image.name(),
        }
    }
}

/// One resource of a barrier: who touched it, and who touches it next.
#[derive(Clone, Copy)]
pub struct Transition<'a> {
    /// The resource.
    pub resource: Resource<'a>,
    /// What was done to it.
    pub before: &'a [Access],
    /// What comes next.
    pub after: &'a [Access],
    /// The old contents of an image do not matter (its layout is taken as undefined).
    pub discard: bool,
}

impl<'a> Transition<'a> {
    /// A buffer goes from `before` to `after`.
    pub fn buffer(buffer: &'a Buffer, before: &'a [Access], after: &'a [Access]) -> Self {
        Self {
            resource: Resource::Buffer(buffer),
            before,
            after,
            discard: false,
        }
    }

    /// An image goes from `before` to `after` with its contents.
    pub fn image(image: &'a Image, before: &'a [Access], after: &'a [Access]) -> Self {
        Self {
            resource: Resource::Image(image),
            before,
            after,
            discard: false,
        }
    }

    /// An image goes from `before` to `after` and is cleared or overwritten there.
    pub fn discard(image: &'a Image, before: &'a [Access], after: &'a [Access]) -> Self {
        Self {
            resource: Resource::Image(image),
            before,
            after,
            discard: true,
        }
    }
}

/// A barrier as a test sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierRecord {
    /// Scopes around it, joined by ` > `.
    pub scope: String,
    /// Its own name.
    pub name: String,
    /// Debug name of the resource.
    pub resource: String,
    /// What was done.
    pub before: Vec<Access>,
    /// What comes next.
    pub after: Vec<Access>,
}

/// The two sides of one barrier, merged over several accesses a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BarrierMasks {
    before: AccessInfo,
    after: AccessInfo,
}

/// Merges what was done and what comes next.
///
/// Reads on the `before` side add their stages but no access bits: write-after-read needs an
/// execution dependency and nothing made available. An image has the layout of the last access of
/// a side that has one.
fn barrier_masks(before: &[Access], after: &[Access]) -> BarrierMasks {
    let mut merged = BarrierMasks {
        before: merge(before),
        after: merge(after),
    };
    if !before.iter().any(|access| access.writes()) {
        merged.before.access2 = vk::AccessFlags2::NONE;
        merged.before.access = vk::AccessFlags::empty();
    }
    merged
}

fn merge(accesses: &[Access]) -> AccessInfo {
    let mut all = access_info(Access::Undefined);
    if accesses.iter().any(|access| *access != Access::Undefined) {
        all.stage = vk::PipelineStageFlags::empty();
    }
    for access in accesses
        .iter()
        .filter(|access| **access != Access::Undefined)
    {
        let info = access_info(*access);
        all.stage2 |= info.stage2;
        all.access2 |= info.access2;
        all.stage |= info.stage;
        all.access |= info.access;
        if info.layout != vk::ImageLayout::UNDEFINED {
            all.layout = info.layout;
        }
    }
    all
}

fn old_layout(transition: &Transition<'_>, masks: &BarrierMasks) -> vk::ImageLayout {
    if transition.discard {
        vk::ImageLayout::UNDEFINED
    } else {
        masks.before.layout
    }
}

/// Records a barrier with synchronization2.
pub(super) fn barrier2(
    table: &ash::khr::synchronization2::Device,
    raw: vk::CommandBuffer,
    transitions: &[Transition<'_>],
) {
    let mut buffers = Vec::new();
    let mut images = Vec::new();
    for transition in transitions {
        let masks = barrier_masks(transition.before, transition.after);
        match transition.resource {
            Resource::Buffer(buffer) => buffers.push(
                vk::BufferMemoryBarrier2::default()
                    .src_stage_mask(masks.before.stage2)
                    .src_access_mask(masks.before.access2)
                    .dst_stage_mask(masks.after.stage2)
                    .dst_access_mask(masks.after.access2)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .buffer(buffer.raw())
                    .size(vk::WHOLE_SIZE),
            ),
            Resource::Image(image) => images.push(
                vk::ImageMemoryBarrier2::default()
                    .src_stage_mask(masks.before.stage2)
                    .src_access_mask(masks.before.access2)
                    .dst_stage_mask(masks.after.stage2)
                    .dst_access_mask(masks.after.access2)
                    .old_layout(old_layout(transition, &masks))
                    .new_layout(masks.after.layout)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .image(image.raw())
                    .subresource_range(image.range()),
            ),
        }
    }
    let info = vk::DependencyInfo::default()
        .buffer_memory_barriers(&buffers)
        .image_memory_barriers(&images);
    // SAFETY: the command buffer is recording outside a render pass; the resources outlive it.
    unsafe { table.cmd_pipeline_barrier2(raw, &info) };
}

/// Records a barrier of Vulkan 1.0.
pub(super) fn barrier1(
    device: &ash::Device,
    raw: vk::CommandBuffer,
    transitions: &[Transition<'_>],
) {
    let mut buffers = Vec::new();
    let mut images = Vec::new();
    // Vulkan 1.0 has one pair of stage masks a call: the union of all.
    let mut src = vk::PipelineStageFlags::empty();
    let mut dst = vk::PipelineStageFlags::empty();
    for transition in transitions {
        let masks = barrier_masks(transition.before, transition.after);
        src |= masks.before.stage;
        dst |= masks.after.stage;
        match transition.resource {
            Resource::Buffer(buffer) => buffers.push(
                vk::BufferMemoryBarrier::default()
                    .src_access_mask(masks.before.access)
                    .dst_access_mask(masks.after.access)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .buffer(buffer.raw())
                    .size(vk::WHOLE_SIZE),
            ),
            Resource::Image(image) => images.push(
                vk::ImageMemoryBarrier::default()
                    .src_access_mask(masks.before.access)
                    .dst_access_mask(masks.after.access)
                    .old_layout(old_layout(transition, &masks))
                    .new_layout(masks.after.layout)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .image(image.raw())
                    .subresource_range(image.range()),
            ),
        }
    }
    let none = vk::DependencyFlags::empty();
    // SAFETY: as in `barrier2`.
    unsafe { device.cmd_pipeline_barrier(raw, src, dst, none, &[], &buffers, &images) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_made_available_to_the_reader_that_follows() {
        let masks = barrier_masks(&[Access::ComputeWrite], &[Access::VertexAttributeRead]);
        assert_eq!(masks.before.access2, vk::AccessFlags2::SHADER_STORAGE_WRITE);
        assert_eq!(masks.before.access, vk::AccessFlags::SHADER_WRITE);
        assert_eq!(
            masks.after.stage2,
            vk::PipelineStageFlags2::VERTEX_ATTRIBUTE_INPUT
        );
        assert_eq!(masks.after.stage, vk::PipelineStageFlags::VERTEX_INPUT);
    }

    #[test]
    fn an_uploaded_image_is_laid_out_for_the_fetches_that_follow() {
        let masks = barrier_masks(&[Access::TransferWrite], &[Access::VertexSampledRead]);
        assert_eq!(masks.before.layout, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        assert_eq!(
            masks.after.layout,
            vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL
        );
        assert_eq!(masks.after.stage2, vk::PipelineStageFlags2::VERTEX_SHADER);
        assert_eq!(masks.after.access2, vk::AccessFlags2::SHADER_SAMPLED_READ);
        assert_eq!(masks.after.access, vk::AccessFlags::SHADER_READ);
        // An access that only buffers have does not take the layout away.
        let mixed = [Access::VertexSampledRead, Access::VertexStorageRead];
        assert_eq!(
            barrier_masks(&mixed, &[Access::TransferWrite])
                .before
                .layout,
            vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL
        );
    }

    #[test]
    fn captured_vertices_are_made_available_to_the_draws_that_follow() {
        let masks = barrier_masks(
            &[Access::TransformFeedbackWrite],
            &[Access::VertexAttributeRead],
        );
        assert_eq!(
            masks.before.stage2,
            vk::PipelineStageFlags2::TRANSFORM_FEEDBACK_EXT
        );
        assert_eq!(
            masks.before.access2,
            vk::AccessFlags2::TRANSFORM_FEEDBACK_WRITE_EXT
        );
        assert_eq!(
            masks.before.stage,
            vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT
        );
        assert_eq!(
            masks.before.access,
            vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT
        );
    }

    #[test]
    fn indirect_parameters_are_read_before_any_vertex() {
        let masks = barrier_masks(&[Access::TransferWrite], &[Access::IndirectRead]);
        assert_eq!(masks.after.stage, vk::PipelineStageFlags::DRAW_INDIRECT);
        assert_eq!(masks.after.access, vk::AccessFlags::INDIRECT_COMMAND_READ);
    }

    #[test]
    fn write_after_read_is_an_execution_dependency() {
        let masks = barrier_masks(
            &[Access::VertexAttributeRead, Access::ComputeRead],
            &[Access::TransferWrite],
        );
        assert_eq!(masks.before.access2, vk::AccessFlags2::NONE);
        assert_eq!(masks.before.access, vk::AccessFlags::empty());
        assert_eq!(
            masks.before.stage2,
            vk::PipelineStageFlags2::VERTEX_ATTRIBUTE_INPUT
                | vk::PipelineStageFlags2::COMPUTE_SHADER
        );
        assert_eq!(
            masks.before.stage,
            vk::PipelineStageFlags::VERTEX_INPUT | vk::PipelineStageFlags::COMPUTE_SHADER
        );
    }

    #[test]
    fn nothing_before_waits_for_nothing() {
        let masks = barrier_masks(&[Access::Undefined], &[Access::ColorAttachment]);
        assert_eq!(masks.before.stage, vk::PipelineStageFlags::TOP_OF_PIPE);
        assert_eq!(masks.before.stage2, vk::PipelineStageFlags2::NONE);
        assert_eq!(masks.before.layout, vk::ImageLayout::UNDEFINED);
        assert_eq!(
            masks.after.layout,
            vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL
        );
    }
}
