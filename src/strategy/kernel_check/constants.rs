//! Push constants and specialization constants of a module.

use std::mem::offset_of;

use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::shader_types::{DispatchConstants, SPEC_CONSTANTS};

use super::bindings::offsets;
use super::declared::{Declared, id, literal};

macro_rules! fields {
    ($($field:ident),* $(,)?) => {
        [$((stringify!($field), offset_of!(DispatchConstants, $field) as u32)),*]
    };
}

/// Every push constant with its byte offset.
const FIELDS: [(&str, u32); 13] = fields![
    vertex_count,
    first_vertex,
    dispatch_count,
    source_word,
    output_word,
    instance_words,
    instance,
    palette_base,
    pose_stride,
    joints,
    morph_base,
    morph_stride,
    morph_targets,
];
const BYTES: u32 = size_of::<DispatchConstants>() as u32;

/// Each member of the push constants that the interface does not have there.
pub(super) fn pushed(declared: &Declared<'_>) -> Vec<String> {
    let blocks = declared
        .variables()
        .filter(|(_, class, _)| *class == StorageClass::PushConstant);
    blocks
        .flat_map(|(variable, _, ty)| {
            let name = declared.name(variable.result_id.unwrap_or_default(), ty);
            match declared.get(ty) {
                Some(block) if block.class.opcode == Op::TypeStruct => {
                    let count = block.operands.len();
                    let found = offsets(declared, ty);
                    (0..count)
                        .filter_map(|at| {
                            let offset = found.iter().find(|(member, _)| *member as usize == at);
                            member(
                                declared,
                                (ty, at as u32),
                                id(block, at)?,
                                offset.map(|o| o.1),
                            )
                        })
                        .collect()
                }
                _ => vec![format!("push constants {name} are no block")],
            }
        })
        .collect()
}

/// What differs about one member of the block `ty`.
fn member(
    declared: &Declared<'_>,
    (ty, at): (u32, u32),
    of: u32,
    offset: Option<u32>,
) -> Option<String> {
    let named = declared.member_name(ty, at);
    let name = match named {
        Some(name) => format!("`{}`", crate::plan::shown(name)),
        None => format!("member {at}"),
    };
    let Some(offset) = offset else {
        return Some(format!("push constant {name} has no offset"));
    };
    let Some(words) = unsigned_words(declared, of) else {
        return Some(format!(
            "push constant {name} at byte {offset} is no unsigned 32-bit integer"
        ));
    };
    let end = u64::from(offset) + 4 * u64::from(words);
    if !offset.is_multiple_of(4) || end > u64::from(BYTES) {
        return Some(format!(
            "push constant {name} reaches from byte {offset} to {end}: there are whole words up to {BYTES}"
        ));
    }
    let (_, right) = FIELDS.iter().find(|(field, _)| named == Some(field))?;
    (*right != offset).then(|| {
        format!("push constant {name} is at byte {offset}, where the interface has it at {right}")
    })
}

/// How many unsigned words a scalar or vector is; `None` for any other type.
fn unsigned_words(declared: &Declared<'_>, ty: u32) -> Option<u32> {
    if declared.is_int32(ty, Some(false)) {
        return Some(1);
    }
    let vector = declared
        .get(ty)
        .filter(|t| t.class.opcode == Op::TypeVector)?;
    let whole = declared.is_int32(id(vector, 0)?, Some(false));
    literal(vector.operands.get(1)?).filter(|_| whole)
}

/// Each specialization constant that the interface does not have.
pub(super) fn specialized(declared: &Declared<'_>) -> Vec<String> {
    let all = declared.all_decorations();
    let constants = all.filter(|(_, decoration, _)| *decoration == Decoration::SpecId);
    constants
        .filter_map(|(target, _, rest)| {
            let spec = rest.first().and_then(literal)?;
            let Some(known) = SPEC_CONSTANTS.iter().find(|known| known.id == spec) else {
                return Some(format!(
                    "specialization constant {spec} is extra: there are 0 to {}",
                    SPEC_CONSTANTS.len() - 1
                ));
            };
            let inst = declared.get(target)?;
            let ty = inst.result_type.unwrap_or_default();
            let is_bool = matches!(
                inst.class.opcode,
                Op::SpecConstantTrue | Op::SpecConstantFalse
            );
            (!is_bool && !declared.is_int32(ty, None)).then(|| {
                format!(
                    "specialization constant {spec} {} is no 32-bit integer or bool",
                    known.name
                )
            })
        })
        .collect()
}
