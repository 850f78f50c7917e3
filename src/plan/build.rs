//! From a request to a validated plan.

use std::path::PathBuf;
use std::time::Duration;

use super::grid::{self, Grid};
use super::kernel::{self, KernelFile};
use super::request::Named;
use super::{
    Axis, AxisRequest, Case, ClipChoice, KernelChoice, Place, PlanError, Preset, Resolution,
    RunRequest, axes, engine,
};

/// What `run` is to measure: validated, and independent of any device.
///
/// Serialised, it is the result's `plan`, from which it can be built again.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// All cases in a fixed order, with one A/A twin directly behind its original.
    pub cases: Vec<Case>,
    /// The preset that the values come from where nothing was said.
    pub preset: Preset,
    /// A `.gltf` or `.glb` file; `None` = the built-in character.
    pub model: Option<PathBuf>,
    /// The clip to play; `None` = the first.
    pub clip: Option<ClipChoice>,
    /// Size of the render targets.
    pub resolution: Resolution,
    /// Bound of the whole run, gate included; `None` for no bound.
    pub time_limit: Option<Duration>,
    /// How narrow the interval of every ratio is to become: its width as a fraction.
    pub ratio_target: f64,
    /// Seed of every random choice.
    pub seed: u64,
    /// The user's own kernel, where a case runs it.
    pub kernel: Option<KernelFile>,
    /// What the cases were made of.
    pub(super) grids: Vec<Grid>,
}

impl Plan {
    /// The plan that `request` asks for. `fresh_seed` serves where the request names no seed.
    ///
    /// # Errors
    /// [`PlanError`] for the first thing that is wrong; explicit axes are checked in order.
    pub fn build(request: RunRequest, fresh_seed: u64) -> Result<Self, PlanError> {
        Self::build_among(&axes::ALL, request, fresh_seed)
    }

    /// [`Self::build`] with another registry, so that tests can add axes.
    pub(super) fn build_among(
        known: &[&'static Axis],
        request: RunRequest,
        fresh_seed: u64,
    ) -> Result<Self, PlanError> {
        let model = request.model.is_some();
        let explicit = resolve(known, &request.axes, model)?;
        let own = request.kernel.map(KernelFile::named);
        let mut grids = grid::grids(known, request.preset, &explicit, model)?;
        if own.is_some() {
            grids = kernel::doubled(grids, &explicit);
        }
        let cases = kernel::matched(grid::expand(&grids, model)?, own.as_ref())?;
        Ok(Self {
            cases: with_twin(runnable(cases)?),
            grids,
            kernel: own,
            preset: request.preset,
            model: request.model,
            clip: request.clip,
            resolution: request.resolution,
            time_limit: request.time_limit.or(request.preset.time_limit()),
            ratio_target: request.preset.ratio_target(),
            seed: request.seed.unwrap_or(fresh_seed),
        })
    }

    /// The cases of engine `default` that an engine's `case` is to be held against, at most one a
    /// place; none for a case of `default` and for the A/A twin.
    pub fn partners(&self, case: &Case) -> Vec<&Case> {
        engine::partners(&self.cases, case)
    }
}

/// The explicit axes with their values: each known, allowed, named once, and fit for the character.
pub(super) fn resolve(
    known: &[&'static Axis],
    requests: &[AxisRequest],
    model: bool,
) -> Result<Vec<Named>, PlanError> {
    let mut resolved: Vec<Named> = Vec::new();
    for request in requests {
        let named = request.resolve(known)?;
        if model && named.axis.built_in_only {
            return Err(PlanError::BuiltInOnly {
                origin: named.origin,
                axis: named.axis.name,
            });
        }
        if let Some(first) = resolved.iter().find(|first| first.axis == named.axis) {
            return Err(PlanError::SetTwice {
                axis: named.axis.name,
                first: first.origin.clone(),
                second: named.origin,
            });
        }
        resolved.push(named);
    }
    Ok(resolved)
}

/// The cases, unless no device could run any of them.
pub(super) fn runnable(cases: Vec<Case>) -> Result<Vec<Case>, PlanError> {
    match cases.first().and_then(Case::impossible) {
        Some(why) if cases.iter().all(|case| case.impossible().is_some()) => {
            Err(PlanError::NothingRuns {
                why: why.to_string(),
            })
        }
        _ => Ok(cases),
    }
}

/// Enters one case a second time, directly behind itself.
///
/// The twin shows how far apart two measurements of one thing lie. Relative noise is largest where
/// there is little to measure, and the costliest case eats the time limit, so the twin repeats the
/// middle one by cost among the cases of `compute`, against which all ratios are formed (of the
/// first case's place where the plan has no `compute`), of those with a kernel of ours if there are any.
pub(super) fn with_twin(mut cases: Vec<Case>) -> Vec<Case> {
    if let Some(at) = middle(&cases) {
        let twin = cases[at].twin();
        cases.insert(at + 1, twin);
    }
    cases
}

/// Index of the case that the A/A twin repeats; `None` where nothing can run.
fn middle(cases: &[Case]) -> Option<usize> {
    let live = |at: &usize| cases[*at].impossible().is_none();
    let has_compute = |at: usize| cases[at].place() == Place::Compute;
    let first = (0..cases.len()).find(live)?;
    let is_ours = |at: usize| cases[at].kernel() == KernelChoice::Ours;
    let compute = (0..cases.len()).filter(live).any(has_compute);
    let place = if compute {
        Place::Compute
    } else {
        cases[first].place()
    };
    let mut candidates: Vec<_> = (0..cases.len())
        .filter(live)
        .filter(|at| cases[*at].place() == place)
        .collect();
    if candidates.iter().any(|at| is_ours(*at)) {
        candidates.retain(|at| is_ours(*at));
    }
    candidates.sort_by_key(|at| cost(&cases[*at]));
    candidates.get(candidates.len() / 2).copied()
}

/// A rough cost for putting cases in order: vertices handled in a frame, by the deformation and
/// by every pass. With a MODEL its vertices are the same in every case and count as one.
fn cost(case: &Case) -> u64 {
    let vertices = u64::from(case.vertices().unwrap_or(1));
    vertices * u64::from(case.instances()) * (1 + u64::from(case.passes()))
}
