//! A device of known costs with a clock of its own, and an observer that interrupts.

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::json;
use skinbench::bench::measure::{CaseInfo, Executor, FrameTimes, Measurement, Observer};

/// What goes wrong on purpose: at its n-th frame, a case fails.
#[derive(Clone, Copy)]
pub struct Fault {
    pub case: usize,
    pub frame: u32,
    pub fatal: bool,
}

/// A synthetic device. Every frame takes its case's cost on the GPU and as much again on the host.
pub struct Fake {
    pub costs_ns: Vec<f64>,
    /// Relative standard deviation of the noise of each frame.
    pub spread: f64,
    /// How much of its noise each frame of a case keeps from the one before: 0 = independent.
    pub memory: f64,
    /// By what fraction each frame makes all later ones slower.
    pub drift: f64,
    /// The first frames of each case take so many times as long, halving with each.
    pub cold: f64,
    pub fault: Option<Fault>,
    /// Without stamps there is no `frame_gpu`.
    pub stamps: bool,
    /// Reported instead of the true time by this case.
    pub lie: Option<(usize, f64)>,
    /// Frames run by each case.
    pub ran: Vec<u32>,
    clock: Duration,
    noise: Pcg64,
    states: Vec<f64>,
}

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct FakeError {
    message: &'static str,
    fatal: bool,
}

impl Fake {
    pub fn new(costs_ns: &[f64], seed: u64) -> Self {
        Self {
            costs_ns: costs_ns.to_vec(),
            spread: 0.0,
            memory: 0.0,
            drift: 0.0,
            cold: 1.0,
            fault: None,
            stamps: true,
            lie: None,
            ran: vec![0; costs_ns.len()],
            clock: Duration::from_secs(1000),
            noise: Pcg64::seed_from_u64(seed),
            states: vec![0.0; costs_ns.len()],
        }
    }

    pub fn noisy(costs_ns: &[f64], spread: f64, seed: u64) -> Self {
        Self {
            spread,
            ..Self::new(costs_ns, seed)
        }
    }

    fn uniform(&mut self) -> f64 {
        ((self.noise.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Box & Muller 1958.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    fn cost(&mut self, case: usize) -> f64 {
        let frames: u32 = self.ran.iter().sum();
        let drift = 1.0 + self.drift * f64::from(frames);
        let cold = 1.0 + (self.cold - 1.0) / 2_f64.powi(self.ran[case] as i32);
        let fresh = (1.0 - self.memory * self.memory).sqrt() * self.normal();
        self.states[case] = self.memory * self.states[case] + fresh;
        let noise = (1.0 + self.spread * self.states[case]).max(0.1);
        self.costs_ns[case] * drift * cold * noise
    }
}

impl Executor for Fake {
    type Error = FakeError;

    fn frame(&mut self, case: usize) -> Result<FrameTimes, FakeError> {
        let gpu = self.cost(case);
        self.ran[case] += 1;
        self.clock += Duration::from_nanos((2.0 * gpu) as u64);
        let due = |fault: &Fault| fault.case == case && fault.frame == self.ran[case];
        if let Some(Fault { fatal, .. }) = self.fault.filter(due) {
            let message = if fatal {
                "device lost"
            } else {
                "out of memory"
            };
            return Err(FakeError { message, fatal });
        }
        let told = self
            .lie
            .filter(|lie| lie.0 == case)
            .map_or(gpu, |lie| lie.1);
        Ok(FrameTimes {
            passes: Some(0.5 * gpu),
            frame_gpu: self.stamps.then_some(told),
            frame_wall: 2.0 * gpu,
            ..FrameTimes::default()
        })
    }

    fn now(&self) -> Duration {
        self.clock
    }

    fn is_fatal(&self, error: &FakeError) -> bool {
        error.fatal
    }
}

/// A case of `place` at `passes`.
pub fn case(place: &str, passes: u32) -> CaseInfo {
    let axes = [
        ("strategy", json!(place)),
        ("passes", json!(passes)),
        ("instances", json!(1)),
    ];
    CaseInfo {
        id: format!("{place}/passes={passes}"),
        axes: axes
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        ..CaseInfo::default()
    }
}

/// `compute` 10 + 2n ms against `vertex-storage` 4 + 4n ms at 1, 2, 4, 8 passes (equal at 3), and
/// a twin of `compute` at 1, which comes last.
pub fn two_places() -> (Vec<CaseInfo>, Vec<f64>) {
    let mut cases = Vec::new();
    let mut costs = Vec::new();
    for passes in [1, 2, 4, 8] {
        let n = f64::from(passes);
        cases.push(case("compute", passes));
        costs.push(1e6 * (10.0 + 2.0 * n));
        cases.push(case("vertex-storage", passes));
        costs.push(1e6 * (4.0 + 4.0 * n));
    }
    let mut twin = cases[0].clone();
    twin.id.push_str("/aa");
    twin.twin_of = Some(0);
    cases.push(twin);
    costs.push(costs[0]);
    (cases, costs)
}

/// Interrupts when asked for the n-th time, and counts what it hears.
#[derive(Default)]
pub struct Watcher {
    pub stop_at: Option<u32>,
    pub asked: u32,
    pub rounds: u32,
    pub looks: Vec<u32>,
    pub failed: Vec<(usize, String)>,
    pub warm_up_rounds: u32,
}

impl Observer for Watcher {
    fn warm_up_round_done(&mut self, _round: u32, _unstable: usize) {
        self.warm_up_rounds += 1;
    }

    fn round_done(&mut self, so_far: &Measurement) {
        self.rounds += 1;
        assert_eq!(so_far.rounds_done(), self.rounds);
    }

    fn look_done(&mut self, so_far: &Measurement) {
        self.looks.push(so_far.rounds_done());
    }

    fn case_failed(&mut self, case: usize, message: &str) {
        self.failed.push((case, message.to_owned()));
    }

    fn should_stop(&mut self) -> bool {
        self.asked += 1;
        self.stop_at.is_some_and(|stop_at| self.asked > stop_at)
    }
}
