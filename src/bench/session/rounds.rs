//! The rounds over live cases, and the gate after them.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::live::{Live, invalidate};
use super::{Clock, Progress, RunInput};
use crate::bench::describe;
use crate::bench::error::BenchError;
use crate::bench::executor::FrameExecutor;
use crate::bench::gate::gate_back_to_back;
use crate::bench::lab::Lab;
use crate::bench::measure::{
    CaseInfo, Measurement, Observer, Options, comparisons, measure, summarise,
};
use crate::bench::self_test::SelfTest;
use crate::plan::Case;
use crate::result::{Reason, ReasonKind, ResultFile, Status, StopReason, conclude, store};

/// Measures, checks once more, and writes everything into `file`.
pub(super) fn measure_live(
    lab: &mut Lab,
    input: &RunInput<'_>,
    mut live: Live,
    test: &SelfTest,
    file: &mut ResultFile,
    clock: Clock,
    progress: &mut dyn Progress,
) -> Result<(), BenchError> {
    let infos = infos(input, &live);
    if infos.is_empty() {
        conclude(file);
        return Ok(());
    }
    let options = options(input, &live, &infos, clock);
    let mut observer = FileObserver {
        file,
        infos: &infos,
        input,
        progress,
        error: None,
    };
    let mut executor = FrameExecutor {
        lab,
        stations: &mut live.stations,
        live: &live.live,
        start: Instant::now(),
        stamps_usable: test.usable,
    };
    let measurement = measure(&mut executor, &infos, &options, &mut observer);
    if let Some(error) = observer.error {
        return Err(error);
    }
    summarise(&measurement, &infos, file);
    // Whatever the check after timing meets, the samples are safe.
    store::write_atomic(input.out, file)?;
    unsettled_warning(&measurement, file);
    check_again(lab, &mut live, file);
    conclude(file);
    Ok(())
}

fn unsettled_warning(measurement: &Measurement, file: &mut ResultFile) {
    let unsettled = measurement.cases.iter().filter(|case| !case.stable).count();
    if unsettled > 0 {
        file.warnings.push(format!(
            "{unsettled} cases had not settled when their rounds began"
        ));
    }
}

fn infos(input: &RunInput<'_>, live: &Live) -> Vec<CaseInfo> {
    let cases = &input.plan.cases;
    let original = |index: &usize| {
        let case = &cases[*index];
        if !case.is_aa() {
            return None;
        }
        let original = case.original();
        live.cases
            .iter()
            .position(|other| cases[*other] == original)
    };
    let partners = |index: &usize| {
        let partners = input.plan.partners(&cases[*index]);
        let at = |partner: &Case| {
            live.cases
                .iter()
                .position(|other| cases[*other] == *partner)
        };
        partners.into_iter().filter_map(at).collect()
    };
    let info = |index: &usize| CaseInfo {
        partners: partners(index),
        ..describe::case_info(&cases[*index], original(index))
    };
    live.cases.iter().map(info).collect()
}

/// Most of the time left that may be kept back for the check after timing.
const MOST_KEPT_BACK: f64 = 0.4;

/// The check after timing takes no longer than the gate before it; that much time is kept back.
fn options(input: &RunInput<'_>, live: &Live, infos: &[CaseInfo], clock: Clock) -> Options {
    let for_rounds =
        |left: Duration| left.saturating_sub(live.gate_time.min(left.mul_f64(MOST_KEPT_BACK)));
    Options {
        seed: input.plan.seed,
        time_limit: clock.left().map(for_rounds),
        target_width: input.plan.ratio_target,
        comparisons: comparisons(infos),
        ..Options::default()
    }
}

/// Rewrites the file at each look, and shows how far the rounds are.
struct FileObserver<'a, 'b> {
    file: &'a mut ResultFile,
    infos: &'a [CaseInfo],
    input: &'a RunInput<'b>,
    progress: &'a mut dyn Progress,
    error: Option<BenchError>,
}

impl Observer for FileObserver<'_, '_> {
    fn warm_up_round_done(&mut self, _round: u32, unstable: usize) {
        self.progress
            .step("warming up", self.infos.len() - unstable, self.infos.len());
    }

    fn round_done(&mut self, so_far: &Measurement) {
        let next_look = so_far.looks.last().map_or(10, |look| 2 * look);
        self.progress.step(
            "rounds to the next look",
            so_far.orders.len(),
            next_look as usize,
        );
    }

    fn look_done(&mut self, so_far: &Measurement) {
        summarise(so_far, self.infos, self.file);
        if let Err(error) = store::write_atomic(self.input.out, self.file) {
            self.error = Some(error.into());
        }
    }

    fn case_failed(&mut self, case: usize, message: &str) {
        self.progress
            .say(&format!("{} failed: {message}", self.infos[case].id));
    }

    fn should_stop(&mut self) -> bool {
        self.error.is_some() || self.input.interrupted.load(Ordering::Relaxed)
    }
}

/// Two frames back to back for every measured case; a wrong one loses its times, and so does one
/// that cannot be checked. A device lost here leaves the rest unchecked, which the file says.
fn check_again(lab: &mut Lab, live: &mut Live, file: &mut ResultFile) {
    let mut lost = None;
    for (case, index) in live.live.iter().zip(&live.cases) {
        let out = &mut file.cases[*index];
        if out.status != Status::Measured {
            continue;
        }
        if let Some(message) = &lost {
            out.stop_reason = Some(StopReason::FatalError);
            let reason = Reason::new(ReasonKind::Error, "verification", message);
            out.null_reasons
                .insert("verification.after_timing".to_owned(), reason);
            continue;
        }
        let station = &mut live.stations[case.station];
        match gate_back_to_back(lab, station, &case.drawing) {
            Ok(outcome) => {
                if let Some(message) = outcome.failure(station) {
                    invalidate(out, &format!("after timing, {message}"));
                }
            }
            Err(error) if error.is_fatal() => {
                lost = Some(format!(
                    "the device was lost before vertices were checked again: {error}"
                ));
                out.stop_reason = Some(StopReason::FatalError);
            }
            Err(error) => {
                invalidate(out, &format!("could not be checked after timing: {error}"));
                out.status = Status::Failed;
            }
        }
    }
    file.warnings.extend(lost);
}
