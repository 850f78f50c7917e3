//! Skin weights: the nearest joints along the skeleton, nearer ones heavier.

use super::body::Part;
use super::rig::Rig;

/// How far beyond the first joint that gets nothing the weights reach zero. Above one, so that the
/// last slot has a real weight even where two joints are equally far.
const REACH: f64 = 1.1;

/// Joints and weights of the point at the fraction `along` of `part`'s axis, heaviest first,
/// `influences` slots; slots beyond the number of joints hold joint 0 with weight 0.
///
/// Distances run along bones, so that one leg never moves the other. With d the distance to a joint
/// and h [`REACH`] times that to the first joint left out, the weight is proportional to 1 − d/h.
pub(super) fn weights(
    rig: &Rig,
    parts: &[Part],
    part: usize,
    along: f64,
    influences: usize,
) -> (Vec<u16>, Vec<f32>) {
    let mut near = nearest(rig, start(rig, &parts[part], part, along), influences + 1);
    let farthest = near.last().map_or(0.0, |&(_, distance)| distance);
    near.truncate(influences);
    // A positive reach, so that the only joint, at distance 0, gets all.
    let reach = (REACH * farthest).max(1e-6);
    let raw: Vec<f64> = near
        .iter()
        .map(|&(_, distance)| 1.0 - distance / reach)
        .collect();
    let sum: f64 = raw.iter().sum();
    let mut joints: Vec<u16> = near.iter().map(|&(joint, _)| joint as u16).collect();
    let mut weights: Vec<f32> = raw.iter().map(|weight| (weight / sum) as f32).collect();
    joints.resize(influences, 0);
    weights.resize(influences, 0.0);
    (joints, weights)
}

/// The joints on either side of a point of the axis, with their distances.
fn start(rig: &Rig, part: &Part, index: usize, along: f64) -> Vec<(usize, f64)> {
    let first = rig.first[index];
    let length = part.length();
    if part.joints == 0 {
        return vec![(
            first,
            part.base.distance(rig.joints[first].position) + along * length,
        )];
    }
    let count = part.joints as f64;
    let before = ((along * count) as usize).min(part.joints - 1);
    let mut out = vec![(first + before, (along - before as f64 / count) * length)];
    if before + 1 < part.joints {
        out.push((
            first + before + 1,
            ((before + 1) as f64 / count - along) * length,
        ));
    }
    out
}

/// The `count` joints nearest to the start points, nearest first, ties by index (Dijkstra's
/// algorithm on a tree; the open list stays so short that a scan beats a heap).
fn nearest(rig: &Rig, mut open: Vec<(usize, f64)>, count: usize) -> Vec<(usize, f64)> {
    let mut done: Vec<(usize, f64)> = Vec::with_capacity(count);
    while done.len() < count {
        let order = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0));
        let Some(at) = (0..open.len()).min_by(|&a, &b| order(&open[a], &open[b])) else {
            break;
        };
        let (joint, distance) = open.swap_remove(at);
        if done.iter().any(|&(known, _)| known == joint) {
            continue;
        }
        done.push((joint, distance));
        let steps = rig.neighbours[joint].iter();
        open.extend(steps.map(|&(next, step)| (next, distance + step)));
    }
    done
}
