//! `vertex-uniform`: the vertex stage deforms; the palette lies in a uniform array that shows one
//! character at a time, at a dynamic offset. Morph weights stay in the storage buffer.

use crate::gpu::Capabilities;
use crate::plan::{Case, Draws, Place};
use crate::result::{Reason, ReasonKind};

use super::skinned::{PaletteBinding, most_uniform_joints, uniform_array};
use super::vertex_place::{VertexPlace, VertexPlaceTraits};
use super::{Need, Prepared, Setup, Strategy, StrategyError, refusal};

pub(super) struct VertexUniform;

const TRAITS: VertexPlaceTraits = VertexPlaceTraits {
    place: Place::VertexUniform,
    binding: PaletteBinding::Uniform,
    // A range always spans the whole array, whatever the palette behind the last offset holds.
    tail_bytes: 16 * 1024,
};

/// Bytes of the smallest array there is: 64 joints in rows.
const SMALLEST: u64 = 16 * 192;

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
            .or_else(|| refusal::buffers_too_large(setup, Some(alignment(setup))))
    }

    /// For the smallest array; a larger skin asks for more.
    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        vec![
            refusal::uniform_range(SMALLEST, c),
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
    let (scene, format) = (&setup.scene, setup.palette_format());
    let joints = scene
        .items
        .iter()
        .map(|item| scene.joint_count(item.palette))
        .max()?;
    let Some((vec4s, _)) = uniform_array(format, joints) else {
        let most = most_uniform_joints(format);
        let message = format!(
            "a skin of {joints} joints does not fit the uniform array of {most}; --axis partition=on cuts it"
        );
        return Some(
            Reason::new(ReasonKind::Limit, "uniform array joints", message).with(joints, most),
        );
    };
    let have = setup.device.capabilities().max_uniform_buffer_range;
    refusal::beyond("maxUniformBufferRange", 16 * vec4s as u64, have)
}
