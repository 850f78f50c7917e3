//! A plan in a result file, and back again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value as Json;

use super::build::{runnable, with_twin};
use super::error::shown;
use super::grid::{self, Grid};
use super::kernel::{self, KernelFile};
use super::{Axis, ClipChoice, Plan, PlanError, Preset, Resolution, axes};

/// The keys of the result's `plan`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    preset: String,
    model: Option<String>,
    clip: Option<ClipChoice>,
    resolution: Resolution,
    time_limit_s: Option<f64>,
    ratio_target: f64,
    seed: u64,
    /// Absent from files older than kernels.
    #[serde(default)]
    kernel: Option<KernelFile>,
    grids: Vec<BTreeMap<String, Vec<Json>>>,
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model = self.model.as_ref();
        let stored = Stored {
            preset: self.preset.name().to_owned(),
            model: model.map(|path| path.to_string_lossy().into_owned()),
            clip: self.clip.clone(),
            resolution: self.resolution,
            time_limit_s: self.time_limit.map(|limit| limit.as_secs_f64()),
            ratio_target: self.ratio_target,
            seed: self.seed,
            kernel: self.kernel.clone(),
            grids: self
                .grids
                .iter()
                .map(|grid| stored_grid(grid, model.is_some()))
                .collect(),
        };
        stored.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Plan {
    /// Reads a stored plan: an axis that it does not name, being younger, takes its default.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        restore(Stored::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// Every axis that means something for this character, with its values.
fn stored_grid(grid: &Grid, model: bool) -> BTreeMap<String, Vec<Json>> {
    grid.axes()
        .filter(|(axis, _)| !(model && axis.built_in_only))
        .map(|(axis, values)| {
            let values = values.iter().map(super::Value::to_json).collect();
            (axis.name.to_owned(), values)
        })
        .collect()
}

fn restore(stored: Stored) -> Result<Plan, PlanError> {
    let preset = Preset::from_name(&stored.preset)
        .ok_or_else(|| malformed(&stored.preset, "plan.preset", "quick, standard or full"))?;
    check_resolution(stored.resolution)?;
    let grids: Result<Vec<_>, _> = stored.grids.iter().map(restored_grid).collect();
    let grids = match grids? {
        grids if grids.is_empty() => {
            return Err(malformed("[]", "plan.grids", "at least one grid"));
        }
        grids => grids,
    };
    let model = stored.model.map(PathBuf::from);
    let cases = kernel::matched(
        grid::expand(&grids, model.is_some())?,
        stored.kernel.as_ref(),
    )?;
    Ok(Plan {
        cases: with_twin(runnable(cases)?),
        preset,
        clip: stored.clip,
        resolution: stored.resolution,
        time_limit: stored.time_limit_s.map(restored_limit).transpose()?,
        ratio_target: restored_target(stored.ratio_target)?,
        seed: stored.seed,
        kernel: stored.kernel,
        model,
        grids,
    })
}

fn restored_grid(stored: &BTreeMap<String, Vec<Json>>) -> Result<Grid, PlanError> {
    let mut grid = Grid::defaults(&axes::ALL);
    for (name, values) in stored {
        let axis = axes::find(&axes::ALL, name)
            .ok_or_else(|| malformed(name, "an axis of plan.grids", "an axis that exists"))?;
        grid.set(axis, restored_values(axis, values)?);
    }
    Ok(grid)
}

fn restored_values(axis: &Axis, stored: &[Json]) -> Result<Vec<super::Value>, PlanError> {
    let texts: Vec<_> = stored
        .iter()
        .map(|value| match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        })
        .collect();
    match texts.is_empty() {
        true => Err(malformed(
            "[]",
            "a list of values",
            "at least one value an axis",
        )),
        false => axis.parse_all(texts.iter().map(String::as_str), "plan.grids"),
    }
}

fn check_resolution(size: Resolution) -> Result<(), PlanError> {
    match size.is_valid() {
        true => Ok(()),
        false => Err(malformed(
            &size.to_string(),
            "plan.resolution",
            "sides from 1 to 32768 pixels",
        )),
    }
}

fn restored_limit(seconds: f64) -> Result<Duration, PlanError> {
    super::parse_time_limit(&seconds.to_string())
}

fn restored_target(fraction: f64) -> Result<f64, PlanError> {
    match fraction > 0.0 && fraction < 1.0 {
        true => Ok(fraction),
        false => Err(malformed(
            &fraction.to_string(),
            "plan.ratio_target",
            "a fraction between 0 and 1",
        )),
    }
}

fn malformed(text: &str, wanted: &'static str, todo: &'static str) -> PlanError {
    PlanError::Malformed {
        text: shown(text),
        wanted,
        todo,
    }
}
