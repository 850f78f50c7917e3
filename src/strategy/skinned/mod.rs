//! Drawing with deformation in the vertex stage, wherever its palette lies.

mod binding;
mod pipelines;

use std::ops::Range;

use crate::gpu::{
    BoundResource, DescriptorSet, GpuError, IndexedDraw, RenderEncoder, SetLayout, Stage,
};
use crate::plan::Draws;
use crate::shader_types::{DrawConstants, PassKind};

use super::indirect::IndirectDraws;
use super::meshes::{ItemInfo, MeshBuffers};
use super::pose::PoseBuffers;
use super::shaders::find;
use super::texture::TextureShape;
use super::{DrawRecipe, Frame, Setup};

pub(super) use binding::{PaletteBinding, most_uniform_joints, uniform_array};
use pipelines::{Maker, Pipelines};

/// One item ready to draw.
struct ItemDraw {
    info: ItemInfo,
    /// By the parity of the frame; the same where the palette lies in one buffer.
    sets: [DescriptorSet; 2],
    parts: Vec<Part>,
}

/// Triangles and vertices that one set of pipelines draws.
struct Part {
    /// Index of its pipelines.
    variant: usize,
    indices: Range<u32>,
    vertices: Range<u32>,
    indirect: Option<IndirectDraws>,
}

/// Items and pipelines of a place in the vertex stage.
pub(super) struct Skinned {
    binding: PaletteBinding,
    items: Vec<ItemDraw>,
    pipelines: Pipelines,
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
        shape: Option<TextureShape>,
    ) -> Result<Self, GpuError> {
        let layout = SetLayout::new(setup.device, name, Stage::Vertex, &binding.bindings())?;
        let mut maker = Maker::new(setup, name, &layout, shape);
        let mut draws = Vec::new();
        for info in items {
            let (range, module) = binding
                .module(poses.layout().format, info.joints as usize)
                .ok_or_else(|| {
                    GpuError::Unsupported(format!("{} joints fit no uniform array", info.joints))
                })?;
            let mesh = &meshes.meshes[info.mesh];
            let mut parts = Vec::new();
            for part in &mesh.parts {
                parts.push(Part {
                    variant: maker.get(mesh.layout, part.influences, module)?,
                    indices: part.indices.clone(),
                    vertices: part.vertices.clone(),
                    indirect: IndirectDraws::new(setup, name, &part.indices, 0, 0)?,
                });
            }
            let set = |parity| {
                let bound = resources(binding, meshes, &info, poses, range, parity)?;
                DescriptorSet::new(setup.device, name, &layout, &bound)
            };
            let sets = [set(0)?, set(1)?];
            draws.push(ItemDraw { info, sets, parts });
        }
        Ok(Self {
            binding,
            items: draws,
            pipelines: maker.finish(),
            instances: setup.instances,
            vertices_per_instance: setup.output().vertices_per_instance,
        })
    }

    /// Draws every item with a surface of every visible character.
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
            let mut constants = self.constants(item, frame, poses);
            constants.view_projection = recipe.view_projection.to_cols_array_2d();
            constants.grid_step = recipe.grid.step.to_array();
            constants.grid_columns = recipe.grid.columns;
            for part in item.parts.iter().filter(|part| !part.indices.is_empty()) {
                pass.bind_pipeline(find(self.pipelines.of(part.variant), recipe.kind)?);
                pass.push_constants(bytemuck::bytes_of(&constants));
                if let Some(source) = &mesh.source {
                    pass.bind_vertices(&[(source, 0)]);
                }
                pass.bind_indices(&mesh.indices);
                self.draw_characters(pass, item, part, frame, recipe, poses);
            }
        }
        Ok(())
    }

    fn draw_characters(
        &self,
        pass: &mut RenderEncoder<'_>,
        item: &ItemDraw,
        part: &Part,
        frame: &Frame,
        recipe: &DrawRecipe,
        poses: &PoseBuffers,
    ) {
        let one = |first_instance: u32, instances: u32| IndexedDraw {
            indices: part.indices.len() as u32,
            instances,
            first_index: part.indices.start,
            vertex_offset: 0,
            first_instance,
        };
        if self.binding == PaletteBinding::Uniform {
            for instance in 0..recipe.visible {
                self.bind_character(pass, item, frame, poses, instance);
                match (recipe.draws, &part.indirect) {
                    (Draws::Indirect, Some(indirect)) => indirect.draw_one(pass, instance),
                    _ => pass.draw_indexed(&one(instance, 1)),
                }
            }
            return;
        }
        pass.bind_set(&item.sets[frame.parity], &[]);
        match (recipe.draws, &part.indirect) {
            (Draws::Instanced, _) => {
                if recipe.visible > 0 {
                    pass.draw_indexed(&one(0, recipe.visible));
                }
            }
            (Draws::Indirect, Some(indirect)) => indirect.draw(pass, recipe.visible),
            _ => {
                for instance in 0..recipe.visible {
                    pass.draw_indexed(&one(instance, 1));
                }
            }
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
        let within = 16 * (instance * poses.stride(self.instances) + item.info.palette_offset);
        let offset = |parity| poses.half_offset(parity) as u32 + within;
        let offsets = [offset(frame.parity), offset(1 - frame.parity)];
        pass.bind_set(&item.sets[frame.parity], &offsets);
    }

    fn constants(&self, item: &ItemDraw, frame: &Frame, poses: &PoseBuffers) -> DrawConstants {
        let info = &item.info;
        let (now, before) = (frame.parity, 1 - frame.parity);
        // A uniform array begins with the palette.
        let uniform = self.binding == PaletteBinding::Uniform;
        let palette = |parity| match uniform {
            true => 0,
            false => poses.palette_base(parity, info.palette_offset),
        };
        DrawConstants {
            grid_columns: 1,
            palette_base: palette(now),
            previous_palette_base: palette(before),
            pose_stride: if uniform {
                0
            } else {
                poses.stride(self.instances)
            },
            joints: info.joints,
            morph_base: poses.morph_base(now, info.morph_offset),
            previous_morph_base: poses.morph_base(before, info.morph_offset),
            morph_stride: poses.morph_stride(self.instances),
            morph_targets: info.morph_targets,
            vertex_count: info.vertex_count,
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
                for part in &item.parts {
                    let item_start = instance * per_instance + item.info.first_vertex as usize;
                    let start = item_start + part.vertices.start as usize;
                    let end = item_start + part.vertices.end as usize;
                    let run = start.max(vertices.start)..end.min(vertices.end);
                    if run.is_empty() {
                        continue;
                    }
                    let pipelines = self.pipelines.of(part.variant);
                    pass.bind_pipeline(find(pipelines, PassKind::Readback)?);
                    let mut constants = self.constants(item, frame, poses);
                    // The shader subtracts this from gl_VertexIndex, which counts within the item.
                    let texel = (run.start - vertices.start) as u32;
                    let within = (run.start - item_start) as u32;
                    constants.tile_first = within.wrapping_sub(texel);
                    (constants.tile_width, constants.tile_height) = tile;
                    pass.push_constants(bytemuck::bytes_of(&constants));
                    if let Some(source) = &meshes.meshes[item.info.mesh].source {
                        pass.bind_vertices(&[(source, 0)]);
                    }
                    match self.binding {
                        PaletteBinding::Uniform => {
                            self.bind_character(pass, item, frame, poses, instance as u32);
                        }
                        _ => pass.bind_set(&item.sets[frame.parity], &[]),
                    }
                    pass.draw(within, run.len() as u32, instance as u32);
                }
            }
        }
        Ok(())
    }
}

/// What the set of an item holds for frames of `parity`.
pub(super) fn resources<'a>(
    binding: PaletteBinding,
    meshes: &'a MeshBuffers,
    info: &ItemInfo,
    poses: &'a PoseBuffers,
    uniform_range: u64,
    parity: usize,
) -> Result<Vec<BoundResource<'a>>, GpuError> {
    let missing = || GpuError::Unsupported("poses lie on the host".into());
    let buffer = poses.buffer().ok_or_else(missing)?;
    let morphs = &meshes.meshes[info.mesh].morphs;
    let mut bound = vec![
        BoundResource::Buffer(buffer, 0, poses.both_halves()),
        BoundResource::Buffer(morphs, 0, morphs.size()),
    ];
    for parity in [parity, 1 - parity] {
        match binding {
            PaletteBinding::Storage => {}
            PaletteBinding::Uniform => bound.push(BoundResource::Buffer(buffer, 0, uniform_range)),
            PaletteBinding::Texture => {
                bound.push(BoundResource::Image(
                    poses.image(parity).ok_or_else(missing)?,
                ));
            }
        }
    }
    Ok(bound)
}
