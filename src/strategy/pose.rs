//! Palettes and morph weights of all characters, from host to device.

use crate::deform::palette::PoseLayout;
use crate::gpu::{Access, Buffer, BufferUse, Device, Encoder, GpuError, MemoryPlace, Transition};

use super::Frame;

/// Staging buffers, so that two frames can be under way at once.
pub const SLOTS: usize = 2;

/// Blocks of palettes and morph weights, one a character (or one for all).
pub struct PoseBuffers {
    layout: PoseLayout,
    blocks: usize,
    store: Store,
}

enum Store {
    /// The host reads them back at once: plain memory.
    Host(Vec<[f32; 4]>),
    /// Written to staging, copied to one of two halves on the device. The other half holds the
    /// frame before.
    Device {
        staging: Vec<Buffer>,
        buffer: Buffer,
        half_bytes: u64,
    },
}

impl PoseBuffers {
    /// Blocks in host memory, for a place that deforms there.
    pub fn host(layout: PoseLayout, blocks: usize) -> Self {
        let store = Store::Host(vec![[0.0; 4]; blocks * layout.stride]);
        Self {
            layout,
            blocks,
            store,
        }
    }

    /// Blocks on the device. `tail_bytes` are readable behind the last block, for a uniform range
    /// that is longer than the palette.
    ///
    /// # Errors
    /// No memory left.
    pub fn device(
        device: &Device,
        name: &str,
        layout: PoseLayout,
        blocks: usize,
        tail_bytes: u64,
    ) -> Result<Self, GpuError> {
        let half_bytes = 16 * (blocks * layout.stride) as u64;
        let used = BufferUse {
            storage: true,
            uniform: true,
            ..BufferUse::default()
        };
        let buffer_name = format!("{name}: poses");
        let size = 2 * half_bytes + tail_bytes;
        let buffer = Buffer::new(device, &buffer_name, size, MemoryPlace::Device, used)?;
        let staging = (0..SLOTS)
            .map(|slot| {
                let name = format!("{name}: poses staging {slot}");
                Buffer::new(
                    device,
                    &name,
                    half_bytes,
                    MemoryPlace::Upload,
                    BufferUse::default(),
                )
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            layout,
            blocks,
            store: Store::Device {
                staging,
                buffer,
                half_bytes,
            },
        })
    }

    /// Where things lie in a block.
    pub fn layout(&self) -> &PoseLayout {
        &self.layout
    }

    /// The blocks to write for a slot. May be write-combined memory: never read it.
    ///
    /// # Errors
    /// The staging memory is not mapped.
    pub fn blocks_mut(&mut self, slot: usize) -> Result<&mut [[f32; 4]], GpuError> {
        let count = self.blocks * self.layout.stride;
        match &mut self.store {
            Store::Host(blocks) => Ok(blocks),
            Store::Device { staging, .. } => {
                let bytes = staging[slot].mapped_mut()?;
                Ok(bytemuck::cast_slice_mut(&mut bytes[..16 * count]))
            }
        }
    }

    /// The blocks in host memory; `None` where they lie on the device.
    pub fn host_blocks(&self) -> Option<&[[f32; 4]]> {
        match &self.store {
            Store::Host(blocks) => Some(blocks),
            Store::Device { .. } => None,
        }
    }

    /// The device's buffer; `None` where there is none.
    pub fn buffer(&self) -> Option<&Buffer> {
        match &self.store {
            Store::Host(_) => None,
            Store::Device { buffer, .. } => Some(buffer),
        }
    }

    /// Byte offset of the half of `parity`.
    pub fn half_offset(&self, parity: usize) -> u64 {
        match &self.store {
            Store::Host(_) => 0,
            Store::Device { half_bytes, .. } => parity as u64 * half_bytes,
        }
    }

    /// Bytes of all blocks of one frame.
    pub fn frame_bytes(&self) -> u64 {
        16 * (self.blocks * self.layout.stride) as u64
    }

    /// The same without padding.
    pub fn unpadded_bytes(&self) -> u64 {
        (self.blocks * self.layout.unpadded_bytes()) as u64
    }

    /// `vec4`s from one character to the next: 0 where they share one block.
    pub fn stride(&self, instances: u32) -> u32 {
        if self.blocks == 1 && instances > 1 {
            0
        } else {
            self.layout.stride as u32
        }
    }

    /// Copies the slot's staging to the frame's half. `readers` read poses in every frame: those of
    /// the frame before must be done (write after read), those of this frame wait for the copy.
    pub fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame, readers: &[Access]) {
        let Store::Device {
            staging,
            buffer,
            half_bytes,
        } = &self.store
        else {
            return;
        };
        // Earlier frames read (and copied to) this buffer; the copy must come after them.
        let before = [readers, &[Access::TransferWrite]].concat();
        encoder.barrier(
            "reuse poses",
            &[Transition::buffer(
                buffer,
                &before,
                &[Access::TransferWrite],
            )],
        );
        let to = frame.parity as u64 * half_bytes;
        encoder.copy_buffer((&staging[frame.slot], 0), (buffer, to), *half_bytes);
        // The copy wrote; the stage that deforms reads.
        encoder.barrier(
            "upload -> deform",
            &[Transition::buffer(
                buffer,
                &[Access::TransferWrite],
                readers,
            )],
        );
    }
}
