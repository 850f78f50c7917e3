//! What the places in the vertex stage share.

use std::ops::Range;
use std::time::Instant;

use crate::deform::palette::PoseLayout;
use crate::gpu::{Access, Buffer, Encoder, GpuError, RenderEncoder};
use crate::plan::Place;
use crate::shader_types::PassKind;

use super::meshes::{ItemInfo, MeshBuffers};
use super::skinned::{PaletteBinding, Skinned};
use super::source::SourceLayout;
use super::{DrawRecipe, Frame, MemoryUse, PoseBuffers, Prepared, Setup, StrategyError, spoil};

/// What tells one of them from another.
pub(super) struct VertexPlaceTraits {
    pub place: Place,
    pub name: &'static str,
    pub binding: PaletteBinding,
    /// How the vertex stage reads poses.
    pub readers: &'static [Access],
    /// Bytes that must be readable behind the last pose.
    pub tail_bytes: u64,
}

/// Bytes on the device and in staging, poses starting at multiples of `alignment` `vec4`s.
pub(super) fn estimate(setup: &Setup<'_>, alignment: usize) -> u64 {
    let stride = PoseLayout::new(&setup.scene, alignment).stride as u64;
    source_bytes(setup) + 4 * 16 * stride * setup.blocks() as u64
}

/// Bytes of source vertices and morph targets of all meshes.
pub(super) fn source_bytes(setup: &Setup<'_>) -> u64 {
    let floats = setup.attributes.floats().min(9) as u64;
    let of = |mesh: &crate::scene::Mesh| {
        let stride = u64::from(SourceLayout::of(mesh, setup.attributes).stride());
        mesh.vertex_count() as u64 * (stride + 4 * floats * mesh.morph_targets.len() as u64)
    };
    setup.scene.meshes.iter().map(of).sum()
}

/// A place in the vertex stage made ready.
pub(super) struct VertexPlace {
    traits: &'static VertexPlaceTraits,
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
        traits: &'static VertexPlaceTraits,
        alignment: usize,
    ) -> Result<Self, StrategyError> {
        let scene = spoil::scene_for(traits.place, &setup.scene);
        let layout = PoseLayout::new(&scene, alignment);
        let items = ItemInfo::all(&scene, &setup.output(), &layout);
        let meshes = MeshBuffers::new(setup.device, traits.name, &scene, setup.attributes, true)?;
        let poses = PoseBuffers::device(
            setup.device,
            traits.name,
            layout,
            setup.blocks(),
            traits.tail_bytes,
        )?;
        let read_bytes = meshes.read_bytes(&items);
        let start = Instant::now();
        let skinned = Skinned::new(setup, traits.name, traits.binding, items, &meshes, &poses)?;
        let pipeline_ns = start.elapsed().as_nanos() as f64;
        let (instances, velocity) = (setup.instances, setup.velocity());
        Ok(Self {
            traits,
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

impl Prepared for VertexPlace {
    fn pose(&mut self) -> &mut PoseBuffers {
        &mut self.poses
    }

    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.poses.upload(encoder, frame, self.traits.readers);
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
