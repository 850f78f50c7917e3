//! Weights as normalised integers.

use crate::plan::WeightFormat;
use crate::scene::Mesh;

/// The number that stands for 1; `None` for floats.
pub fn most(format: WeightFormat) -> Option<u32> {
    match format {
        WeightFormat::F32 => None,
        WeightFormat::Unorm16 => Some(65_535),
        WeightFormat::Unorm8 => Some(255),
    }
}

/// The weights of one vertex as integers that sum to `most`: each is rounded to the nearest, and
/// what is then missing or too much is put on the largest, the first of several.
pub fn quantise(weights: &[f32], most: u32) -> Vec<u32> {
    let sum: f32 = weights.iter().sum();
    let scale = if sum > 0.0 { most as f32 / sum } else { 0.0 };
    let mut all: Vec<u32> = weights.iter().map(|w| (w * scale).round() as u32).collect();
    let largest = (0..weights.len()).fold(0, |best, at| {
        if weights[at] > weights[best] {
            at
        } else {
            best
        }
    });
    let others = all.iter().sum::<u32>() - all.get(largest).copied().unwrap_or(0);
    if let Some(largest) = all.get_mut(largest) {
        *largest = most.saturating_sub(others);
    }
    all
}

/// Replaces the weights by what their integers stand for, each the nearest float. A slot whose
/// weight became zero takes joint 0, as every slot of weight zero has.
pub(super) fn quantise_mesh(mesh: &mut Mesh, format: WeightFormat) {
    let (Some(most), true) = (most(format), mesh.influences > 0) else {
        return;
    };
    let slots = mesh.weights.chunks_mut(mesh.influences);
    for (weights, joints) in slots.zip(mesh.joints.chunks_mut(mesh.influences)) {
        let numbers = quantise(weights, most);
        for ((weight, joint), number) in weights.iter_mut().zip(joints).zip(numbers) {
            *weight = number as f32 / most as f32;
            if number == 0 {
                *joint = 0;
            }
        }
    }
}
