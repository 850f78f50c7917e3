//! Records draws inside a render pass.

use ash::vk;

use super::buffer::Buffer;
use super::descriptors::DescriptorSet;
use super::pipeline::GraphicsPipeline;

/// Draws inside a render pass.
pub struct RenderEncoder<'a> {
    device: &'a ash::Device,
    raw: vk::CommandBuffer,
    layout: vk::PipelineLayout,
}

impl<'a> RenderEncoder<'a> {
    pub(super) fn new(device: &'a ash::Device, raw: vk::CommandBuffer) -> Self {
        Self {
            device,
            raw,
            layout: vk::PipelineLayout::null(),
        }
    }

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
