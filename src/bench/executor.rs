//! What the measuring loop drives: frames of live cases on a device.

use std::time::{Duration, Instant};

use super::lab::Lab;
use super::measure::{Executor, FrameTimes};
use super::station::{Drawing, Station};
use crate::gpu::GpuError;

/// A case that passed the gate.
pub(super) struct LiveCase {
    /// Index of its station.
    pub station: usize,
    /// What it draws.
    pub drawing: Drawing,
}

/// Runs frames for the measuring loop.
pub(super) struct FrameExecutor<'a> {
    pub lab: &'a mut Lab,
    pub stations: &'a mut [Station],
    pub live: &'a [LiveCase],
    pub start: Instant,
    /// Whether the device's stamps passed their self-test; their times are left out otherwise.
    pub stamps_usable: bool,
}

impl Executor for FrameExecutor<'_> {
    type Error = GpuError;

    fn frame(&mut self, case: usize) -> Result<FrameTimes, GpuError> {
        let live = &self.live[case];
        let station = &mut self.stations[live.station];
        let mut times = station.run(self.lab, &live.drawing)?;
        if !self.stamps_usable {
            let on_host = !station.prepared.deforms_on_device();
            times.deform = times.deform.filter(|_| on_host);
            (times.upload, times.passes, times.frame_gpu) = (None, None, None);
        }
        Ok(times)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn is_fatal(&self, error: &GpuError) -> bool {
        error.is_fatal()
    }
}
