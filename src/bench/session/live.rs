//! Which cases live: skipped with a reason, or made ready and put through the gate.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::admission::{Budget, kinds_by_station, refuse, skip, survey};
use super::scenes::{Character, Scenes};
use super::{Clock, Progress, RunInput};
use crate::bench::compare_pictures::{PictureVerdict, compare};
use crate::bench::describe;
use crate::bench::error::BenchError;
use crate::bench::executor::LiveCase;
use crate::bench::gate::{GateOutcome, gate};
use crate::bench::lab::Lab;
use crate::bench::posing::Playback;
use crate::bench::station::{Drawing, Station, StationKey};
use crate::deform::reference::method::method_normal_error;
use crate::deform::reference::verify::Verification;
use crate::deform::skin::Source;
use crate::plan::{AxesKey, Case, Previous};
use crate::render::passes_of;
use crate::result::{self, MethodError, Reason, ReasonKind, ResultFile, Status};
use crate::shader_types::PassKind;
use crate::strategy::Kernel;

/// The cases that passed the gate.
pub(super) struct Live {
    pub stations: Vec<Station>,
    /// Parallel to `cases`.
    pub live: Vec<LiveCase>,
    /// Index of each live case in the plan.
    pub cases: Vec<usize>,
    /// Pixels that the first verified case covers.
    pub covered_pixels: Option<u64>,
    /// What all live cases took at the gate, stations not counted.
    pub gate_time: Duration,
}

/// What a case draws.
pub fn drawing_of(case: &Case) -> Drawing {
    let mut passes = passes_of(case.pass_mix(), case.passes());
    if case.previous() == Previous::None {
        passes.retain(|pass| pass.kind != PassKind::Velocity);
    }
    Drawing {
        passes,
        draws: case.draws(),
        visible: case.visible(),
    }
}

/// Makes stations, puts every case through the gate, and keeps those that passed.
pub(super) fn prepare(
    lab: &mut Lab,
    input: &RunInput<'_>,
    scenes: &mut Scenes<'_>,
    file: &mut ResultFile,
    clock: Clock,
    progress: &mut dyn Progress,
) -> Result<Live, BenchError> {
    let plan = input.plan;
    let mut gatekeeper = Gatekeeper {
        kernel: input.kernel,
        kinds: kinds_by_station(plan),
        budget: Budget::new(lab),
        by_key: BTreeMap::new(),
        firsts: BTreeMap::new(),
        live: Live {
            stations: Vec::new(),
            live: Vec::new(),
            cases: Vec::new(),
            covered_pixels: None,
            gate_time: Duration::ZERO,
        },
    };
    // What cannot run here needs no time to be known.
    survey(lab, input, scenes, file)?;
    for (index, case) in plan.cases.iter().enumerate() {
        progress.step("verifying", index, plan.cases.len());
        if file.cases[index].reason.is_some() {
            continue;
        }
        if input.interrupted.load(Ordering::Relaxed) {
            let message = "interrupted before this case was verified";
            skip(
                file,
                index,
                Reason::new(ReasonKind::Time, "interrupted", message)
                    .with("time to verify it", "interrupted"),
            );
            continue;
        }
        if clock.is_over() {
            let message = "the time limit came before this case was verified: raise --time-limit";
            skip(
                file,
                index,
                Reason::new(ReasonKind::Time, "time-limit", message)
                    .with("time to verify it", "0 s left"),
            );
            continue;
        }
        let character = scenes.of(case)?;
        require_surface(&character)?;
        gatekeeper.admit(lab, index, case, &character, file)?;
    }
    progress.step("verifying", plan.cases.len(), plan.cases.len());
    Ok(gatekeeper.live)
}

fn require_surface(character: &Character) -> Result<(), BenchError> {
    if character.timed.items.is_empty() {
        return Err(BenchError::Nothing(format!(
            "{}: only points and lines, which are not timed; `skinbench verify` checks them",
            character.whole.source
        )));
    }
    Ok(())
}

/// The state of the gate over the cases of a plan.
struct Gatekeeper<'a> {
    kernel: Option<&'a Kernel>,
    kinds: BTreeMap<StationKey, Vec<PassKind>>,
    budget: Budget,
    /// Index of each station that was made.
    by_key: BTreeMap<StationKey, usize>,
    /// What the first place drew, by the axes without the place.
    firsts: BTreeMap<AxesKey, GateOutcome>,
    live: Live,
}

impl Gatekeeper<'_> {
    /// One case: skipped, failed, invalid, or live.
    fn admit(
        &mut self,
        lab: &mut Lab,
        index: usize,
        case: &Case,
        character: &Character,
        file: &mut ResultFile,
    ) -> Result<(), BenchError> {
        let key = Station::key(case);
        let kinds = self.kinds.get(&key).cloned().unwrap_or_default();
        let known = self.by_key.contains_key(&key);
        if let Some(reason) = refuse(
            lab,
            case,
            (&character.timed, character.clip),
            &kinds,
            &mut self.budget,
            known,
            self.kernel,
        ) {
            skip(file, index, reason);
            return Ok(());
        }
        match self.try_case(lab, case, character, &kinds, key, &mut file.cases[index]) {
            Ok(Some(station)) => {
                self.live.live.push(LiveCase {
                    station,
                    drawing: drawing_of(case),
                });
                self.live.cases.push(index);
            }
            Ok(None) => {}
            Err(error) if error.is_fatal() => return Err(error),
            Err(error) => fail(&mut file.cases[index], &error),
        }
        Ok(())
    }

    /// The station of a case that passed the gate. Points and lines, which are not timed, are verified
    /// before the first case of their station.
    fn try_case(
        &mut self,
        lab: &mut Lab,
        case: &Case,
        character: &Character,
        kinds: &[PassKind],
        key: StationKey,
        out: &mut result::Case,
    ) -> Result<Option<usize>, BenchError> {
        let untimed = !Arc::ptr_eq(&character.whole, &character.timed);
        if untimed
            && !self.by_key.contains_key(&key)
            && let Some(message) = verify_whole(lab, case, character, kinds, self.kernel)?
        {
            invalidate(out, &format!("with points and lines, {message}"));
            return Ok(None);
        }
        let station = self.station(lab, case, character, kinds, key)?;
        self.judge(lab, station, case, out)
    }

    /// The station of a case, made if it is the first of its kind.
    fn station(
        &mut self,
        lab: &mut Lab,
        case: &Case,
        character: &Character,
        kinds: &[PassKind],
        key: StationKey,
    ) -> Result<usize, BenchError> {
        if let Some(station) = self.by_key.get(&key) {
            return Ok(*station);
        }
        let station = Station::with_kernel(
            lab,
            &character.timed,
            character.clip,
            case,
            kinds,
            Playback::Running,
            self.kernel,
        )?;
        self.live.stations.push(station);
        self.by_key.insert(key, self.live.stations.len() - 1);
        Ok(self.live.stations.len() - 1)
    }

    /// Verifies a case; gives its station back if it passed.
    fn judge(
        &mut self,
        lab: &mut Lab,
        index: usize,
        case: &Case,
        out: &mut result::Case,
    ) -> Result<Option<usize>, BenchError> {
        let station = &mut self.live.stations[index];
        let drawing = drawing_of(case);
        let start = Instant::now();
        let outcome = gate(lab, station, &drawing)?;
        self.live.gate_time += start.elapsed();
        describe::fill_case(out, station, &drawing);
        let mut verification = verification_of(&outcome.verification);
        verification.method_normal_error_deg = method_error(lab, station)?;
        describe::fill_counters(out, outcome.counted);
        let mut failure = outcome.failure(station);
        let group = case.comparison_key();
        if failure.is_none() {
            match self.firsts.get(&group) {
                None => {
                    self.live.covered_pixels = self
                        .live
                        .covered_pixels
                        .or_else(|| outcome.pictures.first().map(|p| p.2.covered_pixels()));
                    let why = "the first place at these axes: the others are compared with it";
                    let path = "verification.image_identical";
                    describe::absent(out, path, ReasonKind::NotApplicable, why);
                    self.firsts.insert(group, outcome);
                }
                Some(first) => match compare(station, &outcome, first) {
                    PictureVerdict::Identical => verification.image_identical = Some(true),
                    PictureVerdict::Explained => verification.image_identical = Some(false),
                    PictureVerdict::Unexplained(message) => {
                        verification.image_identical = Some(false);
                        failure = Some(message);
                    }
                },
            }
        }
        out.verification = Some(verification);
        if let Some(message) = failure {
            invalidate(out, &message);
            return Ok(None);
        }
        Ok(Some(index))
    }
}

/// Puts all items through the gate, those too that are not timed; what is wrong, or nothing.
fn verify_whole(
    lab: &mut Lab,
    case: &Case,
    character: &Character,
    kinds: &[PassKind],
    kernel: Option<&Kernel>,
) -> Result<Option<String>, BenchError> {
    let (whole, clip) = (&character.whole, character.clip);
    let playback = Playback::Running;
    let mut station = Station::with_kernel(lab, whole, clip, case, kinds, playback, kernel)?;
    let outcome = gate(lab, &mut station, &drawing_of(case))?;
    Ok(outcome.failure(&station))
}

/// How far the normal mode is from exact normals, over the first character.
fn method_error(lab: &Lab, station: &mut Station) -> Result<Option<MethodError>, BenchError> {
    let (_, frame) = station.last_frame();
    let blocks = crate::strategy::read_pose(&lab.device, station.prepared.as_mut(), &frame)?;
    let layout = station.prepared.pose().layout();
    let (mut vertices, mut sum, mut max) = (0, 0.0, 0f64);
    for item in 0..station.scene.items.len() {
        let source = Source::of(&station.scene, station.variant, layout, &blocks, 0, item);
        let error = method_normal_error(&source);
        vertices += error.vertices;
        sum += error.mean * error.vertices as f64;
        max = max.max(error.max);
    }
    Ok((vertices > 0).then(|| MethodError {
        mean: sum / vertices as f64,
        max,
    }))
}

/// What the gate saw, as the file holds it.
pub(super) fn verification_of(seen: &Verification) -> result::Verification {
    result::Verification {
        vertices: seen.vertices,
        ambiguous: seen.ambiguous,
        undetermined: seen.undetermined,
        max_position_error: seen
            .max_position_error
            .is_finite()
            .then_some(seen.max_position_error),
        max_normal_error_deg: seen.max_normal_error_deg,
        max_tangent_error_deg: seen.max_tangent_error_deg,
        ..result::Verification::default()
    }
}

/// The case is wrong: its times are withheld.
pub(super) fn invalidate(out: &mut result::Case, message: &str) {
    out.status = Status::Invalid;
    out.reason = Some(Reason::new(ReasonKind::Error, "verification", message));
    out.stages = result::Stages::default();
    out.rounds = Vec::new();
    out.vertices_per_s = None;
    out.stop_reason = None;
}

fn fail(out: &mut result::Case, error: &BenchError) {
    if error.is_out_of_memory() {
        out.status = Status::Skipped;
        out.reason = Some(Reason::new(
            ReasonKind::Memory,
            "device memory",
            error.to_string(),
        ));
    } else {
        out.status = Status::Failed;
        out.reason = Some(Reason::new(ReasonKind::Error, "prepare", error.to_string()));
    }
}
