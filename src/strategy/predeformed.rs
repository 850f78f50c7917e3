//! Drawing vertices that were deformed before the passes: by a compute pass or on the host.

use std::slice;

use crate::deform::output::{Attributes, OutputLayout};
use crate::gpu::{
    Access, Buffer, BufferUse, Device, DrawTopology, Encoder, GpuError, GraphicsPipeline,
    GraphicsRecipe, MemoryPlace, RenderEncoder, Specialization, Transition, VertexAttribute,
    VertexFormat,
};
use crate::render::formats_of;
use crate::shader_types::{self, DrawConstants, Module, PassKind};

use super::meshes::{ItemInfo, MeshBuffers};
use super::setup::attributes_constant;
use super::skinned::{ShaderCache, target_of};
use super::source::direction_attributes;
use super::{DrawRecipe, Frame, MemoryUse, PoseBuffers, Setup};

/// Vertices that are deformed before the passes, and how they are drawn: what `compute` and `cpu`
/// share.
pub(super) struct DeformedVertices {
    /// Where each vertex lies in a half.
    pub output: OutputLayout,
    /// One half, or two by the parity of the frame where the frame before is drawn too.
    pub buffer: Buffer,
    /// Number of characters.
    pub instances: u32,
    doubled: bool,
    pipelines: Vec<(PassKind, GraphicsPipeline)>,
}

impl DeformedVertices {
    /// Makes the buffer, written as `used` says, and a pipeline for each kind of pass.
    pub fn new(setup: &Setup<'_>, name: &str, used: BufferUse) -> Result<Self, GpuError> {
        let used = BufferUse {
            vertex: true,
            ..used
        };
        let bytes = halves(setup) * setup.output_bytes();
        let buffer_name = format!("{name}: deformed vertices");
        let buffer = Buffer::new(setup.device, &buffer_name, bytes, MemoryPlace::Device, used)?;
        let mut shaders = ShaderCache::new(setup.device);
        let mut pipelines = Vec::new();
        for &kind in setup.kinds {
            let made = pipeline(setup.device, name, &mut shaders, kind, setup.attributes)?;
            pipelines.push((kind, made));
        }
        let (output, instances, doubled) = (setup.output(), setup.instances, setup.velocity());
        Ok(Self {
            output,
            buffer,
            instances,
            doubled,
            pipelines,
        })
    }

    /// Bytes of one frame.
    pub fn bytes(&self) -> u64 {
        4 * self.output.floats(self.instances as usize) as u64
    }

    /// Bytes of one vertex.
    pub fn stride(&self) -> u32 {
        4 * self.output.attributes.floats() as u32
    }

    /// Byte offset of the half of `parity`.
    pub fn half_offset(&self, parity: usize) -> u64 {
        if self.doubled {
            parity as u64 * self.bytes()
        } else {
            0
        }
    }

    /// The barrier after which `write` may write a frame: passes of an earlier frame read these
    /// vertices (write after read), and an earlier frame wrote them (write after write).
    pub fn before_write(&self, encoder: &mut Encoder<'_>, write: Access) {
        let before = [Access::VertexAttributeRead, write];
        let transition = Transition::buffer(&self.buffer, &before, slice::from_ref(&write));
        encoder.barrier("reuse output", &[transition]);
    }

    /// The barrier after which the input assembler of every pass may read what `write` wrote.
    pub fn before_passes(&self, encoder: &mut Encoder<'_>, name: &'static str, write: Access) {
        let before = slice::from_ref(&write);
        let transition = Transition::buffer(&self.buffer, before, &[Access::VertexAttributeRead]);
        encoder.barrier(name, &[transition]);
    }

    /// Draws each character's items with a surface.
    pub fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
        items: &[ItemInfo],
        meshes: &MeshBuffers,
    ) -> Result<(), GpuError> {
        pass.bind_pipeline(find(&self.pipelines, recipe.kind)?);
        let at = |parity| (&self.buffer, self.half_offset(parity));
        pass.bind_vertices(&[at(frame.parity), at(1 - frame.parity)]);
        let constants = DrawConstants {
            view_projection: recipe.view_projection.to_cols_array_2d(),
            grid_step: recipe.grid.step.to_array(),
            grid_columns: recipe.grid.columns,
            ..DrawConstants::default()
        };
        pass.push_constants(bytemuck::bytes_of(&constants));
        let per_instance = self.output.vertices_per_instance as u32;
        for item in items.iter().filter(|item| item.surface) {
            let mesh = &meshes.meshes[item.mesh];
            pass.bind_indices(&mesh.indices);
            for instance in 0..self.instances {
                let first = instance * per_instance + item.first_vertex;
                pass.draw_indexed(mesh.index_count, 1, first as i32, instance);
            }
        }
        Ok(())
    }

    /// Memory in use together with source and palettes.
    pub fn memory(&self, meshes: &MeshBuffers, poses: &PoseBuffers) -> MemoryUse {
        MemoryUse {
            source: meshes.source_bytes,
            palette: poses.unpadded_bytes(),
            output: Some(self.bytes()),
            previous: self.doubled.then(|| self.bytes()),
        }
    }

    /// Bytes that one deformation reads and writes; a character reads `read` bytes of its meshes.
    pub fn bytes_moved(&self, read: u64, poses: &PoseBuffers) -> u64 {
        u64::from(self.instances) * read + poses.unpadded_bytes() + self.bytes()
    }
}

/// Frames that the buffer holds.
pub(super) fn halves(setup: &Setup<'_>) -> u64 {
    if setup.velocity() { 2 } else { 1 }
}

/// The pipeline of a kind.
pub(super) fn find<T>(pipelines: &[(PassKind, T)], kind: PassKind) -> Result<&T, GpuError> {
    let found = pipelines.iter().find(|(other, _)| *other == kind);
    found
        .map(|(_, pipeline)| pipeline)
        .ok_or_else(|| GpuError::Unsupported(format!("no pipeline was made for {kind:?} passes")))
}

fn pipeline(
    device: &Device,
    name: &str,
    shaders: &mut ShaderCache<'_>,
    kind: PassKind,
    attributes: Attributes,
) -> Result<GraphicsPipeline, GpuError> {
    let stride = 4 * attributes.floats() as u32;
    let mut inputs = direction_attributes(attributes);
    inputs.push(VertexAttribute {
        location: 3,
        binding: 1,
        format: VertexFormat::Float(3),
        offset: 0,
    });
    let specialization = Specialization(vec![
        shader_types::ATTRIBUTES.with(attributes_constant(attributes)),
        shader_types::PASS.with(kind as u32),
    ]);
    let target = target_of(kind);
    let formats = formats_of(target);
    let fragment = shaders.fragment(kind)?;
    let vertex = shaders.get(Module::PredeformedVert)?;
    GraphicsPipeline::new(
        device,
        &GraphicsRecipe {
            name: &format!("{name}: {kind:?}"),
            vertex: &vertex,
            fragment: fragment.as_deref(),
            specialization: &specialization,
            fragment_specialization: &specialization,
            attributes: &inputs,
            strides: &[stride, stride],
            topology: DrawTopology::Triangles,
            formats: &formats,
            set: None,
            push_bytes: size_of::<DrawConstants>() as u32,
            capture_only: false,
            robust: false,
        },
    )
}
