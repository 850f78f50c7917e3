//! Drawing with deformation in the vertex stage, palette in a storage buffer or a uniform array.

use std::ops::Range;
use std::rc::Rc;

use crate::gpu::{
    Binding, BindingKind, DescriptorSet, Device, DrawTopology, GpuError, GraphicsPipeline,
    GraphicsRecipe, PassFormats, RenderEncoder, SetLayout, Shader, Specialization, Stage,
};
use crate::plan::Draws;
use crate::render::{TargetKind, formats_of};
use crate::shader_types::{self, DrawConstants, Module, PassKind};

use super::meshes::{ItemInfo, MeshBuffers};
use super::pose::PoseBuffers;
use super::readback::readback_formats;
use super::setup::attributes_constant;
use super::source::SourceLayout;
use super::{DrawRecipe, Frame, Setup};

/// Joints of the uniform arrays there are, smallest first.
pub(super) const UNIFORM_ARRAYS: [(u32, Module); 2] = [
    (64, Module::SkinnedUniform64Vert),
    (320, Module::SkinnedUniform320Vert),
];

/// Bytes of a uniform array of `joints` in 3×4 rows.
pub(super) fn uniform_bytes(joints: u32) -> u64 {
    u64::from(joints) * 48
}

/// Shader modules, each made once.
pub(super) struct ShaderCache<'a> {
    device: &'a Device,
    made: Vec<(Module, Rc<Shader>)>,
}

impl<'a> ShaderCache<'a> {
    pub fn new(device: &'a Device) -> Self {
        Self {
            device,
            made: Vec::new(),
        }
    }

    pub fn get(&mut self, module: Module) -> Result<Rc<Shader>, GpuError> {
        if let Some((_, shader)) = self.made.iter().find(|(other, _)| *other == module) {
            return Ok(Rc::clone(shader));
        }
        let shader = Rc::new(Shader::new(self.device, module.name(), &module.spirv())?);
        self.made.push((module, Rc::clone(&shader)));
        Ok(shader)
    }

    /// The fragment stage of a kind of pass; none for depth alone.
    pub fn fragment(&mut self, kind: PassKind) -> Result<Option<Rc<Shader>>, GpuError> {
        let module = match kind {
            PassKind::Depth => return Ok(None),
            PassKind::GBuffer => Module::GBufferFrag,
            PassKind::Velocity => Module::VelocityFrag,
            PassKind::Readback => Module::ReadbackFrag,
        };
        self.get(module).map(Some)
    }
}

/// The target whose formats a kind of pass draws to. Shadow maps and depth prepasses agree.
pub(super) fn target_of(kind: PassKind) -> TargetKind {
    match kind {
        PassKind::Depth => TargetKind::Depth,
        PassKind::GBuffer | PassKind::Readback => TargetKind::GBuffer,
        PassKind::Velocity => TargetKind::Velocity,
    }
}

fn formats_for(kind: PassKind) -> PassFormats {
    if kind == PassKind::Readback {
        readback_formats()
    } else {
        formats_of(target_of(kind))
    }
}

/// Where the palette is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaletteBinding {
    /// A storage buffer over all characters.
    Storage,
    /// A uniform array, one character at a time.
    Uniform,
}

impl PaletteBinding {
    fn module(self, joints: u32) -> Option<(u64, Module)> {
        match self {
            Self::Storage => Some((0, Module::SkinnedStorageVert)),
            Self::Uniform => UNIFORM_ARRAYS
                .into_iter()
                .find(|(limit, _)| joints <= *limit)
                .map(|(limit, module)| (uniform_bytes(limit), module)),
        }
    }

    fn bindings(self) -> Vec<Binding> {
        let binding = |binding, kind| Binding { binding, kind };
        let mut all = vec![
            binding(0, BindingKind::Storage),
            binding(1, BindingKind::Storage),
        ];
        if self == Self::Uniform {
            all.push(binding(2, BindingKind::UniformDynamic));
            all.push(binding(3, BindingKind::UniformDynamic));
        }
        all
    }
}

/// One item ready to draw.
struct ItemDraw {
    info: ItemInfo,
    set: DescriptorSet,
    /// Index of its pipelines.
    variant: usize,
}

/// Pipelines of one source layout and module.
struct PipelineVariant {
    layout: SourceLayout,
    module: Module,
    pipelines: Vec<(PassKind, GraphicsPipeline)>,
}

/// Items and pipelines of a place in the vertex stage.
pub(super) struct Skinned {
    binding: PaletteBinding,
    items: Vec<ItemDraw>,
    variants: Vec<PipelineVariant>,
    instances: u32,
    vertices_per_instance: usize,
}

impl Skinned {
    /// Makes descriptor sets and pipelines, for readback too.
    pub fn new(
        setup: &Setup<'_>,
        name: &str,
        binding: PaletteBinding,
        items: Vec<ItemInfo>,
        meshes: &MeshBuffers,
        poses: &PoseBuffers,
    ) -> Result<Self, GpuError> {
        let layout = SetLayout::new(setup.device, name, Stage::Vertex, &binding.bindings())?;
        let mut made = Self {
            binding,
            items: Vec::new(),
            variants: Vec::new(),
            instances: setup.instances,
            vertices_per_instance: setup.output().vertices_per_instance,
        };
        let mut shaders = ShaderCache::new(setup.device);
        for info in items {
            let (range, module) = binding.module(info.joints).ok_or_else(|| {
                GpuError::Unsupported(format!("{} joints fit no uniform array", info.joints))
            })?;
            let source = meshes.meshes[info.mesh].layout;
            let variant = made.variant(setup, name, &layout, &mut shaders, source, module)?;
            let set = item_set(
                setup.device,
                name,
                &layout,
                binding,
                meshes,
                &info,
                poses,
                range,
            )?;
            made.items.push(ItemDraw { info, set, variant });
        }
        Ok(made)
    }

    fn variant(
        &mut self,
        setup: &Setup<'_>,
        name: &str,
        set: &SetLayout,
        shaders: &mut ShaderCache<'_>,
        layout: SourceLayout,
        module: Module,
    ) -> Result<usize, GpuError> {
        let found = self
            .variants
            .iter()
            .position(|v| v.layout == layout && v.module == module);
        if let Some(at) = found {
            return Ok(at);
        }
        let mut pipelines = Vec::new();
        for kind in setup.kinds.iter().copied().chain([PassKind::Readback]) {
            let made = pipeline(setup.device, name, set, shaders, layout, module, kind)?;
            pipelines.push((kind, made));
        }
        self.variants.push(PipelineVariant {
            layout,
            module,
            pipelines,
        });
        Ok(self.variants.len() - 1)
    }

    /// Draws every item with a surface.
    pub fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
        meshes: &MeshBuffers,
        poses: &PoseBuffers,
    ) -> Result<(), GpuError> {
        for item in self.items.iter().filter(|item| item.info.surface) {
            let mesh = &meshes.meshes[item.info.mesh];
            let pipelines = &self.variants[item.variant].pipelines;
            pass.bind_pipeline(super::predeformed::find(pipelines, recipe.kind)?);
            let mut constants = self.constants(item, frame, poses);
            constants.view_projection = recipe.view_projection.to_cols_array_2d();
            constants.grid_step = recipe.grid.step.to_array();
            constants.grid_columns = recipe.grid.columns;
            pass.push_constants(bytemuck::bytes_of(&constants));
            if let Some(source) = &mesh.source {
                pass.bind_vertices(&[(source, 0)]);
            }
            pass.bind_indices(&mesh.indices);
            self.draw_characters(pass, item, frame, recipe.draws, poses, mesh.index_count);
        }
        Ok(())
    }

    fn draw_characters(
        &self,
        pass: &mut RenderEncoder<'_>,
        item: &ItemDraw,
        frame: &Frame,
        draws: Draws,
        poses: &PoseBuffers,
        index_count: u32,
    ) {
        if self.binding == PaletteBinding::Storage {
            pass.bind_set(&item.set, &[]);
        }
        if draws == Draws::Instanced && self.binding == PaletteBinding::Storage {
            pass.draw_indexed(index_count, self.instances, 0, 0);
            return;
        }
        for instance in 0..self.instances {
            self.bind_character(pass, item, frame, poses, instance);
            pass.draw_indexed(index_count, 1, 0, instance);
        }
    }

    /// The uniform array shows one character: its dynamic offsets move with each draw.
    fn bind_character(
        &self,
        pass: &mut RenderEncoder<'_>,
        item: &ItemDraw,
        frame: &Frame,
        poses: &PoseBuffers,
        instance: u32,
    ) {
        if self.binding == PaletteBinding::Uniform {
            let within = 16 * (instance * poses.stride(self.instances) + item.info.palette_offset);
            let offset = |parity| poses.half_offset(parity) as u32 + within;
            pass.bind_set(&item.set, &[offset(frame.parity), offset(1 - frame.parity)]);
        }
    }

    fn constants(&self, item: &ItemDraw, frame: &Frame, poses: &PoseBuffers) -> DrawConstants {
        let now = (poses.half_offset(frame.parity) / 16) as u32;
        let previous = (poses.half_offset(1 - frame.parity) / 16) as u32;
        DrawConstants {
            grid_columns: 1,
            palette_base: now + item.info.palette_offset,
            previous_palette_base: previous + item.info.palette_offset,
            pose_stride: poses.stride(self.instances),
            morph_base: now + item.info.morph_offset,
            previous_morph_base: previous + item.info.morph_offset,
            morph_targets: item.info.morph_targets,
            vertex_count: item.info.vertex_count,
            ..DrawConstants::default()
        }
    }

    /// Draws `vertices` (counted over all characters and items) as points, one a texel.
    pub fn draw_points(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        vertices: Range<usize>,
        tile: (u32, u32),
        meshes: &MeshBuffers,
        poses: &PoseBuffers,
    ) -> Result<(), GpuError> {
        let per_instance = self.vertices_per_instance;
        for instance in vertices.start / per_instance..vertices.end.div_ceil(per_instance) {
            for item in &self.items {
                let start = instance * per_instance + item.info.first_vertex as usize;
                let end = start + item.info.vertex_count as usize;
                let (first, last) = (start.max(vertices.start), end.min(vertices.end));
                if first >= last {
                    continue;
                }
                let pipelines = &self.variants[item.variant].pipelines;
                pass.bind_pipeline(super::predeformed::find(pipelines, PassKind::Readback)?);
                let mut constants = self.constants(item, frame, poses);
                // The shader subtracts this from gl_VertexIndex, which counts within the item.
                constants.tile_first =
                    ((first - start) as u32).wrapping_sub((first - vertices.start) as u32);
                (constants.tile_width, constants.tile_height) = tile;
                pass.push_constants(bytemuck::bytes_of(&constants));
                if let Some(source) = &meshes.meshes[item.info.mesh].source {
                    pass.bind_vertices(&[(source, 0)]);
                }
                if self.binding == PaletteBinding::Storage {
                    pass.bind_set(&item.set, &[]);
                }
                self.bind_character(pass, item, frame, poses, instance as u32);
                pass.draw(
                    (first - start) as u32,
                    (last - first) as u32,
                    instance as u32,
                );
            }
        }
        Ok(())
    }
}

#[allow(clippy::too_many_arguments)]
fn item_set(
    device: &Device,
    name: &str,
    layout: &SetLayout,
    binding: PaletteBinding,
    meshes: &MeshBuffers,
    info: &ItemInfo,
    poses: &PoseBuffers,
    uniform_range: u64,
) -> Result<DescriptorSet, GpuError> {
    let Some(buffer) = poses.buffer() else {
        return Err(GpuError::Unsupported("poses lie on the host".into()));
    };
    let morphs = &meshes.meshes[info.mesh].morphs;
    // Both halves, without the tail that only uniform ranges reach into.
    let both = (2 * poses.frame_bytes()).max(16);
    let mut buffers = vec![(buffer, 0, both), (morphs, 0, morphs.size())];
    if binding == PaletteBinding::Uniform {
        buffers.extend([(buffer, 0, uniform_range); 2]);
    }
    DescriptorSet::new(device, name, layout, &buffers)
}

fn pipeline(
    device: &Device,
    name: &str,
    set: &SetLayout,
    shaders: &mut ShaderCache<'_>,
    layout: SourceLayout,
    module: Module,
    kind: PassKind,
) -> Result<GraphicsPipeline, GpuError> {
    let specialization = Specialization(vec![
        shader_types::ATTRIBUTES.with(attributes_constant(layout.attributes)),
        shader_types::INFLUENCES.with(layout.influences as u32),
        shader_types::PASS.with(kind as u32),
    ]);
    let fragment = shaders.fragment(kind)?;
    let vertex = shaders.get(module)?;
    let topology = if kind == PassKind::Readback {
        DrawTopology::Points
    } else {
        DrawTopology::Triangles
    };
    GraphicsPipeline::new(
        device,
        &GraphicsRecipe {
            name: &format!("{name}: {kind:?}, {} influences", layout.influences),
            vertex: &vertex,
            fragment: fragment.as_deref(),
            specialization: &specialization,
            fragment_specialization: &specialization,
            attributes: &layout.skinned_attributes(),
            strides: &[layout.stride()],
            topology,
            formats: &formats_for(kind),
            set: Some(set),
            push_bytes: size_of::<DrawConstants>() as u32,
            capture_only: false,
            robust: false,
        },
    )
}
