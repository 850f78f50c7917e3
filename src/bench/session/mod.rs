//! A whole run: scenes, stations, gate, rounds, gate again, statements, file.

mod admission;
mod live;
mod rounds;
pub(in crate::bench) mod scenes;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::error::BenchError;
use super::lab::Lab;
use super::self_test::{SelfTest, self_test};
use super::{describe, environment};
use crate::deform::cpu_place::is_wide;
use crate::deform::variant::Variant;
use crate::gpu::DeviceKind;
use crate::plan::{Place, Plan};
use crate::result::{Reason, ReasonKind, ResultFile, Status, TimeSource, store};
use crate::strategy::Kernel;

use live::Live;
pub use live::drawing_of;
use scenes::Scenes;

/// What a run is given.
pub struct RunInput<'a> {
    /// What to measure.
    pub plan: &'a Plan,
    /// The user's own kernel, if the plan has one.
    pub kernel: Option<&'a Kernel>,
    /// The command line, program first.
    pub command: Vec<String>,
    /// The result file.
    pub out: &'a Path,
    /// When the run began, RFC 3339 in UTC.
    pub started_utc: String,
    /// Set by the signal handler: the run ends with what it has.
    pub interrupted: &'a AtomicBool,
}

/// Hears how a run goes on. For people; nothing depends on it.
pub trait Progress {
    /// A line of news.
    fn say(&mut self, text: &str);
    /// How far the current step is.
    fn step(&mut self, what: &str, done: usize, of: usize);
}

/// The time that is left to a run.
#[derive(Clone, Copy)]
struct Clock {
    start: Instant,
    limit: Option<Duration>,
}

impl Clock {
    fn left(&self) -> Option<Duration> {
        self.limit
            .map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}

/// Measures a plan and writes the result file after each look of the stopping rule.
///
/// # Errors
/// A scene that cannot be read, a file that cannot be written, a device that is lost before
/// anything was measured. Afterwards a lost device ends the run with what there is.
pub fn run(
    lab: &mut Lab,
    input: &RunInput<'_>,
    progress: &mut dyn Progress,
) -> Result<ResultFile, BenchError> {
    let clock = Clock {
        start: Instant::now(),
        limit: input.plan.time_limit,
    };
    let test = self_test(&lab.device)?;
    let mut file = blank(lab, input, &test);
    let mut scenes = Scenes::new(input.plan.model.as_deref(), input.plan.clip.as_ref());
    let live = live::prepare(lab, input, &mut scenes, &mut file, clock, progress)?;
    describe_scene(lab, input, &mut scenes, &live, &mut file)?;
    warn_of_scalar_cases(input, &live, &mut file);
    store::write_atomic(input.out, &file)?;
    rounds::measure_live(lab, input, live, &test, &mut file, clock, progress)?;
    closing_warnings(&mut file);
    store::write_atomic(input.out, &file)?;
    Ok(file)
}

/// Every case of the plan, with the ids of what it is held against.
fn cases(plan: &Plan) -> Vec<crate::result::Case> {
    let ids = |case| plan.partners(case).iter().map(|other| other.id()).collect();
    let blank = |case| crate::result::Case {
        partners: ids(case),
        ..describe::case(case)
    };
    plan.cases.iter().map(blank).collect()
}

/// The file before anything ran: every case skipped for want of time.
fn blank(lab: &Lab, input: &RunInput<'_>, test: &SelfTest) -> ResultFile {
    let mut file = ResultFile {
        tool: describe::tool(),
        command: input.command.clone(),
        plan: serde_json::to_value(input.plan).unwrap_or_default(),
        started_utc: input.started_utc.clone(),
        seed: input.plan.seed,
        environment: environment::environment(&lab.device),
        cases: cases(input.plan),
        ..ResultFile::default()
    };
    let why = "this version measures no copy bandwidth";
    for part in ["kernel", "command"] {
        let path = format!("copy_bandwidth_bytes_per_s.{part}");
        let reason = Reason::new(ReasonKind::Feature, &path, why);
        file.timing.null_reasons.insert(path, reason);
    }
    file.timing.self_test = test.to_json();
    file.timing.source = if test.usable {
        TimeSource::GpuTimestamps
    } else {
        TimeSource::Fence
    };
    if let Some(failure) = &test.failure {
        file.warnings.push(format!(
            "timestamps are not used: {failure}; times of the device are those of the fence"
        ));
    }
    if lab.device.summary().kind == DeviceKind::Cpu {
        file.warnings.push(format!(
            "{} is a software Vulkan driver: its times say nothing about any GPU",
            lab.device.summary().name
        ));
    }
    if input
        .plan
        .resolution
        .width
        .max(input.plan.resolution.height)
        > 4096
    {
        file.warnings
            .push("targets beyond 4096 pixels are not promised by Vulkan".into());
    }
    file
}

fn describe_scene(
    lab: &Lab,
    input: &RunInput<'_>,
    scenes: &mut Scenes<'_>,
    live: &Live,
    file: &mut ResultFile,
) -> Result<(), BenchError> {
    let Some(first) = input.plan.cases.first() else {
        return Err(BenchError::Nothing("the plan has no cases".into()));
    };
    let character = scenes.of(first)?;
    file.scene = describe::scene(&character.whole, character.clip, lab, live.covered_pixels);
    for warning in &character.whole.warnings {
        file.warnings.push(format!("import: {warning}"));
    }
    Ok(())
}

/// A reader who compares variants in `cpu` must know that only one of them is written to be fast.
fn warn_of_scalar_cases(input: &RunInput<'_>, live: &Live, file: &mut ResultFile) {
    let is_scalar = |index: &&usize| {
        let case = &input.plan.cases[**index];
        case.place() == Place::Cpu && !is_wide(&Variant::of(case))
    };
    let count = live.cases.iter().filter(is_scalar).count();
    if count > 0 {
        file.warnings.push(format!(
            "{count} cases in cpu run scalar code: only the default palette, normals, morph order, output and loop run four lanes wide there"
        ));
    }
}

/// Where the A/A interval reaches further, a warning says so: a place that costs a quarter more is a
/// finding that people look for.
const NOISY: f64 = 0.25;

/// Share of a case's vertices that may be only asked to be finite without a word.
const FEW: f64 = 0.01;

/// Where the gate could not hold many vertices against anything, a reader must know.
fn warn_of_unjudged_vertices(file: &mut ResultFile) {
    let many = |case: &&crate::result::Case| {
        let seen = case.verification.as_ref();
        seen.is_some_and(|seen| {
            let unjudged = seen.ambiguous + seen.undetermined;
            unjudged as f64 > FEW * seen.vertices as f64
        })
    };
    let ids: Vec<&str> = file
        .cases
        .iter()
        .filter(many)
        .map(|case| case.id.as_str())
        .collect();
    if let [first, ..] = ids[..] {
        let count = ids.len();
        file.warnings.push(format!(
            "in {count} cases more than one vertex in a hundred lies where f32 decides nothing and was only asked to be finite, first {first}"
        ));
    }
}

/// Error as a fraction of the box beyond which a picture shows it.
const VISIBLE: f64 = 1e-3;

/// A character far from the origin, or pulled apart by numbers that cancel, passes the gate within what f32
/// can do, which may be little.
fn warn_of_coarse_positions(file: &mut ResultFile) {
    let errors = file.cases.iter().filter_map(|case| {
        let error = case.verification.as_ref()?.max_position_error?;
        (error > VISIBLE).then_some(error)
    });
    if let Some(largest) = errors.reduce(f64::max) {
        file.warnings.push(format!(
            "positions are off by up to {largest:.2} of the item's size, which is what f32 can do so far from the origin: move or scale the model"
        ));
    }
}

/// What a reader must know of the finished run.
fn closing_warnings(file: &mut ResultFile) {
    warn_of_coarse_positions(file);
    warn_of_unjudged_vertices(file);
    if let Some(effect) = file
        .timing
        .minimum_detectable_effect
        .filter(|effect| *effect > NOISY)
    {
        file.warnings.push(format!(
            "too noisy to tell places apart: the interval of a case against itself reaches {:.0} %, so `same` means no more than not told apart; close other programs or measure longer (--time-limit)",
            100.0 * effect
        ));
    }
    let floor = file
        .timing
        .self_test
        .get("floor_ns")
        .and_then(serde_json::Value::as_f64)
        .unwrap_or(0.0);
    let short = |case: &&crate::result::Case| {
        let stages = [
            &case.stages.upload,
            &case.stages.deform,
            &case.stages.passes,
        ];
        stages
            .into_iter()
            .flatten()
            .any(|stage| stage.clock == crate::result::Clock::Gpu && stage.median_ns < 20.0 * floor)
    };
    let count = file
        .cases
        .iter()
        .filter(|case| case.status == Status::Measured)
        .filter(short)
        .count();
    if count > 0 {
        file.warnings.push(format!(
            "in {count} cases a stage is shorter than twenty times the stamp floor of {floor:.0} ns: the stamps' own cost is part of it"
        ));
    }
}

/// What a run would do, without timing anything: the file with its cases and skips, and the bytes
/// of memory that the live cases would take together.
///
/// # Errors
/// A scene that cannot be read or made.
pub fn dry_run(lab: &Lab, input: &RunInput<'_>) -> Result<(ResultFile, u64), BenchError> {
    let test = self_test(&lab.device)?;
    let mut file = blank(lab, input, &test);
    let mut scenes = Scenes::new(input.plan.model.as_deref(), input.plan.clip.as_ref());
    let bytes = admission::survey(lab, input, &mut scenes, &mut file)?;
    Ok((file, bytes))
}
