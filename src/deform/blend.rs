//! Blending the joints of one vertex: the CPU twin of `blend.glsl`, same names, same order.

use glam::Vec4;

use super::skin::Source;
use crate::math::dual_quat::{self, DualQuat};
use crate::plan::PaletteLayout;

/// Most slots of a vertex.
const MOST_SLOTS: usize = 12;

/// Slots of the vertex; an unskinned mesh has one, joint 0 with weight 1.
fn slots(source: &Source<'_>) -> usize {
    source.mesh.influences.max(1)
}

fn influence_joint(source: &Source<'_>, index: usize, slot: usize) -> usize {
    match source.mesh.influences {
        0 => 0,
        n => usize::from(source.mesh.joints[n * index + slot]),
    }
}

fn influence_weight(source: &Source<'_>, index: usize, slot: usize) -> f32 {
    match source.mesh.influences {
        0 => 1.0,
        n => source.mesh.weights[n * index + slot],
    }
}

/// What weights are divided by: their sum, or 1 where nothing is left of it.
fn weight_sum(source: &Source<'_>, index: usize) -> f32 {
    let mut sum = influence_weight(source, index, 0);
    for slot in 1..slots(source) {
        sum += influence_weight(source, index, slot);
    }
    if sum > 0.0 { sum } else { 1.0 }
}

/// The joints and weights that are blended, slot after slot.
fn influences<'a>(
    source: &'a Source<'_>,
    index: usize,
) -> impl Iterator<Item = (usize, f32)> + use<'a> {
    let source = *source;
    let normalises = source.variant.normalises(slots(&source));
    let sum = if normalises {
        weight_sum(&source, index)
    } else {
        1.0
    };
    let of_slot = move |slot| {
        let weight = influence_weight(&source, index, slot);
        let weight = if normalises { weight / sum } else { weight };
        (slot, weight)
    };
    let goes_on = move |&(slot, weight): &(usize, f32)| {
        slot == 0 || !(source.variant.early_out && weight == 0.0)
    };
    (0..slots(&source))
        .map(of_slot)
        .take_while(goes_on)
        .map(move |(slot, weight)| (influence_joint(&source, index, slot), weight))
}

/// Σ wᵢ · rows of joint i, slot 0 first.
fn sum_of(source: &Source<'_>, index: usize, rows_of: impl Fn(usize) -> [Vec4; 3]) -> [Vec4; 3] {
    let mut sum = [Vec4::ZERO; 3];
    for (joint, weight) in influences(source, index) {
        for (sum, row) in sum.iter_mut().zip(rows_of(joint)) {
            *sum += weight * row;
        }
    }
    sum
}

/// The matrix that moves the vertex, whatever the palette; rows.
pub fn blended_rows(source: &Source<'_>, index: usize) -> [Vec4; 3] {
    let palette = &source.palette;
    if !source.variant.palette.is_dual_quat() {
        return sum_of(source, index, |joint| palette.joint_rows(joint));
    }
    let rigid = blend_dual_quats(source, index).rows().map(Vec4::from_array);
    if source.variant.palette == PaletteLayout::DualQuat {
        return rigid;
    }
    let stretch = sum_of(source, index, |joint| palette.joint_stretch(joint));
    let columns = stretch.map(Vec4::truncate);
    rigid.map(|row| {
        let r = row.truncate();
        let [x, y, z] = columns.map(|column| r.dot(column));
        Vec4::new(x, y, z, row.w)
    })
}

/// The weighted sum of the joints' inverse transposes; rows.
pub fn blended_normal_rows(source: &Source<'_>, index: usize) -> [Vec4; 3] {
    let palette = &source.palette;
    sum_of(source, index, |joint| palette.joint_normal_rows(joint))
}

/// Whether a joint that moves the vertex scales non-uniformly.
pub fn is_flagged(source: &Source<'_>, index: usize) -> bool {
    (0..slots(source)).any(|slot| {
        influence_weight(source, index, slot) != 0.0
            && source
                .palette
                .joint_flag(influence_joint(source, index, slot))
    })
}

/// The blend about the heaviest influence, divided by the length of its real part.
fn blend_dual_quats(source: &Source<'_>, index: usize) -> DualQuat<f32> {
    let mut weights = [0.0; MOST_SLOTS];
    let mut joints = [DualQuat::<f32>::identity(); MOST_SLOTS];
    let mut count = 0;
    for (joint, weight) in influences(source, index) {
        weights[count] = weight;
        joints[count] = DualQuat {
            real: source.palette.joint_real(joint).to_array(),
            dual: source.palette.joint_dual(joint).to_array(),
        };
        count += 1;
    }
    dual_quat::blend(&weights[..count], &joints[..count])
}
