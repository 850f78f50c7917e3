//! Which cases this device can run, before anything is made for them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::RunInput;
use super::live::drawing_of;
use super::scenes::Scenes;
use crate::bench::error::BenchError;
use crate::bench::lab::Lab;
use crate::bench::station::{Station, StationKey};
use crate::plan::{Case, Plan};
use crate::result::{Reason, ReasonKind, ResultFile, Status};
use crate::scene::Scene;
use crate::shader_types::PassKind;
use crate::strategy::{self, Kernel, strategy_of};

/// Share of the device's memory that all live cases may take together. The rest is the driver's,
/// the targets', and the system's.
const MEMORY_SHARE: f64 = 0.8;

/// Kinds of pass that any case of a station draws.
pub(super) fn kinds_by_station(plan: &Plan) -> BTreeMap<StationKey, Vec<PassKind>> {
    let mut kinds: BTreeMap<StationKey, Vec<PassKind>> = BTreeMap::new();
    for case in &plan.cases {
        let known = kinds.entry(Station::key(case)).or_default();
        for pass in drawing_of(case).passes {
            if !known.contains(&pass.kind) {
                known.push(pass.kind);
            }
        }
    }
    kinds
}

/// Marks a case as skipped.
pub(super) fn skip(file: &mut ResultFile, index: usize, reason: Reason) {
    file.cases[index].status = Status::Skipped;
    file.cases[index].reason = Some(reason);
}

/// Memory that stations take together, held against the device's.
pub(super) struct Budget {
    taken: u64,
    have: u64,
}

impl Budget {
    pub fn new(lab: &Lab) -> Self {
        let heap = lab.device.capabilities().device_heap_bytes;
        Self {
            taken: 0,
            have: (heap as f64 * MEMORY_SHARE) as u64,
        }
    }

    fn take(&mut self, bytes: u64) -> Option<Reason> {
        let need = self.taken + bytes;
        if need <= self.have {
            self.taken = need;
            return None;
        }
        let message = format!(
            "all live cases together would take {need} bytes of {}; measure fewer instances or vertices at once",
            self.have
        );
        Some(Reason::new(ReasonKind::Memory, "device memory", message).with(need, self.have))
    }
}

/// Why a case cannot run here, before anything is made for it.
pub(super) fn refuse(
    lab: &Lab,
    case: &Case,
    (scene, clip): (&Arc<Scene>, Option<usize>),
    kinds: &[PassKind],
    budget: &mut Budget,
    known: bool,
    kernel: Option<&Kernel>,
) -> Option<Reason> {
    if let Some(why) = case.impossible() {
        let message = why.to_string();
        return Some(Reason::not_applicable(why.name, message).with(why.need, why.have));
    }
    let mut setup = Station::setup(lab, scene, clip, case, kinds);
    setup.kernel = kernel;
    strategy::refuse(&setup, case).or_else(|| {
        if known {
            None
        } else {
            budget.take(strategy_of(case.place()).estimate(&setup))
        }
    })
}

/// Marks what would be skipped, and sums up the memory of the rest.
pub(super) fn survey(
    lab: &Lab,
    input: &RunInput<'_>,
    scenes: &mut Scenes<'_>,
    file: &mut ResultFile,
) -> Result<u64, BenchError> {
    let plan = input.plan;
    let kinds = kinds_by_station(plan);
    let mut budget = Budget::new(lab);
    let mut known = BTreeSet::new();
    for (index, case) in plan.cases.iter().enumerate() {
        let character = scenes.of(case)?;
        let key = Station::key(case);
        let reason = refuse(
            lab,
            case,
            (&character.timed, character.clip),
            &kinds[&key],
            &mut budget,
            known.contains(&key),
            input.kernel,
        );
        match reason {
            Some(reason) => skip(file, index, reason),
            None => {
                known.insert(key);
            }
        }
    }
    Ok(budget.taken)
}
