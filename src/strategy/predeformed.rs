//! Drawing vertices that were deformed before the passes: by a compute pass or on the host.

use crate::deform::output::{Attributes, OutputLayout};
use crate::gpu::{
    Buffer, Device, DrawTopology, GpuError, GraphicsPipeline, GraphicsRecipe, RenderEncoder,
    Specialization, VertexAttribute, VertexFormat,
};
use crate::render::formats_of;
use crate::shader_types::{self, DrawConstants, Module, PassKind};

use super::meshes::{ItemInfo, MeshBuffers};
use super::setup::attributes_constant;
use super::skinned::{ShaderCache, target_of};
use super::source::direction_attributes;
use super::{DrawRecipe, Setup};

/// Pipelines for predeformed vertices.
pub(super) struct Predeformed {
    pipelines: Vec<(PassKind, GraphicsPipeline)>,
    attributes: Attributes,
    instances: u32,
    vertices_per_instance: u32,
}

impl Predeformed {
    /// Makes a pipeline for each kind of pass.
    pub fn new(setup: &Setup<'_>, name: &str) -> Result<Self, GpuError> {
        let mut shaders = ShaderCache::new(setup.device);
        let mut pipelines = Vec::new();
        for &kind in setup.kinds {
            pipelines.push((
                kind,
                pipeline(setup.device, name, &mut shaders, kind, setup.attributes)?,
            ));
        }
        Ok(Self {
            pipelines,
            attributes: setup.attributes,
            instances: setup.instances,
            vertices_per_instance: setup.output().vertices_per_instance as u32,
        })
    }

    /// Draws each character's items from `now`, with the frame before at `previous`, both byte
    /// offsets into `vertices`.
    pub fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        recipe: &DrawRecipe,
        items: &[ItemInfo],
        meshes: &MeshBuffers,
        vertices: &Buffer,
        (now, previous): (u64, u64),
    ) -> Result<(), GpuError> {
        let pipeline = find(&self.pipelines, recipe.kind)?;
        pass.bind_pipeline(pipeline);
        pass.bind_vertices(&[(vertices, now), (vertices, previous)]);
        let constants = DrawConstants {
            view_projection: recipe.view_projection.to_cols_array_2d(),
            grid_step: recipe.grid.step.to_array(),
            grid_columns: recipe.grid.columns,
            ..DrawConstants::default()
        };
        pass.push_constants(bytemuck::bytes_of(&constants));
        for item in items.iter().filter(|item| item.surface) {
            let mesh = &meshes.meshes[item.mesh];
            pass.bind_indices(&mesh.indices);
            for instance in 0..self.instances {
                let first = instance * self.vertices_per_instance + item.first_vertex;
                pass.draw_indexed(mesh.index_count, 1, first as i32, instance);
            }
        }
        Ok(())
    }

    /// Bytes of one deformed vertex.
    pub fn stride(&self) -> u32 {
        4 * self.attributes.floats() as u32
    }
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
        },
    )
}

/// Byte offset of the half of `parity` in a buffer of deformed vertices: doubled only where the
/// frame before is drawn too.
pub(super) fn half_offset(
    output: &OutputLayout,
    instances: u32,
    doubled: bool,
    parity: usize,
) -> u64 {
    let half = 4 * output.floats(instances as usize) as u64;
    if doubled { parity as u64 * half } else { 0 }
}
