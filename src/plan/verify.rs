//! What `verify` is to check: every place at its defaults.

use std::path::PathBuf;

use super::build::{resolve, runnable};
use super::request::Named;
use super::{AxisRequest, Case, ClipChoice, Place, PlanError, axes, engine, grid, kernel};

/// What was asked of `verify`, as plain data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerifyRequest {
    /// A `.gltf` or `.glb` file; absent = the built-in character.
    pub model: Option<PathBuf>,
    /// The axes named, in the order of the arguments.
    pub axes: Vec<AxisRequest>,
    /// The clip; absent = the first.
    pub clip: Option<ClipChoice>,
    /// Time in the clip, seconds, finite and not negative.
    pub time_s: f64,
}

/// What `verify` is to check: validated, and independent of any device.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyPlan {
    /// One case a place: named axes at their value, the others at their default; no twin.
    pub cases: Vec<Case>,
    /// A `.gltf` or `.glb` file; `None` = the built-in character.
    pub model: Option<PathBuf>,
    /// The clip; `None` = the first.
    pub clip: Option<ClipChoice>,
    /// Time in the clip, seconds.
    pub time_s: f64,
}

impl VerifyPlan {
    /// The plan that `request` asks for.
    ///
    /// # Errors
    /// [`PlanError`] for the first axis that is wrong, or that has several values: what is dumped
    /// of one place would overwrite itself.
    pub fn build(request: VerifyRequest) -> Result<Self, PlanError> {
        let model = request.model.is_some();
        let explicit = resolve(&axes::ALL, &request.axes, model)?;
        one_value_each(&explicit)?;
        let grid = grid::base(&axes::ALL, &[(axes::STRATEGY, Place::NAMES)], &explicit)?;
        let grids = engine::spelled(vec![grid], &explicit, model)?;
        Ok(Self {
            cases: runnable(kernel::matched(grid::expand(&grids, model)?, None)?)?,
            model: request.model,
            clip: request.clip,
            time_s: request.time_s,
        })
    }
}

/// Refuses several values on any axis but that of places.
fn one_value_each(explicit: &[Named]) -> Result<(), PlanError> {
    let several = |named: &&Named| named.axis.name != axes::STRATEGY && named.values.len() > 1;
    match explicit.iter().find(several) {
        Some(named) => Err(PlanError::OneValue {
            origin: named.origin.clone(),
            axis: named.axis.name,
            allowed: named.axis.allowed,
        }),
        None => Ok(()),
    }
}
