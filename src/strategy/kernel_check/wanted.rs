//! What a module asks of the device: nothing that the device was not asked for.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{AddressingModel, Capability, MemoryModel, Op};

use super::declared::{Declared, text};

/// Extensions that Vulkan 1.1 has in its core and that need no feature.
const EXTENSIONS: [&str; 1] = ["SPV_KHR_storage_buffer_storage_class"];
const INSTRUCTIONS: [&str; 1] = ["GLSL.std.450"];

/// Each capability, extension, instruction set and memory model that is not at hand.
pub(super) fn differences(declared: &Declared<'_>) -> Vec<String> {
    let module = declared.module;
    let mut all: Vec<String> = module.capabilities.iter().filter_map(capability).collect();
    all.extend(unknown(&module.extensions, "extension", &EXTENSIONS));
    let sets = "set of instructions";
    all.extend(unknown(&module.ext_inst_imports, sets, &INSTRUCTIONS));
    let is_group = |inst: &&Instruction| inst.class.opcode == Op::GroupDecorate;
    if module.annotations.iter().any(|inst| is_group(&inst)) {
        all.push("OpGroupDecorate is not understood: decorate each id by itself".into());
    }
    let model = module.memory_model.as_ref().map(|m| m.operands.as_slice());
    let expected = [
        Operand::AddressingModel(AddressingModel::Logical),
        Operand::MemoryModel(MemoryModel::GLSL450),
    ];
    if model != Some(&expected) {
        all.push("its memory model is not Logical GLSL450".into());
    }
    all
}

fn capability(inst: &Instruction) -> Option<String> {
    match inst.operands.first() {
        Some(Operand::Capability(Capability::Shader | Capability::Matrix)) => None,
        Some(Operand::Capability(other)) => Some(format!(
            "it needs capability {other:?}, for which the device is not asked: do without it"
        )),
        _ => Some("a capability has no name".into()),
    }
}

fn unknown(insts: &[Instruction], what: &str, known: &[&str]) -> Vec<String> {
    let names = insts.iter().map(|inst| text(inst, 0).unwrap_or_default());
    let others = names.filter(|name| !known.contains(name));
    others
        .map(|name| {
            format!(
                "it needs {what} {}: do without it",
                crate::plan::shown(name)
            )
        })
        .collect()
}
