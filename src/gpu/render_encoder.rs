//! Records draws inside a render pass.

use ash::vk;

use super::buffer::Buffer;
use super::descriptors::DescriptorSet;
use super::device::Device;
use super::error::GpuError;
use super::pipeline::GraphicsPipeline;

/// Parameters of an indexed draw, as an indirect draw reads them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct IndexedDraw {
    /// How many indices.
    pub indices: u32,
    /// How many instances.
    pub instances: u32,
    /// Which index is the first.
    pub first_index: u32,
    /// Added to each index.
    pub vertex_offset: i32,
    /// The first instance; 0 on a device without `drawIndirectFirstInstance`.
    pub first_instance: u32,
}

/// Draws inside a render pass.
pub struct RenderEncoder<'a> {
    device: &'a Device,
    raw: vk::CommandBuffer,
    layout: vk::PipelineLayout,
    captures: bool,
}

impl<'a> RenderEncoder<'a> {
    pub(super) fn new(device: &'a Device, raw: vk::CommandBuffer) -> Self {
        Self {
            device,
            raw,
            layout: vk::PipelineLayout::null(),
            captures: false,
        }
    }

    /// Binds a pipeline; later calls use its layout. Not while vertices are captured.
    pub fn bind_pipeline(&mut self, pipeline: &GraphicsPipeline) {
        debug_assert!(!self.captures, "no pipeline is bound during capture");
        self.layout = pipeline.layout();
        // SAFETY: the pipeline was made for the attachments' formats.
        unsafe {
            self.device.raw().cmd_bind_pipeline(
                self.raw,
                vk::PipelineBindPoint::GRAPHICS,
                pipeline.raw(),
            )
        };
    }

    /// Binds the descriptor set of the pipeline.
    pub fn bind_set(&mut self, set: &DescriptorSet, dynamic_offsets: &[u32]) {
        let bind = vk::PipelineBindPoint::GRAPHICS;
        let sets = [set.raw()];
        // SAFETY: the set was made for the layout of the bound pipeline.
        unsafe {
            self.device.raw().cmd_bind_descriptor_sets(
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
                .raw()
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
                .raw()
                .cmd_bind_vertex_buffers(self.raw, 0, &raw, &offsets)
        };
    }

    /// Binds 32-bit indices.
    pub fn bind_indices(&mut self, buffer: &Buffer) {
        // SAFETY: the buffer holds u32 indices and outlives the submit.
        unsafe {
            self.device.raw().cmd_bind_index_buffer(
                self.raw,
                buffer.raw(),
                0,
                vk::IndexType::UINT32,
            )
        };
    }

    /// Draws indexed.
    pub fn draw_indexed(&mut self, draw: &IndexedDraw) {
        // SAFETY: indices and vertices lie inside the bound buffers.
        unsafe {
            self.device.raw().cmd_draw_indexed(
                self.raw,
                draw.indices,
                draw.instances,
                draw.first_index,
                draw.vertex_offset,
                draw.first_instance,
            )
        };
    }

    /// Draws without indices.
    pub fn draw(&mut self, first_vertex: u32, vertices: u32, first_instance: u32) {
        // SAFETY: the vertices lie inside the bound buffers.
        unsafe {
            self.device
                .raw()
                .cmd_draw(self.raw, vertices, 1, first_vertex, first_instance)
        };
    }

    /// Draws `count` indexed draws whose parameters ([`IndexedDraw`]) lie in a buffer, the first at byte
    /// `offset`, each `stride` bytes after the one before.
    ///
    /// One call draws as many as the device takes at once: a single one without `multiDrawIndirect`.
    /// Offset and stride are multiples of 4; a draw has 20 bytes.
    pub fn draw_indexed_indirect(&mut self, buffer: &Buffer, offset: u64, count: u32, stride: u32) {
        let once = match self.device.used().multi_draw_indirect {
            true => self.device.capabilities().max_draw_indirect_count.max(1),
            false => 1,
        };
        for (first, draws) in chunks(count, once) {
            let at = offset + u64::from(first) * u64::from(stride);
            // SAFETY: the parameters lie inside the buffer, which outlives the submit, and point
            // inside the bound indices and vertices.
            unsafe {
                self.device.raw().cmd_draw_indexed_indirect(
                    self.raw,
                    buffer.raw(),
                    at,
                    draws,
                    stride,
                )
            };
        }
    }

    /// Runs `body` while the vertex stage's captured outputs go to `size` bytes of `buffer` from byte
    /// `offset` on, one vertex of one draw after the other.
    ///
    /// The pipeline is bound before; `body` may set constants, bind sets and vertices, and draw.
    /// Vertices beyond `size` are not captured.
    ///
    /// # Errors
    /// Those of `body`, a device that does not capture, or a range beyond its limits.
    pub fn transform_feedback<E: From<GpuError>>(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: u64,
        body: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let table = self
            .device
            .feedback()
            .ok_or_else(|| GpuError::no_transform_feedback("capture into", buffer.name()))?;
        let limit = self
            .device
            .capabilities()
            .max_transform_feedback_buffer_size;
        if !capture_fits(buffer.size(), offset, size, limit) {
            return Err(GpuError::Unsupported(format!(
                "capture into `{}`: {size} bytes from byte {offset} on are no part of its {} bytes in \
                 steps of 4, or more than maxTransformFeedbackBufferSize, {limit}",
                buffer.name(),
                buffer.size()
            ))
            .into());
        }
        let (commands, no_counters) = (self.raw, std::ptr::null());
        // SAFETY: the range lies inside the buffer, which outlives the submit; the pipeline captures
        // into binding 0 alone. Without counter buffers a capture starts at the first byte.
        unsafe {
            let bind = table.fp().cmd_bind_transform_feedback_buffers_ext;
            bind(commands, 0, 1, &buffer.raw(), &offset, &size);
            let begin = table.fp().cmd_begin_transform_feedback_ext;
            begin(commands, 0, 0, no_counters, std::ptr::null());
        }
        self.captures = true;
        let result = body(self);
        self.captures = false;
        // SAFETY: begun above, in the same pass.
        unsafe {
            let end = table.fp().cmd_end_transform_feedback_ext;
            end(commands, 0, 0, no_counters, std::ptr::null());
        }
        result
    }
}

/// Whether bytes of a buffer can be captured into: whole words of it, no more than the device's limit.
fn capture_fits(buffer: u64, offset: u64, size: u64, limit: u64) -> bool {
    let inside = offset.checked_add(size).is_some_and(|end| end <= buffer);
    let in_words = offset.is_multiple_of(4) && size.is_multiple_of(4);
    inside && in_words && size > 0 && size <= limit
}

/// `count` things in runs of at most `once`: (first, how many).
fn chunks(count: u32, once: u32) -> impl Iterator<Item = (u32, u32)> {
    let step = once.max(1);
    (0..count.div_ceil(step)).map(move |chunk| {
        let first = chunk * step;
        (first, step.min(count - first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indirect_draws_are_cut_into_calls_that_the_device_takes() {
        let all = |count, once| chunks(count, once).collect::<Vec<_>>();
        assert_eq!(all(5, 1), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(all(5, 2), [(0, 2), (2, 2), (4, 1)]);
        assert_eq!(all(5, u32::MAX), [(0, 5)]);
        assert_eq!(all(u32::MAX, u32::MAX), [(0, u32::MAX)]);
        assert_eq!(all(0, 7), []);
    }

    #[test]
    fn indirect_parameters_are_twenty_bytes_in_vulkans_order() {
        assert_eq!(
            size_of::<IndexedDraw>(),
            size_of::<vk::DrawIndexedIndirectCommand>()
        );
        let draw = IndexedDraw {
            indices: 1,
            instances: 2,
            first_index: 3,
            vertex_offset: -4,
            first_instance: 5,
        };
        let words: [i32; 5] = bytemuck::cast(draw);
        assert_eq!(words, [1, 2, 3, -4, 5]);
    }

    #[test]
    fn captures_lie_in_whole_words_inside_buffer_and_limit() {
        assert!(capture_fits(64, 16, 48, 48));
        for (offset, size, limit) in [
            (16, 52, 64),
            (16, 48, 44),
            (14, 4, 64),
            (16, 6, 64),
            (0, 0, 64),
            (u64::MAX - 3, 8, u64::MAX),
        ] {
            assert!(!capture_fits(64, offset, size, limit), "{offset} {size}");
        }
    }
}
