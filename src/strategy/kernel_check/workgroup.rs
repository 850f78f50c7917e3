//! The size of a module's workgroup.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, Op};

use crate::shader_types::WORKGROUP;

use super::declared::{Declared, id, literal};

/// The invocations of a workgroup that is fixed; `None` for one that takes them from the specialization
/// constant.
///
/// # Errors
/// What differs.
pub(super) fn fixed(declared: &Declared<'_>, main: u32) -> Result<Option<u32>, String> {
    let globals = declared.module.types_global_values.iter();
    let mut ids = globals.filter_map(|inst| inst.result_id);
    let built_in = ids.find(|id| declared.is_built_in(*id, BuiltIn::WorkgroupSize));
    match built_in.and_then(|id| declared.get(id)) {
        // It takes precedence over the execution mode.
        Some(size) => of_constant(declared, size),
        None => of_mode(declared, main),
    }
}

/// The value of a constant, and its specialization id if it has one.
type Size = (u32, Option<u32>);

fn of_constant(declared: &Declared<'_>, size: &Instruction) -> Result<Option<u32>, String> {
    let one = |at: usize| -> Option<Size> {
        let constant = declared.get(id(size, at)?)?;
        let known = matches!(constant.class.opcode, Op::Constant | Op::SpecConstant);
        let value = literal(constant.operands.first()?).filter(|_| known)?;
        let spec = declared.number(constant.result_id?, Decoration::SpecId);
        Some((value, spec))
    };
    let (Some(x), Some(y), Some(z)) = (one(0), one(1), one(2)) else {
        return Err("its workgroup size is computed: take local_size_x_id = 3".into());
    };
    if let Some(other) = x.1.filter(|spec| *spec != WORKGROUP.id) {
        return Err(format!(
            "its workgroup takes x from specialization constant {other}: take {}",
            WORKGROUP.id
        ));
    }
    if let Some(other) = y.1.or(z.1) {
        return Err(format!(
            "its workgroup takes y or z from specialization constant {other}: both are 1"
        ));
    }
    flat([x.0, y.0, z.0])?;
    Ok(x.1.is_none().then_some(x.0))
}

fn of_mode(declared: &Declared<'_>, main: u32) -> Result<Option<u32>, String> {
    let modes = declared.module.execution_modes.iter();
    for mode in modes.filter(|mode| id(mode, 0) == Some(main)) {
        match mode.operands.get(1) {
            Some(Operand::ExecutionMode(ExecutionMode::LocalSize)) => {
                let sizes: Vec<u32> = mode.operands[2..].iter().filter_map(literal).collect();
                let [x, y, z] = sizes[..] else { break };
                flat([x, y, z])?;
                return Ok(Some(x));
            }
            Some(Operand::ExecutionMode(ExecutionMode::LocalSizeId)) => {
                return Err(
                    "LocalSizeId needs maintenance4, for which the device is not asked: compile \
                     with --target-env=vulkan1.1"
                        .into(),
                );
            }
            _ => {}
        }
    }
    Err("it has no workgroup size: take local_size_x_id = 3".into())
}

fn flat([x, y, z]: [u32; 3]) -> Result<(), String> {
    if y == 1 && z == 1 && x > 0 {
        return Ok(());
    }
    Err(format!(
        "its workgroup is {x}×{y}×{z}: vertices lie along x, y and z are 1"
    ))
}
