//! Rust and GLSL agree: push constants, specialization constants, bindings, attributes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use skinbench::shader_types::{
    ATTRIBUTES, DispatchConstants, DrawConstants, INFLUENCES, Module, PASS, SpecConstant, WORKGROUP,
};
use spirq::prelude::*;
use spirq::ty::{DescriptorType, Type};
use spirq::var::Variable;

fn reflect(module: Module) -> EntryPoint {
    let words = module.spirv();
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

#[test]
fn draw_constants_are_laid_out_alike() {
    let expected = offsets!(DrawConstants: view_projection, grid_step, grid_columns, palette_base,
        previous_palette_base, pose_stride, morph_base, previous_morph_base, morph_targets,
        vertex_count, tile_first, tile_width, tile_height);
    for module in [
        Module::PredeformedVert,
        Module::SkinnedStorageVert,
        Module::SkinnedUniform64Vert,
        Module::SkinnedUniform320Vert,
    ] {
        assert_eq!(push_members(module), expected, "{}", module.name());
    }
    assert!(
        size_of::<DrawConstants>() <= 128,
        "a device promises no more"
    );
}

#[test]
fn dispatch_constants_are_laid_out_alike() {
    let expected = offsets!(DispatchConstants: vertex_count, first_vertex, dispatch_count, source_word,
        output_word,  palette_base, pose_stride, instance, morph_base, morph_targets);
    assert_eq!(push_members(Module::DeformComp), expected);
    assert!(size_of::<DispatchConstants>() <= 128);
}

#[test]
fn specialization_constants_have_the_ids_and_names_of_rust() {
    let known: [SpecConstant; 4] = [ATTRIBUTES, INFLUENCES, PASS, WORKGROUP];
    for module in Module::ALL {
        for var in &reflect(module).vars {
            if let Variable::SpecConstant { name, spec_id, .. } = var {
                let found = known.iter().find(|constant| constant.id == *spec_id);
                let constant = found.unwrap_or_else(|| panic!("{}: id {spec_id}", module.name()));
                let name = name.clone().unwrap_or_default();
                assert!(
                    name == constant.name || constant.name.is_empty(),
                    "{}: {name}",
                    module.name()
                );
            }
        }
    }
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
        descriptors(Module::SkinnedStorageVert),
        [(0, "read"), (1, "read")]
    );
    for module in [Module::SkinnedUniform64Vert, Module::SkinnedUniform320Vert] {
        assert_eq!(
            descriptors(module),
            [(0, "read"), (1, "read"), (2, "uniform"), (3, "uniform")]
        );
    }
    assert_eq!(descriptors(Module::PredeformedVert), []);
}

#[test]
fn uniform_arrays_hold_64_and_320_joints_in_three_rows() {
    for (module, bytes) in [
        (Module::SkinnedUniform64Vert, 3_072),
        (Module::SkinnedUniform320Vert, 15_360),
    ] {
        for var in &reflect(module).vars {
            if let Variable::Descriptor {
                desc_ty: DescriptorType::UniformBuffer(),
                ty,
                ..
            } = var
            {
                assert_eq!(ty.nbyte(), Some(bytes), "{}", module.name());
            }
        }
    }
}

/// Operations that a driver may fuse, by opcode: FAdd, FSub, FMul, VectorTimesScalar, Dot.
const FUSIBLE: [u32; 5] = [129, 131, 133, 142, 148];

#[test]
fn no_arithmetic_of_a_deforming_module_may_be_contracted() {
    for module in [
        Module::DeformComp,
        Module::SkinnedStorageVert,
        Module::SkinnedUniform64Vert,
        Module::SkinnedUniform320Vert,
    ] {
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
        assert!(fusible.len() > 20, "{}", module.name());
        let free = fusible.iter().filter(|id| !exact.contains(id)).count();
        assert_eq!(free, 0, "{}: {free} of {}", module.name(), fusible.len());
    }
}
