//! The user's own compute kernel in a plan.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::axes::{self, KernelChoice};
use super::grid::Grid;
use super::request::Named;
use super::{Case, PlanError, Value};

/// The file of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelFile {
    /// As it was named.
    pub path: PathBuf,
    /// Of its bytes, in hexadecimal; `None` until somebody read them.
    pub sha256: Option<String>,
}

impl KernelFile {
    /// A file that nobody read yet.
    pub fn named(path: PathBuf) -> Self {
        Self { path, sha256: None }
    }
}

/// Enters every case of `compute` once more with the user's kernel, unless arguments say which.
pub(super) fn doubled(grids: Vec<Grid>, explicit: &[Named]) -> Vec<Grid> {
    if explicit.iter().any(|named| named.axis.name == axes::KERNEL) {
        return grids;
    }
    let both = || KernelChoice::NAMES.iter().map(|name| Value::word(name));
    let with_both = |grid: Grid| grid.with(axes::KERNEL, both().collect());
    grids.into_iter().map(with_both).collect()
}

/// The cases, where those that ask for a kernel have one, and a kernel has a case.
pub(super) fn matched(
    cases: Vec<Case>,
    kernel: Option<&KernelFile>,
) -> Result<Vec<Case>, PlanError> {
    let asked = cases.iter().any(|case| case.kernel() == KernelChoice::Own);
    match (asked, kernel) {
        (true, None) => Err(PlanError::NoKernel),
        (false, Some(kernel)) => Err(PlanError::IdleKernel {
            path: super::shown(&kernel.path.to_string_lossy()),
        }),
        _ => Ok(cases),
    }
}
