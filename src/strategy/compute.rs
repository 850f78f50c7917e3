//! `compute`: a compute pass writes vertex buffers, which the passes read.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::deform::palette::PoseLayout;
use crate::gpu::{
    Access, Binding, BindingKind, Buffer, BufferUse, Capabilities, ComputePipeline, ComputeRecipe,
    DescriptorSet, Encoder, GpuError, RenderEncoder, SetLayout, Shader, Specialization, Stage,
};
use crate::plan::{Case, Draws, Place};
use crate::result::Reason;
use crate::scene::Scene;
use crate::shader_types::{self, DispatchConstants, Module, PassKind};

use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{DeformedVertices, halves};
use super::setup::attributes_constant;
use super::source::SourceLayout;
use super::split::Split;
use super::windows::{Window, dispatches, window_of};
use super::{
    DrawRecipe, Frame, MemoryUse, Need, PoseBuffers, Prepared, Setup, Strategy, StrategyError,
    refusal, spoil, vertex_place,
};

/// Invocations of a workgroup.
const WORKGROUP: u32 = 64;

pub(super) struct Compute;

impl Strategy for Compute {
    fn place(&self) -> Place {
        Place::Compute
    }

    fn refuse(&self, setup: &Setup<'_>, case: &Case) -> Option<Reason> {
        if case.draws() == Draws::Instanced {
            return Some(refusal::not_instanced(
                "each character has deformed vertices of its own",
            ));
        }
        refusal::unmet(&self.needs(setup.device.capabilities()))
            .or_else(|| refusal::buffers_too_large(setup, true))
            .or_else(|| refusal::vertex_offset_too_large(setup))
    }

    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        vec![
            refusal::storage_buffers(4, c),
            refusal::invocations(WORKGROUP, c),
        ]
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        vertex_place::estimate(setup, 1) + halves(setup) * setup.output_bytes()
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(ComputePrepared::new(setup)?))
    }
}

/// One dispatch, all but what changes with the frame's parity.
struct PlannedDispatch {
    pipeline: usize,
    set: usize,
    groups: u32,
    constants: DispatchConstants,
}

struct ComputePrepared {
    poses: PoseBuffers,
    meshes: MeshBuffers,
    items: Vec<ItemInfo>,
    vertices: DeformedVertices,
    pipelines: Vec<(SourceLayout, ComputePipeline)>,
    /// For each parity its dispatches and descriptor sets.
    halves: Vec<Half>,
    pipeline_ns: f64,
}

struct Half {
    dispatches: Vec<PlannedDispatch>,
    sets: Vec<DescriptorSet>,
}

impl ComputePrepared {
    fn new(setup: &Setup<'_>) -> Result<Self, StrategyError> {
        let device = setup.device;
        let scene = spoil::scene_for(Place::Compute, &setup.scene);
        let layout = PoseLayout::new(&scene, 1);
        let items = ItemInfo::all(&scene, &setup.output(), &layout);
        let meshes = MeshBuffers::new(device, "compute", &scene, setup.attributes, true)?;
        let poses = PoseBuffers::device(device, "compute", layout, setup.blocks(), 0)?;
        let start = Instant::now();
        let set_layout = SetLayout::new(device, "compute", Stage::Compute, &bindings())?;
        let pipelines = pipelines(setup, &set_layout, &scene)?;
        let storage = BufferUse {
            storage: true,
            ..BufferUse::default()
        };
        let vertices = DeformedVertices::new(setup, "compute", storage)?;
        let pipeline_ns = start.elapsed().as_nanos() as f64;
        let halves = Vec::new();
        let mut made = Self {
            poses,
            meshes,
            items,
            vertices,
            pipelines,
            halves,
            pipeline_ns,
        };
        for parity in 0..2 {
            let half = made.plan_half(setup, &set_layout, parity)?;
            made.halves.push(half);
        }
        Ok(made)
    }

    /// Lists the dispatches that write the half of `parity`, and makes the sets they need.
    fn plan_half(
        &self,
        setup: &Setup<'_>,
        layout: &SetLayout,
        parity: usize,
    ) -> Result<Half, StrategyError> {
        let limits = setup.device.capabilities();
        let mut half = Half {
            dispatches: Vec::new(),
            sets: Vec::new(),
        };
        let mut known = BTreeMap::new();
        for instance in 0..self.vertices.instances {
            for item in 0..self.items.len() {
                self.plan_item(
                    setup,
                    layout,
                    limits,
                    (instance, item, parity),
                    &mut half,
                    &mut known,
                )?;
            }
        }
        Ok(half)
    }

    fn plan_item(
        &self,
        setup: &Setup<'_>,
        layout: &SetLayout,
        limits: &Capabilities,
        (instance, item, parity): (u32, usize, usize),
        half: &mut Half,
        known: &mut BTreeMap<(usize, usize, usize), usize>,
    ) -> Result<(), StrategyError> {
        let info = &self.items[item];
        let mesh = &self.meshes.meshes[info.mesh];
        let Some(source) = &mesh.source else {
            return Err(StrategyError::DoesNotFit(
                "compute has no source buffer".into(),
            ));
        };
        let strides = (
            u64::from(mesh.layout.stride()),
            u64::from(self.vertices.stride()),
        );
        let split = Split::new(limits, source.size(), self.vertices.buffer.size(), strides)?;
        let pipeline = self
            .pipelines
            .iter()
            .position(|(l, _)| *l == mesh.layout)
            .unwrap_or(0);
        let base = self.vertices.half_offset(parity)
            + self.vertices.output.vertices(instance as usize, item).start as u64 * strides.1;
        let vertices = u64::from(info.vertex_count);
        for dispatch in dispatches(
            vertices,
            WORKGROUP,
            limits.max_compute_work_group_count,
            split.vertices,
        ) {
            let first = dispatch.vertices.start;
            let (source_window, source_byte) = window_of(first * strides.0, split.source.1);
            let output_byte = base + first * strides.1;
            let (output_window, output_within) = window_of(output_byte, split.output.1);
            let key = (info.mesh, source_window, output_window);
            let set = match known.get(&key) {
                Some(set) => *set,
                None => {
                    let windows = (split.source.0[source_window], split.output.0[output_window]);
                    half.sets
                        .push(self.set(setup, layout, source, &mesh.morphs, windows)?);
                    known.insert(key, half.sets.len() - 1);
                    half.sets.len() - 1
                }
            };
            let pose = (self.poses.half_offset(parity) / 16) as u32;
            half.dispatches.push(PlannedDispatch {
                pipeline,
                set,
                groups: dispatch.groups,
                constants: DispatchConstants {
                    vertex_count: info.vertex_count,
                    first_vertex: first as u32,
                    dispatch_count: (dispatch.vertices.end - first) as u32,
                    source_word: (source_byte / 4) as u32,
                    output_word: (output_within / 4) as u32,
                    palette_base: pose + info.palette_offset,
                    pose_stride: self.poses.stride(self.vertices.instances),
                    instance,
                    morph_base: pose + info.morph_offset,
                    morph_targets: info.morph_targets,
                },
            });
        }
        Ok(())
    }

    fn set(
        &self,
        setup: &Setup<'_>,
        layout: &SetLayout,
        source: &Buffer,
        morphs: &Buffer,
        (from, to): (Window, Window),
    ) -> Result<DescriptorSet, GpuError> {
        let Some(poses) = self.poses.buffer() else {
            return Err(GpuError::Unsupported("poses lie on the host".into()));
        };
        let buffers = [
            (source, from.offset, from.range),
            (poses, 0, poses.size()),
            (morphs, 0, morphs.size()),
            (&self.vertices.buffer, to.offset, to.range),
        ];
        DescriptorSet::new(setup.device, "compute", layout, &buffers)
    }
}

fn bindings() -> [Binding; 4] {
    [0, 1, 2, 3].map(|binding| Binding {
        binding,
        kind: BindingKind::Storage,
    })
}

fn pipelines(
    setup: &Setup<'_>,
    set: &SetLayout,
    scene: &Scene,
) -> Result<Vec<(SourceLayout, ComputePipeline)>, GpuError> {
    let shader = Shader::new(
        setup.device,
        Module::DeformComp.name(),
        &Module::DeformComp.spirv(),
    )?;
    let mut made: Vec<(SourceLayout, ComputePipeline)> = Vec::new();
    for mesh in &scene.meshes {
        let layout = SourceLayout::of(mesh, setup.attributes);
        if made.iter().any(|(other, _)| *other == layout) {
            continue;
        }
        let specialization = Specialization(vec![
            shader_types::ATTRIBUTES.with(attributes_constant(setup.attributes)),
            shader_types::INFLUENCES.with(layout.influences as u32),
            shader_types::WORKGROUP.with(WORKGROUP),
        ]);
        let name = format!("compute: {} influences", layout.influences);
        let recipe = ComputeRecipe {
            name: &name,
            shader: &shader,
            specialization: &specialization,
            set,
            push_bytes: size_of::<DispatchConstants>() as u32,
            robust: false,
        };
        made.push((layout, ComputePipeline::new(setup.device, &recipe)?));
    }
    Ok(made)
}

impl Prepared for ComputePrepared {
    fn pose(&mut self) -> &mut PoseBuffers {
        &mut self.poses
    }

    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.poses.upload(encoder, frame, &[Access::ComputeRead]);
        Ok(())
    }

    fn deforms_on_device(&self) -> bool {
        true
    }

    fn deform(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.vertices.before_write(encoder, Access::ComputeWrite);
        let half = &self.halves[frame.parity];
        for dispatch in &half.dispatches {
            encoder.dispatch(
                &self.pipelines[dispatch.pipeline].1,
                &half.sets[dispatch.set],
                bytemuck::bytes_of(&dispatch.constants),
                [dispatch.groups, 1, 1],
            );
        }
        Ok(())
    }

    fn before_passes(&self, encoder: &mut Encoder<'_>, _frame: &Frame) {
        self.vertices
            .before_passes(encoder, "deform -> passes", Access::ComputeWrite);
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
