//! Records commands: scopes that close themselves, barriers by access, copies, dispatches, draws.

use std::ffi::CString;

use ash::vk;

use super::access::{Access, BarrierMasks, barrier_masks};
use super::buffer::Buffer;
use super::descriptors::DescriptorSet;
use super::device::Device;
use super::error::GpuError;
use super::image::Image;
use super::pipeline::{ComputePipeline, GraphicsPipeline};
use super::queries::{StampPool, StampSpan, StatisticsPool};
use super::rendering::Attachments;

/// A resource in a barrier.
#[derive(Clone, Copy)]
pub enum Resource<'a> {
    /// A whole buffer.
    Buffer(&'a Buffer),
    /// A whole image.
    Image(&'a Image),
}

impl Resource<'_> {
    fn name(&self) -> &str {
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

/// How a command buffer is recorded. The defaults are those of a timed frame.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    /// Keep a list of the barriers.
    pub keep_barriers: bool,
    /// Fault injection for tests: barriers of this name are left out.
    pub omit_barrier: Option<String>,
}

/// Records one command buffer.
pub struct Encoder<'a> {
    device: &'a Device,
    raw: vk::CommandBuffer,
    stamps: &'a StampPool,
    spans: Vec<StampSpan>,
    next_stamp: u32,
    scopes: Vec<&'static str>,
    barriers: Vec<BarrierRecord>,
    options: RecordOptions,
}

/// What a finished recording leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The stamped scopes in order.
    pub spans: Vec<StampSpan>,
    /// The barriers, if they were kept.
    pub barriers: Vec<BarrierRecord>,
    /// How many stamps were written.
    pub stamps: u32,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(
        device: &'a Device,
        raw: vk::CommandBuffer,
        stamps: &'a StampPool,
        options: RecordOptions,
    ) -> Self {
        // SAFETY: the command buffer is recording and outside a render pass.
        unsafe {
            device
                .raw()
                .cmd_reset_query_pool(raw, stamps.raw(), 0, stamps.capacity())
        };
        Self {
            device,
            raw,
            stamps,
            spans: Vec::new(),
            next_stamp: 0,
            scopes: Vec::new(),
            barriers: Vec::new(),
            options,
        }
    }

    pub(super) fn finish(self) -> Recorded {
        Recorded {
            spans: self.spans,
            barriers: self.barriers,
            stamps: self.next_stamp,
        }
    }

    /// Runs `body` under a debug label.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn scope<E>(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.begin_label(name);
        self.scopes.push(name);
        let result = body(self);
        self.scopes.pop();
        self.end_label();
        result
    }

    /// Runs `body` under a debug label and between two timestamps.
    ///
    /// Both stamps wait for all earlier commands, so that the span holds the work of `body` alone.
    /// They stand outside render passes.
    ///
    /// # Errors
    /// Those of `body`, or too many stamped scopes for the pool.
    pub fn stamped<E: From<GpuError>>(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let first = self.next_stamp;
        if first + 2 > self.stamps.capacity() {
            return Err(GpuError::Unsupported(format!(
                "scope `{name}` needs more stamps than the pool has"
            ))
            .into());
        }
        self.next_stamp += 2;
        self.spans.push(StampSpan {
            name: name.to_owned(),
            first,
        });
        self.stamp(first);
        let result = self.scope(name, body);
        self.stamp(first + 1);
        result
    }

    fn stamp(&self, index: u32) {
        let pool = self.stamps.raw();
        // SAFETY: the query was reset in `new` and is written once; we are outside render passes.
        unsafe {
            match self.device.sync2() {
                Some(sync2) => {
                    sync2.cmd_write_timestamp2(
                        self.raw,
                        vk::PipelineStageFlags2::ALL_COMMANDS,
                        pool,
                        index,
                    );
                }
                None => {
                    let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
                    self.device
                        .raw()
                        .cmd_write_timestamp(self.raw, stage, pool, index);
                }
            }
        }
    }

    fn begin_label(&self, name: &str) {
        let (Some(debug), Ok(name)) = (self.device.debug(), CString::new(name)) else {
            return;
        };
        let label = vk::DebugUtilsLabelEXT::default().label_name(&name);
        // SAFETY: the command buffer is recording; the name lives until the call returns.
        unsafe { debug.cmd_begin_debug_utils_label(self.raw, &label) };
    }

    fn end_label(&self) {
        if let Some(debug) = self.device.debug() {
            // SAFETY: `scope` began the label that this ends.
            unsafe { debug.cmd_end_debug_utils_label(self.raw) };
        }
    }

    /// Orders what was done before what comes next, for each resource.
    pub fn barrier(&mut self, name: &'static str, transitions: &[Transition<'_>]) {
        if transitions.is_empty() || self.options.omit_barrier.as_deref() == Some(name) {
            return;
        }
        if self.options.keep_barriers {
            self.keep(name, transitions);
        }
        match self.device.sync2() {
            Some(sync2) => barrier2(sync2, self.raw, transitions),
            None => barrier1(self.device.raw(), self.raw, transitions),
        }
    }

    fn keep(&mut self, name: &str, transitions: &[Transition<'_>]) {
        let scope = self.scopes.join(" > ");
        self.barriers
            .extend(transitions.iter().map(|transition| BarrierRecord {
                scope: scope.clone(),
                name: name.to_owned(),
                resource: transition.resource.name().to_owned(),
                before: transition.before.to_vec(),
                after: transition.after.to_vec(),
            }));
    }

    /// Copies `size` bytes between buffers.
    pub fn copy_buffer(&mut self, from: (&Buffer, u64), to: (&Buffer, u64), size: u64) {
        if size == 0 {
            return;
        }
        let region = [vk::BufferCopy {
            src_offset: from.1,
            dst_offset: to.1,
            size,
        }];
        debug_assert!(from.1 + size <= from.0.size() && to.1 + size <= to.0.size());
        // SAFETY: both ranges lie inside their buffers, which outlive the submit.
        unsafe {
            self.device
                .raw()
                .cmd_copy_buffer(self.raw, from.0.raw(), to.0.raw(), &region)
        };
    }

    /// Copies a whole image, tightly packed, to `offset` in a buffer.
    pub fn copy_image(&mut self, from: &Image, to: (&Buffer, u64)) {
        debug_assert!(to.1 + from.packed_bytes() <= to.0.size());
        let (width, height) = from.extent();
        let region = [vk::BufferImageCopy::default()
            .buffer_offset(to.1)
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: from.format().aspect(),
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            })
            .image_extent(vk::Extent3D {
                width,
                height,
                depth: 1,
            })];
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        // SAFETY: the image was put into this layout by a barrier; the range fits the buffer.
        unsafe {
            self.device.raw().cmd_copy_image_to_buffer(
                self.raw,
                from.raw(),
                layout,
                to.0.raw(),
                &region,
            )
        };
    }

    /// Dispatches workgroups of a compute pipeline.
    pub fn dispatch(
        &mut self,
        pipeline: &ComputePipeline,
        set: &DescriptorSet,
        dynamic_offsets: &[u32],
        constants: &[u8],
        groups: [u32; 3],
    ) {
        let bind = vk::PipelineBindPoint::COMPUTE;
        let device = self.device.raw();
        // SAFETY: pipeline, layout and set belong together by construction of the caller's recipe
        // and outlive the submit; the validation layer checks the rest in every test.
        unsafe {
            device.cmd_bind_pipeline(self.raw, bind, pipeline.raw());
            device.cmd_bind_descriptor_sets(
                self.raw,
                bind,
                pipeline.layout(),
                0,
                &[set.raw()],
                dynamic_offsets,
            );
            device.cmd_push_constants(
                self.raw,
                pipeline.layout(),
                vk::ShaderStageFlags::COMPUTE,
                0,
                constants,
            );
            device.cmd_dispatch(self.raw, groups[0], groups[1], groups[2]);
        }
    }

    /// Clears the attachments and runs `body` inside a render pass over all of them.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn render<E>(
        &mut self,
        attachments: &Attachments,
        body: impl FnOnce(&mut RenderEncoder<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        attachments.begin(self.device, self.raw);
        let mut pass = RenderEncoder {
            device: self.device.raw(),
            raw: self.raw,
            layout: vk::PipelineLayout::null(),
        };
        let result = body(&mut pass);
        attachments.end(self.device, self.raw);
        result
    }

    /// Counts shader invocations of `body`.
    ///
    /// # Errors
    /// Those of `body`.
    pub fn counted<E>(
        &mut self,
        pool: &StatisticsPool,
        body: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let device = self.device.raw();
        // SAFETY: the pool has one query, begun and ended outside render passes.
        unsafe {
            device.cmd_reset_query_pool(self.raw, pool.raw(), 0, 1);
            device.cmd_begin_query(self.raw, pool.raw(), 0, vk::QueryControlFlags::empty());
        }
        let result = body(self);
        // SAFETY: begun above.
        unsafe { device.cmd_end_query(self.raw, pool.raw(), 0) };
        result
    }
}

/// Draws inside a render pass.
pub struct RenderEncoder<'a> {
    device: &'a ash::Device,
    raw: vk::CommandBuffer,
    layout: vk::PipelineLayout,
}

impl RenderEncoder<'_> {
    /// Binds a pipeline; later calls use its layout.
    pub fn bind_pipeline(&mut self, pipeline: &GraphicsPipeline) {
        self.layout = pipeline.layout();
        // SAFETY: the pipeline was made for the attachments' formats.
        unsafe {
            self.device
                .cmd_bind_pipeline(self.raw, vk::PipelineBindPoint::GRAPHICS, pipeline.raw())
        };
    }

    /// Binds the descriptor set of the pipeline.
    pub fn bind_set(&mut self, set: &DescriptorSet, dynamic_offsets: &[u32]) {
        let bind = vk::PipelineBindPoint::GRAPHICS;
        let sets = [set.raw()];
        // SAFETY: the set was made for the layout of the bound pipeline.
        unsafe {
            self.device.cmd_bind_descriptor_sets(
                self.raw,
                bind,
                self.layout,
                0,
                &sets,
                dynamic_offsets,
            )
        };
    }

    /// Sets the vertex stage's push constants from offset 0.
    pub fn push_constants(&mut self, constants: &[u8]) {
        let stage = vk::ShaderStageFlags::VERTEX;
        // SAFETY: the layout of the bound pipeline has a range of this size.
        unsafe {
            self.device
                .cmd_push_constants(self.raw, self.layout, stage, 0, constants)
        };
    }

    /// Binds vertex buffers from binding 0 at byte offsets.
    pub fn bind_vertices(&mut self, buffers: &[(&Buffer, u64)]) {
        let raw: Vec<_> = buffers.iter().map(|(buffer, _)| buffer.raw()).collect();
        let offsets: Vec<_> = buffers.iter().map(|(_, offset)| *offset).collect();
        // SAFETY: the buffers outlive the submit and the offsets lie inside them.
        unsafe {
            self.device
                .cmd_bind_vertex_buffers(self.raw, 0, &raw, &offsets)
        };
    }

    /// Binds 32-bit indices.
    pub fn bind_indices(&mut self, buffer: &Buffer) {
        // SAFETY: the buffer holds u32 indices and outlives the submit.
        unsafe {
            self.device
                .cmd_bind_index_buffer(self.raw, buffer.raw(), 0, vk::IndexType::UINT32)
        };
    }

    /// Draws indexed.
    pub fn draw_indexed(
        &mut self,
        indices: u32,
        instances: u32,
        vertex_offset: i32,
        first_instance: u32,
    ) {
        // SAFETY: indices and vertices lie inside the bound buffers.
        unsafe {
            self.device.cmd_draw_indexed(
                self.raw,
                indices,
                instances,
                0,
                vertex_offset,
                first_instance,
            )
        };
    }

    /// Draws without indices.
    pub fn draw(&mut self, first_vertex: u32, vertices: u32, first_instance: u32) {
        // SAFETY: the vertices lie inside the bound buffers.
        unsafe {
            self.device
                .cmd_draw(self.raw, vertices, 1, first_vertex, first_instance)
        };
    }
}

fn old_layout(transition: &Transition<'_>, masks: &BarrierMasks) -> vk::ImageLayout {
    if transition.discard {
        vk::ImageLayout::UNDEFINED
    } else {
        masks.before.layout
    }
}

fn barrier2(
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

fn barrier1(device: &ash::Device, raw: vk::CommandBuffer, transitions: &[Transition<'_>]) {
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
