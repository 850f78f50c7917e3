//! A place made ready at one point of the axes, and its frames.

use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;

use super::error::BenchError;
use super::lab::Lab;
use super::measure::FrameTimes;
use crate::deform::cpu_place::deform_all;
use crate::deform::output::{Attributes, OutputLayout};
use crate::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use crate::deform::variant::Variant;
use crate::gpu::{GpuError, RecordOptions, Recorded, Statistics, StatisticsPool};
use crate::plan::{AxesKey, CacheKey, Case, Draws, KernelChoice, OutputFormat, Poses as PosesAxis};
use crate::render::{Grid, Pass, Targets, Views};
use crate::scene::Scene;
use crate::scene::adapt::{Adaptation, Adapted, adapt};
use crate::scene::playback::{Poses, evaluate_poses, times};
use crate::shader_types::PassKind;
use crate::strategy::{
    Frame, FrameRecipe, Kernel, Prepared, Setup, SkinKey, hash_pose, record_frame, strategy_of,
};

/// What cases have in common that can share one station: everything but how it is drawn.
pub type StationKey = AxesKey;

/// Which times the frames show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Playback {
    /// Frame f at f/60 s, wrapping.
    Running,
    /// Always this time in seconds; beyond the clip's ends its first or last pose.
    Fixed(f64),
}

/// What a case draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The passes.
    pub passes: Vec<Pass>,
    /// How characters are drawn.
    pub draws: Draws,
    /// Percent of the characters that are seen.
    pub visible: u32,
}

/// A place made ready for one scene, variant, number of characters and way of posing.
pub struct Station {
    /// The character, adapted to the case.
    pub scene: Arc<Scene>,
    /// How it was adapted.
    pub adapted: Adapted,
    /// The clip that plays.
    pub clip: Option<usize>,
    /// How vertices are deformed.
    pub variant: Variant,
    /// Number of characters.
    pub instances: u32,
    /// Where deformed vertices lie.
    pub output: OutputLayout,
    /// Where they would lie, as floats, if the character were not adapted.
    pub original_output: OutputLayout,
    /// The place.
    pub prepared: Box<dyn Prepared>,
    /// From where it is seen.
    pub views: Views,
    /// Where characters stand.
    pub grid: Grid,
    playback: Playback,
    own_poses: bool,
    poses: Poses,
    frame: u64,
    /// Percent of the poses that change.
    dirty: u32,
    cache: CacheKey,
    revisions: Revisions,
}

/// How often each pose changed.
#[derive(Default)]
struct Revisions {
    /// Each block's time when it last did, and how often it had by then.
    known: Vec<(f32, u64)>,
}

impl Revisions {
    /// Counts the poses whose time is another than before.
    fn update(&mut self, times: &[f32]) {
        if self.known.is_empty() {
            self.known = times.iter().map(|time| (*time, 0)).collect();
        }
        for ((known, revision), time) in self.known.iter_mut().zip(times) {
            if known.to_bits() != time.to_bits() {
                (*known, *revision) = (*time, *revision + 1);
            }
        }
    }
}

impl Station {
    /// Groups cases that can share a station.
    pub fn key(case: &Case) -> StationKey {
        case.axes_without(&["passes", "pass-mix", "draws", "visible"])
    }

    /// What the places of `case` need to know, `scene` being adapted to it.
    pub fn setup<'a>(
        lab: &'a Lab,
        scene: &Arc<Scene>,
        clip: Option<usize>,
        case: &'a Case,
        kinds: &'a [PassKind],
    ) -> Setup<'a> {
        Setup {
            device: &lab.device,
            scene: adapt(scene, &Adaptation::of(case)).scene,
            clip,
            case,
            variant: Variant::of(case),
            instances: case.instances(),
            shared_pose: case.poses() == PosesAxis::Shared,
            kinds,
            kernel: None,
        }
    }

    /// Makes the place of `case` ready.
    ///
    /// # Errors
    /// No memory, or the driver's refusal.
    pub fn new(
        lab: &Lab,
        scene: &Arc<Scene>,
        clip: Option<usize>,
        case: &Case,
        kinds: &[PassKind],
        playback: Playback,
    ) -> Result<Self, BenchError> {
        Self::with_kernel(lab, scene, clip, case, kinds, playback, None)
    }

    /// [`Self::new`] with a compute kernel of the user's own, which serves the cases that ask for it.
    ///
    /// # Errors
    /// No memory, or the driver's refusal.
    pub fn with_kernel(
        lab: &Lab,
        scene: &Arc<Scene>,
        clip: Option<usize>,
        case: &Case,
        kinds: &[PassKind],
        playback: Playback,
        kernel: Option<&Kernel>,
    ) -> Result<Self, BenchError> {
        let adapted = adapt(scene, &Adaptation::of(case));
        let mut setup = Self::setup(lab, scene, clip, case, kinds);
        setup.scene = Arc::clone(&adapted.scene);
        setup.kernel = kernel.filter(|_| case.kernel() == KernelChoice::Own);
        let prepared = strategy_of(case.place()).prepare(&setup)?;
        let (low, high) = bounds(scene, clip);
        let grid = Grid::new(setup.instances, low, high);
        let poses = Poses::new(&adapted.scene, setup.blocks());
        let attributes = setup.variant.attributes;
        Ok(Self {
            scene: Arc::clone(&adapted.scene),
            original_output: OutputLayout::new(scene, attributes, OutputFormat::F32),
            adapted,
            clip,
            variant: setup.variant,
            instances: setup.instances,
            output: setup.output(),
            dirty: case.dirty(),
            cache: case.cache_key(),
            revisions: Revisions::default(),
            prepared,
            views: Views::new(&grid, low, high, lab.targets.extent()),
            grid,
            playback,
            own_poses: !setup.shared_pose,
            poses,
            frame: 0,
        })
    }

    /// Goes on with frame `frame`.
    pub(super) fn jump_to(&mut self, frame: u64) {
        self.frame = frame;
    }

    /// Shows other times from the next frame on.
    pub fn set_playback(&mut self, playback: Playback) {
        self.playback = playback;
    }

    /// Times of the blocks at frame `frame`.
    pub(super) fn times(&self, frame: u64) -> Vec<f32> {
        let duration = self
            .clip
            .map_or(0.0, |clip| self.scene.clips[clip].duration);
        let blocks = self.poses.instances.len();
        match self.playback {
            Playback::Running => self.running_times(frame, blocks, duration),
            Playback::Fixed(time) => {
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
        }
    }

    /// Times of a running clip: the first poses move, as many as are dirty, and the rest stand still.
    fn running_times(&self, frame: u64, blocks: usize, duration: f32) -> Vec<f32> {
        let mut all = times(frame, blocks, self.own_poses, duration);
        let moving = (blocks * self.dirty as usize).div_ceil(100);
        if moving < blocks {
            let still = times(0, blocks, self.own_poses, duration);
            all[moving..].copy_from_slice(&still[moving..]);
        }
        all
    }

    /// The frame that ran last.
    pub(super) fn last_frame(&self) -> (u64, Frame) {
        let number = self.frame.wrapping_sub(1);
        (number, frame_of(number, 0))
    }

    /// Runs the next frame to its end: host stages, one submit with the queue idle before, the fence.
    ///
    /// # Errors
    /// A lost device, or the driver's refusal.
    pub fn run(&mut self, lab: &mut Lab, drawing: &Drawing) -> Result<FrameTimes, GpuError> {
        let start = Instant::now();
        let mut times = self.start(lab, drawing, 0, RecordOptions::default())?;
        lab.slots[0].wait()?;
        times.frame_wall = nanoseconds(start, Instant::now());
        let stamps = lab.slots[0].read_stamps()?;
        times.upload = stamps.scope_ns("upload");
        if self.prepared.deforms_on_device() {
            times.deform = stamps.scope_ns("deform");
        }
        times.passes = stamps.scope_ns("passes");
        times.frame_gpu = stamps.total_ns();
        Ok(times)
    }

    /// Runs the host stages of the next frame and submits it in `slot` without waiting.
    ///
    /// # Errors
    /// A lost device, or the driver's refusal.
    pub fn start(
        &mut self,
        lab: &mut Lab,
        drawing: &Drawing,
        slot: usize,
        options: RecordOptions,
    ) -> Result<FrameTimes, GpuError> {
        let frame = frame_of(self.frame, slot);
        // The slot's staging is the device's until its last submit is done.
        lab.slots[slot].wait()?;
        let times = self.host_stages(&frame)?;
        self.record(lab, drawing, &frame, options)?;
        lab.slots[slot].submit()?;
        self.frame += 1;
        Ok(times)
    }

    fn host_stages(&mut self, frame: &Frame) -> Result<FrameTimes, GpuError> {
        let start = Instant::now();
        let times = self.times(self.frame);
        evaluate_poses(&self.scene, self.clip, &times, &mut self.poses);
        let posed = Instant::now();
        let buffers = self.prepared.pose();
        let layout: PoseLayout = buffers.layout().clone();
        write_poses(
            &self.scene,
            &layout,
            &self.poses,
            buffers.blocks_mut(frame.slot)?,
        );
        self.select(frame, &times);
        let written = Instant::now();
        let deformed = self.prepared.deform_host(frame)?;
        Ok(FrameTimes {
            pose: Some(nanoseconds(start, posed)),
            palette: Some(nanoseconds(posed, written)),
            deform: deformed.then(|| nanoseconds(written, Instant::now())),
            ..FrameTimes::default()
        })
    }

    /// Tells the place which poses changed, where some stand still.
    fn select(&mut self, frame: &Frame, times: &[f32]) {
        if self.dirty >= 100 {
            return;
        }
        self.revisions.update(times);
        let buffer = self.prepared.pose().id();
        let by_revision = |(_, revision): &(f32, u64)| SkinKey::Revision {
            buffer,
            revision: *revision,
        };
        let keys: Vec<SkinKey> = match self.cache {
            CacheKey::Revision => self.revisions.known.iter().map(by_revision).collect(),
            CacheKey::Hash => self.poses.instances.iter().map(hash_pose).collect(),
        };
        self.prepared.select(frame, &keys);
    }

    /// Whether frames that were not deformed whole must be seen before the gate looks.
    pub(super) fn is_cached(&self) -> bool {
        self.dirty < 100
    }

    /// Runs one untimed frame and counts its shader invocations; `None` where the device cannot.
    ///
    /// # Errors
    /// A lost device, or the driver's refusal.
    pub fn count(
        &mut self,
        lab: &mut Lab,
        drawing: &Drawing,
    ) -> Result<Option<Statistics>, GpuError> {
        let Some(pool) = StatisticsPool::new(&lab.device)? else {
            return self.run(lab, drawing).map(|_| None);
        };
        let frame = frame_of(self.frame, 0);
        lab.slots[0].wait()?;
        self.host_stages(&frame)?;
        let recipe = self.recipe(&lab.targets, drawing);
        lab.slots[0].record(RecordOptions::default(), |encoder| {
            encoder.counted(&pool, |encoder| {
                record_frame(encoder, self.prepared.as_ref(), &frame, &recipe)
            })
        })?;
        lab.slots[0].submit()?;
        lab.slots[0].wait()?;
        self.frame += 1;
        pool.read().map(Some)
    }

    fn recipe<'r>(&'r self, targets: &'r Targets, drawing: &'r Drawing) -> FrameRecipe<'r> {
        FrameRecipe {
            passes: &drawing.passes,
            draws: drawing.draws,
            views: &self.views,
            grid: self.grid,
            targets,
            visible: (u64::from(self.instances) * u64::from(drawing.visible)).div_ceil(100) as u32,
        }
    }

    fn record<'l>(
        &self,
        lab: &'l mut Lab,
        drawing: &Drawing,
        frame: &Frame,
        options: RecordOptions,
    ) -> Result<&'l Recorded, GpuError> {
        let recipe = self.recipe(&lab.targets, drawing);
        lab.slots[frame.slot].record(options, |encoder| {
            record_frame(encoder, self.prepared.as_ref(), frame, &recipe)
        })
    }

    /// Vertices of all characters.
    pub fn vertices(&self) -> u64 {
        u64::from(self.instances) * self.output.vertices_per_instance as u64
    }
}

fn frame_of(number: u64, slot: usize) -> Frame {
    Frame {
        slot,
        parity: (number % 2) as usize,
    }
}

fn nanoseconds(from: Instant, to: Instant) -> f64 {
    to.duration_since(from).as_nanos() as f64
}

/// The box around the character over some poses of its clip, a little larger.
fn bounds(scene: &Scene, clip: Option<usize>) -> (Vec3, Vec3) {
    const POSES: usize = 4;
    let duration = clip.map_or(0.0, |clip| scene.clips[clip].duration);
    let layout = PoseLayout::new(scene, PaletteFormat::default(), 1);
    let output = OutputLayout::new(scene, Attributes::P, OutputFormat::F32);
    let mut poses = Poses::new(scene, POSES);
    evaluate_poses(scene, clip, &times(0, POSES, true, duration), &mut poses);
    let mut blocks = vec![[0.0; 4]; layout.vec4s(POSES)];
    write_poses(scene, &layout, &poses, &mut blocks);
    let variant = Variant::with_attributes(Attributes::P);
    let mut words = vec![0u32; output.floats(POSES)];
    deform_all(
        scene,
        variant,
        &layout,
        &blocks,
        &output,
        0..POSES,
        &mut words,
    );
    let positions = output.decode(&words);
    let (mut low, mut high) = (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN));
    for position in positions.chunks_exact(3).map(Vec3::from_slice) {
        low = low.min(position);
        high = high.max(position);
    }
    let margin = (high - low) * 0.05;
    (low - margin, high + margin)
}
