//! Drawing vertices that were deformed before the passes: by a compute pass, by transform
//! feedback, or on the host.

use std::slice;

use crate::deform::output::{Attributes, OutputLayout};
use crate::gpu::{
    Access, Buffer, BufferUse, DrawTopology, Encoder, GpuError, GraphicsPipeline, GraphicsRecipe,
    IndexedDraw, MemoryPlace, RenderEncoder, Specialization, Transition, VertexAttribute,
    VertexFormat,
};
use crate::plan::{Draws, OutputFormat, Robust};
use crate::shader_types::{self, DrawConstants, Module, PassKind};

use super::constants::predeformed;
use super::indirect::IndirectDraws;
use super::meshes::{ItemInfo, MeshBuffers};
use super::shaders::{ShaderCache, find, formats_for};
use super::source::direction_attributes;
use super::{DrawRecipe, Frame, MemoryUse, PoseBuffers, Setup};

/// Which frame's vertices are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// This frame's.
    Now,
    /// Those of the frame before, deformed once more by its palette.
    Before,
}

/// Vertices that are deformed before the passes, and how they are drawn: what `compute`,
/// `transform-feedback` and `cpu` share.
pub(super) struct DeformedVertices {
    /// Where each vertex lies in a half.
    pub output: OutputLayout,
    /// One half, or two where the frame before is drawn too.
    pub buffer: Buffer,
    /// Number of characters.
    pub instances: u32,
    /// The halves are those of this frame and the one before, whatever the parity: both are deformed
    /// in each frame. Else they change sides.
    pub deforms_previous: bool,
    pub doubled: bool,
    pipelines: Vec<(PassKind, GraphicsPipeline)>,
    /// One entry an item.
    indirect: Vec<Option<IndirectDraws>>,
}

impl DeformedVertices {
    /// Makes the buffer, written as `used` says, and a pipeline for each kind of pass.
    pub fn new(
        setup: &Setup<'_>,
        name: &str,
        used: BufferUse,
        items: &[ItemInfo],
        meshes: &MeshBuffers,
    ) -> Result<Self, GpuError> {
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
            pipelines.push((kind, pipeline(setup, name, &mut shaders, kind)?));
        }
        let output = setup.output();
        let stride = output.vertices_per_instance as u32;
        let draws = |item: &ItemInfo| {
            let indices = 0..meshes.meshes[item.mesh].index_count;
            IndirectDraws::new(setup, name, &indices, item.first_vertex, stride)
        };
        Ok(Self {
            indirect: items.iter().map(draws).collect::<Result<_, _>>()?,
            output,
            buffer,
            instances: setup.instances,
            deforms_previous: setup.deforms_previous(),
            doubled: setup.velocity(),
            pipelines,
        })
    }

    /// Bytes of one frame.
    pub fn bytes(&self) -> u64 {
        self.output.bytes(self.instances as usize) as u64
    }

    /// Bytes of one vertex.
    pub fn stride(&self) -> u32 {
        4 * self.output.words() as u32
    }

    /// Byte offset of the half that holds the vertices of a frame of `parity`, or of the one before.
    pub fn half_offset(&self, parity: usize, when: When) -> u64 {
        let half = match (self.doubled, self.deforms_previous, when) {
            (false, ..) => 0,
            (true, true, When::Now) => 0,
            (true, true, When::Before) => 1,
            (true, false, When::Now) => parity,
            (true, false, When::Before) => 1 - parity,
        };
        half as u64 * self.bytes()
    }

    /// What is deformed in a frame.
    pub fn targets(&self) -> &'static [When] {
        match self.deforms_previous {
            true => &[When::Now, When::Before],
            false => &[When::Now],
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

    /// Draws each visible character's items with a surface.
    pub fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
        items: &[ItemInfo],
        meshes: &MeshBuffers,
    ) -> Result<(), GpuError> {
        pass.bind_pipeline(find(&self.pipelines, recipe.kind)?);
        let at = |when| (&self.buffer, self.half_offset(frame.parity, when));
        pass.bind_vertices(&[at(When::Now), at(When::Before)]);
        let constants = DrawConstants {
            view_projection: recipe.view_projection.to_cols_array_2d(),
            grid_step: recipe.grid.step.to_array(),
            grid_columns: recipe.grid.columns,
            ..DrawConstants::default()
        };
        pass.push_constants(bytemuck::bytes_of(&constants));
        let per_instance = self.output.vertices_per_instance as u32;
        for (item, indirect) in items.iter().zip(&self.indirect) {
            if !item.surface {
                continue;
            }
            let mesh = &meshes.meshes[item.mesh];
            pass.bind_indices(&mesh.indices);
            if let (Draws::Indirect, Some(indirect)) = (recipe.draws, indirect) {
                indirect.draw(pass, recipe.visible);
                continue;
            }
            for instance in 0..recipe.visible {
                pass.draw_indexed(&IndexedDraw {
                    indices: mesh.index_count,
                    instances: 1,
                    first_index: 0,
                    vertex_offset: (instance * per_instance + item.first_vertex) as i32,
                    first_instance: instance,
                });
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

    /// Times that a frame with these passes deforms each vertex.
    pub fn deformations(&self, passes: &[PassKind]) -> u64 {
        let twice = self.deforms_previous && passes.contains(&PassKind::Velocity);
        if twice { 2 } else { 1 }
    }
}

/// Frames that the buffer holds.
pub(super) fn halves(setup: &Setup<'_>) -> u64 {
    if setup.velocity() { 2 } else { 1 }
}

fn pipeline(
    setup: &Setup<'_>,
    name: &str,
    shaders: &mut ShaderCache<'_>,
    kind: PassKind,
) -> Result<GraphicsPipeline, GpuError> {
    let stride = 4 * setup.output().words() as u32;
    let packed = setup.variant.output != OutputFormat::F32;
    let mut inputs = match packed {
        true => packed_attributes(setup.variant.attributes),
        false => direction_attributes(setup.variant.attributes),
    };
    inputs.push(VertexAttribute {
        location: 3,
        binding: 1,
        format: VertexFormat::Float(3),
        offset: 0,
    });
    let mut constants = predeformed(setup);
    constants.push(shader_types::PASS.with(kind as u32));
    let specialization = Specialization(constants);
    let fragment = shaders.fragment(kind)?;
    let vertex = shaders.get(match packed {
        true => Module::PredeformedPackedVert,
        false => Module::PredeformedVert,
    })?;
    GraphicsPipeline::new(
        setup.device,
        &GraphicsRecipe {
            name: &format!("{name}: {kind:?}"),
            vertex: &vertex,
            fragment: fragment.as_deref(),
            specialization: &specialization,
            fragment_specialization: &specialization,
            attributes: &inputs,
            strides: &[stride, stride],
            topology: DrawTopology::Triangles,
            formats: &formats_for(kind),
            set: None,
            push_bytes: size_of::<DrawConstants>() as u32,
            capture_only: false,
            robust: setup.case.robust() == Robust::On,
        },
    )
}

/// Position, and normal and tangent as a word each; a missing one points at the position.
fn packed_attributes(attributes: Attributes) -> Vec<VertexAttribute> {
    let attribute = |location, format, offset| VertexAttribute {
        location,
        binding: 0,
        format,
        offset,
    };
    let word = VertexFormat::Uint32(1);
    let normal = if attributes == Attributes::P { 0 } else { 12 };
    let tangent = if attributes == Attributes::Pnt { 16 } else { 0 };
    vec![
        attribute(0, VertexFormat::Float(3), 0),
        attribute(1, word, normal),
        attribute(2, word, tangent),
    ]
}
