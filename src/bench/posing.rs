//! Which pose each character has in a frame, and how a skin cache knows that it changed.

use std::sync::Arc;

use crate::plan::{CacheKey, Case, Poses as PosesAxis};
use crate::scene::Scene;
use crate::scene::playback::{Poses, evaluate_poses, times};
use crate::strategy::{SkinKey, hash_pose};

/// Which times the frames show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playback {
    /// Frame f at f/60 s, wrapping.
    Running,
    /// Always this time in seconds; beyond the clip's ends its first or last pose.
    Fixed(f64),
}

/// The poses of a station.
pub(super) struct Posing {
    scene: Arc<Scene>,
    clip: Option<usize>,
    pub playback: Playback,
    own_poses: bool,
    /// One a block.
    pub poses: Poses,
    /// Percent of the poses that change from frame to frame.
    dirty: u32,
    cache: CacheKey,
    /// Each block's time when it last changed, and how often it had by then.
    revisions: Vec<(f32, u64)>,
}

impl Posing {
    pub fn new(
        scene: &Arc<Scene>,
        clip: Option<usize>,
        case: &Case,
        blocks: usize,
        playback: Playback,
    ) -> Self {
        Self {
            scene: Arc::clone(scene),
            clip,
            playback,
            own_poses: case.poses() == PosesAxis::Own,
            poses: Poses::new(scene, blocks),
            dirty: case.dirty(),
            cache: case.cache_key(),
            revisions: Vec::new(),
        }
    }

    /// The stage `pose`: evaluates the poses of frame `frame`; gives their times.
    pub fn evaluate(&mut self, frame: u64) -> Vec<f32> {
        let times = self.times(frame);
        evaluate_poses(&self.scene, self.clip, &times, &mut self.poses);
        times
    }

    /// Times of the blocks at frame `frame`.
    pub fn times(&self, frame: u64) -> Vec<f32> {
        let duration = self
            .clip
            .map_or(0.0, |clip| self.scene.clips[clip].duration);
        match self.playback {
            Playback::Running => self.running(frame, duration),
            Playback::Fixed(time) => self.fixed(time, duration),
        }
    }

    /// Times of a running clip: the last poses move, as many as are dirty, and the others stand still.
    /// The first characters are the ones that are seen (`visible`): what is culled moves first.
    fn running(&self, frame: u64, duration: f32) -> Vec<f32> {
        let blocks = self.poses.instances.len();
        let mut all = times(frame, blocks, self.own_poses, duration);
        let moving = self.moving(blocks);
        let standing = blocks - moving;
        if standing > 0 {
            let still = times(0, blocks, self.own_poses, duration);
            all[..standing].copy_from_slice(&still[..standing]);
        }
        all
    }

    fn fixed(&self, time: f64, duration: f32) -> Vec<f32> {
        let blocks = self.poses.instances.len();
        let mut shifted = times(0, blocks, self.own_poses, duration);
        for (index, shift) in shifted.iter_mut().enumerate() {
            let at = time + f64::from(*shift);
            let wraps = index > 0 && duration > 0.0;
            *shift = if wraps {
                at.rem_euclid(f64::from(duration)) as f32
            } else {
                time as f32
            };
        }
        shifted
    }

    /// How many of so many poses, or of characters with a pose each, change from frame to frame.
    pub fn moving(&self, poses: usize) -> usize {
        (poses * self.dirty as usize).div_ceil(100)
    }

    /// How many of `characters` change: all or none where they share a pose, and where nothing is kept.
    pub fn moving_characters(&self, characters: u32) -> u32 {
        let still = self
            .clip
            .is_none_or(|clip| self.scene.clips[clip].duration <= 0.0);
        if still {
            return if self.is_cached() { 0 } else { characters };
        }
        match self.own_poses {
            true => self.moving(characters as usize) as u32,
            false if self.dirty == 0 => 0,
            false => characters,
        }
    }

    /// Whether some poses stand still, so that what was deformed may be kept.
    pub fn is_cached(&self) -> bool {
        self.dirty < 100
    }

    /// The keys of the poses evaluated last, one a block, whose palettes go to the buffer `buffer`.
    pub fn keys(&mut self, times: &[f32], buffer: u64) -> Vec<SkinKey> {
        self.count_changes(times);
        let by_revision = |(_, revision): &(f32, u64)| SkinKey::Revision {
            buffer,
            revision: *revision,
        };
        match self.cache {
            CacheKey::Revision => self.revisions.iter().map(by_revision).collect(),
            CacheKey::Hash => self.poses.instances.iter().map(hash_pose).collect(),
        }
    }

    /// Counts the poses whose time is another than before.
    fn count_changes(&mut self, times: &[f32]) {
        if self.revisions.is_empty() {
            self.revisions = times.iter().map(|time| (*time, 0)).collect();
        }
        for ((known, revision), time) in self.revisions.iter_mut().zip(times) {
            if known.to_bits() != time.to_bits() {
                (*known, *revision) = (*time, *revision + 1);
            }
        }
    }
}
