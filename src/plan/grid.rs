//! Grids of axis values, and the cases they span.

use std::collections::BTreeSet;

use super::error::MAX_CASES;
use super::request::Named;
use super::{Axis, Case, PlanError, Preset, Settings, Value, axes, engine};

/// The values of every axis: their cartesian product is a set of cases.
///
/// In the order of the registry; every list has at least one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid(Vec<(&'static Axis, Vec<Value>)>);

impl Grid {
    /// Every axis at its default.
    pub fn defaults(known: &[&'static Axis]) -> Self {
        let single = |axis: &&'static Axis| (*axis, vec![axis.default.clone()]);
        Self(known.iter().map(single).collect())
    }

    /// Gives `axis` these values. An axis that the grid does not know is left out.
    pub fn set(&mut self, axis: &Axis, values: Vec<Value>) {
        if let Some((_, mine)) = self.0.iter_mut().find(|(known, _)| *known == axis) {
            *mine = values;
        }
    }

    /// The same grid with those values of the axis of that name.
    pub fn with(&self, axis: &str, values: Vec<Value>) -> Self {
        let mut grid = self.clone();
        if let Some(axis) = self.axis(axis) {
            grid.set(axis, values);
        }
        grid
    }

    /// The axis of that name; `None` where the grid does not know it.
    pub fn axis(&self, name: &str) -> Option<&'static Axis> {
        self.axes()
            .map(|(axis, _)| axis)
            .find(|axis| axis.name == name)
    }

    /// The values of the axis of that name; none where the grid does not know it.
    pub fn values(&self, name: &str) -> &[Value] {
        let found = self.axes().find(|(axis, _)| axis.name == name);
        found.map_or(&[], |(_, values)| values)
    }

    /// The axes with their values.
    pub fn axes(&self) -> impl Iterator<Item = (&'static Axis, &[Value])> {
        self.0
            .iter()
            .map(|(axis, values)| (*axis, values.as_slice()))
    }

    fn count(&self) -> usize {
        let lengths = self.0.iter().map(|(_, values)| values.len());
        lengths.fold(1, usize::saturating_mul)
    }

    /// The product: the first axis varies fastest.
    fn cases(&self, model: bool) -> impl Iterator<Item = Case> {
        (0..self.count()).map(move |index| {
            let mut rest = index;
            let point = self.0.iter().map(|(axis, values)| {
                let value = values[rest % values.len()].clone();
                rest /= values.len();
                (*axis, value)
            });
            Case::new(point.collect::<Vec<_>>(), model)
        })
    }
}

/// The defaults, overridden by `values` of a preset, overridden by the explicit axes.
pub(super) fn base(
    known: &[&'static Axis],
    values: Settings,
    explicit: &[Named],
) -> Result<Grid, PlanError> {
    let mut grid = Grid::defaults(known);
    give(&mut grid, known, values)?;
    give_named(&mut grid, explicit);
    Ok(grid)
}

/// The grids of a preset in which the explicit axes keep their values.
///
/// Preset `full` makes one grid of the defaults and one for each axis that it sweeps. An explicit
/// axis is not swept, and does not yield to a sweep beside which it would take other values.
/// In each of them the axes of an engine are spelled out.
pub(super) fn grids(
    known: &[&'static Axis],
    preset: Preset,
    explicit: &[Named],
    model: bool,
) -> Result<Vec<Grid>, PlanError> {
    let base = base(known, preset.values(), explicit)?;
    let named = |axis: &Axis| explicit.iter().any(|named| named.axis == axis);
    let left_alone =
        |axis: &Axis| axis.sweep.is_empty() || named(axis) || (model && axis.built_in_only);
    let swept = known
        .iter()
        .filter(|axis| preset.sweeps() && !left_alone(axis));
    let mut all = vec![base.clone()];
    for axis in swept {
        let mut grid = base.clone();
        give(&mut grid, known, axis.beside)?;
        give_named(&mut grid, explicit);
        give(&mut grid, known, &[(axis.name, axis.sweep)])?;
        all.push(grid);
    }
    engine::spelled(all, explicit, model)
}

fn give_named(grid: &mut Grid, explicit: &[Named]) {
    for named in explicit {
        grid.set(named.axis, named.values.clone());
    }
}

/// Gives the axes named in `settings` those values; names that are not known are left out.
fn give(grid: &mut Grid, known: &[&'static Axis], settings: Settings) -> Result<(), PlanError> {
    for (name, texts) in settings {
        if let Some(axis) = axes::find(known, name) {
            grid.set(axis, axis.parse_all(texts.iter().copied(), "preset")?);
        }
    }
    Ok(())
}

/// The distinct cases of all grids, in a fixed order: grid after grid, places side by side.
pub(super) fn expand(grids: &[Grid], model: bool) -> Result<Vec<Case>, PlanError> {
    let count = grids.iter().map(Grid::count).fold(0, usize::saturating_add);
    if count > MAX_CASES {
        return Err(PlanError::TooManyCases { count });
    }
    let mut seen = BTreeSet::new();
    let all = grids.iter().flat_map(|grid| grid.cases(model));
    Ok(all.filter(|case| seen.insert(case.clone())).collect())
}
