//! `cpu`: all cores deform, then the vertices are uploaded.

use std::sync::Arc;
use std::time::Instant;

use crate::deform::cpu_place::deform_all;
use crate::deform::output::OutputLayout;
use crate::deform::palette::PoseLayout;
use crate::gpu::{
    Access, Buffer, BufferUse, Capabilities, Encoder, GpuError, MemoryPlace, RenderEncoder,
    Transition,
};
use crate::plan::{Case, Draws, Place};
use crate::result::Reason;
use crate::scene::Scene;
use crate::shader_types::PassKind;

use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{Predeformed, half_offset};
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
        let halves = if setup.velocity() { 2 } else { 1 };
        (halves + SLOTS as u64) * setup.output_bytes()
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
    output: OutputLayout,
    staging: Vec<Buffer>,
    buffer: Buffer,
    instances: u32,
    doubled: bool,
    draws: Predeformed,
    pipeline_ns: f64,
}

impl CpuPrepared {
    fn new(setup: &Setup<'_>) -> Result<Self, StrategyError> {
        let device = setup.device;
        let scene = spoil::scene_for(Place::Cpu, &setup.scene);
        let layout = PoseLayout::new(&scene, 1);
        let output = setup.output();
        let items = ItemInfo::all(&scene, &output, &layout);
        let meshes = MeshBuffers::new(device, "cpu", &scene, setup.attributes, false)?;
        let poses = PoseBuffers::host(layout, setup.blocks());
        let bytes = setup.output_bytes();
        let staging = (0..SLOTS)
            .map(|slot| {
                let name = format!("cpu: vertices staging {slot}");
                Buffer::new(
                    device,
                    &name,
                    bytes,
                    MemoryPlace::Upload,
                    BufferUse::default(),
                )
            })
            .collect::<Result<_, _>>()?;
        let doubled = setup.velocity();
        let halves = if doubled { 2 } else { 1 };
        let used = BufferUse {
            vertex: true,
            ..BufferUse::default()
        };
        let buffer = Buffer::new(
            device,
            "cpu: deformed vertices",
            halves * bytes,
            MemoryPlace::Device,
            used,
        )?;
        let start = Instant::now();
        let draws = Predeformed::new(setup, "cpu")?;
        let pipeline_ns = start.elapsed().as_nanos() as f64;
        let instances = setup.instances;
        Ok(Self {
            scene,
            poses,
            meshes,
            items,
            output,
            staging,
            buffer,
            instances,
            doubled,
            draws,
            pipeline_ns,
        })
    }

    fn bytes(&self) -> u64 {
        4 * self.output.floats(self.instances as usize) as u64
    }
}

impl Prepared for CpuPrepared {
    fn pose(&mut self) -> &mut PoseBuffers {
        &mut self.poses
    }

    fn deform_host(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        let bytes = 4 * self.output.floats(self.instances as usize);
        let staging: &mut [f32] =
            bytemuck::cast_slice_mut(&mut self.staging[frame.slot].mapped_mut()?[..bytes]);
        let blocks = self.poses.host_blocks().unwrap_or(&[]);
        let layout = self.poses.layout();
        deform_all(
            &self.scene,
            layout,
            blocks,
            &self.output,
            self.instances as usize,
            staging,
        );
        Ok(true)
    }

    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        // The passes of an earlier frame read these vertices, an earlier copy wrote them.
        let before = [Access::VertexAttributeRead, Access::TransferWrite];
        encoder.barrier(
            "reuse output",
            &[Transition::buffer(
                &self.buffer,
                &before,
                &[Access::TransferWrite],
            )],
        );
        let to = half_offset(&self.output, self.instances, self.doubled, frame.parity);
        encoder.copy_buffer(
            (&self.staging[frame.slot], 0),
            (&self.buffer, to),
            self.bytes(),
        );
        Ok(())
    }

    fn before_passes(&self, encoder: &mut Encoder<'_>, _frame: &Frame) {
        // The copy wrote; the input assembler of every pass reads.
        let after = [Access::VertexAttributeRead];
        encoder.barrier(
            "upload -> passes",
            &[Transition::buffer(
                &self.buffer,
                &[Access::TransferWrite],
                &after,
            )],
        );
    }

    fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
    ) -> Result<(), GpuError> {
        let at = |parity| half_offset(&self.output, self.instances, self.doubled, parity);
        let offsets = (at(frame.parity), at(1 - frame.parity));
        self.draws.draw(
            pass,
            recipe,
            &self.items,
            &self.meshes,
            &self.buffer,
            offsets,
        )
    }

    fn output(&self, frame: &Frame) -> Option<(&Buffer, u64)> {
        Some((
            &self.buffer,
            half_offset(&self.output, self.instances, self.doubled, frame.parity),
        ))
    }

    fn memory(&self) -> MemoryUse {
        MemoryUse {
            source: self.meshes.source_bytes,
            palette: self.poses.unpadded_bytes(),
            output: Some(self.bytes()),
            previous: self.doubled.then_some(self.bytes()),
        }
    }

    fn deformations(&self, _passes: &[PassKind]) -> u64 {
        1
    }

    fn bytes_moved(&self) -> u64 {
        u64::from(self.instances) * self.meshes.source_bytes
            + self.poses.unpadded_bytes()
            + self.bytes()
    }

    fn pipeline_creation_ns(&self) -> f64 {
        self.pipeline_ns
    }
}
