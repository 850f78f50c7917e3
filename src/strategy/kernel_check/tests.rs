//! The example, spoilt in one way at a time.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use proptest::prelude::*;
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use super::super::{Kernel, KernelError};
use crate::shader_types::Module as Ours;

const EXAMPLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/minimal.comp.spv"));

fn check(bytes: &[u8]) -> Result<Kernel, KernelError> {
    Kernel::from_spirv(Path::new("mine.spv"), bytes)
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words() -> Vec<u32> {
    super::module::words(EXAMPLE).unwrap()
}

/// What is said of the example after `edit`.
fn edited(edit: impl FnOnce(&mut Module)) -> Result<Kernel, KernelError> {
    let mut module = rspirv::dr::load_words(words()).unwrap();
    edit(&mut module);
    check(&bytes(&module.assemble()))
}

/// The one difference that is named after `edit`.
fn difference(edit: impl FnOnce(&mut Module)) -> String {
    match edited(edit) {
        Err(KernelError::Differs { differences, .. }) => {
            assert_eq!(differences.len(), 1, "{differences:?}");
            differences[0].clone()
        }
        other => panic!("{other:?}"),
    }
}

/// Gives the operands of the first annotation that has `decoration` the value `with` in place of `of`.
fn redecorate(module: &mut Module, decoration: Decoration, of: u32, with: u32) {
    let mut all = module.annotations.iter_mut();
    let is = |inst: &&mut Instruction| {
        inst.operands.contains(&Operand::Decoration(decoration))
            && inst.operands.last() == Some(&Operand::LiteralBit32(of))
    };
    let found = all.find(is).unwrap();
    *found.operands.last_mut().unwrap() = Operand::LiteralBit32(with);
}

/// Changes the storage class of the variables of one class, with their pointers.
fn reclass(module: &mut Module, from: StorageClass, to: StorageClass) {
    let all = module.types_global_values.iter_mut();
    for operand in all.filter_map(|inst| inst.operands.first_mut()) {
        if *operand == Operand::StorageClass(from) {
            *operand = Operand::StorageClass(to);
        }
    }
    for inst in module.all_inst_iter_mut() {
        for operand in &mut inst.operands {
            if *operand == Operand::StorageClass(from) {
                *operand = Operand::StorageClass(to);
            }
        }
    }
}

#[test]
fn the_example_and_our_own_kernel_keep_to_the_interface() {
    let kernel = check(EXAMPLE).unwrap();
    assert_eq!(kernel.spirv, words());
    assert_eq!(
        (kernel.name.as_str(), kernel.fixed_workgroup),
        ("mine.spv", None)
    );
    assert!(check(&bytes(&Ours::DeformComp.spirv())).is_ok());
}

#[test]
fn other_modules_of_ours_are_none() {
    for module in Ours::ALL.iter().filter(|m| **m != Ours::DeformComp) {
        let said = check(&bytes(&module.spirv())).unwrap_err().to_string();
        assert!(
            said.contains("differs from the interface"),
            "{}: {said}",
            module.name()
        );
    }
}

#[test]
fn bindings_that_differ_are_named() {
    let rebound = |of, with| difference(|m| redecorate(m, Decoration::Binding, of, with));
    assert_eq!(
        rebound(1, 7),
        "binding 7 (`Pose`) is extra: there are 0 source, 1 pose, 2 morphs and 3 output"
    );
    let swapped = edited(|m| redecorate(m, Decoration::Binding, 3, 2)).unwrap_err();
    let said = swapped.to_string();
    assert!(
        said.contains("binding 2 (`Output`) is not readonly"),
        "{said}"
    );
    assert!(said.contains("binding 3 (output) is missing"), "{said}");
    let set = difference(|m| redecorate(m, Decoration::DescriptorSet, 0, 1));
    assert!(set.contains("of set 1 (`"), "{set}");
    let undecorated = difference(|m| {
        let is_binding = |inst: &Instruction| {
            inst.operands.ends_with(&[
                Operand::Decoration(Decoration::Binding),
                Operand::LiteralBit32(0),
            ])
        };
        m.annotations.retain(|inst| !is_binding(inst));
    });
    assert_eq!(undecorated, "variable `Source` has no set and binding");
    // What is not read need not be declared, nor the same way.
    assert!(edited(|m| redecorate(m, Decoration::Binding, 1, 2)).is_ok());
}

#[test]
fn buffers_of_another_kind_are_named() {
    let said = edited(|m| reclass(m, StorageClass::StorageBuffer, StorageClass::Uniform));
    let said = said.unwrap_err().to_string();
    assert!(
        said.contains("binding 0 (`Source`) is a uniform buffer, not the storage buffer source"),
        "{said}"
    );
    // Up to SPIR-V 1.2 a storage buffer is spelt so.
    let old = edited(|m| {
        reclass(m, StorageClass::StorageBuffer, StorageClass::Uniform);
        m.header.as_mut().unwrap().set_version(1, 0);
        let buffers: Vec<Operand> = ["Source", "Pose", "Output"]
            .map(|name| id_of(m, name))
            .into();
        for inst in &mut m.annotations {
            if buffers.contains(&inst.operands[0]) && inst.class.opcode == Op::Decorate {
                inst.operands[1] = match inst.operands[1] {
                    Operand::Decoration(Decoration::Block) => {
                        Operand::Decoration(Decoration::BufferBlock)
                    }
                    ref other => other.clone(),
                };
            }
        }
    });
    assert!(old.is_ok(), "{old:?}");
    let writable = edited(|m| {
        let is = |inst: &Instruction| {
            inst.operands
                .contains(&Operand::Decoration(Decoration::NonWritable))
        };
        m.annotations.retain(|inst| !is(inst));
    });
    let said = writable.unwrap_err().to_string();
    assert!(
        said.contains("binding 0 (`Source`) is not readonly"),
        "{said}"
    );
    assert!(
        said.contains("binding 1 (`Pose`) is not readonly"),
        "{said}"
    );
    let input = edited(|m| {
        m.annotations.retain(|inst| {
            !inst
                .operands
                .contains(&Operand::BuiltIn(BuiltIn::WorkgroupId))
        })
    });
    let said = input.unwrap_err().to_string();
    assert!(said.contains("is of storage class Input"), "{said}");
}

/// The id of the type with that name.
fn id_of(module: &Module, name: &str) -> Operand {
    let is =
        |inst: &&Instruction| inst.operands.get(1) == Some(&Operand::LiteralString(name.into()));
    module.debug_names.iter().find(is).unwrap().operands[0].clone()
}

#[test]
fn push_constants_that_differ_are_named() {
    let moved = |of, with| difference(|m| redecorate(m, Decoration::Offset, of, with));
    assert_eq!(
        moved(28, 36),
        "push constant `palette_base` is at byte 36, where the interface has it at 28"
    );
    assert!(moved(28, 52).contains("`palette_base` reaches from byte 52 to 56"));
    assert!(moved(28, 30).contains("whole words up to 52"));
    let renamed = |m: &mut Module| {
        let names = m.debug_names.iter_mut();
        let mut all = names.filter_map(|inst| inst.operands.last_mut());
        let old = Operand::LiteralString("pose_stride".into());
        *all.find(|name| **name == old).unwrap() = Operand::LiteralString("bones".into());
    };
    assert!(edited(renamed).is_ok(), "another name for the same thing");
    let signed = difference(|m| {
        let block = id_of(m, "DispatchConstants");
        let int = signed_int(m);
        let all = &mut m.types_global_values;
        let block = all
            .iter_mut()
            .find(|inst| inst.result_id.map(Operand::IdRef) == Some(block.clone()))
            .unwrap();
        block.operands[0] = int;
    });
    assert_eq!(
        signed,
        "push constant `vertex_count` at byte 0 is no unsigned 32-bit integer"
    );
}

/// The signed integer of 32 bits, declared before everything else where the module has none.
fn signed_int(module: &mut Module) -> Operand {
    let operands = vec![Operand::LiteralBit32(32), Operand::LiteralBit32(1)];
    let ints = module.types_global_values.iter();
    let mut ints = ints.filter(|inst| inst.class.opcode == Op::TypeInt);
    if let Some(known) = ints.clone().find(|inst| inst.operands == operands) {
        return Operand::IdRef(known.result_id.unwrap());
    }
    let mut int = ints.next().unwrap().clone();
    let header = module.header.as_mut().unwrap();
    int.result_id = Some(header.bound);
    int.operands = operands;
    header.bound += 1;
    let id = Operand::IdRef(header.bound - 1);
    module.types_global_values.insert(0, int);
    id
}

#[test]
fn specialization_constants_that_differ_are_named() {
    let said = difference(|m| redecorate(m, Decoration::SpecId, 15, 99));
    assert!(
        said.starts_with("specialization constant 99 is extra"),
        "{said}"
    );
    assert!(edited(|m| redecorate(m, Decoration::SpecId, 15, 14)).is_ok());
}

#[test]
fn workgroups_that_differ_are_named() {
    assert_eq!(
        difference(|m| redecorate(m, Decoration::SpecId, 3, 5)),
        "its workgroup takes x from specialization constant 5: take 3"
    );
    let fixed = |x: u32, y: u32| {
        edited(move |m| {
            let is_size = |inst: &Instruction| {
                inst.operands
                    .contains(&Operand::BuiltIn(BuiltIn::WorkgroupSize))
            };
            m.annotations.retain(|inst| !is_size(inst));
            let is_mode = |inst: &&mut Instruction| {
                inst.operands
                    .contains(&Operand::ExecutionMode(ExecutionMode::LocalSize))
            };
            let mode = m.execution_modes.iter_mut().find(is_mode).unwrap();
            mode.operands[2] = Operand::LiteralBit32(x);
            mode.operands[3] = Operand::LiteralBit32(y);
        })
    };
    assert_eq!(fixed(128, 1).unwrap().fixed_workgroup, Some(128));
    let said = fixed(8, 8).unwrap_err().to_string();
    assert!(said.contains("its workgroup is 8×8×1"), "{said}");
    assert!(fixed(0, 1).is_err());
    let none = difference(|m| {
        m.execution_modes.clear();
        let is_size = |inst: &Instruction| {
            inst.operands
                .contains(&Operand::BuiltIn(BuiltIn::WorkgroupSize))
        };
        m.annotations.retain(|inst| !is_size(inst));
    });
    assert!(none.contains("no workgroup size"), "{none}");
}

#[test]
fn what_the_device_is_not_asked_for_is_refused_by_name() {
    let with = |capability| {
        difference(move |m| {
            let mut more = m.capabilities[0].clone();
            more.operands = vec![Operand::Capability(capability)];
            m.capabilities.push(more);
        })
    };
    for capability in [
        Capability::Int64,
        Capability::Float64,
        Capability::StorageBuffer8BitAccess,
        Capability::GroupNonUniformArithmetic,
    ] {
        let said = with(capability);
        assert!(
            said.contains(&format!("capability {capability:?}")),
            "{said}"
        );
    }
    let said = difference(|m| {
        m.ext_inst_imports[0].operands = vec![Operand::LiteralString("OpenCL.std".into())];
    });
    assert!(said.contains("OpenCL.std"), "{said}");
    let said = difference(|m| m.memory_model.as_mut().unwrap().operands.reverse());
    assert!(said.contains("memory model"), "{said}");
}

#[test]
fn without_a_compute_entry_main_what_there_is_is_named() {
    let said = difference(|m| {
        m.entry_points[0].operands[2] = Operand::LiteralString("other\nname".into());
    });
    assert_eq!(
        said,
        "it has no compute entry point `main`, but GLCompute `other\\nname`: name it main"
    );
    assert!(difference(|m| m.entry_points.clear()).contains("but none"));
}

#[test]
fn files_that_are_no_module_are_refused_in_one_line() {
    let refused = |bytes: &[u8], part: &str| {
        let said = check(bytes).unwrap_err().to_string();
        assert!(said.contains(part) && !said.contains('\n'), "{said:?}");
        assert!(said.starts_with("--kernel mine.spv is no SPIR-V"), "{said}");
    };
    refused(b"", "magic number");
    refused(b"#version 450\nvoid main() {}", "magic number");
    refused(&EXAMPLE[..7], "cut off");
    refused(&EXAMPLE[..EXAMPLE.len() - 1], "cut off");
    let big_endian: Vec<u8> = words().iter().flat_map(|w| w.to_be_bytes()).collect();
    refused(&big_endian, "big-endian");
    let with = |at: usize, word: u32| {
        let mut all = words();
        all[at] = word;
        bytes(&all)
    };
    refused(&with(1, 0x0001_0500), "its version is 1.5, not 1.0 to 1.3");
    refused(&with(1, 0xFFFF_FFFF), "its version");
    refused(&with(3, u32::MAX), "ids");
    refused(&with(3, 2), "beyond the bound");
    refused(&with(4, 1), "schema 1");
    refused(&with(5, 0), "compile it again");
}

#[test]
fn no_part_of_a_module_is_a_module() {
    for length in 0..EXAMPLE.len() {
        assert!(check(&EXAMPLE[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn a_constant_computed_by_no_operation_of_constants_is_refused() {
    // OpSpecConstantOp %1 %2 OpConstant: the parser would not survive it.
    for nested in [43, 52, 251, 0, 0xFFFF] {
        let mut all = words();
        all.extend([5 << 16 | 52, 1, 2, nested, 0]);
        let said = check(&bytes(&all)).unwrap_err().to_string();
        assert!(said.contains(&format!("operation {nested},")), "{said}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_bytes_panic(garbage in prop::collection::vec(any::<u8>(), 0..400), whole in any::<bool>()) {
        let mut all = if whole { bytes(&words()[..5]) } else { Vec::new() };
        all.extend(&garbage);
        if let Err(error) = check(&all) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn no_changed_module_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u32>(), 0..4u8), 1..4),
    ) {
        let mut all = words();
        for (at, value, how) in changes {
            let at = at.index(all.len());
            match how {
                0 => all[at] = value,
                1 => all[at] ^= 1 << (value % 32),
                2 => all[at] = value % 300,
                _ => drop(all.remove(at)),
            }
        }
        if let Err(error) = check(&bytes(&all)) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
