//! `skinbench run`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use super::progress::Bar;
use super::{complain, exit, kernel, open_device, open_instance, print, report_validation};
use crate::bench::{Lab, RunInput, dry_run, run};
use crate::cli::{Run, RunFormat};
use crate::gpu::DeviceOptions;
use crate::plan::{Place, Plan, Robust};
use crate::report::{self, Style};
use crate::result::{Reason, ResultFile, Status, StopReason, store};

pub(super) fn execute(request: Run, command: Vec<String>) -> Result<u8> {
    let mut plan = Plan::build(request.request, rand::random())?;
    let kernel = kernel::load(&mut plan)?;
    let instance = open_instance(request.validation)?;
    let options = DeviceOptions {
        robust_buffer_access: all_robust(&plan),
        ..DeviceOptions::default()
    };
    let device = open_device(&instance, request.device.as_deref(), options)?;
    let started = jiff::Timestamp::now();
    let out = request
        .out
        .unwrap_or_else(|| store::default_path(&device.summary().name, started));
    // A link stays a link: what it points to is replaced.
    let out = out.canonicalize().unwrap_or(out);
    let mut lab = Lab::new(device, (plan.resolution.width, plan.resolution.height))?;
    let interrupted = Arc::new(AtomicBool::new(false));
    let input = RunInput {
        plan: &plan,
        kernel: kernel.as_ref(),
        command,
        out: &out,
        started_utc: started.to_string(),
        interrupted: &interrupted,
    };
    if request.dry_run {
        return show_plan(&lab, &input);
    }
    require_writable(&out)?;
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    let mut bar = Bar::new();
    let measured = run(&mut lab, &input, &mut bar);
    bar.finish();
    let file = measured?;
    print(&report::format(format_name(request.format))?.render(&file, &Style::of_stdout())?)?;
    complain(&format!("result file: {}", out.display()));
    let spoken = report_validation(&lab.device);
    Ok(exit_code(
        &file,
        spoken,
        interrupted.load(Ordering::Relaxed),
    ))
}

/// Whether every case on the device asks for robust access: then the whole device is opened with it,
/// which every device can do. Beside other cases it must be had of single pipelines.
fn all_robust(plan: &Plan) -> bool {
    let mut on_device = plan.cases.iter().filter(|case| case.place() != Place::Cpu);
    on_device.clone().next().is_some() && on_device.all(|case| case.robust() == Robust::On)
}

/// A finding comes before an error: a wrong place is news, even if nothing else was measured.
fn exit_code(file: &ResultFile, validation_spoke: bool, interrupted: bool) -> u8 {
    let any = |status: Status| file.cases.iter().any(|case| case.status == status);
    if interrupted {
        return exit::INTERRUPTED;
    }
    if lost_device(file) {
        complain("the device was lost: the file holds what was measured before");
        return exit::ERROR;
    }
    if validation_spoke || any(Status::Invalid) || any(Status::Failed) {
        return exit::FINDING;
    }
    if any(Status::Measured) {
        return exit::FINE;
    }
    complain(&format!("nothing was measured: {}", why_nothing(file)));
    exit::ERROR
}

/// The reason that most cases share; of several the last, since time comes after all limits.
fn why_nothing(file: &ResultFile) -> String {
    let reasons = file.cases.iter().filter_map(|case| case.reason.as_ref());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in reasons.clone() {
        *counts.entry(reason.message.as_str()).or_default() += 1;
    }
    let count = |reason: &&Reason| counts.get(reason.message.as_str()).copied();
    match reasons.max_by_key(count) {
        Some(reason) if counts.len() > 1 => format!(
            "{} of {} cases: {}; the file has every reason",
            counts[reason.message.as_str()],
            file.cases.len(),
            reason.message
        ),
        Some(reason) => reason.message.clone(),
        None => "there are no cases".to_owned(),
    }
}

fn lost_device(file: &ResultFile) -> bool {
    file.cases
        .iter()
        .any(|case| case.stop_reason == Some(StopReason::FatalError))
}

fn format_name(format: RunFormat) -> &'static str {
    match format {
        RunFormat::Table => "table",
        RunFormat::Json => "json",
        RunFormat::Markdown => "markdown",
        RunFormat::Csv => "csv",
    }
}

/// Fails before anything is measured where the result could not be written afterwards, and makes
/// nothing yet: folders come with the file.
fn require_writable(out: &Path) -> Result<()> {
    if out.is_dir() {
        anyhow::bail!("--out {} is a folder: name a file", out.display());
    }
    if out.exists() && !out.is_file() {
        anyhow::bail!("--out {} is not a regular file: name one", out.display());
    }
    let here = Path::new(".");
    let named = |folder: &&Path| !folder.as_os_str().is_empty();
    let ancestors = out.ancestors().skip(1).filter(named);
    let folder = ancestors
        .into_iter()
        .find(|folder| folder.exists())
        .unwrap_or(here);
    let probe = tempfile::NamedTempFile::new_in(folder).map(drop);
    probe.with_context(|| format!("cannot write {}: choose another --out", out.display()))
}

fn show_plan(lab: &Lab, input: &RunInput<'_>) -> Result<u8> {
    let (file, bytes) = dry_run(lab, input)?;
    let mut text = format!("device: {}\n", file.environment.device.name);
    let mut skipped = 0;
    for case in &file.cases {
        match &case.reason {
            Some(reason) => {
                skipped += 1;
                text.push_str(&format!("skip  {}: {}\n", case.id, reason.message));
            }
            None => text.push_str(&format!("run   {}\n", case.id)),
        }
    }
    let limit = input.plan.time_limit.map_or_else(
        || "until the intervals are narrow enough (no time limit)".to_owned(),
        |limit| format!("at most {} s", limit.as_secs_f64()),
    );
    text.push_str(&format!(
        "{} cases, {skipped} skipped; {:.1} MB of memory; {limit}\n",
        file.cases.len(),
        bytes as f64 / 1e6
    ));
    print(&text)?;
    Ok(exit::FINE)
}
