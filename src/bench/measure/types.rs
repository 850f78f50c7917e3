//! What the measuring loop is given, what it drives, and what it gives back.

use std::time::Duration;

use crate::result::{Axes, Clock, Metric, Stages, StopReason};

/// The times of one frame in nanoseconds, already divided by a stage's repeats.
///
/// A stage that the place does not have is `None` in every frame of the case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameTimes {
    /// Evaluating the clips.
    pub pose: Option<f64>,
    /// Building the palettes.
    pub palette: Option<f64>,
    /// Bringing data to the device.
    pub upload: Option<f64>,
    /// Deforming vertices before the passes.
    pub deform: Option<f64>,
    /// Drawing.
    pub passes: Option<f64>,
    /// First stamp to last; `None` without usable stamps.
    pub frame_gpu: Option<f64>,
    /// Start of the pose to the fence seen.
    pub frame_wall: f64,
}

impl FrameTimes {
    /// The time that `metric` names, when there is one.
    pub fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::FrameGpu => self.frame_gpu,
            Metric::FrameWall => Some(self.frame_wall),
            Metric::Deform => self.deform,
            Metric::Palette => self.palette,
        }
    }

    /// The same by stage.
    pub fn stages(&self) -> Stages<Option<f64>> {
        Stages {
            pose: self.pose,
            palette: self.palette,
            upload: self.upload,
            deform: self.deform,
            passes: self.passes,
            frame_wall: Some(self.frame_wall),
            frame_gpu: self.frame_gpu,
        }
    }
}

/// Runs one frame of one case, and tells the time. The loop knows nothing else of the device.
pub trait Executor {
    /// What can go wrong; its `Display` is one line.
    type Error: std::fmt::Display;

    /// Runs one frame of case `case` (an index into the list given to [`super::measure`]) and
    /// waits for it.
    ///
    /// # Errors
    /// The case is taken out and the others go on, unless [`Executor::is_fatal`].
    fn frame(&mut self, case: usize) -> Result<FrameTimes, Self::Error>;

    /// Time since any fixed moment, never going backwards.
    fn now(&self) -> Duration;

    /// Whether nothing can run after this error, such as a lost device.
    fn is_fatal(&self, _error: &Self::Error) -> bool {
        false
    }
}

/// Hears what the loop does, and may end it.
pub trait Observer {
    /// One round of the warm-up has ended with `unstable` cases still settling.
    fn warm_up_round_done(&mut self, _round: u32, _unstable: usize) {}

    /// A complete round was recorded.
    fn round_done(&mut self, _so_far: &Measurement) {}

    /// The stopping rule looked; the place to rewrite the result file.
    fn look_done(&mut self, _so_far: &Measurement) {}

    /// A case was taken out.
    fn case_failed(&mut self, _case: usize, _message: &str) {}

    /// Asked between frames: true ends the loop, and the round under way is dropped whole.
    fn should_stop(&mut self) -> bool {
        false
    }
}

/// An observer that hears nothing.
impl Observer for () {}

/// One case as far as measuring is concerned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseInfo {
    /// Stable id; a twin's ends in `/aa`.
    pub id: String,
    /// Every axis with its value.
    pub axes: Axes,
    /// The index of the case that this one repeats, when it is an A/A twin.
    pub twin_of: Option<usize>,
    /// Indices of the cases that this one, an engine's, is held against.
    pub partners: Vec<usize>,
    /// Whose clock each stage is read from, and how often it is repeated in its bracket.
    pub stages: Stages<StageInfo>,
}

/// How a stage is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageInfo {
    /// Whose clock.
    pub clock: Clock,
    /// Repetitions in one bracket.
    pub repeats: u32,
}

impl Default for StageInfo {
    fn default() -> Self {
        Self {
            clock: Clock::Host,
            repeats: 1,
        }
    }
}

/// A ratio that a statement rests on: time of `a` by time of `b`, both indices of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// Above the line.
    pub a: usize,
    /// Below the line.
    pub b: usize,
    /// Which time.
    pub metric: Metric,
}

/// How to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Seed of the order of cases and of every bootstrap.
    pub seed: u64,
    /// Measured from the call of [`super::measure`]; it wins over everything else.
    pub time_limit: Option<Duration>,
    /// Widest interval of a ratio, upper end minus lower as a fraction of the median (0.05 = 5 %).
    pub target_width: f64,
    /// The loop ends after so many rounds.
    pub max_rounds: u32,
    /// Which process this is, for `rounds`.
    pub process: u32,
    /// Most frames that one case may take to settle.
    pub warm_up_frames: u32,
    /// Largest share of the time limit that settling may take.
    pub warm_up_share: f64,
    /// The ratios that must become narrow; none = every case's own frame time.
    pub comparisons: Vec<Comparison>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            time_limit: None,
            target_width: 0.05,
            max_rounds: 640,
            process: 0,
            warm_up_frames: 30,
            warm_up_share: 0.2,
            comparisons: Vec::new(),
        }
    }
}

/// Everything that the loop saw.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Parallel to the cases given.
    pub cases: Vec<CaseRecord>,
    /// The order of every complete round, as indices of cases: reproducible from the seed.
    pub orders: Vec<Vec<u32>>,
    /// Rounds at which the stopping rule looked.
    pub looks: Vec<u32>,
    /// The confidence that every interval is formed at.
    pub confidence: f64,
    /// Rounds given up half-way.
    pub dropped_rounds: u32,
    /// Why the loop ended; `None` while it runs.
    pub stop: Option<StopReason>,
    /// The seed in use.
    pub seed: u64,
}

/// What the loop saw of one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseRecord {
    /// One entry a complete round.
    pub samples: Vec<FrameTimes>,
    /// `[process, round]` of each sample.
    pub rounds: Vec<[u32; 2]>,
    /// Frames run to settle, the first one included.
    pub warm_up_frames: u32,
    /// Whether they settled.
    pub stable: bool,
    /// The very first frame, which pays for what is done once.
    pub first_frame: Option<FrameTimes>,
    /// Why the case was taken out.
    pub error: Option<String>,
}
