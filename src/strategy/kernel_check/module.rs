//! From bytes to a SPIR-V module whose words hang together. Drivers trust what they are given, so what
//! a file must not do to them is refused here.

use std::collections::BTreeSet;

use rspirv::dr::{Instruction, Module};

const MAGIC: u32 = 0x0723_0203;
const HEADER_WORDS: usize = 5;
/// SPIR-V 1.3, the newest of Vulkan 1.1.
const NEWEST: u32 = 0x0001_0300;
/// SPIR-V's universal limit of ids: drivers reserve memory for each of them.
const MOST_IDS: u32 = 0x3F_FFFF;

const SPEC_CONSTANT_OP: u32 = 52;
/// What `OpSpecConstantOp` may compute in a shader, by opcode (SPIR-V 1.3, 3.32.7).
const CONSTANT_OPERATIONS: [std::ops::RangeInclusive<u32>; 12] = [
    79..=79,
    81..=82,
    113..=116,
    126..=126,
    128..=128,
    130..=130,
    132..=132,
    134..=135,
    137..=139,
    164..=179,
    194..=200,
    202..=203,
];

/// The words of a file, whose header is that of a module for Vulkan 1.1 on this machine.
pub(super) fn words(bytes: &[u8]) -> Result<Vec<u32>, String> {
    let all: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    match all.first() {
        Some(&MAGIC) => {}
        Some(first) if first.swap_bytes() == MAGIC => {
            return Err("its words are big-endian: write them little-endian".into());
        }
        _ => {
            return Err(
                "it does not begin with the magic number 0x07230203: name a file that glslc or \
                 glslangValidator made, or GLSL that ends in .comp"
                    .into(),
            );
        }
    }
    if !bytes.len().is_multiple_of(4) || all.len() < HEADER_WORDS {
        return Err(format!(
            "its {} bytes are no whole words behind a header of {HEADER_WORDS}: it was cut off, compile it again",
            bytes.len()
        ));
    }
    checked_header(all)
}

fn checked_header(all: Vec<u32>) -> Result<Vec<u32>, String> {
    let (version, bound, schema) = (all[1], all[3], all[4]);
    if version & 0xFF00_00FF != 0 || !(0x0001_0000..=NEWEST).contains(&version) {
        let (major, minor) = (version >> 16, (version >> 8) & 0xFF);
        return Err(format!(
            "its version is {major}.{minor}, not 1.0 to 1.3: compile with --target-env=vulkan1.1"
        ));
    }
    if bound > MOST_IDS || schema != 0 {
        return Err(format!(
            "its header names {bound} ids and schema {schema}, not up to {MOST_IDS} and 0: compile it again"
        ));
    }
    Ok(all)
}

/// The module, every instruction of which is known and names only ids that there are.
pub(super) fn parsed(words: &[u32]) -> Result<Module, String> {
    instructions(words)?;
    let module = rspirv::dr::load_words(words).map_err(|error| {
        let said = error.to_string();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = said.trim_end_matches('.');
        format!("{said}: it was cut off or is damaged, compile it again")
    })?;
    let bound = words[3];
    defined(&module, bound).map_err(|what| format!("{what}: compile it again"))?;
    Ok(module)
}

/// Refuses what the parser does not survive: an instruction that ends behind the file, and a constant
/// computed by an operation that is none of constants.
fn instructions(words: &[u32]) -> Result<(), String> {
    let mut rest = words.get(HEADER_WORDS..).unwrap_or_default();
    while let Some(first) = rest.first() {
        let (opcode, length) = (first & 0xFFFF, (first >> 16) as usize);
        if length == 0 || length > rest.len() {
            return Err(format!(
                "an instruction of {length} words has {} left: it was cut off or is damaged, compile it again",
                rest.len()
            ));
        }
        if opcode == SPEC_CONSTANT_OP {
            let nested = rest.get(3).filter(|_| length > 3).copied().unwrap_or(0);
            if !CONSTANT_OPERATIONS.iter().any(|ops| ops.contains(&nested)) {
                return Err(format!(
                    "a constant is computed by operation {nested}, which shaders do not have: compile it again"
                ));
            }
        }
        rest = &rest[length..];
    }
    Ok(())
}

/// Whether each id that is used is defined once and within the bound.
fn defined(module: &Module, bound: u32) -> Result<(), String> {
    let mut known = BTreeSet::new();
    for id in module.all_inst_iter().filter_map(|inst| inst.result_id) {
        if id == 0 || id >= bound || !known.insert(id) {
            return Err(format!(
                "id %{id} is defined twice or beyond the bound of {bound}"
            ));
        }
    }
    let used = |inst: &Instruction| -> Vec<u32> {
        let operands = inst.operands.iter().filter_map(|o| o.id_ref_any());
        operands.chain(inst.result_type).collect()
    };
    match module
        .all_inst_iter()
        .flat_map(used)
        .find(|id| !known.contains(id))
    {
        Some(id) => Err(format!("id %{id} is used and not defined")),
        None => Ok(()),
    }
}
