//! What can be asked of a measurement while it runs and afterwards.

use super::types::{CaseRecord, Comparison, FrameTimes, Measurement, Options};
use crate::result::{Metric, Stages};
use crate::stats::{Bootstrap, Estimate};

impl FrameTimes {
    /// What is wrong with these times, if anything: each must be finite and not negative.
    pub(super) fn flaw(&self) -> Option<String> {
        let stages = self.stages();
        let mut named = Stages::NAMES.iter().zip(stages.list());
        let (name, time) =
            named.find(|(_, time)| !time.is_none_or(|ns| ns.is_finite() && ns >= 0.0))?;
        let time = time.unwrap_or(f64::NAN);
        Some(format!(
            "the time of `{name}` is {time} ns, which is no time: run `skinbench devices` to see \
             how this device is timed"
        ))
    }
}

impl CaseRecord {
    /// Notes one frame of the warm-up.
    pub(super) fn warmed(&mut self, times: &FrameTimes, settled: bool) {
        self.first_frame.get_or_insert(*times);
        self.warm_up_frames += 1;
        self.stable = settled;
    }

    /// The times that `metric` names, one a round; `None` when a round has none.
    pub fn times(&self, metric: Metric) -> Option<Vec<f64>> {
        self.samples
            .iter()
            .map(|sample| sample.get(metric))
            .collect()
    }
}

impl Measurement {
    /// Complete rounds so far.
    pub fn rounds_done(&self) -> u32 {
        self.orders.len() as u32
    }

    /// How every interval of this measurement is formed.
    pub fn bootstrap(&self) -> Bootstrap {
        Bootstrap {
            confidence: self.confidence,
            seed: self.seed,
            ..Bootstrap::default()
        }
    }

    /// Whether every interval that counts is at most `target_width` wide.
    ///
    /// A comparison with a case that was taken out no longer counts. Where no comparison is left,
    /// the frame times themselves must be known that closely.
    pub(super) fn converged(&self, options: &Options) -> bool {
        let narrow = |estimate: Option<Estimate>| {
            estimate.is_some_and(|estimate| estimate.relative_width() <= options.target_width)
        };
        let live = |case: &CaseRecord| case.error.is_none();
        let counts = |pair: &&Comparison| live(&self.cases[pair.a]) && live(&self.cases[pair.b]);
        let mut counting = options.comparisons.iter().filter(counts).peekable();
        if counting.peek().is_some() {
            return counting.all(|pair| narrow(self.ratio(pair)));
        }
        let mut cases = self.cases.iter().filter(|case| live(case));
        cases.all(|case| narrow(self.frame(case)))
    }

    /// The ratio of a pair, by the host's clock where one side has no stamps.
    fn ratio(&self, pair: &Comparison) -> Option<Estimate> {
        let [a, b] = [pair.a, pair.b].map(|case| &self.cases[case]);
        let by = |metric| Some((a.times(metric)?, b.times(metric)?));
        let (a, b) = by(pair.metric).or_else(|| by(Metric::FrameWall))?;
        self.bootstrap().ratio(&a, &b)
    }

    fn frame(&self, case: &CaseRecord) -> Option<Estimate> {
        let by = |metric| case.times(metric);
        self.bootstrap()
            .median(&by(Metric::FrameGpu).or_else(|| by(Metric::FrameWall))?)
    }
}
