//! `vertex-uniform`: the vertex stage deforms; the palette lies in a uniform array that shows one
//! character at a time, at a dynamic offset. Morph weights stay in the storage buffer.

use crate::gpu::{Access, Capabilities};
use crate::plan::{Case, Draws, Place};
use crate::result::{Reason, ReasonKind};

use super::skinned::{PaletteBinding, UNIFORM_ARRAYS, uniform_bytes};
use super::vertex_place::{VertexPlace, VertexPlaceTraits};
use super::{Need, Prepared, Setup, Strategy, StrategyError, refusal};

pub(super) struct VertexUniform;

/// The largest array, in joints.
const LARGEST: u32 = UNIFORM_ARRAYS[UNIFORM_ARRAYS.len() - 1].0;

const TRAITS: VertexPlaceTraits = VertexPlaceTraits {
    place: Place::VertexUniform,
    name: "vertex-uniform",
    binding: PaletteBinding::Uniform,
    readers: &[Access::VertexUniformRead, Access::VertexStorageRead],
    // A range always spans the whole array, whatever the palette behind the last offset holds.
    tail_bytes: 48 * LARGEST as u64,
};

impl Strategy for VertexUniform {
    fn place(&self) -> Place {
        Place::VertexUniform
    }

    fn refuse(&self, setup: &Setup<'_>, case: &Case) -> Option<Reason> {
        if case.draws() == Draws::Instanced {
            return Some(refusal::not_instanced(
                "its uniform array shows one character at a time",
            ));
        }
        uniform_too_small(setup)
            .or_else(|| refusal::unmet(&self.needs(setup.device.capabilities())))
            .or_else(|| refusal::buffers_too_large(setup, false))
    }

    /// For the smallest array; a larger skin asks for more.
    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        let smallest = uniform_bytes(UNIFORM_ARRAYS[0].0);
        vec![
            refusal::uniform_range(smallest, c),
            refusal::storage_buffers(2, c),
            refusal::attributes(c),
        ]
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        super::vertex_place::estimate(setup, alignment(setup))
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(VertexPlace::new(
            setup,
            &TRAITS,
            alignment(setup),
        )?))
    }
}

/// Dynamic offsets must be multiples of the device's alignment; in `vec4`s.
fn alignment(setup: &Setup<'_>) -> usize {
    setup
        .device
        .capabilities()
        .min_uniform_buffer_offset_alignment
        .div_ceil(16) as usize
}

/// Skins beyond the largest array, or arrays beyond the device's uniform range.
fn uniform_too_small(setup: &Setup<'_>) -> Option<Reason> {
    let scene = &setup.scene;
    let joints = scene
        .items
        .iter()
        .map(|item| scene.joint_count(item.palette) as u32)
        .max()?;
    let Some((array, _)) = UNIFORM_ARRAYS
        .into_iter()
        .find(|(limit, _)| joints <= *limit)
    else {
        let message =
            format!("a skin of {joints} joints does not fit the uniform array of {LARGEST}");
        return Some(
            Reason::new(ReasonKind::Limit, "uniform array joints", message).with(joints, LARGEST),
        );
    };
    let have = setup.device.capabilities().max_uniform_buffer_range;
    refusal::beyond("maxUniformBufferRange", uniform_bytes(array), have)
}
