//! Palettes and morph weights of all characters, from host to device.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::deform::palette::PoseLayout;
use crate::gpu::{
    Access, Buffer, BufferUse, Device, Encoder, Format, FrameSlot, GpuError, Image, ImageRegion,
    MemoryPlace, RecordOptions, Transition,
};

use super::Frame;
use super::texture::TextureShape;

/// Puts textures into the layout in which they are fetched from: a set shows both, and the first frame
/// has filled only one.
fn ready(device: &Device, images: &[Image]) -> Result<(), GpuError> {
    let mut slot = FrameSlot::new(device, "palette textures", 2)?;
    slot.record(RecordOptions::default(), |encoder| {
        let fetched = [Access::VertexSampledRead];
        let of = |image| Transition::discard(image, &[Access::Undefined], &fetched);
        let all: Vec<_> = images.iter().map(of).collect();
        encoder.barrier("palette textures", &all);
        Ok::<_, GpuError>(())
    })?;
    slot.submit()?;
    slot.wait()
}

/// Staging buffers, so that two frames can be under way at once.
pub const SLOTS: usize = 2;

/// Palettes and morph weights of all characters (or one block for all).
pub struct PoseBuffers {
    layout: PoseLayout,
    blocks: usize,
    store: Store,
    id: u64,
}

/// The next [`PoseBuffers::id`].
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

enum Store {
    /// The host reads them back at once: plain memory.
    Host(Vec<[f32; 4]>),
    /// Written to staging, copied to one of two halves on the device. The other half holds the
    /// frame before.
    Device {
        staging: Vec<Buffer>,
        /// Both halves: palettes and morph weights, or the weights alone beside textures.
        buffer: Buffer,
        /// One for each half, where palettes lie in textures.
        textures: Option<Box<Textures>>,
    },
}

struct Textures {
    images: [Image; 2],
    regions: Vec<ImageRegion>,
}

impl PoseBuffers {
    /// In host memory, for a place that deforms there.
    pub fn host(layout: PoseLayout, blocks: usize) -> Self {
        let store = Store::Host(vec![[0.0; 4]; layout.vec4s(blocks)]);
        Self {
            layout,
            blocks,
            store,
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// In a buffer on the device. `tail_bytes` are readable behind the last block, for a uniform
    /// range that is longer than the palette.
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
        let half = layout.vec4s(blocks).next_multiple_of(layout.alignment);
        let bytes = 2 * 16 * half as u64 + tail_bytes;
        Self::on_device(device, name, layout, blocks, bytes, None)
    }

    /// Palettes in a texture for each half, morph weights in a buffer.
    ///
    /// # Errors
    /// A texture beyond the device's, or no memory left.
    pub fn texture(
        device: &Device,
        name: &str,
        layout: PoseLayout,
        blocks: usize,
        shape: &TextureShape,
    ) -> Result<Self, GpuError> {
        let format = if layout.format.is_half() {
            Format::Rgba16Float
        } else {
            Format::Rgba32Float
        };
        let image = |half| {
            let name = format!("{name}: palette texture {half}");
            Image::sampled(device, &name, format, shape.extent(), shape.layers)
        };
        let textures = Textures {
            images: [image(0)?, image(1)?],
            regions: shape.regions(format.texel_bytes()),
        };
        ready(device, &textures.images)?;
        // Never empty: the binding is written whether there are targets or not.
        let bytes = 2 * 16 * (blocks * layout.morph_stride).max(1) as u64;
        Self::on_device(
            device,
            name,
            layout,
            blocks,
            bytes,
            Some(Box::new(textures)),
        )
    }

    fn on_device(
        device: &Device,
        name: &str,
        layout: PoseLayout,
        blocks: usize,
        bytes: u64,
        textures: Option<Box<Textures>>,
    ) -> Result<Self, GpuError> {
        let used = BufferUse {
            storage: true,
            uniform: true,
            ..BufferUse::default()
        };
        let buffer_name = format!("{name}: poses");
        let buffer = Buffer::new(device, &buffer_name, bytes, MemoryPlace::Device, used)?;
        let staging_bytes = 16 * layout.vec4s(blocks) as u64;
        let stage = |slot| {
            let name = format!("{name}: poses staging {slot}");
            let used = BufferUse::default();
            Buffer::new(device, &name, staging_bytes, MemoryPlace::Upload, used)
        };
        let staging = (0..SLOTS).map(stage).collect::<Result<_, _>>()?;
        let store = Store::Device {
            staging,
            buffer,
            textures,
        };
        Ok(Self {
            layout,
            blocks,
            store,
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// A number that no other poses have had: the palette buffer's part of a skin cache's key.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Where things lie.
    pub fn layout(&self) -> &PoseLayout {
        &self.layout
    }

    /// What to write for a slot. May be write-combined memory: never read it.
    ///
    /// # Errors
    /// The staging memory is not mapped.
    pub fn blocks_mut(&mut self, slot: usize) -> Result<&mut [[f32; 4]], GpuError> {
        let count = self.layout.vec4s(self.blocks);
        match &mut self.store {
            Store::Host(blocks) => Ok(blocks),
            Store::Device { staging, .. } => {
                let bytes = staging[slot].mapped_mut()?;
                Ok(bytemuck::cast_slice_mut(&mut bytes[..16 * count]))
            }
        }
    }

    /// What lies in host memory; `None` where it lies on the device.
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

    /// The texture of the half of `parity`, where palettes lie in textures.
    pub fn image(&self, parity: usize) -> Option<&Image> {
        match &self.store {
            Store::Device {
                textures: Some(textures),
                ..
            } => textures.images.get(parity),
            _ => None,
        }
    }

    /// `vec4`s of the buffer that one frame fills.
    fn filled_vec4s(&self) -> usize {
        match self.store {
            Store::Host(_) => 0,
            Store::Device {
                textures: Some(_), ..
            } => self.blocks * self.layout.morph_stride,
            Store::Device { .. } => self.layout.vec4s(self.blocks),
        }
    }

    /// `vec4`s from one half to the other: a dynamic offset may point into either.
    fn half_vec4s(&self) -> usize {
        self.filled_vec4s().next_multiple_of(self.layout.alignment)
    }

    /// Byte offset in the buffer of the half of `parity`.
    pub fn half_offset(&self, parity: usize) -> u64 {
        16 * (parity * self.half_vec4s()) as u64
    }

    /// Bytes of both halves of the buffer, without the tail that only uniform ranges reach into.
    pub fn both_halves(&self) -> u64 {
        (2 * 16 * self.half_vec4s() as u64).max(16)
    }

    /// `vec4` in the buffer (or texel group in the texture) of an item's palette in the first block,
    /// `offset` being that of its palette in a block.
    pub fn palette_base(&self, parity: usize, offset: u32) -> u32 {
        match self.image(parity) {
            Some(_) => offset,
            None => (self.half_offset(parity) / 16) as u32 + offset,
        }
    }

    /// `vec4` in the buffer of an item's morph weights in the first block.
    pub fn morph_base(&self, parity: usize, offset: u32) -> u32 {
        let before = match self.image(parity) {
            Some(_) => 0,
            None => self.layout.morphs_start(self.blocks),
        };
        ((self.half_offset(parity) / 16) as usize + before) as u32 + offset
    }

    /// Bytes of one frame, palettes and weights.
    pub fn frame_bytes(&self) -> u64 {
        16 * self.layout.vec4s(self.blocks) as u64
    }

    /// The same without padding.
    pub fn unpadded_bytes(&self) -> u64 {
        (self.blocks * self.layout.unpadded_bytes()) as u64
    }

    /// Blocks: one a character, or one for all.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// `vec4`s from one character's palettes to the next: 0 where they share one block.
    pub fn stride(&self, instances: u32) -> u32 {
        match self.blocks == 1 && instances > 1 {
            true => 0,
            false => self.layout.stride as u32,
        }
    }

    /// The same of morph weights.
    pub fn morph_stride(&self, instances: u32) -> u32 {
        match self.blocks == 1 && instances > 1 {
            true => 0,
            false => self.layout.morph_stride as u32,
        }
    }

    /// Copies the slot's staging to the frame's half. `readers` read the buffer in every frame: those
    /// of the frame before must be done (write after read), those of this frame wait for the copy.
    pub fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame, readers: &[Access]) {
        let Store::Device {
            staging,
            buffer,
            textures,
        } = &self.store
        else {
            return;
        };
        let write = [Access::TransferWrite];
        // Earlier frames read (and copied to) these; the copy must come after them.
        let before = [readers, &write].concat();
        let fetched = [Access::VertexSampledRead, Access::TransferWrite];
        let mut reuse = vec![Transition::buffer(buffer, &before, &write)];
        let mut ready = vec![Transition::buffer(buffer, &write, readers)];
        if let Some(textures) = textures {
            let image = &textures.images[frame.parity];
            reuse.push(Transition::discard(image, &fetched, &write));
            ready.push(Transition::image(image, &write, &fetched[..1]));
        }
        encoder.barrier("reuse poses", &reuse);
        let from = &staging[frame.slot];
        let to = self.half_offset(frame.parity);
        let mut at = 0;
        if let Some(textures) = textures {
            encoder.copy_buffer_to_image(
                (from, 0),
                &textures.images[frame.parity],
                &textures.regions,
            );
            at = 16 * self.layout.morphs_start(self.blocks) as u64;
        }
        encoder.copy_buffer((from, at), (buffer, to), 16 * self.filled_vec4s() as u64);
        // The copies wrote; the stage that deforms reads.
        encoder.barrier("upload -> deform", &ready);
    }
}
