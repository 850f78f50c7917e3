//! Axis `engine` spelled out: the place and the values of the other axes that an engine implies.
//!
//! - An engine's values beat those of a preset. Of a list that a preset sweeps, what the engine
//!   allows stays.
//! - A named axis wins where the engine leaves a choice, and is an error where it contradicts what
//!   the engine fixes. Where a preset sweeps the engines, those that it contradicts are left out.
//! - `--strategies` drops the engines whose place is not listed.
//! - Beside engines, `default` runs once for each distinct set of their [inputs](INPUTS), in every
//!   place: it is given the same vertices, and keeps its own way with them.

mod partners;
mod table;

use std::collections::BTreeSet;

use super::grid::Grid;
use super::request::Named;
use super::{Engine, PlanError, Value, axes};
use table::{Row, SMALL_SKIN, row};

pub(super) use partners::partners;
#[cfg(test)]
pub(super) use table::row as row_of;

/// What `default` takes from an engine that it stands beside: the vertices as they are given.
const INPUTS: [&str; 4] = ["influences", "attributes", "weights", "joint-index"];

/// The axis that tells small skins from large ones.
const JOINTS: &str = "joints";

/// The grids in which every engine is spelled out, each with one engine.
///
/// # Errors
/// [`PlanError::EngineConflict`] for a named axis that a named engine contradicts;
/// [`PlanError::NoEngine`] where every engine is dropped.
pub(super) fn spelled(
    grids: Vec<Grid>,
    named: &[Named],
    model: bool,
) -> Result<Vec<Grid>, PlanError> {
    let mut all: Vec<Grid> = Vec::new();
    for grid in &grids {
        let speller = Speller { grid, named, model };
        for spelled in speller.spell()? {
            if !all.contains(&spelled) {
                all.push(spelled);
            }
        }
    }
    match all.is_empty() {
        true => Err(no_engine(named)),
        false => Ok(all),
    }
}

/// One grid and what was named.
struct Speller<'a> {
    grid: &'a Grid,
    named: &'a [Named],
    model: bool,
}

impl Speller<'_> {
    /// The grid once for each of its engines, `default` beside each.
    fn spell(&self) -> Result<Vec<Grid>, PlanError> {
        let engines: Vec<Engine> = self
            .grid
            .values(axes::ENGINE)
            .iter()
            .filter_map(engine)
            .collect();
        let mut theirs = Vec::new();
        for row in engines.iter().filter_map(|engine| row(*engine)) {
            if !self.is_dropped(row)? {
                for part in self.split(row) {
                    theirs.push(self.take(&part, row)?);
                }
            }
        }
        if !engines.contains(&Engine::Default) {
            return Ok(theirs);
        }
        let mut ours: Vec<Grid> = theirs.iter().map(|theirs| self.beside(theirs)).collect();
        if ours.is_empty() {
            ours.push(self.own());
        }
        ours.extend(theirs);
        Ok(ours)
    }

    /// Whether a named axis leaves no case to the engine.
    fn is_dropped(&self, row: &Row) -> Result<bool, PlanError> {
        if let Some(places) = self.named(axes::STRATEGY)
            && !places.values.contains(&Value::word(row.place.name()))
        {
            return Ok(true);
        }
        let Some((named, value)) = self.contradiction(row) else {
            return Ok(false);
        };
        match self.named(axes::ENGINE) {
            Some(engines) => Err(conflict(row, named, value, engines)),
            None => Ok(true),
        }
    }

    /// The first named value that the engine does not allow.
    fn contradiction(&self, row: &Row) -> Option<(&Named, &Value)> {
        self.named.iter().find_map(|named| {
            let allowed = row.allows(named.axis.name)?;
            let forbidden = |value: &&Value| !allowed.contains(&value.to_string().as_str());
            Some((named, named.values.iter().find(forbidden)?))
        })
    }

    /// The grid, or two of small and of large skins where the engine tells them apart.
    fn split(&self, row: &Row) -> Vec<Grid> {
        let joints = self.grid.values(JOINTS);
        let (small, large): (Vec<_>, Vec<_>) = joints.iter().cloned().partition(is_small);
        if row.large_skins.is_empty() || small.is_empty() || large.is_empty() {
            return vec![self.grid.clone()];
        }
        [small, large]
            .map(|joints| self.grid.with(JOINTS, joints))
            .to_vec()
    }

    /// `part` with what the engine sets and nobody named.
    fn take(&self, part: &Grid, row: &Row) -> Result<Grid, PlanError> {
        let large = !part.values(JOINTS).iter().all(is_small);
        let mut grid = part
            .with(axes::ENGINE, vec![Value::word(row.engine.name())])
            .with(axes::STRATEGY, vec![Value::word(row.place.name())]);
        for (name, allowed) in row.sets {
            let other = row
                .large_skins
                .iter()
                .find(|(axis, _)| large && axis == name);
            let unasked = other.map_or(*allowed, |(_, values)| *values);
            if self.named(name).is_none() {
                grid = self.narrowed(grid, name, allowed, unasked)?;
            }
        }
        Ok(grid)
    }

    /// `grid` with the allowed values of a list that is swept, else with the first of `unasked`.
    fn narrowed(
        &self,
        grid: Grid,
        axis: &str,
        allowed: &[&str],
        unasked: &[&str],
    ) -> Result<Grid, PlanError> {
        let Some(axis) = grid
            .axis(axis)
            .filter(|axis| !(self.model && axis.built_in_only))
        else {
            return Ok(grid);
        };
        let mut values = grid.values(axis.name).to_vec();
        let swept = values.len() > 1;
        values.retain(|value| swept && allowed.contains(&value.to_string().as_str()));
        if values.is_empty() {
            values = axis.parse_all(unasked.iter().take(1).copied(), "engine")?;
        }
        Ok(grid.with(axis.name, values))
    }

    /// `default` in all places of the grid, with the inputs of an engine's grid.
    fn beside(&self, theirs: &Grid) -> Grid {
        let taken = INPUTS.into_iter().chain([JOINTS]);
        taken.fold(self.own(), |grid, axis| {
            grid.with(axis, theirs.values(axis).to_vec())
        })
    }

    /// `default` alone.
    fn own(&self) -> Grid {
        let default = vec![Value::word(Engine::Default.name())];
        self.grid.with(axes::ENGINE, default)
    }

    fn named(&self, axis: &str) -> Option<&Named> {
        find(self.named, axis)
    }
}

fn find<'a>(named: &'a [Named], axis: &str) -> Option<&'a Named> {
    named.iter().find(|named| named.axis.name == axis)
}

fn engine(value: &Value) -> Option<Engine> {
    match value {
        Value::Word(name) => Engine::from_name(name),
        _ => None,
    }
}

fn is_small(joints: &Value) -> bool {
    !matches!(joints, Value::Number(joints) if *joints > SMALL_SKIN)
}

fn conflict(row: &Row, named: &Named, value: &Value, engines: &Named) -> PlanError {
    let axis = named.axis.name;
    let allowed = row.allows(axis).unwrap_or_default().join(" or ");
    PlanError::EngineConflict {
        origin: named.origin.clone(),
        engines: engines.origin.clone(),
        engine: row.engine.name(),
        contrast: format!("{axis} {allowed}, not {value}"),
    }
}

/// Every engine was dropped: by the places named, since a contradiction is an error where engines
/// are named, and where they are not `default` is never dropped.
fn no_engine(named: &[Named]) -> PlanError {
    let origin = |axis| find(named, axis).map_or_else(String::new, |named| named.origin.clone());
    let engines = find(named, axes::ENGINE).map_or(&[][..], |named| &named.values);
    let places = engines
        .iter()
        .filter_map(engine)
        .filter_map(row)
        .map(|row| row.place.name());
    let places: BTreeSet<_> = places.collect();
    PlanError::NoEngine {
        engines: origin(axes::ENGINE),
        strategies: origin(axes::STRATEGY),
        places: places.into_iter().collect::<Vec<_>>().join(", "),
    }
}
