//! The Vulkan floor on every device, with validation on: one message fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod capture;
mod drawing;
mod images;
#[path = "../support/mod.rs"]
mod support;

use skinbench::gpu::{
    Access, Attachments, Buffer, BufferUse, Capabilities, Device, DeviceOptions, Encoder,
    FrameSlot, GpuError, ImageRegion, MemoryPlace, Optional, RecordOptions, RenderEncoder,
    Transition,
};

/// The device as it is, and as an old driver would have it: Vulkan 1.0's barriers and passes.
fn generations() -> [DeviceOptions; 2] {
    let use_optional = Optional {
        synchronization2: false,
        dynamic_rendering: false,
        ..Optional::ALL
    };
    let old = DeviceOptions {
        use_optional,
        ..DeviceOptions::default()
    };
    [DeviceOptions::default(), old]
}

fn narrowed(narrow: fn(&mut Capabilities)) -> DeviceOptions {
    DeviceOptions {
        narrow: Some(narrow),
        ..DeviceOptions::default()
    }
}

/// Records one command buffer, runs it and waits.
fn submit(device: &Device, body: impl FnOnce(&mut Encoder<'_>) -> Result<(), GpuError>) {
    let mut slot = FrameSlot::new(device, "test", 2).unwrap();
    slot.record(RecordOptions::default(), body).unwrap();
    slot.submit().unwrap();
    slot.wait().unwrap();
}

fn upload(device: &Device, bytes: &[u8], used: BufferUse) -> Buffer {
    let size = bytes.len() as u64;
    let mut buffer = Buffer::new(device, "upload", size, MemoryPlace::Upload, used).unwrap();
    buffer.mapped_mut().unwrap()[..bytes.len()].copy_from_slice(bytes);
    buffer
}

fn readback(device: &Device, size: u64) -> Buffer {
    let used = BufferUse::default();
    Buffer::new(device, "readback", size, MemoryPlace::Readback, used).unwrap()
}

fn layer(buffer_offset: u64, layer: u32, y: u32, size: (u32, u32)) -> ImageRegion {
    ImageRegion {
        buffer_offset,
        layer,
        y,
        width: size.0,
        height: size.1,
    }
}

/// Records a pass over fresh attachments.
fn pass(
    encoder: &mut Encoder<'_>,
    attachments: &Attachments,
    body: impl FnOnce(&mut RenderEncoder<'_>) -> Result<(), GpuError>,
) -> Result<(), GpuError> {
    let fresh = [Access::Undefined];
    let transitions: Vec<_> = attachments
        .images()
        .iter()
        .map(|image| {
            let drawn: &[Access] = match image.format().is_depth() {
                true => &[Access::DepthAttachment],
                false => &[Access::ColorAttachment],
            };
            Transition::discard(image, &fresh, drawn)
        })
        .collect();
    encoder.barrier("attachments", &transitions);
    encoder.render(attachments, body)
}
