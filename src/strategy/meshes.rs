//! Static data of the meshes on the device: source vertices, indices, morph targets.

use std::ops::Range;

use crate::deform::output::{Attributes, OutputLayout};
use crate::deform::palette::PoseLayout;
use crate::gpu::{
    Access, Buffer, BufferUse, Device, FrameSlot, GpuError, MemoryPlace, RecordOptions, Transition,
};
use crate::plan::InfluenceLoop;
use crate::scene::adapt::influence_classes;
use crate::scene::import::triangles;
use crate::scene::{Mesh, Scene};

use super::Setup;
use super::source::SourceLayout;

/// What a draw or dispatch needs to know of an item.
#[derive(Clone, Debug)]
pub(super) struct ItemInfo {
    /// Index into [`Scene::meshes`] and [`MeshBuffers::meshes`].
    pub mesh: usize,
    /// First vertex within one character.
    pub first_vertex: u32,
    pub vertex_count: u32,
    /// `vec4` of the palette in a block.
    pub palette_offset: u32,
    /// Joints of the palette.
    pub joints: u32,
    /// `vec4` of the morph weights in a block.
    pub morph_offset: u32,
    pub morph_targets: u32,
    pub surface: bool,
}

impl ItemInfo {
    /// One entry an item.
    pub fn all(scene: &Scene, output: &OutputLayout, poses: &PoseLayout) -> Vec<Self> {
        let of = |(index, item): (usize, &crate::scene::Item)| {
            let mesh = &scene.meshes[item.mesh];
            Self {
                mesh: item.mesh,
                first_vertex: output.first_vertices[index] as u32,
                vertex_count: mesh.vertex_count() as u32,
                palette_offset: poses.palette_offsets[item.palette] as u32,
                joints: scene.joint_count(item.palette) as u32,
                morph_offset: poses.morph_offsets[index] as u32,
                morph_targets: mesh.morph_targets.len() as u32,
                surface: mesh.topology.has_surface(),
            }
        };
        scene.items.iter().enumerate().map(of).collect()
    }
}

/// Vertices and triangles that one kernel handles: all of a mesh, or those of one class of influences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshPart {
    /// Slots that the kernel loops over.
    pub influences: usize,
    /// Its vertices.
    pub vertices: Range<u32>,
    /// Its indices.
    pub indices: Range<u32>,
}

/// One mesh on the device.
pub struct MeshOnDevice {
    /// Source vertices; `None` for a place that keeps them on the host.
    pub source: Option<Buffer>,
    /// Their layout.
    pub layout: SourceLayout,
    /// Triangle lists, 32-bit.
    pub indices: Buffer,
    /// Bytes that deforming every vertex of it once reads: source and morph targets.
    pub read_bytes: u64,
    /// How many indices.
    pub index_count: u32,
    /// What each kernel handles.
    pub parts: Vec<MeshPart>,
    /// Displacements; a few unread bytes where the mesh has no targets, since every binding is written.
    pub morphs: Buffer,
}

/// All meshes of a scene on the device.
pub struct MeshBuffers {
    /// Parallel to [`Scene::meshes`].
    pub meshes: Vec<MeshOnDevice>,
    /// Bytes of source vertices and morph targets.
    pub source_bytes: u64,
}

impl MeshBuffers {
    /// Bytes that deforming every vertex of one character once reads; a mesh counts for each item.
    pub(super) fn read_bytes(&self, items: &[ItemInfo]) -> u64 {
        items
            .iter()
            .map(|item| self.meshes[item.mesh].read_bytes)
            .sum()
    }

    /// Makes and fills the buffers. `sources` is false for a place that deforms on the host.
    ///
    /// # Errors
    /// No memory left, or the driver's refusal.
    pub fn new(
        setup: &Setup<'_>,
        name: &str,
        scene: &Scene,
        sources: bool,
    ) -> Result<Self, GpuError> {
        let mut source_bytes = 0;
        let mut meshes = Vec::with_capacity(scene.meshes.len());
        for mesh in &scene.meshes {
            let made = upload_mesh(setup, name, mesh, sources)?;
            source_bytes += made.read_bytes;
            meshes.push(made);
        }
        Ok(Self {
            meshes,
            source_bytes,
        })
    }
}

fn upload_mesh(
    setup: &Setup<'_>,
    name: &str,
    mesh: &Mesh,
    sources: bool,
) -> Result<MeshOnDevice, GpuError> {
    let (device, attributes) = (setup.device, setup.variant.attributes);
    let layout = SourceLayout::of(mesh, setup);
    let (indices, parts) = parts(mesh, setup.case.influence_loop());
    let label = |part: &str| format!("{name}: {part} of {}", mesh.name);
    let storage = BufferUse {
        storage: true,
        ..BufferUse::default()
    };
    let vertex = BufferUse {
        vertex: true,
        ..storage
    };
    let index = BufferUse {
        index: true,
        ..BufferUse::default()
    };
    let source = match sources {
        true => {
            let words = layout.pack(mesh);
            Some(filled(
                device,
                &label("source"),
                bytemuck::cast_slice(&words),
                vertex,
            )?)
        }
        false => None,
    };
    // Scattered ones lie elsewhere.
    let gathers = setup.gathered_targets(mesh.morph_targets.len() as u32) > 0;
    let morphs = match sources && gathers {
        true => morph_words(mesh, attributes),
        false => Vec::new(),
    };
    let morph_bytes = match gathers {
        true => 4 * morph_word_count(mesh, attributes) as u64,
        false => 0,
    };
    Ok(MeshOnDevice {
        source,
        layout,
        read_bytes: mesh.vertex_count() as u64 * u64::from(layout.stride()) + morph_bytes,
        index_count: indices.len() as u32,
        parts,
        indices: filled(
            device,
            &label("indices"),
            bytemuck::cast_slice(&indices),
            index,
        )?,
        morphs: filled(
            device,
            &label("morphs"),
            bytemuck::cast_slice(&morphs),
            storage,
        )?,
    })
}

/// The triangles of a mesh in the order in which they are drawn, and what each kernel handles.
///
/// Under `partitioned` the scene's vertices lie by class; a triangle belongs to the largest class of
/// its corners, whose kernel handles the others' vertices too.
fn parts(mesh: &Mesh, how: InfluenceLoop) -> (Vec<u32>, Vec<MeshPart>) {
    let mut all = triangles(mesh.topology, &mesh.indices);
    if how != InfluenceLoop::Partitioned {
        let part = MeshPart {
            influences: mesh.influences.max(1),
            vertices: 0..mesh.vertex_count() as u32,
            indices: 0..3 * all.len() as u32,
        };
        return (all.into_iter().flatten().collect(), vec![part]);
    }
    let classes = influence_classes(mesh);
    let class_of = |corners: &[u32; 3]| {
        let of = |corner: &u32| classes.partition_point(|class| class.vertices.end <= *corner);
        corners.iter().map(of).max().unwrap_or(0)
    };
    all.sort_by_key(class_of);
    let mut next = 0;
    let part = |(index, class): (usize, &crate::scene::adapt::InfluenceClass)| {
        let start = next;
        next = 3 * all.partition_point(|corners| class_of(corners) <= index) as u32;
        MeshPart {
            influences: class.influences,
            vertices: class.vertices.clone(),
            indices: start..next,
        }
    };
    let made = classes.iter().enumerate().map(part).collect();
    (all.iter().flatten().copied().collect(), made)
}

/// How many words [`morph_words`] gives.
pub(super) fn morph_word_count(mesh: &Mesh, attributes: Attributes) -> usize {
    mesh.morph_targets.len() * mesh.vertex_count() * attributes.floats().min(9)
}

/// Displacements as the kernels read them: target after target, vertex after vertex, position,
/// normal, tangent xyz as far as `attributes` goes; zeros where the file has none.
pub(super) fn morph_words(mesh: &Mesh, attributes: Attributes) -> Vec<f32> {
    let vertices = mesh.vertex_count();
    let mut words = Vec::new();
    for target in &mesh.morph_targets {
        for vertex in 0..vertices {
            words.extend(displacement(target, vertex, attributes));
        }
    }
    words
}

/// The displacement of one vertex by one target: position, normal, tangent xyz as far as `attributes`
/// goes.
pub(super) fn displacement(
    target: &crate::scene::MorphTarget,
    vertex: usize,
    attributes: Attributes,
) -> impl Iterator<Item = f32> {
    let of = move |list: &[[f32; 3]]| list.get(vertex).copied().unwrap_or([0.0; 3]);
    let [p, n, t] = [
        of(&target.positions),
        of(&target.normals),
        of(&target.tangents),
    ];
    let lists = match attributes {
        Attributes::P => 1,
        Attributes::Pn => 2,
        Attributes::Pnt => 3,
    };
    [p, n, t].into_iter().take(lists).flatten()
}

/// A device buffer with `bytes` in it, copied and waited for.
pub(super) fn filled(
    device: &Device,
    name: &str,
    bytes: &[u8],
    used: BufferUse,
) -> Result<Buffer, GpuError> {
    let size = bytes.len() as u64;
    let buffer = Buffer::new(device, name, size, MemoryPlace::Device, used)?;
    let mut staging = Buffer::new(
        device,
        &format!("{name}: staging"),
        size,
        MemoryPlace::Upload,
        BufferUse::default(),
    )?;
    staging.mapped_mut()?[..bytes.len()].copy_from_slice(bytes);
    let mut slot = FrameSlot::new(device, "static upload", 2)?;
    slot.record(RecordOptions::default(), |encoder| {
        encoder.copy_buffer((&staging, 0), (&buffer, 0), size);
        // Whoever reads first: a copy, a compute pass, the vertex stage, or the input assembler.
        let readers = [
            Access::TransferRead,
            Access::ComputeRead,
            Access::VertexStorageRead,
            Access::VertexAttributeRead,
            Access::IndexRead,
            Access::IndirectRead,
        ];
        encoder.barrier(
            "static upload",
            &[Transition::buffer(
                &buffer,
                &[Access::TransferWrite],
                &readers,
            )],
        );
        Ok::<_, GpuError>(())
    })?;
    slot.submit()?;
    slot.wait()?;
    Ok(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{AxisRequest, Plan, RunRequest};
    use crate::scene::adapt::{Adaptation, adapt};
    use crate::scene::character::{Options, build};
    use std::sync::Arc;

    /// The case of some axes.
    fn case(axes: &[&str]) -> Option<crate::plan::Case> {
        let axes = axes.iter().filter_map(|axis| AxisRequest::axis(axis).ok());
        let request = RunRequest {
            axes: axes.collect(),
            ..RunRequest::default()
        };
        Plan::build(request, 1).ok()?.cases.into_iter().next()
    }

    #[test]
    fn every_triangle_is_drawn_with_all_influences_of_its_corners() {
        let options = Options {
            vertices: 3000,
            joints: 300,
            influences: 8,
            ..Options::default()
        };
        let scene = Arc::new(build(options).unwrap_or_else(|error| panic!("{error}")));
        let loops = ["influence-loop=partitioned", "strategy=vertex-uniform"];
        for partition in ["partition=off", "partition=on"] {
            let Some(case) = case(&[&loops[..], &[partition]].concat()) else {
                panic!("no such case");
            };
            let adapted = adapt(&scene, &Adaptation::of(&case)).scene;
            let mut seen = 0;
            for mesh in &adapted.meshes {
                let (indices, parts) = parts(mesh, InfluenceLoop::Partitioned);
                assert!(parts.len() <= 5, "few draws: {}", parts.len());
                for part in &parts {
                    let range = part.indices.start as usize..part.indices.end as usize;
                    seen += range.len();
                    for vertex in &indices[range] {
                        let slots = *vertex as usize * 8..(*vertex as usize + 1) * 8;
                        let used = mesh.weights[slots].iter().filter(|w| **w != 0.0);
                        assert!(used.count() <= part.influences, "{partition}");
                    }
                }
            }
            assert_eq!(seen, scene.meshes[0].indices.len());
        }
    }
}
