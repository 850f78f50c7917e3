//! Which cases of `default` an engine's case is held against.

use super::INPUTS;
use super::table::row;
use crate::plan::{Axis, Case, Engine, Place, Value, axes};

/// The cases of `default` that stand beside `case`, at most one a place: given the same vertices,
/// equal on every axis that the engine leaves alone, and at their own defaults on those that it sets.
/// Empty for a case of `default` and for a twin.
pub(in crate::plan) fn partners<'a>(cases: &'a [Case], case: &Case) -> Vec<&'a Case> {
    if case.engine() == Engine::Default || case.is_aa() {
        return Vec::new();
    }
    let ours = |other: &&Case| other.engine() == Engine::Default && !other.is_aa();
    let candidates: Vec<_> = cases
        .iter()
        .filter(ours)
        .filter_map(|other| Some((turned(case, other)?, other)))
        .collect();
    let best = |place: &Place| {
        let there = candidates
            .iter()
            .filter(|(_, other)| other.place() == *place);
        there
            .min_by_key(|(turned, _)| *turned)
            .map(|(_, other)| *other)
    };
    Place::ALL.iter().filter_map(best).collect()
}

/// On how many axes that are the engine's own or none of its place `other` is off its default; `None`
/// where the two may not be compared.
///
/// Preset `full` sweeps those axes too: of what it makes, the case without detours is the partner.
fn turned(case: &Case, other: &Case) -> Option<usize> {
    let mut turned = 0;
    for (axis, ours) in case.settings() {
        let theirs = other.value(axis.name)?;
        if axis.name == axes::STRATEGY || axis.name == axes::ENGINE {
            continue;
        }
        let at_default = is_default(axis, theirs);
        let equal = ours == theirs || is_wildcard(ours) || is_wildcard(theirs);
        let own_way = at_default && is_way(case, axis);
        if !(equal || own_way) {
            return None;
        }
        let detour = !at_default && (is_way(case, axis) || is_wildcard(ours));
        turned += usize::from(detour);
    }
    Some(turned)
}

/// Whether the axis is part of how the engine of `case` works, not of what it is given.
fn is_way(case: &Case, axis: &Axis) -> bool {
    let sets = row(case.engine()).and_then(|row| row.allows(axis.name));
    sets.is_some() && !INPUTS.contains(&axis.name)
}

fn is_wildcard(value: &Value) -> bool {
    *value == Value::NotApplicable
}

fn is_default(axis: &Axis, value: &Value) -> bool {
    *value == axis.default || is_wildcard(value)
}
