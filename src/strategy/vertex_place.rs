//! What the places in the vertex stage share.

use std::ops::Range;
use std::time::Instant;

use crate::gpu::{Buffer, Encoder, GpuError, RenderEncoder};
use crate::plan::Place;
use crate::shader_types::PassKind;

use super::meshes::{ItemInfo, MeshBuffers};
use super::skinned::{PaletteBinding, Skinned};
use super::source::SourceLayout;
use super::texture::TextureShape;
use super::{DrawRecipe, Frame, MemoryUse, PoseBuffers, Prepared, Setup, StrategyError, spoil};

/// What tells one of them from another.
pub(super) struct VertexPlaceTraits {
    pub place: Place,
    pub binding: PaletteBinding,
    /// Bytes that must be readable behind the last pose.
    pub tail_bytes: u64,
}

/// Bytes on the device and in staging, palettes starting at multiples of `alignment` `vec4`s.
pub(super) fn estimate(setup: &Setup<'_>, alignment: usize) -> u64 {
    let poses = setup.poses(&setup.scene, alignment);
    source_bytes(setup) + 4 * 16 * poses.vec4s(setup.blocks()) as u64
}

/// Bytes of source vertices and morph targets of all meshes.
pub(super) fn source_bytes(setup: &Setup<'_>) -> u64 {
    let floats = setup.variant.attributes.floats().min(9) as u64;
    let of = |mesh: &crate::scene::Mesh| {
        let stride = u64::from(SourceLayout::of(mesh, setup).stride());
        mesh.vertex_count() as u64 * (stride + 4 * floats * mesh.morph_targets.len() as u64)
    };
    setup.scene.meshes.iter().map(of).sum()
}

/// A place in the vertex stage made ready.
pub(super) struct VertexPlace {
    binding: PaletteBinding,
    poses: PoseBuffers,
    meshes: MeshBuffers,
    skinned: Skinned,
    read_bytes: u64,
    instances: u32,
    velocity: bool,
    pipeline_ns: f64,
}

impl VertexPlace {
    /// Makes buffers, sets and pipelines.
    pub fn new(
        setup: &Setup<'_>,
        traits: &VertexPlaceTraits,
        alignment: usize,
    ) -> Result<Self, StrategyError> {
        let name = traits.place.name();
        let scene = spoil::scene_for(traits.place, &setup.scene);
        let (poses, shape) = poses(setup, traits, alignment)?;
        let items = ItemInfo::all(&scene, &setup.output(), poses.layout());
        let meshes = MeshBuffers::new(setup, name, &scene, true)?;
        let read_bytes = meshes.read_bytes(&items);
        let start = Instant::now();
        let skinned = Skinned::new(setup, name, traits.binding, items, &meshes, &poses, shape)?;
        let pipeline_ns = start.elapsed().as_nanos() as f64;
        let (instances, velocity) = (setup.instances, setup.velocity());
        Ok(Self {
            binding: traits.binding,
            poses,
            meshes,
            skinned,
            read_bytes,
            instances,
            velocity,
            pipeline_ns,
        })
    }
}

/// The poses of a place in the vertex stage, and the shape of their texture if they have one.
pub(super) fn poses(
    setup: &Setup<'_>,
    traits: &VertexPlaceTraits,
    alignment: usize,
) -> Result<(PoseBuffers, Option<TextureShape>), StrategyError> {
    let name = traits.place.name();
    if traits.binding == PaletteBinding::Texture {
        let (layout, shape) = TextureShape::of(setup);
        let made = PoseBuffers::texture(setup.device, name, layout, setup.blocks(), &shape)?;
        return Ok((made, Some(shape)));
    }
    let layout = setup.poses(&setup.scene, alignment);
    let blocks = setup.blocks();
    let behind = (alignment, traits.tail_bytes);
    let made = PoseBuffers::device(setup.device, name, layout, blocks, behind)?;
    Ok((made, None))
}

impl Prepared for VertexPlace {
    fn pose(&mut self) -> &mut PoseBuffers {
        &mut self.poses
    }

    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.poses.upload(encoder, frame, self.binding.readers());
        Ok(())
    }

    /// The upload's own barrier stands between the copy and the vertex stage already.
    fn before_passes(&self, _encoder: &mut Encoder<'_>, _frame: &Frame) {}

    fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
    ) -> Result<(), GpuError> {
        self.skinned
            .draw(pass, frame, recipe, &self.meshes, &self.poses)
    }

    fn output(&self, _frame: &Frame) -> Option<(&Buffer, u64)> {
        None
    }

    fn draw_points(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        vertices: Range<usize>,
        tile: (u32, u32),
    ) -> Result<(), GpuError> {
        self.skinned
            .draw_points(pass, frame, vertices, tile, &self.meshes, &self.poses)
    }

    fn memory(&self) -> MemoryUse {
        let palette = self.poses.unpadded_bytes();
        MemoryUse {
            source: self.meshes.source_bytes,
            palette,
            output: None,
            previous: self.velocity.then_some(palette),
        }
    }

    /// Once a pass, twice where the frame before is drawn too.
    fn deformations(&self, passes: &[PassKind]) -> u64 {
        passes
            .iter()
            .map(|kind| if *kind == PassKind::Velocity { 2 } else { 1 })
            .sum()
    }

    fn bytes_moved(&self) -> u64 {
        u64::from(self.instances) * self.read_bytes + self.poses.unpadded_bytes()
    }

    fn pipeline_creation_ns(&self) -> f64 {
        self.pipeline_ns
    }
}
