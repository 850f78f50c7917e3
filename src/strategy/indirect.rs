//! Draw commands in a buffer, under `draws=indirect`.

use std::ops::Range;

use crate::gpu::{Buffer, BufferUse, GpuError, IndexedDraw, RenderEncoder};

use super::Setup;
use super::meshes::filled;

/// One command a character.
pub(super) struct IndirectDraws {
    buffer: Buffer,
}

impl IndirectDraws {
    /// The commands that draw some indices once a character, whose vertices begin at
    /// `first_vertex + character · stride`; nothing where the device cannot draw them.
    pub fn new(
        setup: &Setup<'_>,
        name: &str,
        indices: &Range<u32>,
        first_vertex: u32,
        stride: u32,
    ) -> Result<Option<Self>, GpuError> {
        if !setup.device.used().draw_indirect_first_instance {
            return Ok(None);
        }
        let command = |instance: u32| IndexedDraw {
            indices: indices.len() as u32,
            instances: 1,
            first_index: indices.start,
            vertex_offset: (first_vertex + instance * stride) as i32,
            first_instance: instance,
        };
        let commands: Vec<IndexedDraw> = (0..setup.instances).map(command).collect();
        let used = BufferUse {
            indirect: true,
            ..BufferUse::default()
        };
        let name = format!("{name}: draw commands");
        let buffer = filled(setup.device, &name, bytemuck::cast_slice(&commands), used)?;
        Ok(Some(Self { buffer }))
    }

    /// Draws one character.
    pub fn draw_one(&self, pass: &mut RenderEncoder<'_>, character: u32) {
        let bytes = size_of::<IndexedDraw>() as u32;
        let offset = u64::from(character) * u64::from(bytes);
        pass.draw_indexed_indirect(&self.buffer, offset, 1, bytes);
    }

    /// Draws the first `characters`.
    pub fn draw(&self, pass: &mut RenderEncoder<'_>, characters: u32) {
        pass.draw_indexed_indirect(&self.buffer, 0, characters, size_of::<IndexedDraw>() as u32);
    }
}
