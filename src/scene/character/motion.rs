//! The clip: every joint sways, and the whole comes back to where it started.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::body::Part;
use super::rig::Rig;
use crate::scene::{Channel, ChannelTarget, Clip, Interpolation};

/// Length of the clip, seconds.
const DURATION: f64 = 2.0;
/// Steps between keys; there is one key more, equal to the first.
const STEPS: usize = 16;
/// How far the root moves up and down, metres.
const BOB: f64 = 0.03;

/// A looping clip with a rotation for every joint, and a translation for the root.
///
/// A part's bend is shared among its joints, so that no chain curls up however many it has.
pub(super) fn clip(parts: &[Part], rig: &Rig, random: &mut Pcg64) -> Clip {
    let times: Vec<f32> = (0..=STEPS)
        .map(|key| (DURATION * key as f64 / STEPS as f64) as f32)
        .collect();
    let phases: Vec<f64> = parts
        .iter()
        .map(|_| random.random_range(0.0..TAU))
        .collect();
    let mut channels = vec![bob(rig, &times)];
    for (joint, description) in rig.joints.iter().enumerate() {
        let part = &parts[description.part];
        let amplitude = part.bend / part.joints as f64;
        let tilt = random.random_range(-0.3..0.3);
        let phase = phases[description.part] + random.random_range(-0.4..0.4);
        let (rest, _) = rig.local(joint);
        let key = |turn: f64| {
            let axis = DVec3::new(1.0, 0.0, tilt).normalize();
            rest * DQuat::from_axis_angle(axis, amplitude * (turn + phase).sin())
        };
        channels.push(Channel {
            target: ChannelTarget::Rotation(joint + 1),
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values: turns()
                .flat_map(|turn| key(turn).normalize().as_quat().to_array())
                .collect(),
            width: 4,
        });
    }
    Clip {
        name: "sway".to_owned(),
        duration: DURATION as f32,
        channels,
    }
}

/// Phase of each key; the last is the first again, not a whole turn that rounds differently.
fn turns() -> impl Iterator<Item = f64> {
    (0..=STEPS).map(|key| TAU * (key % STEPS) as f64 / STEPS as f64)
}

fn bob(rig: &Rig, times: &[f32]) -> Channel {
    let (_, rest) = rig.local(0);
    let key = |turn: f64| (rest + DVec3::Y * BOB * turn.sin()).as_vec3().to_array();
    Channel {
        target: ChannelTarget::Translation(1),
        interpolation: Interpolation::Linear,
        times: times.to_vec(),
        values: turns().flat_map(key).collect(),
        width: 3,
    }
}
