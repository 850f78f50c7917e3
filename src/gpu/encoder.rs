//! Records commands: scopes that close themselves, barriers by access, copies, dispatches, draws.

use std::ffi::CString;

use ash::vk;

use super::barrier::{BarrierRecord, Transition, barrier1, barrier2};
use super::buffer::Buffer;
use super::descriptors::DescriptorSet;
use super::device::Device;
use super::error::GpuError;
use super::image::{Image, ImageRegion};
use super::pipeline::ComputePipeline;
use super::queries::{StampPool, StampSpan, StatisticsPool};
use super::render_encoder::RenderEncoder;
use super::rendering::Attachments;

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
    most_groups: [u32; 3],
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
    /// The most workgroups of one dispatch along each axis.
    pub most_groups: [u32; 3],
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
            most_groups: [0; 3],
            options,
        }
    }

    pub(super) fn finish(self) -> Recorded {
        Recorded {
            spans: self.spans,
            barriers: self.barriers,
            stamps: self.next_stamp,
            most_groups: self.most_groups,
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
    /// Both stamps wait for all earlier commands and stand outside render passes. They hold nothing
    /// back: what no barrier orders after the first stamp may begin before it. On a queue that
    /// counts nothing there is the label alone.
    ///
    /// # Errors
    /// Those of `body`, or too many stamped scopes for the pool.
    pub fn stamped<E: From<GpuError>>(
        &mut self,
        name: &'static str,
        body: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.device.capabilities().timestamp_valid_bits == 0 {
            // The queue counts nothing, and stamps must not be written.
            return self.scope(name, body);
        }
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

    /// Copies rows of texels, tightly packed in the buffer from `from.1` on, into layers of an image.
    ///
    /// Byte offsets must be multiples of the image's texel size, which is at least 4.
    pub fn copy_buffer_to_image(
        &mut self,
        from: (&Buffer, u64),
        to: &Image,
        regions: &[ImageRegion],
    ) {
        let regions: Vec<_> = regions
            .iter()
            .filter(|region| region.width > 0 && region.height > 0)
            .inspect(|region| debug_assert!(region.fits(from, to), "{region:?}"))
            .map(|region| region.vk(from.1, to))
            .collect();
        if regions.is_empty() {
            return;
        }
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        // SAFETY: the image was put into this layout by a barrier; the regions fit both sides, which
        // outlive the submit.
        unsafe {
            self.device.raw().cmd_copy_buffer_to_image(
                self.raw,
                from.0.raw(),
                to.raw(),
                layout,
                &regions,
            )
        };
    }

    /// Copies a whole image, layer after layer, tightly packed, to `offset` in a buffer.
    pub fn copy_image(&mut self, from: &Image, to: (&Buffer, u64)) {
        debug_assert!(to.1 + from.packed_bytes() <= to.0.size());
        let (width, height) = from.extent();
        let region = [vk::BufferImageCopy::default()
            .buffer_offset(to.1)
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: from.format().aspect(),
                mip_level: 0,
                base_array_layer: 0,
                layer_count: from.layers(),
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
        constants: &[u8],
        groups: [u32; 3],
    ) {
        for (most, groups) in self.most_groups.iter_mut().zip(groups) {
            *most = (*most).max(groups);
        }
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
                &[],
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
        let mut pass = RenderEncoder::new(self.device, self.raw);
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
