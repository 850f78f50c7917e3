//! `vertex-texture`: the vertex stage deforms; the palette lies in a texture over all characters, read
//! texel by texel without a sampler. Morph weights stay in a storage buffer.

use crate::gpu::Capabilities;
use crate::plan::{Case, Place};
use crate::result::Reason;

use super::skinned::PaletteBinding;
use super::texture::{self, TextureShape};
use super::vertex_place::{VertexPlace, VertexPlaceTraits};
use super::{Need, Prepared, Setup, Strategy, StrategyError, refusal};

pub(super) struct VertexTexture;

const TRAITS: VertexPlaceTraits = VertexPlaceTraits {
    place: Place::VertexTexture,
    binding: PaletteBinding::Texture,
    tail_bytes: 0,
};

impl Strategy for VertexTexture {
    fn place(&self) -> Place {
        Place::VertexTexture
    }

    fn refuse(&self, setup: &Setup<'_>, _case: &Case) -> Option<Reason> {
        refusal::unmet(&self.needs(setup.device.capabilities()))
            .or_else(|| texture::too_large(setup))
            .or_else(|| refusal::buffers_too_large(setup, None))
    }

    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        vec![
            refusal::sampled_images(2, c),
            refusal::storage_buffers(2, c),
            refusal::attributes(c),
        ]
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        super::vertex_place::estimate(setup, 1) + 2 * TextureShape::of(setup).1.padding_bytes()
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(VertexPlace::new(setup, &TRAITS, 1)?))
    }
}
