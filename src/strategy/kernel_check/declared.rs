//! What a module declares, looked up by id.

use std::collections::BTreeMap;

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionModel, Op, StorageClass};

/// A module with its ids.
pub(super) struct Declared<'a> {
    pub module: &'a Module,
    by_id: BTreeMap<u32, &'a Instruction>,
}

impl<'a> Declared<'a> {
    /// Of a module that was parsed.
    pub fn of(module: &'a Module) -> Self {
        let globals = module.types_global_values.iter();
        let by_id = globals.filter_map(|inst| Some((inst.result_id?, inst)));
        Self {
            module,
            by_id: by_id.collect(),
        }
    }

    /// The type, constant or variable with that id.
    pub fn get(&self, id: u32) -> Option<&'a Instruction> {
        self.by_id.get(&id).copied()
    }

    /// Id of the compute entry point `main`, where its function is there.
    pub fn main(&self) -> Option<u32> {
        let entry = self.module.entry_points.iter().find(|entry| {
            let model = Operand::ExecutionModel(ExecutionModel::GLCompute);
            entry.operands.first() == Some(&model) && text(entry, 2) == Some("main")
        })?;
        let function = id(entry, 1)?;
        let mut functions = self.module.functions.iter();
        functions
            .any(|known| known.def_id() == Some(function) && !known.blocks.is_empty())
            .then_some(function)
    }

    /// That there is no such entry point, and which there are.
    pub fn no_main(&self) -> String {
        let entries = self.module.entry_points.iter();
        let names: Vec<_> = entries
            .map(|entry| {
                let name = crate::plan::shown(text(entry, 2).unwrap_or_default());
                match entry.operands.first() {
                    Some(Operand::ExecutionModel(model)) => format!("{model:?} `{name}`"),
                    _ => format!("`{name}`"),
                }
            })
            .collect();
        let have = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        format!("it has no compute entry point `main`, but {have}: name it main")
    }

    /// The global variables with their storage class and the type they point to.
    pub fn variables(&self) -> impl Iterator<Item = (&'a Instruction, StorageClass, u32)> {
        let globals = self.module.types_global_values.iter();
        globals.filter_map(|inst| match inst.operands.first() {
            Some(Operand::StorageClass(class)) if inst.class.opcode == Op::Variable => {
                let pointer = self.get(inst.result_type?)?;
                Some((inst, *class, id(pointer, 1)?))
            }
            _ => None,
        })
    }

    /// The decorations of `target` itself, each with its operands.
    pub fn decorations(&self, target: u32) -> impl Iterator<Item = (Decoration, &'a [Operand])> {
        self.decorated(Op::Decorate)
            .filter(move |(at, ..)| *at == target)
            .map(|(_, decoration, rest)| (decoration, rest))
    }

    /// Everything that is decorated as a whole.
    pub fn all_decorations(&self) -> impl Iterator<Item = (u32, Decoration, &'a [Operand])> {
        self.decorated(Op::Decorate)
    }

    fn decorated(&self, op: Op) -> impl Iterator<Item = (u32, Decoration, &'a [Operand])> {
        let all = self.module.annotations.iter();
        all.filter(move |inst| inst.class.opcode == op)
            .filter_map(|inst| match inst.operands.as_slice() {
                [
                    Operand::IdRef(target),
                    Operand::Decoration(decoration),
                    rest @ ..,
                ] => Some((*target, *decoration, rest)),
                _ => None,
            })
    }

    /// Whether `target` as a whole has a decoration.
    pub fn has(&self, target: u32, wanted: Decoration) -> bool {
        self.decorations(target).any(|(found, _)| found == wanted)
    }

    /// The number that a decoration of `target` holds.
    pub fn number(&self, target: u32, wanted: Decoration) -> Option<u32> {
        let mut all = self.decorations(target);
        let (_, operands) = all.find(|(found, _)| *found == wanted)?;
        literal(operands.first()?)
    }

    /// The member decorations of a struct: member, decoration, operands.
    pub fn members(&self, target: u32) -> impl Iterator<Item = (u32, Decoration, &'a [Operand])> {
        let all = self.module.annotations.iter();
        all.filter(|inst| inst.class.opcode == Op::MemberDecorate)
            .filter_map(move |inst| match inst.operands.as_slice() {
                [
                    Operand::IdRef(of),
                    Operand::LiteralBit32(member),
                    Operand::Decoration(decoration),
                    rest @ ..,
                ] if *of == target => Some((*member, *decoration, rest)),
                _ => None,
            })
    }

    /// Whether `target` is what the driver fills in under that name.
    pub fn is_built_in(&self, target: u32, wanted: BuiltIn) -> bool {
        self.decorations(target).any(|(found, operands)| {
            found == Decoration::BuiltIn && operands.first() == Some(&Operand::BuiltIn(wanted))
        })
    }

    /// What debug information calls a variable, or the block that it is.
    pub fn name(&self, variable: u32, block: u32) -> String {
        let of = |target: u32| {
            let names = self.module.debug_names.iter();
            let mut named = names.filter(|inst| inst.class.opcode == Op::Name);
            let found = named.find(|inst| id(inst, 0) == Some(target))?;
            text(found, 1).filter(|name| !name.is_empty())
        };
        match of(variable).or_else(|| of(block)) {
            Some(name) => format!("`{}`", crate::plan::shown(name)),
            None => format!("%{variable}"),
        }
    }

    /// What debug information calls a member of a struct.
    pub fn member_name(&self, target: u32, member: u32) -> Option<&'a str> {
        let names = self.module.debug_names.iter();
        let mut named = names.filter(|inst| inst.class.opcode == Op::MemberName);
        let found = named.find(|inst| {
            id(inst, 0) == Some(target) && inst.operands.get(1).and_then(literal) == Some(member)
        })?;
        text(found, 2)
    }

    /// Whether a type is an integer of 32 bits, of that signedness where one is given.
    pub fn is_int32(&self, ty: u32, signed: Option<bool>) -> bool {
        let Some(found) = self.get(ty).filter(|t| t.class.opcode == Op::TypeInt) else {
            return false;
        };
        let width = found.operands.first().and_then(literal);
        let has = found.operands.get(1).and_then(literal);
        width == Some(32) && signed.is_none_or(|signed| has == Some(signed.into()))
    }
}

/// The id that operand `at` of an instruction is.
pub(super) fn id(inst: &Instruction, at: usize) -> Option<u32> {
    inst.operands.get(at)?.id_ref_any()
}

/// The text that operand `at` of an instruction is.
pub(super) fn text(inst: &Instruction, at: usize) -> Option<&str> {
    match inst.operands.get(at)? {
        Operand::LiteralString(text) => Some(text),
        _ => None,
    }
}

/// The number that an operand is.
pub(super) fn literal(operand: &Operand) -> Option<u32> {
    match operand {
        Operand::LiteralBit32(number) => Some(*number),
        _ => None,
    }
}
