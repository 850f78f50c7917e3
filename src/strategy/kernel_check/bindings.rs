//! The variables of a module: the four storage buffers, and nothing else from outside.

use rspirv::dr::Instruction;
use rspirv::spirv::{Decoration, Op, StorageClass};

use super::declared::{Declared, literal};

/// What each binding of set 0 holds, and the only one that is written.
const BINDINGS: [&str; 4] = ["source", "pose", "morphs", "output"];
const WRITTEN: u32 = 3;

/// Each variable that the interface does not have, and what is missing.
pub(super) fn differences(declared: &Declared<'_>) -> Vec<String> {
    let mut all = Vec::new();
    let mut is_written = false;
    for (variable, class, ty) in declared.variables() {
        let Some(id) = variable.result_id else {
            continue;
        };
        let name = declared.name(id, ty);
        match class {
            StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::UniformConstant => {
                let difference = binding(declared, id, class, ty, &name);
                is_written |= declared.number(id, Decoration::Binding) == Some(WRITTEN);
                all.extend(difference);
            }
            StorageClass::Input if declared.has(id, Decoration::BuiltIn) => {}
            StorageClass::PushConstant | StorageClass::Workgroup | StorageClass::Private => {}
            other => all.push(format!(
                "variable {name} is of storage class {other:?}, which a kernel does not have"
            )),
        }
    }
    if !is_written {
        all.push("binding 3 (output) is missing: nothing would be written".into());
    }
    all
}

fn binding(
    declared: &Declared<'_>,
    id: u32,
    class: StorageClass,
    ty: u32,
    name: &str,
) -> Option<String> {
    let set = declared.number(id, Decoration::DescriptorSet);
    let (Some(set), Some(at)) = (set, declared.number(id, Decoration::Binding)) else {
        return Some(format!("variable {name} has no set and binding"));
    };
    if set != 0 {
        return Some(format!(
            "binding {at} of set {set} ({name}) is extra: there is set 0 alone"
        ));
    }
    let Some(holds) = BINDINGS.get(at as usize) else {
        return Some(format!(
            "binding {at} ({name}) is extra: there are 0 source, 1 pose, 2 morphs and 3 output"
        ));
    };
    if let Some(kind) = other_kind(declared, class, ty) {
        return Some(format!(
            "binding {at} ({name}) is {kind}, not the storage buffer {holds}"
        ));
    }
    let read_only = is_read_only(declared, id, ty);
    match (at == WRITTEN, read_only) {
        (true, true) => Some(format!(
            "binding {at} ({name}) is readonly: nothing would be written"
        )),
        (false, false) => Some(format!(
            "binding {at} ({name}) is not readonly: only binding 3 may be written"
        )),
        _ => None,
    }
}

/// What a variable is, if not a storage buffer.
fn other_kind(declared: &Declared<'_>, class: StorageClass, ty: u32) -> Option<&'static str> {
    let op = declared.get(ty).map(|inst| inst.class.opcode);
    match (class, op) {
        (_, Some(Op::TypeArray | Op::TypeRuntimeArray)) => Some("an array of descriptors"),
        (StorageClass::StorageBuffer, Some(Op::TypeStruct)) => None,
        (StorageClass::Uniform, Some(Op::TypeStruct)) => {
            // Before SPIR-V 1.3 a storage buffer is a uniform one with another decoration.
            let is_storage = declared.has(ty, Decoration::BufferBlock);
            (!is_storage).then_some("a uniform buffer")
        }
        _ => Some("an image, sampler or texel buffer"),
    }
}

/// Whether the variable or each member of its block says that it is not written.
fn is_read_only(declared: &Declared<'_>, id: u32, ty: u32) -> bool {
    let members = |inst: &Instruction| inst.operands.len();
    let count = declared.get(ty).map_or(0, members);
    let is_marked = |member: usize| {
        let mut marks = declared.members(ty);
        marks.any(|(at, mark, _)| at as usize == member && mark == Decoration::NonWritable)
    };
    declared.has(id, Decoration::NonWritable) || (count > 0 && (0..count).all(is_marked))
}

/// The byte offset of each member that has one.
pub(super) fn offsets(declared: &Declared<'_>, ty: u32) -> Vec<(u32, u32)> {
    let marks = declared.members(ty);
    let offsets = marks.filter(|(_, mark, _)| *mark == Decoration::Offset);
    offsets
        .filter_map(|(member, _, rest)| Some((member, literal(rest.first()?)?)))
        .collect()
}
