//! `--kernel`: the user's own compute kernel of a plan.

use anyhow::Result;

use crate::plan::{Case, KernelChoice, Plan};
use crate::strategy::{Kernel, KernelError, read_kernel};

/// Reads the kernel of a plan, if it has one, and notes in the plan what was read.
pub(super) fn load(plan: &mut Plan) -> Result<Option<Kernel>> {
    let Some(file) = plan.kernel.as_mut() else {
        return Ok(None);
    };
    let (kernel, digest) = read_kernel(&file.path)?;
    file.sha256 = Some(digest);
    let mut own = plan.cases.iter().filter(|case| is_own(case));
    match kernel.fixed_workgroup {
        Some(have) if !own.any(|case| case.workgroup() == have) => Err(KernelError::Workgroup {
            path: kernel.name,
            have,
        }
        .into()),
        _ => Ok(Some(kernel)),
    }
}

fn is_own(case: &Case) -> bool {
    case.kernel() == KernelChoice::Own
}
