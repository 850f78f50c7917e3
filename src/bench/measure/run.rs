//! The loop itself: settle, then rounds until a reason to stop.

use std::time::Duration;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use super::looks::{confidence, schedule};
use super::settling::Settling;
use super::types::{CaseInfo, CaseRecord, Executor, FrameTimes, Measurement, Observer, Options};
use crate::result::StopReason;

/// Measures `cases` in rounds: every live case once a round, in a fresh random order.
///
/// Frames run until every case has settled (see `docs/MEASUREMENT.md`), then rounds until one of
/// the [`StopReason`]s. The time limit counts from this call and wins over everything: it is
/// checked between frames, and a round that cannot be completed is dropped whole, so that all
/// samples stay paired. A case whose frame fails is taken out and the others go on; a fatal error
/// ends the loop and keeps what was measured.
pub fn measure<E: Executor>(
    executor: &mut E,
    cases: &[CaseInfo],
    options: &Options,
    observer: &mut dyn Observer,
) -> Measurement {
    let deadline = options.time_limit.map(|limit| executor.now() + limit);
    let mut run = Run {
        executor,
        options,
        observer,
        deadline,
        costs: vec![Duration::ZERO; cases.len()],
        record: Measurement {
            cases: vec![CaseRecord::default(); cases.len()],
            orders: Vec::new(),
            looks: Vec::new(),
            confidence: confidence(options.max_rounds),
            dropped_rounds: 0,
            stop: None,
            seed: options.seed,
        },
    };
    let stop = match run.settle() {
        Ok(()) => run.rounds(),
        Err(stop) => stop,
    };
    run.record.stop = Some(stop);
    run.record
}

struct Run<'a, E> {
    executor: &'a mut E,
    options: &'a Options,
    observer: &'a mut dyn Observer,
    deadline: Option<Duration>,
    /// The shortest time that a frame of each case took, all overheads included.
    costs: Vec<Duration>,
    record: Measurement,
}

impl<E: Executor> Run<'_, E> {
    /// Runs every case until its times no longer change, within its share of the time.
    fn settle(&mut self) -> Result<(), StopReason> {
        let share = self.options.time_limit.map(|limit| {
            let share = self.options.warm_up_share.clamp(0.0, 1.0);
            self.executor.now() + limit.mul_f64(share)
        });
        let mut settling = vec![Settling::default(); self.record.cases.len()];
        let mut unstable = self.live();
        for round in 0..self.options.warm_up_frames {
            for &case in &unstable {
                let over = share.is_some_and(|share| self.executor.now() >= share);
                if over && round > 0 {
                    return Ok(());
                }
                if let Some(times) = self.frame(case)? {
                    self.record.cases[case].warmed(&times, settling[case].add(times.frame_wall));
                }
            }
            unstable.retain(|&case| self.is_live(case) && !self.record.cases[case].stable);
            self.observer.warm_up_round_done(round, unstable.len());
            if unstable.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Runs rounds until there is a reason to stop.
    fn rounds(&mut self) -> StopReason {
        let looks = schedule(self.options.max_rounds);
        let mut rng = Pcg64::seed_from_u64(self.options.seed);
        while self.record.rounds_done() < self.options.max_rounds {
            if let Err(stop) = self.round(&mut rng) {
                return stop;
            }
            self.observer.round_done(&self.record);
            if looks.contains(&self.record.rounds_done()) && self.look() {
                return StopReason::Converged;
            }
        }
        StopReason::MaxRounds
    }

    /// One round: recorded whole or not at all.
    fn round(&mut self, rng: &mut Pcg64) -> Result<(), StopReason> {
        let mut order = self.live();
        if order.is_empty() {
            return Err(StopReason::FatalError);
        }
        let cost = order.iter().map(|&case| self.costs[case]).sum();
        self.check_time(cost)?;
        order.shuffle(rng);
        let mut frames = Vec::with_capacity(order.len());
        for &case in &order {
            match self.frame(case) {
                Ok(Some(times)) => frames.push((case, times)),
                Ok(None) => {}
                Err(stop) => {
                    self.record.dropped_rounds += 1;
                    return Err(stop);
                }
            }
        }
        self.commit(&order, &frames);
        Ok(())
    }

    fn commit(&mut self, order: &[usize], frames: &[(usize, FrameTimes)]) {
        let stamp = [self.options.process, self.record.rounds_done()];
        for (case, times) in frames {
            let case = &mut self.record.cases[*case];
            case.samples.push(*times);
            case.rounds.push(stamp);
        }
        let order = order.iter().map(|&case| case as u32).collect();
        self.record.orders.push(order);
    }

    /// Looks whether every ratio is known closely enough.
    fn look(&mut self) -> bool {
        self.record.looks.push(self.record.rounds_done());
        let converged = self.record.converged(self.options);
        self.observer.look_done(&self.record);
        converged
    }

    /// One frame: `None` when it failed and took its case out.
    fn frame(&mut self, case: usize) -> Result<Option<FrameTimes>, StopReason> {
        if self.observer.should_stop() {
            return Err(StopReason::Interrupted);
        }
        self.check_time(self.costs[case])?;
        let start = self.executor.now();
        match self.executor.frame(case) {
            Ok(times) => {
                self.note_cost(case, start);
                match times.flaw() {
                    None => Ok(Some(times)),
                    Some(flaw) => Ok(self.take_out(case, flaw)),
                }
            }
            Err(error) => {
                self.take_out(case, error.to_string());
                match self.executor.is_fatal(&error) {
                    true => Err(StopReason::FatalError),
                    false => Ok(None),
                }
            }
        }
    }

    fn take_out(&mut self, case: usize, message: String) -> Option<FrameTimes> {
        self.observer.case_failed(case, &message);
        self.record.cases[case].error = Some(message);
        None
    }

    fn note_cost(&mut self, case: usize, start: Duration) {
        let cost = self.executor.now().saturating_sub(start);
        let shortest = &mut self.costs[case];
        if shortest.is_zero() || cost < *shortest {
            *shortest = cost;
        }
    }

    /// Whether something that takes at least `cost` still ends before the time limit.
    fn check_time(&self, cost: Duration) -> Result<(), StopReason> {
        let now = self.executor.now();
        match self.deadline {
            Some(deadline) if now >= deadline || now + cost > deadline => {
                Err(StopReason::TimeLimit)
            }
            _ => Ok(()),
        }
    }

    fn is_live(&self, case: usize) -> bool {
        self.record.cases[case].error.is_none()
    }

    fn live(&self) -> Vec<usize> {
        let cases = 0..self.record.cases.len();
        cases.filter(|&case| self.is_live(case)).collect()
    }
}
