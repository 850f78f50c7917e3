//! `compute`: a compute pass writes vertex buffers, which the passes read.

mod kernel;
mod schedule;
mod sparse;

use std::time::Instant;

use crate::gpu::{Access, BufferUse, Capabilities, Encoder, GpuError};
use crate::plan::{Case, Grouping, KernelChoice, MorphMethod, OutputFormat, Place};
use crate::result::Reason;

use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{DeformedVertices, halves};
use super::source::SourceLayout;
use super::written::{Deform, Written, WrittenPlace};
use super::{
    Frame, Need, PoseBuffers, Prepared, Setup, Strategy, StrategyError, refusal, spoil,
    vertex_place,
};

use kernel::Kernels;
use schedule::Schedule;
use sparse::SparseMorphs;

pub(super) struct Compute;

impl Strategy for Compute {
    fn place(&self) -> Place {
        Place::Compute
    }

    fn refuse(&self, setup: &Setup<'_>, case: &Case) -> Option<Reason> {
        let limits = setup.device.capabilities();
        refusal::unmet(&[
            refusal::storage_buffers(4, limits),
            refusal::invocations(case.workgroup(), limits),
        ])
        .or_else(|| refusal::buffers_too_large(setup, Some(1)))
        .or_else(|| refusal::vertex_offset_too_large(setup))
        .or_else(|| buffers_too_large(setup, case))
        .or_else(|| sparse_and_packed(case))
        .or_else(|| kernel_does_not_fit(setup, case))
    }

    /// For the default workgroup.
    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        vec![refusal::storage_buffers(4, c), refusal::invocations(64, c)]
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        let vertices = halves(setup) * setup.output_bytes();
        vertex_place::estimate(setup, 1) + vertices + sparse::estimate(setup)
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(prepare(setup)?))
    }
}

/// Source and output are cut into windows that one descriptor can show, and a window must hold a
/// workgroup of vertices; but a batch, or a target that moves any vertex, needs all of the output.
fn buffers_too_large(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    let meshes = setup.scene.meshes.iter();
    let strides = meshes.map(|mesh| u64::from(SourceLayout::of(mesh, setup).stride()));
    let window = 2 * u64::from(case.workgroup()) * strides.max().unwrap_or(0);
    let whole = case.grouping() == Grouping::Batched || case.morph_method() == MorphMethod::Sparse;
    let output = if whole {
        halves(setup) * setup.output_bytes()
    } else {
        0
    };
    refusal::storage_range(setup, window.max(output).max(sparse::largest(setup, case)))
}

/// Targets are added to the deformed vertices in place, which must be floats for that.
fn sparse_and_packed(case: &Case) -> Option<Reason> {
    let packed = case.output_format() != OutputFormat::F32;
    (packed && case.morph_method() == MorphMethod::Sparse).then(|| {
        let message = "morph=sparse adds to vertices in place, so it needs output=f32";
        Reason::not_applicable("morph", message).with("f32", case.output_format().name())
    })
}

/// A kernel of the user's own is there, and has the workgroup of the case if it has one of its own.
fn kernel_does_not_fit(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    if case.kernel() == KernelChoice::Ours {
        return None;
    }
    let Some(kernel) = setup.kernel else {
        return Some(Reason::not_applicable("kernel", "there is no --kernel"));
    };
    let fixed = kernel.fixed_workgroup?;
    (fixed != case.workgroup()).then(|| {
        let message = format!("the workgroup of {} is fixed at {fixed}", kernel.name);
        Reason::not_applicable("workgroup", message).with(fixed, case.workgroup())
    })
}

fn prepare(setup: &Setup<'_>) -> Result<WrittenPlace<ByCompute>, StrategyError> {
    let scene = spoil::scene_for(Place::Compute, &setup.scene);
    let layout = setup.poses(&scene, 1);
    let items = ItemInfo::all(&scene, &setup.output(), &layout);
    let meshes = MeshBuffers::new(setup, "compute", &scene, true)?;
    let poses = PoseBuffers::device(setup.device, "compute", layout, setup.blocks(), 0)?;
    let used = BufferUse {
        storage: true,
        ..BufferUse::default()
    };
    let start = Instant::now();
    let mut kernels = Kernels::new(setup, Place::Compute.name())?;
    let vertices = DeformedVertices::new(setup, "compute", used, &items, &meshes)?;
    for mesh in &meshes.meshes {
        for part in &mesh.parts {
            kernels.make(setup, &mesh.layout, part.influences)?;
        }
    }
    let schedule = Schedule::new(setup, &kernels, &items, &meshes, &poses, &vertices)?;
    let sparse = match setup.case.morph_method() {
        MorphMethod::Sparse => Some(SparseMorphs::new(setup, &scene, &items, &poses, &vertices)?),
        MorphMethod::Dense => None,
    };
    let pipeline_ns = start.elapsed().as_nanos() as f64;
    let cached = setup.case.dirty() < 100;
    Ok(WrittenPlace {
        place: Written::new(poses, meshes, items, vertices, pipeline_ns, cached),
        how: ByCompute {
            kernels,
            schedule,
            sparse,
        },
    })
}

struct ByCompute {
    kernels: Kernels,
    schedule: Schedule,
    sparse: Option<SparseMorphs>,
}

impl Deform for ByCompute {
    const WRITE: Access = Access::ComputeWrite;
    const BARRIER: &'static str = "deform -> passes";
    const ON_DEVICE: bool = true;

    fn upload(
        &self,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) -> Result<(), GpuError> {
        place.poses.upload(encoder, frame, &[Access::ComputeRead]);
        Ok(())
    }

    fn deform(
        &self,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) -> Result<(), GpuError> {
        if let Some(sparse) = self.sparse.as_ref().filter(|sparse| sparse.is_before()) {
            sparse.gather(place, encoder, frame);
        } else {
            place.vertices.before_write(encoder, Access::ComputeWrite);
        }
        self.schedule.record(&self.kernels, place, encoder, frame);
        if let Some(sparse) = self.sparse.as_ref().filter(|sparse| !sparse.is_before()) {
            sparse.add_and_finish(place, encoder, frame);
        }
        Ok(())
    }

    fn extra_bytes(&self) -> u64 {
        self.sparse.as_ref().map_or(0, SparseMorphs::bytes)
    }
}
