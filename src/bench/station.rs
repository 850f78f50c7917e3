//! A place made ready at one point of the axes, and its frames.

use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;

use super::error::BenchError;
use super::lab::Lab;
use super::measure::FrameTimes;
use super::posing::{Playback, Posing};
use super::session::drawing_of;
use crate::deform::cpu_place::deform_all;
use crate::deform::output::{Attributes, OutputLayout};
use crate::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use crate::deform::variant::Variant;
use crate::gpu::{GpuError, RecordOptions, Recorded, Statistics, StatisticsPool};
use crate::plan::{AxesKey, Case, Draws, KernelChoice, OutputFormat, Poses as PosesAxis};
use crate::render::{Grid, Pass, Targets, Views};
use crate::scene::Scene;
use crate::scene::adapt::{Adaptation, Adapted, adapt};
use crate::scene::playback::{Poses, evaluate_poses, times};
use crate::shader_types::PassKind;
use crate::strategy::{Frame, FrameRecipe, Kernel, Prepared, Setup, record_frame, strategy_of};

/// What cases have in common that can share one station: everything but how it is drawn, and whether
/// the frame before is drawn, which costs memory and perhaps a second deformation.
pub type StationKey = (AxesKey, bool);

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
    posing: Posing,
    frame: u64,
    writes_vertices: bool,
}

impl Station {
    /// Groups cases that can share a station.
    pub fn key(case: &Case) -> StationKey {
        let drawn = drawing_of(case).passes;
        let velocity = drawn.iter().any(|pass| pass.kind == PassKind::Velocity);
        let axes = case.axes_without(&["passes", "pass-mix", "draws", "visible"]);
        (axes, velocity)
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
        let posing = Posing::new(&adapted.scene, clip, case, setup.blocks(), playback);
        let attributes = setup.variant.attributes;
        Ok(Self {
            scene: Arc::clone(&adapted.scene),
            original_output: OutputLayout::new(scene, attributes, OutputFormat::F32),
            adapted,
            clip,
            variant: setup.variant,
            instances: setup.instances,
            output: setup.output(),
            writes_vertices: case.place().writes_vertices(),
            prepared,
            views: Views::new(&grid, low, high, lab.targets.extent()),
            grid,
            posing,
            frame: 0,
        })
    }

    /// Goes on with frame `frame`.
    pub(super) fn jump_to(&mut self, frame: u64) {
        self.frame = frame;
    }

    /// Whether the next frame uses the second halves of doubled buffers.
    pub(super) fn next_is_odd(&self) -> bool {
        !self.frame.is_multiple_of(2)
    }

    /// Shows other times from the next frame on.
    pub fn set_playback(&mut self, playback: Playback) {
        self.posing.playback = playback;
    }

    /// Times of the blocks at frame `frame`.
    pub(super) fn times(&self, frame: u64) -> Vec<f32> {
        self.posing.times(frame)
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
        let times = self.posing.evaluate(self.frame);
        let posed = Instant::now();
        let buffers = self.prepared.pose();
        let layout: PoseLayout = buffers.layout().clone();
        write_poses(
            &self.scene,
            &layout,
            &self.posing.poses,
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
        if self.posing.is_cached() {
            let buffer = self.prepared.pose().id();
            self.prepared
                .select(frame, &self.posing.keys(times, buffer));
        }
    }

    /// Whether frames that were not deformed whole must be seen before the gate looks.
    pub(super) fn is_cached(&self) -> bool {
        self.posing.is_cached()
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
            visible: self.visible(drawing),
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

    /// Characters that a frame with this drawing deforms: of a place that writes vertices those whose
    /// pose changes, of the others those that are seen.
    pub(super) fn deformed_characters(&self, drawing: &Drawing) -> u64 {
        match self.writes_vertices {
            true => self.posing.moving_characters(self.instances).into(),
            false => self.visible(drawing).into(),
        }
    }

    fn visible(&self, drawing: &Drawing) -> u32 {
        (u64::from(self.instances) * u64::from(drawing.visible)).div_ceil(100) as u32
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
