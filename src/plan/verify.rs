//! What `verify` is to check: every place at its defaults.

use std::path::PathBuf;

use super::build::{resolve, runnable};
use super::{AxisRequest, Case, ClipChoice, Place, PlanError, axes, grid};

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
    /// One case a place and a value of each named axis, everything else at its default; no twin.
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
    /// [`PlanError`] for the first axis that is wrong.
    pub fn build(request: VerifyRequest) -> Result<Self, PlanError> {
        let model = request.model.is_some();
        let explicit = resolve(&axes::ALL, &request.axes, model)?;
        let grid = grid::base(&axes::ALL, &[(axes::STRATEGY, Place::NAMES)], &explicit)?;
        Ok(Self {
            cases: runnable(grid::expand(&[grid], model)?)?,
            model: request.model,
            clip: request.clip,
            time_s: request.time_s,
        })
    }
}
