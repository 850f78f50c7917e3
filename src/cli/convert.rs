//! From raw arguments to plain requests.

use super::args::{Args, RawCommand, RawRun, RawVerify};
use super::{CliError, Command, Devices, Run, Verify};
use crate::plan::{AxisRequest, PlanError, RunRequest, VerifyRequest};

/// The command that `raw` asks for.
pub(super) fn command(raw: Args) -> Result<Command, CliError> {
    let validation = raw.validation;
    Ok(match raw.command {
        RawCommand::Devices(raw) => Command::Devices(Devices {
            format: raw.format,
            validation,
        }),
        RawCommand::Run(raw) => Command::Run(run(raw, validation)?),
        RawCommand::Verify(raw) => Command::Verify(verify(raw, validation)),
    })
}

fn run(raw: RawRun, validation: bool) -> Result<Run, PlanError> {
    let axes = run_axes(&raw)?;
    Ok(Run {
        request: RunRequest {
            model: raw.model,
            preset: raw.preset,
            axes,
            resolution: raw.resolution,
            clip: raw.clip,
            time_limit: raw.time_limit,
            seed: raw.seed,
            kernel: raw.kernel,
        },
        device: raw.device,
        dry_run: raw.dry_run,
        out: raw.out,
        format: raw.format,
        validation,
    })
}

/// The flags that name an axis first, then `--axis` in the order given.
fn run_axes(raw: &RawRun) -> Result<Vec<AxisRequest>, PlanError> {
    let flags = [
        raw.strategies.as_deref().map(AxisRequest::strategies),
        raw.passes.as_deref().map(AxisRequest::passes),
        raw.instances.as_deref().map(AxisRequest::instances),
    ];
    let flags = flags.into_iter().flatten().map(Ok);
    let named = raw.axis.iter().map(|text| AxisRequest::axis(text));
    flags.chain(named).collect()
}

fn verify(raw: RawVerify, validation: bool) -> Verify {
    let strategies = raw.strategies.as_deref().map(AxisRequest::strategies);
    let instances = raw.instances.as_deref().map(AxisRequest::instances);
    Verify {
        request: VerifyRequest {
            model: raw.model,
            axes: strategies.into_iter().chain(instances).collect(),
            clip: raw.clip,
            time_s: raw.time,
        },
        device: raw.device,
        dump: raw.dump,
        format: raw.format,
        validation,
    }
}
