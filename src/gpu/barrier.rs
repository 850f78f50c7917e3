//! Barriers: what a test sees of them, and how they are recorded in both vocabularies.

use ash::vk;

use super::access::{Access, BarrierMasks, barrier_masks};
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
