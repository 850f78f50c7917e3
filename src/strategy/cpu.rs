//! `cpu`: all cores deform, then the vertices are uploaded.

use std::sync::Arc;
use std::time::Instant;

use crate::deform::cpu_place::deform_all;
use crate::deform::palette::PoseLayout;
use crate::gpu::{
    Access, Buffer, BufferUse, Capabilities, Encoder, GpuError, MemoryPlace, RenderEncoder,
};
use crate::plan::{Case, Draws, Place};
use crate::result::Reason;
use crate::scene::Scene;
use crate::shader_types::PassKind;

use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{DeformedVertices, halves};
use super::{
    DrawRecipe, Frame, MemoryUse, Need, PoseBuffers, Prepared, SLOTS, Setup, Strategy,
    StrategyError, refusal, spoil,
};

pub(super) struct Cpu;

impl Strategy for Cpu {
    fn place(&self) -> Place {
        Place::Cpu
    }

    fn refuse(&self, setup: &Setup<'_>, case: &Case) -> Option<Reason> {
        if case.draws() == Draws::Instanced {
            return Some(refusal::not_instanced(
                "each character has deformed vertices of its own",
            ));
        }
        refusal::vertex_offset_too_large(setup)
    }

    fn needs(&self, _capabilities: &Capabilities) -> Vec<Need> {
        Vec::new()
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        (halves(setup) + SLOTS as u64) * setup.output_bytes()
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(CpuPrepared::new(setup)?))
    }
}

struct CpuPrepared {
    scene: Arc<Scene>,
    poses: PoseBuffers,
    meshes: MeshBuffers,
    items: Vec<ItemInfo>,
    staging: Vec<Buffer>,
    vertices: DeformedVertices,
    pipeline_ns: f64,
}

impl CpuPrepared {
    fn new(setup: &Setup<'_>) -> Result<Self, StrategyError> {
        let device = setup.device;
        let scene = spoil::scene_for(Place::Cpu, &setup.scene);
        let layout = PoseLayout::new(&scene, 1);
        let items = ItemInfo::all(&scene, &setup.output(), &layout);
        let meshes = MeshBuffers::new(device, "cpu", &scene, setup.attributes, false)?;
        let poses = PoseBuffers::host(layout, setup.blocks());
        let stage = |slot| {
            let name = format!("cpu: vertices staging {slot}");
            let bytes = setup.output_bytes();
            Buffer::new(
                device,
                &name,
                bytes,
                MemoryPlace::Upload,
                BufferUse::default(),
            )
        };
        let staging = (0..SLOTS).map(stage).collect::<Result<_, _>>()?;
        let start = Instant::now();
        let vertices = DeformedVertices::new(setup, "cpu", BufferUse::default())?;
        let pipeline_ns = start.elapsed().as_nanos() as f64;
        Ok(Self {
            scene,
            poses,
            meshes,
            items,
            staging,
            vertices,
            pipeline_ns,
        })
    }
}

impl Prepared for CpuPrepared {
    fn pose(&mut self) -> &mut PoseBuffers {
        &mut self.poses
    }

    fn deform_host(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        let bytes = self.vertices.bytes() as usize;
        let mapped = self.staging[frame.slot].mapped_mut()?;
        let staging: &mut [f32] = bytemuck::cast_slice_mut(&mut mapped[..bytes]);
        let blocks = self.poses.host_blocks().unwrap_or(&[]);
        let instances = self.vertices.instances as usize;
        let (layout, output) = (self.poses.layout(), &self.vertices.output);
        deform_all(&self.scene, layout, blocks, output, instances, staging);
        Ok(true)
    }

    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.vertices.before_write(encoder, Access::TransferWrite);
        let to = self.vertices.half_offset(frame.parity);
        let bytes = self.vertices.bytes();
        encoder.copy_buffer(
            (&self.staging[frame.slot], 0),
            (&self.vertices.buffer, to),
            bytes,
        );
        Ok(())
    }

    fn before_passes(&self, encoder: &mut Encoder<'_>, _frame: &Frame) {
        self.vertices
            .before_passes(encoder, "upload -> passes", Access::TransferWrite);
    }

    fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
    ) -> Result<(), GpuError> {
        self.vertices
            .draw(pass, frame, recipe, &self.items, &self.meshes)
    }

    fn output(&self, frame: &Frame) -> Option<(&Buffer, u64)> {
        Some((
            &self.vertices.buffer,
            self.vertices.half_offset(frame.parity),
        ))
    }

    fn memory(&self) -> MemoryUse {
        self.vertices.memory(&self.meshes, &self.poses)
    }

    fn deformations(&self, _passes: &[PassKind]) -> u64 {
        1
    }

    fn bytes_moved(&self) -> u64 {
        self.vertices
            .bytes_moved(self.meshes.read_bytes(&self.items), &self.poses)
    }

    fn pipeline_creation_ns(&self) -> f64 {
        self.pipeline_ns
    }
}
