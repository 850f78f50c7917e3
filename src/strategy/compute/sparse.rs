//! `morph=sparse`: each target is a list of the vertices that it moves, added in place by a dispatch
//! of its own, one after the other, as Unity does.
//!
//! Before skinning the bind-pose vertices are copied to where the deformed ones go, and the deforming
//! kernel reads them there; after skinning a last dispatch renormalises.

use std::ops::Range;

use crate::deform::output::Attributes;
use crate::gpu::{
    Access, Binding, BindingKind, Buffer, BufferUse, ComputePipeline, ComputeRecipe, DescriptorSet,
    Encoder, GpuError, SetLayout, Shader, Specialization, Stage, Transition,
};
use crate::plan::{Case, MorphMethod, MorphOrder, NormalMode, Robust};
use crate::scene::{Mesh, Scene};
use crate::shader_types::{self, FinishConstants, Module, ScatterConstants};
use crate::strategy::meshes::{ItemInfo, displacement, filled};
use crate::strategy::predeformed::{DeformedVertices, When};
use crate::strategy::setup::attributes_constant;
use crate::strategy::source::pack_bind;
use crate::strategy::windows::dispatches;
use crate::strategy::written::Written;
use crate::strategy::{Frame, PoseBuffers, Setup, StrategyError};

/// Where the entries of one target lie.
#[derive(Clone, Copy)]
struct Target {
    first_word: u32,
    entries: u32,
}

/// The targets of one item.
struct ItemTargets {
    info: ItemInfo,
    targets: Vec<Target>,
    set: DescriptorSet,
    /// What the set shows, kept alive with it.
    _entries: Buffer,
    /// Its vertices as they are before anything is added, laid out as the output.
    bind: Option<Buffer>,
}

/// What is known of sparse morph targets.
pub(super) struct SparseMorphs {
    scatter: ComputePipeline,
    finish: ComputePipeline,
    items: Vec<ItemTargets>,
    before: bool,
    /// Directions that `direct-raw` leaves as they are need no last dispatch.
    finishes: bool,
    workgroup: u32,
    /// Most workgroups of one dispatch.
    most_groups: u32,
    /// Words of an entry.
    entry_words: u32,
    bytes: u64,
}

/// Words of an entry: the vertex, then its displacements.
fn entry_words(attributes: Attributes) -> usize {
    1 + attributes.floats().min(9)
}

/// Entries of all targets of a mesh, and where each target's begin: the vertices that it moves.
fn entries(mesh: &Mesh, attributes: Attributes) -> (Vec<u32>, Vec<Target>) {
    let mut words = Vec::new();
    let mut targets = Vec::new();
    for target in &mesh.morph_targets {
        let first_word = words.len() as u32;
        for vertex in 0..mesh.vertex_count() {
            if displacement(target, vertex, attributes).any(|d| d != 0.0) {
                words.push(vertex as u32);
                words.extend(displacement(target, vertex, attributes).map(f32::to_bits));
            }
        }
        let entries = (words.len() as u32 - first_word) / entry_words(attributes) as u32;
        targets.push(Target {
            first_word,
            entries,
        });
    }
    (words, targets)
}

/// Bytes that [`SparseMorphs::new`] asks for at most; 0 where targets are gathered.
pub(super) fn estimate(setup: &Setup<'_>) -> u64 {
    if setup.case.morph_method() != MorphMethod::Sparse {
        return 0;
    }
    let meshes = setup
        .scene
        .items
        .iter()
        .map(|item| &setup.scene.meshes[item.mesh]);
    let attributes = setup.variant.attributes;
    let of = |mesh: &Mesh| {
        let words = mesh.morph_targets.len() * entry_words(attributes) + attributes.floats();
        4 * (mesh.vertex_count() * words) as u64
    };
    meshes.map(of).sum()
}

/// Bytes of the largest list of entries, at most.
pub(super) fn largest(setup: &Setup<'_>, case: &Case) -> u64 {
    if case.morph_method() != MorphMethod::Sparse {
        return 0;
    }
    let words = entry_words(setup.variant.attributes);
    let of = |mesh: &Mesh| 4 * (mesh.morph_targets.len() * mesh.vertex_count() * words) as u64;
    setup.scene.meshes.iter().map(of).max().unwrap_or(0)
}

impl SparseMorphs {
    pub fn new(
        setup: &Setup<'_>,
        scene: &Scene,
        items: &[ItemInfo],
        poses: &PoseBuffers,
        vertices: &DeformedVertices,
    ) -> Result<Self, StrategyError> {
        let bindings = [0, 1, 2].map(|binding| Binding {
            binding,
            kind: BindingKind::Storage,
        });
        let layout = SetLayout::new(setup.device, "sparse morphs", Stage::Compute, &bindings)?;
        let before = setup.case.morph_order() == MorphOrder::Before;
        let mut made = Self {
            scatter: pipeline(
                setup,
                &layout,
                Module::MorphScatterComp,
                size_of::<ScatterConstants>(),
            )?,
            finish: pipeline(
                setup,
                &layout,
                Module::MorphFinishComp,
                size_of::<FinishConstants>(),
            )?,
            items: Vec::new(),
            before,
            finishes: setup.variant.normals != NormalMode::DirectRaw,
            workgroup: setup.case.workgroup(),
            most_groups: setup.device.capabilities().max_compute_work_group_count,
            entry_words: entry_words(setup.variant.attributes) as u32,
            bytes: 0,
        };
        for info in items {
            let mesh = &scene.meshes[info.mesh];
            if before || info.morph_targets > 0 {
                made.add(setup, &layout, mesh, info, (poses, vertices))?;
            }
        }
        Ok(made)
    }

    fn add(
        &mut self,
        setup: &Setup<'_>,
        layout: &SetLayout,
        mesh: &Mesh,
        info: &ItemInfo,
        (poses, vertices): (&PoseBuffers, &DeformedVertices),
    ) -> Result<(), GpuError> {
        let attributes = setup.variant.attributes;
        let (words, targets) = entries(mesh, attributes);
        let storage = BufferUse {
            storage: true,
            ..BufferUse::default()
        };
        let label = |part: &str| format!("compute: {part} of {}", mesh.name);
        let bytes = bytemuck::cast_slice(&words);
        let entries = filled(setup.device, &label("sparse morphs"), bytes, storage)?;
        let bind = match self.before {
            true => {
                let mut words = Vec::new();
                for vertex in 0..mesh.vertex_count() {
                    pack_bind(attributes, mesh, vertex, &mut words);
                }
                let bytes = bytemuck::cast_slice(&words);
                let none = BufferUse::default();
                Some(filled(setup.device, &label("bind pose"), bytes, none)?)
            }
            false => None,
        };
        // Read once each, and what they move is read and written.
        let moved: u64 = targets.iter().map(|t| u64::from(t.entries)).sum();
        let entry = 4 * entry_words(attributes) as u64;
        let stride = u64::from(vertices.stride());
        let all = u64::from(info.vertex_count) * stride;
        // Before: the bind pose is copied, then read in place; after: directions are renormalised.
        let around = if self.before { 3 * all } else { 2 * all };
        self.bytes += u64::from(vertices.instances) * (moved * (entry + 2 * stride) + around);
        let missing = || GpuError::Unsupported("poses lie on the host".into());
        let pose = poses.buffer().ok_or_else(missing)?;
        let buffers = [
            (&entries, 0, entries.size()),
            (pose, 0, poses.both_halves()),
            (&vertices.buffer, 0, vertices.buffer.size()),
        ];
        let set = DescriptorSet::new(setup.device, "sparse morphs", layout, &buffers)?;
        self.items.push(ItemTargets {
            info: info.clone(),
            targets,
            set,
            _entries: entries,
            bind,
        });
        Ok(())
    }

    /// Whether targets are added before skinning.
    pub fn is_before(&self) -> bool {
        self.before
    }

    /// Bytes that adding all targets to all characters reads and writes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Copies the bind pose to where the deformed vertices go, and adds the targets to it.
    pub fn gather(&self, place: &Written, encoder: &mut Encoder<'_>, frame: &Frame) {
        let vertices = &place.vertices;
        let all = [Access::VertexAttributeRead, Access::ComputeWrite];
        let reuse = Transition::buffer(&vertices.buffer, &all, &[Access::TransferWrite]);
        encoder.barrier("reuse output", &[reuse]);
        self.each(place, |item, when, character| {
            let Some(bind) = &item.bind else { return };
            let to = 4 * u64::from(output_word(vertices, &item.info, frame, when, character));
            // The buffer may be longer than its vertices: no buffer is shorter than 16 bytes.
            let bytes = u64::from(item.info.vertex_count * vertices.stride());
            encoder.copy_buffer((bind, 0), (&vertices.buffer, to), bytes);
        });
        // The copies wrote; the first target (or the deforming kernel) reads and writes.
        let work = [Access::ComputeRead, Access::ComputeWrite];
        let copied = Transition::buffer(&vertices.buffer, &[Access::TransferWrite], &work);
        encoder.barrier("bind pose -> morphs", &[copied]);
        self.scatter(place, encoder, frame);
    }

    /// Adds the targets to deformed vertices, and renormalises them.
    pub fn add_and_finish(&self, place: &Written, encoder: &mut Encoder<'_>, frame: &Frame) {
        in_turn(place, encoder);
        self.scatter(place, encoder, frame);
        if !self.finishes {
            return;
        }
        let vertices = &place.vertices;
        self.each(place, |item, when, character| {
            let first_word = output_word(vertices, &item.info, frame, when, character);
            for (groups, first, count) in self.dispatches(item.info.vertex_count) {
                let constants = FinishConstants {
                    output_word: first_word + first * vertices.stride() / 4,
                    vertex_count: count,
                };
                let bytes = bytemuck::bytes_of(&constants);
                encoder.dispatch(&self.finish, &item.set, bytes, [groups, 1, 1]);
            }
        });
    }

    /// Target after target: a vertex may be moved by several, so each waits for the one before.
    fn scatter(&self, place: &Written, encoder: &mut Encoder<'_>, frame: &Frame) {
        let most = self.items.iter().map(|item| item.targets.len()).max();
        for target in 0..most.unwrap_or(0) {
            self.each(place, |item, when, character| {
                let Some(moved) = item.targets.get(target).filter(|t| t.entries > 0) else {
                    return;
                };
                let whole = self.constants(place, frame, item, (target, *moved), (when, character));
                for (groups, first, count) in self.dispatches(moved.entries) {
                    let constants = ScatterConstants {
                        first_word: whole.first_word + first * self.entry_words,
                        entry_count: count,
                        ..whole
                    };
                    let bytes = bytemuck::bytes_of(&constants);
                    encoder.dispatch(&self.scatter, &item.set, bytes, [groups, 1, 1]);
                }
            });
            in_turn(place, encoder);
        }
    }

    fn constants(
        &self,
        place: &Written,
        frame: &Frame,
        item: &ItemTargets,
        (target, moved): (usize, Target),
        (when, character): (When, u32),
    ) -> ScatterConstants {
        let parity = place.pose_parity(frame, when);
        let base = place.poses.morph_base(parity, item.info.morph_offset);
        let block = character * place.poses.morph_stride(place.vertices.instances);
        ScatterConstants {
            first_word: moved.first_word,
            entry_count: moved.entries,
            output_word: output_word(&place.vertices, &item.info, frame, when, character),
            weight_index: 4 * (base + block) + target as u32,
        }
    }

    /// Workgroups, first and number of each dispatch over `count` entries or vertices, as many as the
    /// device's count of workgroups asks for.
    fn dispatches(&self, count: u32) -> impl Iterator<Item = (u32, u32, u32)> {
        let all = dispatches(count.into(), self.workgroup, self.most_groups, u64::MAX);
        all.into_iter().map(|dispatch| {
            let Range { start, end } = dispatch.vertices;
            (dispatch.groups, start as u32, (end - start) as u32)
        })
    }

    /// Runs over the items of the characters that are deformed in this frame.
    fn each(&self, place: &Written, mut body: impl FnMut(&ItemTargets, When, u32)) {
        for &when in place.vertices.targets() {
            for &character in place.selected(when) {
                self.items
                    .iter()
                    .for_each(|item| body(item, when, character));
            }
        }
    }
}

/// One compute kernel wrote vertices in place; the next reads and writes them.
fn in_turn(place: &Written, encoder: &mut Encoder<'_>) {
    let wrote = [Access::ComputeWrite];
    let next = [Access::ComputeRead, Access::ComputeWrite];
    let turn = Transition::buffer(&place.vertices.buffer, &wrote, &next);
    encoder.barrier("morph -> morph", &[turn]);
}

/// The word of an item's first vertex in the output.
fn output_word(
    vertices: &DeformedVertices,
    info: &ItemInfo,
    frame: &Frame,
    when: When,
    character: u32,
) -> u32 {
    let per_character = vertices.output.vertices_per_instance as u64;
    let vertex = u64::from(character) * per_character + u64::from(info.first_vertex);
    let byte = vertices.half_offset(frame.parity, when) + vertex * u64::from(vertices.stride());
    (byte / 4) as u32
}

fn pipeline(
    setup: &Setup<'_>,
    set: &SetLayout,
    module: Module,
    push: usize,
) -> Result<ComputePipeline, GpuError> {
    let shader = Shader::new(setup.device, module.name(), &module.spirv())?;
    let specialization = Specialization(vec![
        shader_types::ATTRIBUTES.with(attributes_constant(setup.variant.attributes)),
        shader_types::WORKGROUP.with(setup.case.workgroup()),
    ]);
    let recipe = ComputeRecipe {
        name: module.name(),
        shader: &shader,
        specialization: &specialization,
        set,
        push_bytes: push as u32,
        robust: setup.case.robust() == Robust::On,
    };
    ComputePipeline::new(setup.device, &recipe)
}
