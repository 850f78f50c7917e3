//! Cutting source and output of `compute` into windows that one descriptor can show.

use crate::gpu::Capabilities;

use super::StrategyError;
use super::windows::{Window, windows};

/// How source and output are cut into windows, and how many vertices a dispatch may have for it.
pub(super) struct Split {
    pub source: (Vec<Window>, u64),
    pub output: (Vec<Window>, u64),
    pub vertices: u64,
}

impl Split {
    pub fn new(
        limits: &Capabilities,
        source: u64,
        output: u64,
        strides: (u64, u64),
    ) -> Result<Self, StrategyError> {
        let range = limits.max_storage_buffer_range;
        let alignment = limits.min_storage_buffer_offset_alignment;
        // Half a range a dispatch leaves the other half for windows to step by.
        let fits = source <= range && output <= range;
        let vertices = if fits {
            u64::MAX
        } else {
            range / 2 / strides.0.max(strides.1)
        };
        let too_small =
            || StrategyError::DoesNotFit(format!("a storage range of {range} bytes is too small"));
        if vertices == 0 {
            return Err(too_small());
        }
        let cut = |total: u64, stride: u64| {
            windows(total, vertices.saturating_mul(stride), range, alignment).ok_or_else(too_small)
        };
        Ok(Self {
            source: cut(source, strides.0)?,
            output: cut(output, strides.1)?,
            vertices,
        })
    }
}
