//! When a case has warmed up.

use crate::stats::median;

/// Frames in each of the two medians that are compared.
const WINDOW: usize = 3;

/// How far the two may differ.
const STEADY_WITHIN: f64 = 0.05;

/// The frame times of one case while it warms up.
///
/// It has settled when the median of its last three frames lies within 5 % of the median of the
/// three before: six frames at least, and one slow frame (the first pays for what is done once)
/// does not hide in a median of three.
#[derive(Clone, Debug, Default)]
pub(super) struct Settling {
    times: Vec<f64>,
}

impl Settling {
    /// Takes one more frame time in nanoseconds and says whether the case has settled.
    pub(super) fn add(&mut self, time: f64) -> bool {
        self.times.push(time);
        let Some(from) = self.times.len().checked_sub(2 * WINDOW) else {
            return false;
        };
        let (before, last) = self.times[from..].split_at(WINDOW);
        match (median(before), median(last)) {
            (Some(before), Some(last)) => (last - before).abs() <= STEADY_WITHIN * before,
            _ => false,
        }
    }
}
