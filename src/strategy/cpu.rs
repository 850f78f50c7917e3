//! `cpu`: all cores deform, then the vertices are uploaded.

use std::sync::Arc;
use std::time::Instant;

use crate::deform::cpu_place::deform_all;
use crate::deform::variant::Variant;
use crate::gpu::{Access, Buffer, BufferUse, Capabilities, Encoder, GpuError, MemoryPlace};
use crate::plan::{Case, Place};
use crate::result::Reason;
use crate::scene::Scene;

use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{DeformedVertices, When, halves};
use super::written::{Deform, Written, WrittenPlace};
use super::{
    Frame, Need, PoseBuffers, Prepared, SLOTS, Setup, Strategy, StrategyError, refusal, spoil,
};

pub(super) struct Cpu;

impl Strategy for Cpu {
    fn place(&self) -> Place {
        Place::Cpu
    }

    fn refuse(&self, setup: &Setup<'_>, _case: &Case) -> Option<Reason> {
        refusal::vertex_offset_too_large(setup)
    }

    fn needs(&self, _capabilities: &Capabilities) -> Vec<Need> {
        Vec::new()
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        let targets = if setup.deforms_previous() { 2 } else { 1 };
        (halves(setup) + targets * SLOTS as u64) * setup.output_bytes()
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(prepare(setup)?))
    }
}

fn prepare(setup: &Setup<'_>) -> Result<WrittenPlace<OnHost>, StrategyError> {
    let device = setup.device;
    let scene = spoil::scene_for(Place::Cpu, &setup.scene);
    let layout = setup.poses(&scene, 1);
    let items = ItemInfo::all(&scene, &setup.output(), &layout);
    let meshes = MeshBuffers::new(setup, "cpu", &scene, false)?;
    let poses = PoseBuffers::host(layout, setup.blocks());
    let start = Instant::now();
    let vertices = DeformedVertices::new(setup, "cpu", BufferUse::default(), &items, &meshes)?;
    let pipeline_ns = start.elapsed().as_nanos() as f64;
    let bytes = vertices.targets().len() as u64 * setup.output_bytes();
    let stage = |slot| {
        let name = format!("cpu: vertices staging {slot}");
        let used = BufferUse::default();
        Buffer::new(device, &name, bytes, MemoryPlace::Upload, used)
    };
    let staging = (0..SLOTS).map(stage).collect::<Result<_, _>>()?;
    let cached = setup.case.dirty() < 100;
    Ok(WrittenPlace {
        place: Written::new(poses, meshes, items, vertices, pipeline_ns, cached),
        how: OnHost {
            scene,
            variant: setup.variant,
            staging,
            before: Vec::new(),
        },
    })
}

struct OnHost {
    scene: Arc<Scene>,
    variant: Variant,
    staging: Vec<Buffer>,
    /// The poses of the frame before, where it is deformed again.
    before: Vec<[f32; 4]>,
}

impl OnHost {
    /// Deforms the selected characters of one target into its part of the staging memory.
    fn deform_target(
        &mut self,
        place: &Written,
        frame: &Frame,
        at: usize,
        when: When,
    ) -> Result<(), GpuError> {
        let poses = match when {
            When::Now => place.poses.host_blocks().unwrap_or(&[]),
            When::Before => &self.before,
        };
        let (layout, output) = (place.poses.layout(), &place.vertices.output);
        let words = output.bytes(1) / 4;
        let bytes = self.staging[frame.slot].mapped_mut()?;
        let all: &mut [u32] = bytemuck::cast_slice_mut(bytes);
        let start = at * place.vertices.bytes() as usize / 4;
        for (first, count) in runs(place.selected(when)) {
            let run = start + first * words..start + (first + count) * words;
            let run = &mut all[run];
            deform_all(
                &self.scene,
                self.variant,
                layout,
                poses,
                output,
                first..first + count,
                run,
            );
        }
        Ok(())
    }
}

/// Runs of consecutive characters: first and number.
fn runs(characters: &[u32]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &character in characters {
        let character = character as usize;
        match runs.last_mut() {
            Some((first, count)) if *first + *count == character => *count += 1,
            _ => runs.push((character, 1)),
        }
    }
    runs
}

impl Deform for OnHost {
    const WRITE: Access = Access::TransferWrite;
    const BARRIER: &'static str = "upload -> passes";
    const ON_DEVICE: bool = false;

    fn deform_host(&mut self, place: &mut Written, frame: &Frame) -> Result<bool, GpuError> {
        let now = place.poses.host_blocks().unwrap_or(&[]);
        if place.vertices.deforms_previous && self.before.len() != now.len() {
            // The first frame has none before it.
            self.before = now.to_vec();
        }
        for (at, &when) in place.vertices.targets().iter().enumerate() {
            self.deform_target(place, frame, at, when)?;
        }
        if place.vertices.deforms_previous {
            let now = place.poses.host_blocks().unwrap_or(&[]);
            self.before.copy_from_slice(now);
        }
        Ok(true)
    }

    /// What was deformed is copied, run after run of characters.
    fn upload(
        &self,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) -> Result<(), GpuError> {
        let vertices = &place.vertices;
        vertices.before_write(encoder, Access::TransferWrite);
        let one = vertices.output.bytes(1) as u64;
        for (at, &when) in vertices.targets().iter().enumerate() {
            let to = vertices.half_offset(frame.parity, when);
            for (first, count) in runs(place.selected(when)) {
                let (first, count) = (first as u64 * one, count as u64 * one);
                encoder.copy_buffer(
                    (
                        &self.staging[frame.slot],
                        at as u64 * vertices.bytes() + first,
                    ),
                    (&vertices.buffer, to + first),
                    count,
                );
            }
        }
        Ok(())
    }
}
