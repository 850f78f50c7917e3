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
    let times = times();
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

/// A scale of its own for each axis, moving, for the middle joint of each part.
pub(super) fn scales(parts: &[Part], rig: &Rig) -> Vec<Channel> {
    let middle = |(index, part): (usize, &Part)| {
        (part.joints > 0).then(|| rig.first[index] + part.joints / 2)
    };
    let channel = |joint: usize| Channel {
        target: ChannelTarget::Scale(joint + 1),
        interpolation: Interpolation::Linear,
        times: times(),
        values: turns()
            .flat_map(|turn| {
                let (sine, cosine) = turn.sin_cos();
                let scale = [1.0 + 0.3 * sine, 1.2 + 0.2 * cosine, 1.0 - 0.25 * sine];
                scale.map(|s| s as f32)
            })
            .collect(),
        width: 3,
    };
    let joints = parts.iter().enumerate().filter_map(middle);
    joints.map(channel).collect()
}

/// Weights of `targets` morph targets of node 0, every other one turned round.
pub(super) fn morph_weights(targets: usize) -> Channel {
    let weight = |turn: f64, target: usize| {
        let side = if target.is_multiple_of(2) { 1.0 } else { -1.0 };
        (side * 0.6 * (turn + target as f64).cos()) as f32
    };
    Channel {
        target: ChannelTarget::Weights(0),
        interpolation: Interpolation::Linear,
        times: times(),
        values: turns()
            .flat_map(|turn| (0..targets).map(move |target| weight(turn, target)))
            .collect(),
        width: targets,
    }
}

/// Time of each key, seconds.
fn times() -> Vec<f32> {
    (0..=STEPS)
        .map(|key| (DURATION * key as f64 / STEPS as f64) as f32)
        .collect()
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
