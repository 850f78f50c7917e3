//! The gate: every vertex of every character, held against the f64 reference.

use super::lab::Lab;
use super::station::{Drawing, Station};
use crate::deform::reference::pose::check_poses;
use crate::deform::reference::verify::{Verification, compare_all};
use crate::gpu::{GpuError, RecordOptions, Statistics};
use crate::render::{Pass, Picture, TargetKind, Viewpoint};
use crate::shader_types::PassKind;
use crate::strategy::{read_output, read_pose, read_previous, read_target};

/// The frame that is verified before timing: far enough into the clip that nothing rests.
pub const GATE_FRAME: u64 = 20;

/// What a place made of one frame.
#[derive(Clone)]
pub struct GateOutcome {
    /// How vertices agree with the reference, which takes the poses as uploaded.
    pub verification: Verification,
    /// What is wrong with the poses as uploaded.
    pub pose_error: Option<String>,
    /// The vertices as floats, arranged by the station's original output layout.
    pub vertices: Vec<f32>,
    /// What is wrong with the vertices of the frame before, where this one reads them.
    pub previous_error: Option<String>,
    /// Those of the frame before, where a pass draws it.
    pub previous: Option<Vec<f32>>,
    /// What the passes left, one entry a target, with the viewpoint of its last pass.
    pub pictures: Vec<(TargetKind, Viewpoint, Picture)>,
    /// Shader invocations of the frame, where the device counts them.
    pub counted: Option<Statistics>,
}

impl GateOutcome {
    /// What is wrong, in one line; nothing where all is right.
    pub fn failure(&self, station: &Station) -> Option<String> {
        if let Some(error) = &self.pose_error {
            return Some(format!("the uploaded palette is wrong: {error}"));
        }
        if let Some(error) = &self.previous_error {
            return Some(error.clone());
        }
        let failure = self.verification.first_failure.as_ref()?;
        let item = &station.scene.items[failure.item];
        Some(format!(
            "{} of {} vertices are wrong, first {failure} (mesh {})",
            self.verification.failures,
            self.verification.vertices,
            station.scene.meshes[item.mesh].name
        ))
    }
}

/// Runs [`GATE_FRAME`] and checks what it gave; where a pass draws the frame before, that one too, and
/// that this frame reads what it was.
///
/// # Errors
/// A lost device, no memory, or the driver's refusal.
pub fn gate(
    lab: &mut Lab,
    station: &mut Station,
    drawing: &Drawing,
) -> Result<GateOutcome, GpuError> {
    let is_velocity = |pass: &Pass| pass.kind == PassKind::Velocity;
    let before = match drawing.passes.iter().any(is_velocity) {
        true => Some(check_frame(lab, station, drawing, GATE_FRAME - 1)?),
        false => None,
    };
    if let Some(before) = before
        .as_ref()
        .filter(|before| before.failure(station).is_some())
    {
        return Ok(before.clone());
    }
    station.jump_to(GATE_FRAME);
    if station.is_cached() {
        // Both halves are filled first, so that the frame that is checked leaves out what stood still.
        station.jump_to(GATE_FRAME - 2);
        station.run(lab, drawing)?;
        station.run(lab, drawing)?;
    }
    // An untimed frame is the place for queries that perturb.
    let counted = station.count(lab, drawing)?;
    let pictures = read_pictures(lab, drawing)?;
    let mut outcome = check(lab, station)?;
    if let Some(before) = before {
        outcome.previous_error = previous_error(lab, station, &before.vertices)?;
        outcome.previous = Some(before.vertices);
    }
    Ok(GateOutcome {
        pictures,
        counted,
        ..outcome
    })
}

fn check_frame(
    lab: &mut Lab,
    station: &mut Station,
    drawing: &Drawing,
    frame: u64,
) -> Result<GateOutcome, GpuError> {
    station.jump_to(frame);
    station.run(lab, drawing)?;
    check(lab, station)
}

/// Whether the velocity pass of the frame that ran last reads other vertices than the frame before
/// had. Places that deform them inside the pass are held by the picture alone.
fn previous_error(lab: &Lab, station: &Station, want: &[f32]) -> Result<Option<String>, GpuError> {
    let (_, frame) = station.last_frame();
    let (prepared, instances) = (station.prepared.as_ref(), station.instances);
    let read = read_previous(&lab.device, prepared, &frame, &station.output, instances)?;
    let Some(read) = read else { return Ok(None) };
    let got = in_original_order(station, read);
    let pairs = got.iter().zip(want);
    let wrong = pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let whole = got.len() == want.len();
    Ok((wrong > 0 || !whole).then(|| {
        format!("{wrong} numbers of the frame before are other than that frame had: its half of the vertices is wrong")
    }))
}

/// Two more frames, submitted back to back with no wait of the host between them; the second is
/// checked. Writes of two frames in the wrong order, or staging memory used twice, show here; what
/// overtakes the *reads* of the first frame does not, and is held by the tests of the barriers. The second
/// one's number is odd: it uses the halves of doubled buffers that [`GATE_FRAME`] does not.
///
/// # Errors
/// A lost device, no memory, or the driver's refusal.
pub fn gate_back_to_back(
    lab: &mut Lab,
    station: &mut Station,
    drawing: &Drawing,
) -> Result<GateOutcome, GpuError> {
    if station.next_is_odd() {
        station.run(lab, drawing)?;
    }
    let started = [0, 1].into_iter().try_for_each(|slot| {
        station
            .start(lab, drawing, slot, RecordOptions::default())
            .map(drop)
    });
    // Also after a failure: the first frame may still use what the caller drops.
    lab.wait()?;
    started?;
    check(lab, station)
}

fn read_vertices(lab: &Lab, station: &Station) -> Result<Vec<f32>, GpuError> {
    let (_, frame) = station.last_frame();
    read_output(
        &lab.device,
        station.prepared.as_ref(),
        &frame,
        &station.output,
        station.instances,
    )
}

/// The vertices in the order of the character as it was before it was adapted.
fn in_original_order(station: &Station, vertices: Vec<f32>) -> Vec<f32> {
    let floats = station.output.attributes.floats();
    let instances = station.instances as usize;
    station
        .adapted
        .in_original_order(vertices, floats, instances)
}

fn check(lab: &Lab, station: &mut Station) -> Result<GateOutcome, GpuError> {
    let (number, frame) = station.last_frame();
    let vertices = read_vertices(lab, station)?;
    let blocks = read_pose(&lab.device, station.prepared.as_mut(), &frame)?;
    let times = station.times(number);
    let layout = station.prepared.pose().layout();
    let scene = &station.scene;
    let pose_error = check_poses(scene, layout, station.clip, &times, &blocks)
        .err()
        .map(|e| e.to_string());
    let instances = station.instances as usize;
    let verification = compare_all(
        scene,
        station.variant,
        layout,
        &blocks,
        &station.output,
        instances,
        &vertices,
    );
    Ok(GateOutcome {
        verification,
        pose_error,
        vertices: in_original_order(station, vertices),
        previous_error: None,
        previous: None,
        pictures: Vec::new(),
        counted: None,
    })
}

fn read_pictures(
    lab: &Lab,
    drawing: &Drawing,
) -> Result<Vec<(TargetKind, Viewpoint, Picture)>, GpuError> {
    let mut last: Vec<(TargetKind, Viewpoint)> = Vec::new();
    for pass in &drawing.passes {
        last.retain(|(target, _)| *target != pass.target);
        last.push((pass.target, pass.viewpoint));
    }
    last.into_iter()
        .map(|(target, viewpoint)| {
            read_target(&lab.device, lab.targets.get(target))
                .map(|picture| (target, viewpoint, picture))
        })
        .collect()
}
