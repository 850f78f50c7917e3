//! Rust and GLSL agree: push constants, specialization constants, bindings, attributes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use skinbench::shader_types::{
    DispatchConstants, DrawConstants, FinishConstants, Module, SPEC_CONSTANTS, ScatterConstants,
};
use spirq::prelude::*;
use spirq::ty::{DescriptorType, Type};
use spirq::var::Variable;

/// The module with conditions that hang on constants made false: the reflecting crate evaluates every
/// constant, and knows no logical operations. What is reflected here does not depend on them.
fn without_conditions(words: &[u32]) -> Vec<u32> {
    // OpLogicalOr, OpLogicalAnd, OpLogicalNot
    const LOGICAL: [u32; 3] = [166, 167, 168];
    let mut out = words[..5].to_vec();
    let mut at = 5;
    while at < words.len() {
        let (opcode, length) = (words[at] & 0xFFFF, (words[at] >> 16) as usize);
        // OpSpecConstantOp type id opcode operands
        if opcode == 52 && LOGICAL.contains(&words[at + 3]) {
            // OpConstantFalse type id
            out.extend([3 << 16 | 42, words[at + 1], words[at + 2]]);
        } else {
            out.extend(&words[at..at + length]);
        }
        at += length;
    }
    out
}

fn reflect(module: Module) -> EntryPoint {
    let words = without_conditions(&module.spirv());
    let entry_points = ReflectConfig::new()
        .spv(&words[..])
        .ref_all_rscs(true)
        .reflect()
        .unwrap_or_else(|error| panic!("{}: {error}", module.name()));
    entry_points
        .into_iter()
        .find(|entry| entry.name == "main")
        .unwrap()
}

fn push_members(module: Module) -> Vec<(String, usize)> {
    let entry = reflect(module);
    for var in &entry.vars {
        if let Variable::PushConstant {
            ty: Type::Struct(block),
            ..
        } = var
        {
            let member = |m: &spirq::ty::StructMember| {
                (m.name.clone().unwrap_or_default(), m.offset.unwrap_or(0))
            };
            return block.members.iter().map(member).collect();
        }
    }
    Vec::new()
}

macro_rules! offsets {
    ($ty:ty: $($field:ident),* $(,)?) => {
        vec![$((stringify!($field).to_owned(), std::mem::offset_of!($ty, $field))),*]
    };
}

/// The modules whose name begins so.
fn modules(prefix: &str) -> impl Iterator<Item = Module> {
    let named = move |module: &&Module| module.name().starts_with(prefix);
    let found: Vec<Module> = Module::ALL.iter().filter(named).copied().collect();
    assert!(!found.is_empty(), "{prefix}");
    found.into_iter()
}

/// Every module that deforms.
fn deforming() -> impl Iterator<Item = Module> {
    ["deform", "skinned", "feedback"]
        .into_iter()
        .flat_map(modules)
}

#[test]
fn draw_constants_are_laid_out_alike() {
    let expected = offsets!(DrawConstants: view_projection, grid_step, grid_columns, palette_base,
        previous_palette_base, pose_stride, joints, morph_base, previous_morph_base, morph_stride,
        morph_targets, vertex_count, tile_first, tile_width, tile_height);
    let all = ["predeformed", "skinned", "feedback"];
    for module in all.into_iter().flat_map(modules) {
        assert_eq!(push_members(module), expected, "{}", module.name());
    }
    assert!(
        size_of::<DrawConstants>() <= 128,
        "a device promises no more"
    );
}

#[test]
fn constants_of_the_compute_kernels_are_laid_out_alike() {
    let dispatch = offsets!(DispatchConstants: vertex_count, first_vertex, dispatch_count, source_word,
        output_word, instance_words, instance, palette_base, pose_stride, joints, morph_base,
        morph_stride, morph_targets);
    assert_eq!(push_members(Module::DeformComp), dispatch);
    let scatter = offsets!(ScatterConstants: first_word, entry_count, output_word, weight_index);
    assert_eq!(push_members(Module::MorphScatterComp), scatter);
    let finish = offsets!(FinishConstants: output_word, vertex_count);
    assert_eq!(push_members(Module::MorphFinishComp), finish);
    assert!(size_of::<DispatchConstants>() <= 128);
}

#[test]
fn specialization_constants_have_the_ids_and_names_of_rust() {
    for (id, constant) in (0..).zip(&SPEC_CONSTANTS) {
        assert_eq!(constant.id, id, "{}", constant.name);
    }
    let mut seen = std::collections::BTreeSet::new();
    for module in Module::ALL {
        for var in &reflect(*module).vars {
            if let Variable::SpecConstant { name, spec_id, .. } = var {
                let found = SPEC_CONSTANTS
                    .iter()
                    .find(|constant| constant.id == *spec_id);
                let constant = found.unwrap_or_else(|| panic!("{}: id {spec_id}", module.name()));
                let name = name.clone().unwrap_or_default();
                assert!(
                    name == constant.name || constant.name.is_empty(),
                    "{}: {name}",
                    module.name()
                );
                seen.insert(*spec_id);
            }
        }
    }
    assert_eq!(
        seen.len(),
        SPEC_CONSTANTS.len(),
        "one is used nowhere: {seen:?}"
    );
}

/// (binding, kind, read only) of each descriptor.
fn descriptors(module: Module) -> Vec<(u32, &'static str)> {
    let mut all: Vec<_> = reflect(module)
        .vars
        .iter()
        .filter_map(|var| match var {
            Variable::Descriptor {
                desc_bind, desc_ty, ..
            } => {
                assert_eq!(desc_bind.set(), 0);
                let kind = match desc_ty {
                    DescriptorType::StorageBuffer(AccessType::ReadOnly) => "read",
                    DescriptorType::StorageBuffer(_) => "write",
                    DescriptorType::UniformBuffer() => "uniform",
                    DescriptorType::SampledImage() => "image",
                    _ => "other",
                };
                Some((desc_bind.bind(), kind))
            }
            _ => None,
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn no_stage_has_more_than_four_storage_buffers_and_the_vertex_stage_only_reads() {
    assert_eq!(
        descriptors(Module::DeformComp),
        [(0, "read"), (1, "read"), (2, "read"), (3, "write")]
    );
    assert_eq!(
        descriptors(Module::MorphScatterComp),
        [(0, "read"), (1, "read"), (2, "write")]
    );
    let storage = [(0, "read"), (1, "read")];
    assert_eq!(descriptors(Module::SkinnedStorageVert), storage);
    for module in modules("skinned_uniform") {
        let palette = [(2, "uniform"), (3, "uniform")];
        assert_eq!(descriptors(module), [storage, palette].concat());
    }
    assert_eq!(
        descriptors(Module::SkinnedTextureVert),
        [storage, [(2, "image"), (3, "image")]].concat()
    );
    for module in modules("predeformed") {
        assert_eq!(descriptors(module), []);
    }
}

#[test]
fn uniform_arrays_hold_what_their_names_say_and_no_more_than_16_kib() {
    for module in modules("skinned_uniform") {
        let name = module.name();
        let vec4s: usize = name
            .trim_start_matches("skinned_uniform_")
            .trim_end_matches(".vert")
            .parse()
            .unwrap();
        assert!(vec4s <= 1024);
        for var in &reflect(module).vars {
            if let Variable::Descriptor {
                desc_ty: DescriptorType::UniformBuffer(),
                ty,
                ..
            } = var
            {
                assert_eq!(ty.nbyte(), Some(16 * vec4s), "{name}");
            }
        }
    }
}

/// Operations that a driver may fuse, by opcode: FAdd, FSub, FMul, VectorTimesScalar, Dot.
const FUSIBLE: [u32; 5] = [129, 131, 133, 142, 148];

#[test]
fn no_arithmetic_of_a_deforming_module_may_be_contracted() {
    let others = ["morph", "predeformed_packed"]
        .into_iter()
        .flat_map(modules);
    for module in deforming().chain(others) {
        let words = module.spirv();
        let (mut fusible, mut exact) = (Vec::new(), std::collections::BTreeSet::new());
        let mut at = 5;
        while at < words.len() {
            let (opcode, length) = (words[at] & 0xFFFF, (words[at] >> 16) as usize);
            // OpDecorate id NoContraction
            if opcode == 71 && words[at + 2] == 42 {
                exact.insert(words[at + 1]);
            }
            if FUSIBLE.contains(&opcode) {
                fusible.push(words[at + 2]);
            }
            at += length;
        }
        // With `precise` there is no exact Dot: none may be left.
        assert!(fusible.len() > 1, "{}", module.name());
        let free = fusible.iter().filter(|id| !exact.contains(id)).count();
        assert_eq!(free, 0, "{}: {free} of {}", module.name(), fusible.len());
    }
}
