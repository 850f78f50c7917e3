//! `vertex-storage`: the vertex stage deforms; the palette lies in a storage buffer over all characters.

use crate::gpu::Capabilities;
use crate::plan::{Case, Place};
use crate::result::Reason;

use super::skinned::PaletteBinding;
use super::vertex_place::{VertexPlace, VertexPlaceTraits};
use super::{Need, Prepared, Setup, Strategy, StrategyError, refusal};

pub(super) struct VertexStorage;

const TRAITS: VertexPlaceTraits = VertexPlaceTraits {
    place: Place::VertexStorage,
    binding: PaletteBinding::Storage,
    tail_bytes: 0,
};

impl Strategy for VertexStorage {
    fn place(&self) -> Place {
        Place::VertexStorage
    }

    fn refuse(&self, setup: &Setup<'_>, _case: &Case) -> Option<Reason> {
        refusal::unmet(&self.needs(setup.device.capabilities()))
            .or_else(|| refusal::buffers_too_large(setup, Some(1)))
    }

    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        vec![refusal::storage_buffers(2, c), refusal::attributes(c)]
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        super::vertex_place::estimate(setup, 1)
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(VertexPlace::new(setup, &TRAITS, 1)?))
    }
}
