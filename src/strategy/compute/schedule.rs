//! Which dispatches a frame is made of.

use std::collections::BTreeMap;

use crate::gpu::{DescriptorSet, Encoder, GpuError, SetLayout};
use crate::plan::Grouping;
use crate::shader_types::DispatchConstants;
use crate::strategy::meshes::{ItemInfo, MeshBuffers, MeshPart};
use crate::strategy::predeformed::{DeformedVertices, halves};
use crate::strategy::split::Split;
use crate::strategy::windows::{Window, dispatches, window_of};
use crate::strategy::written::Written;
use crate::strategy::{Frame, PoseBuffers, Setup, StrategyError};

use super::kernel::Kernels;

/// One dispatch, all but what changes from frame to frame.
struct Planned {
    pipeline: usize,
    set: usize,
    groups: u32,
    constants: DispatchConstants,
}

/// All dispatches of a case: for each half of the output and each character its own, or under
/// `grouping=batched` one for all characters.
pub(super) struct Schedule {
    sets: Vec<DescriptorSet>,
    /// By half of the output, then by character (one entry for all where batched).
    planned: Vec<Vec<Vec<Planned>>>,
    batched: bool,
    /// Most characters of one dispatch.
    most: u32,
}

/// What planning needs to know.
struct Planner<'a> {
    setup: &'a Setup<'a>,
    kernels: &'a Kernels,
    meshes: &'a MeshBuffers,
    poses: &'a PoseBuffers,
    vertices: &'a DeformedVertices,
    sets: Vec<DescriptorSet>,
    known: BTreeMap<(usize, usize, usize), usize>,
}

impl Schedule {
    /// Plans every dispatch and makes the sets that they need.
    pub fn new(
        setup: &Setup<'_>,
        kernels: &Kernels,
        items: &[ItemInfo],
        meshes: &MeshBuffers,
        poses: &PoseBuffers,
        vertices: &DeformedVertices,
    ) -> Result<Self, StrategyError> {
        let mut planner = Planner {
            setup,
            kernels,
            meshes,
            poses,
            vertices,
            sets: Vec::new(),
            known: BTreeMap::new(),
        };
        let batched = setup.case.grouping() == Grouping::Batched;
        let characters = if batched { 1 } else { vertices.instances };
        let half = |half: usize| {
            let of = |character| planner.character(half, character, items);
            (0..characters).map(of).collect::<Result<Vec<_>, _>>()
        };
        let halves = halves(setup) as usize;
        let planned = (0..halves).map(half).collect::<Result<_, _>>()?;
        Ok(Self {
            sets: planner.sets,
            planned,
            batched,
            most: setup.device.capabilities().max_compute_work_group_count_y,
        })
    }

    /// Records the dispatches of a frame, for the characters that are selected.
    pub fn record(
        &self,
        kernels: &Kernels,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) {
        for &when in place.vertices.targets() {
            let offset = place.vertices.half_offset(frame.parity, when);
            let half = usize::from(offset > 0);
            let parity = place.pose_parity(frame, when);
            for (first, count) in self.runs(place.selected(when)) {
                let entry = if self.batched { 0 } else { first as usize };
                for planned in &self.planned[half][entry] {
                    let mut constants = planned.constants;
                    constants.palette_base =
                        place.poses.palette_base(parity, constants.palette_base);
                    constants.morph_base = place.poses.morph_base(parity, constants.morph_base);
                    constants.instance = first;
                    if self.batched {
                        constants.output_word += first * constants.instance_words;
                    }
                    encoder.dispatch(
                        kernels.get(planned.pipeline),
                        &self.sets[planned.set],
                        bytemuck::bytes_of(&constants),
                        [planned.groups, count, 1],
                    );
                }
            }
        }
    }

    /// Consecutive characters that one dispatch takes: first and number.
    fn runs(&self, characters: &[u32]) -> Vec<(u32, u32)> {
        let most = if self.batched { self.most.max(1) } else { 1 };
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for &character in characters {
            match runs.last_mut() {
                Some((first, count)) if *first + *count == character && *count < most => {
                    *count += 1
                }
                _ => runs.push((character, 1)),
            }
        }
        runs
    }
}

impl Planner<'_> {
    fn character(
        &mut self,
        half: usize,
        character: u32,
        items: &[ItemInfo],
    ) -> Result<Vec<Planned>, StrategyError> {
        let mut all = Vec::new();
        for item in items {
            let meshes = self.meshes;
            for part in &meshes.meshes[item.mesh].parts {
                self.part(half, character, item, part, &mut all)?;
            }
        }
        Ok(all)
    }

    fn part(
        &mut self,
        half: usize,
        character: u32,
        item: &ItemInfo,
        part: &MeshPart,
        all: &mut Vec<Planned>,
    ) -> Result<(), StrategyError> {
        let limits = self.setup.device.capabilities();
        let mesh = &self.meshes.meshes[item.mesh];
        let source_bytes = mesh.source.as_ref().map_or(0, crate::gpu::Buffer::size);
        let strides = (
            u64::from(mesh.layout.stride()),
            u64::from(self.vertices.stride()),
        );
        let split = Split::new(limits, source_bytes, self.vertices.buffer.size(), strides)?;
        let per_character = self.vertices.output.vertices_per_instance as u64;
        let first_vertex = u64::from(character) * per_character + u64::from(item.first_vertex);
        let base = half as u64 * self.vertices.bytes() + first_vertex * strides.1;
        let count = u64::from(part.vertices.end - part.vertices.start);
        let workgroup = self.setup.case.workgroup();
        let most_groups = limits.max_compute_work_group_count;
        for dispatch in dispatches(count, workgroup, most_groups, split.vertices) {
            let first = u64::from(part.vertices.start) + dispatch.vertices.start;
            let (source_window, source_byte) = window_of(first * strides.0, split.source.1);
            let (output_window, output_byte) = window_of(base + first * strides.1, split.output.1);
            let windows = (split.source.0[source_window], split.output.0[output_window]);
            let set = self.set((item.mesh, source_window, output_window), windows)?;
            all.push(Planned {
                pipeline: self.kernels.index(&mesh.layout, part.influences)?,
                set,
                groups: dispatch.groups,
                constants: DispatchConstants {
                    vertex_count: item.vertex_count,
                    first_vertex: first as u32,
                    dispatch_count: (dispatch.vertices.end - dispatch.vertices.start) as u32,
                    source_word: (source_byte / 4) as u32,
                    output_word: (output_byte / 4) as u32,
                    instance_words: (per_character * strides.1 / 4) as u32,
                    instance: character,
                    palette_base: item.palette_offset,
                    pose_stride: self.poses.stride(self.vertices.instances),
                    joints: item.joints,
                    morph_base: item.morph_offset,
                    morph_stride: self.poses.morph_stride(self.vertices.instances),
                    morph_targets: self.setup.gathered_targets(item.morph_targets),
                },
            });
        }
        Ok(())
    }

    /// The set that shows these windows of a mesh and of the output, made unless it is known.
    fn set(
        &mut self,
        key: (usize, usize, usize),
        (from, to): (Window, Window),
    ) -> Result<usize, GpuError> {
        if let Some(set) = self.known.get(&key) {
            return Ok(*set);
        }
        let mesh = &self.meshes.meshes[key.0];
        let missing = || GpuError::Unsupported("compute has no source or poses".into());
        let source = mesh.source.as_ref().ok_or_else(missing)?;
        let poses = self.poses.buffer().ok_or_else(missing)?;
        let buffers = [
            (source, from.offset, from.range),
            (poses, 0, self.poses.both_halves()),
            (&mesh.morphs, 0, mesh.morphs.size()),
            (&self.vertices.buffer, to.offset, to.range),
        ];
        let layout: &SetLayout = &self.kernels.layout;
        let made = DescriptorSet::new(self.setup.device, "compute", layout, &buffers)?;
        self.sets.push(made);
        self.known.insert(key, self.sets.len() - 1);
        Ok(self.sets.len() - 1)
    }
}
