//! Animations as [`Clip`]s.

use super::accessors::{Numbers, Wanted};
use super::document::{Document, name_or};
use super::error::ImportError;
use crate::scene::{Channel, ChannelTarget, Clip, Interpolation};
use gltf::json::accessor::Type;
use gltf::json::animation::{self, Animation, Property};
use gltf::json::validation::Checked;

/// What channels refer to in the skeleton.
pub(super) struct Nodes<'a> {
    /// Index in the skeleton of each node of the file.
    pub place_of: &'a [usize],
    /// First morph weight and number of weights of each skeleton node.
    pub morph_ranges: &'a [(usize, usize)],
}

/// All animations, in file order.
pub(super) fn read(doc: &Document, nodes: &Nodes) -> Result<Vec<Clip>, ImportError> {
    let animations = doc.root.animations.iter().enumerate();
    animations
        .map(|(index, animation)| read_clip(doc, nodes, index, animation))
        .collect()
}

/// One animation.
fn read_clip(
    doc: &Document,
    nodes: &Nodes,
    index: usize,
    animation: &Animation,
) -> Result<Clip, ImportError> {
    let name = name_or(animation.name.as_ref(), &format!("clip {index}"));
    let mut channels: Vec<Channel> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut ignored = 0;
    for channel in &animation.channels {
        let place = format!("animation {index} ({name})");
        let target = target(doc, nodes, channel, &place)?;
        let known = target.filter(|(target, _)| seen.insert(target_key(*target)));
        let Some((target, width)) = known else {
            ignored += 1;
            continue;
        };
        let place = format!("{place} {}", describe(channel));
        let sampler = &animation.samplers[channel.sampler.value()];
        channels.push(read_channel(doc, sampler, target, width, &place)?);
    }
    if ignored > 0 {
        doc.warn(&format!(
            "{ignored} channels of clip {name} were ignored: they repeat a target of the clip, or \
             move morph weights of a node that has none"
        ));
    }
    let last = channels.iter().filter_map(|channel| channel.times.last());
    Ok(Clip {
        duration: last.copied().fold(0.0, f32::max),
        name,
        channels,
    })
}

/// A target as something to compare.
fn target_key(target: ChannelTarget) -> (u8, usize) {
    match target {
        ChannelTarget::Translation(node) => (0, node),
        ChannelTarget::Rotation(node) => (1, node),
        ChannelTarget::Scale(node) => (2, node),
        ChannelTarget::Weights(node) => (3, node),
    }
}

/// A channel for messages.
fn describe(channel: &animation::Channel) -> String {
    let path = match channel.target.path {
        Checked::Valid(Property::Translation) => "translation",
        Checked::Valid(Property::Rotation) => "rotation",
        Checked::Valid(Property::Scale) => "scale",
        Checked::Valid(Property::MorphTargetWeights) => "weights",
        Checked::Invalid => "unknown property",
    };
    format!("{path} of node {}", channel.target.node.value())
}

/// What a channel moves and how many numbers that takes; `None` where there is nothing to move.
fn target(
    doc: &Document,
    nodes: &Nodes,
    channel: &animation::Channel,
    place: &str,
) -> Result<Option<(ChannelTarget, usize)>, ImportError> {
    let file_node = channel.target.node.value();
    let node = *nodes.place_of.get(file_node).ok_or_else(|| {
        doc.invalid(
            place,
            &format!("a channel moves node {file_node}, which does not exist"),
        )
    })?;
    Ok(match channel.target.path {
        Checked::Valid(Property::Translation) => Some((ChannelTarget::Translation(node), 3)),
        Checked::Valid(Property::Rotation) => Some((ChannelTarget::Rotation(node), 4)),
        Checked::Valid(Property::Scale) => Some((ChannelTarget::Scale(node), 3)),
        Checked::Valid(Property::MorphTargetWeights) => {
            let width = nodes.morph_ranges[node].1;
            (width > 0).then_some((ChannelTarget::Weights(node), width))
        }
        Checked::Invalid => None,
    })
}

/// The keyframes of one channel.
fn read_channel(
    doc: &Document,
    sampler: &animation::Sampler,
    target: ChannelTarget,
    width: usize,
    place: &str,
) -> Result<Channel, ImportError> {
    let interpolation = match sampler.interpolation {
        Checked::Valid(animation::Interpolation::Linear) => Interpolation::Linear,
        Checked::Valid(animation::Interpolation::Step) => Interpolation::Step,
        Checked::Valid(animation::Interpolation::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => return Err(doc.invalid(place, "its interpolation is unknown")),
    };
    let times = read_times(doc, sampler.input.value(), place)?;
    let channel = Channel {
        values: read_values(
            doc,
            sampler.output.value(),
            place,
            target,
            times.len(),
            (width, interpolation),
        )?,
        target,
        interpolation,
        times,
        width,
    };
    check_rotations(doc, &channel, sampler.output.value(), place)?;
    Ok(channel)
}

/// Key times: at least one, from 0 on, strictly increasing.
fn read_times(doc: &Document, accessor: usize, place: &str) -> Result<Vec<f32>, ImportError> {
    let role = format!("key times of {place}");
    let wanted = Wanted {
        role: &role,
        element: "key",
        shape: Type::Scalar,
        numbers: Numbers::Float,
        count: None,
    };
    let times = doc.floats(accessor, &wanted)?;
    if times[0] < 0.0 {
        let what = format!("the first key is at {} s, before 0", times[0]);
        return Err(doc.accessor_error(accessor, &role, &what));
    }
    match times.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(at) => {
            let what = format!(
                "key {} at {} s is not later than key {at} at {} s",
                at + 1,
                times[at + 1],
                times[at]
            );
            Err(doc.accessor_error(accessor, &role, &what))
        }
        None => Ok(times),
    }
}

/// The values of `keys` keys: one each, three for cubic splines.
fn read_values(
    doc: &Document,
    accessor: usize,
    place: &str,
    target: ChannelTarget,
    keys: usize,
    (width, interpolation): (usize, Interpolation),
) -> Result<Vec<f32>, ImportError> {
    let (shape, numbers, elements) = match target {
        ChannelTarget::Translation(_) | ChannelTarget::Scale(_) => (Type::Vec3, Numbers::Float, 1),
        ChannelTarget::Rotation(_) => (Type::Vec4, Numbers::Normalised, 1),
        ChannelTarget::Weights(_) => (Type::Scalar, Numbers::Normalised, width),
    };
    let a_key = if interpolation == Interpolation::CubicSpline {
        3
    } else {
        1
    };
    let count = keys.checked_mul(a_key * elements);
    let role = format!("values of {place}");
    // A product beyond usize cannot be met by any count.
    let wanted = Wanted {
        role: &role,
        element: "value",
        shape,
        numbers,
        count: count.or(Some(usize::MAX)),
    };
    doc.floats(accessor, &wanted)
}

/// A key that is no rotation at all would end in NaN. Tangents of splines may well be zero.
fn check_rotations(
    doc: &Document,
    channel: &Channel,
    accessor: usize,
    place: &str,
) -> Result<(), ImportError> {
    if !matches!(channel.target, ChannelTarget::Rotation(_)) {
        return Ok(());
    }
    let values = channel.values.as_chunks::<4>().0;
    let (first, step) = match channel.interpolation {
        Interpolation::CubicSpline => (1, 3),
        Interpolation::Linear | Interpolation::Step => (0, 1),
    };
    match values
        .iter()
        .skip(first)
        .step_by(step)
        .position(|value| *value == [0.0; 4])
    {
        Some(key) => {
            let what = format!("key {key} is a quaternion of length 0");
            Err(doc.accessor_error(accessor, &format!("values of {place}"), &what))
        }
        None => Ok(()),
    }
}
