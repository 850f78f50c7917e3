//! The rounds over live cases, and the gate after them.

use std::sync::atomic::Ordering;
use std::time::Instant;

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
use crate::result::{ResultFile, Status, conclude, store};

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
    check_again(lab, &mut live, file)?;
    conclude(file);
    Ok(())
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
    live.cases
        .iter()
        .map(|index| describe::case_info(&cases[*index], original(index)))
        .collect()
}

/// The check after timing takes about as long a case as the gate before it; that time is kept back.
fn options(input: &RunInput<'_>, live: &Live, infos: &[CaseInfo], clock: Clock) -> Options {
    let kept_back = live.longest_gate * live.live.len() as u32 / 2;
    Options {
        seed: input.plan.seed,
        time_limit: clock.left().map(|left| left.saturating_sub(kept_back)),
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

/// Two frames back to back for every measured case; a wrong one loses its times.
fn check_again(lab: &mut Lab, live: &mut Live, file: &mut ResultFile) -> Result<(), BenchError> {
    for (case, index) in live.live.iter().zip(&live.cases) {
        if file.cases[*index].status != Status::Measured {
            continue;
        }
        let station = &mut live.stations[case.station];
        match gate_back_to_back(lab, station, &case.drawing) {
            Ok(outcome) => {
                if let Some(message) = outcome.failure(station) {
                    invalidate(&mut file.cases[*index], &format!("after timing, {message}"));
                }
            }
            Err(error) if error.is_fatal() => {
                let note = "the device was lost after timing: vertices were not checked again";
                file.warnings.push(format!("{note} ({error})"));
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
