//! Reading back what a frame left: deformed vertices, poses, pictures.

use std::ops::Range;

use crate::deform::output::{Attributes, OutputLayout};
use crate::gpu::{
    Access, Attachments, Buffer, BufferUse, Device, Encoder, Format, FrameSlot, GpuError, Image,
    MemoryPlace, PassFormats, RecordOptions, Transition,
};
use crate::render::Picture;

use super::{Frame, PoseBuffers, Prepared};

/// Texels of a readback tile in a row: far below 4096, and a power of two, so that texel centres
/// are exact in f32.
const TILE_WIDTH: u32 = 1024;
/// Most rows of a tile.
const MAX_TILE_HEIGHT: u32 = 256;

/// Position, normal and tangent, each a float target.
pub(super) fn readback_formats() -> PassFormats {
    PassFormats {
        colors: vec![Format::Rgba32Float; 3],
        depth: false,
    }
}

/// The deformed vertices of all instances and items as floats, decoded where they are packed.
///
/// Places with an output buffer are copied from it; the vertex places draw each vertex as a point
/// into float targets with the module that they draw with.
///
/// # Errors
/// The driver's refusal, no memory, a lost device.
pub fn read_output(
    device: &Device,
    prepared: &dyn Prepared,
    frame: &Frame,
    output: &OutputLayout,
    instances: u32,
) -> Result<Vec<f32>, GpuError> {
    match prepared.output(frame) {
        Some(at) => read_vertices(device, at, output, instances),
        None => read_points(device, prepared, frame, output, instances),
    }
}

/// The vertices of the frame before as a velocity pass of this frame reads them; `None` for places
/// that deform them inside the pass.
///
/// # Errors
/// The driver's refusal, no memory, a lost device.
pub fn read_previous(
    device: &Device,
    prepared: &dyn Prepared,
    frame: &Frame,
    output: &OutputLayout,
    instances: u32,
) -> Result<Option<Vec<f32>>, GpuError> {
    let at = prepared.previous_output(frame);
    at.map(|at| read_vertices(device, at, output, instances))
        .transpose()
}

fn read_vertices(
    device: &Device,
    (buffer, offset): (&Buffer, u64),
    output: &OutputLayout,
    instances: u32,
) -> Result<Vec<f32>, GpuError> {
    let bytes = output.bytes(instances as usize) as u64;
    // Written by the compute pass, a capture or a copy, read by the passes; the copy comes after all
    // of them.
    let mut before = vec![
        Access::ComputeWrite,
        Access::TransferWrite,
        Access::VertexAttributeRead,
    ];
    if device.used().transform_feedback {
        before.push(Access::TransformFeedbackWrite);
    }
    let bytes = read_buffer(device, buffer, offset, bytes, &before)?;
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
    Ok(output.decode(&words))
}

fn read_points(
    device: &Device,
    prepared: &dyn Prepared,
    frame: &Frame,
    output: &OutputLayout,
    instances: u32,
) -> Result<Vec<f32>, GpuError> {
    let total = instances as usize * output.vertices_per_instance;
    let rows = (total as u32)
        .div_ceil(TILE_WIDTH)
        .next_power_of_two()
        .clamp(1, MAX_TILE_HEIGHT);
    let tile = (TILE_WIDTH, rows);
    let targets = Attachments::new(device, "readback", &readback_formats(), tile)?;
    let per_tile = (tile.0 * tile.1) as usize;
    let mut all = Vec::with_capacity(output.floats(instances as usize));
    for first in (0..total).step_by(per_tile) {
        let vertices = first..total.min(first + per_tile);
        let planes = read_tile(device, prepared, frame, &targets, vertices.clone())?;
        interleave(&planes, vertices.len(), output.attributes, &mut all);
    }
    Ok(all)
}

fn read_tile(
    device: &Device,
    prepared: &dyn Prepared,
    frame: &Frame,
    targets: &Attachments,
    vertices: Range<usize>,
) -> Result<Vec<Vec<u8>>, GpuError> {
    read_images(device, targets.images(), |encoder| {
        // Tiles before this one were drawn and copied; their contents are done with.
        let before = [Access::ColorAttachment, Access::TransferRead];
        let clear: Vec<_> = targets
            .images()
            .iter()
            .map(|image| Transition::discard(image, &before, &[Access::ColorAttachment]))
            .collect();
        encoder.barrier("readback targets", &clear);
        encoder.render(targets, |pass| {
            prepared.draw_points(pass, frame, vertices, targets.extent())
        })
    })
}

/// Planes of RGBA floats to interleaved attributes.
fn interleave(planes: &[Vec<u8>], count: usize, attributes: Attributes, all: &mut Vec<f32>) {
    let planes: Vec<Vec<f32>> = planes
        .iter()
        .map(|plane| bytemuck::pod_collect_to_vec(plane))
        .collect();
    for vertex in 0..count {
        let texel = 4 * vertex..4 * vertex + 4;
        all.extend(&planes[0][texel.clone()][..3]);
        if attributes != Attributes::P {
            all.extend(&planes[1][texel.clone()][..3]);
        }
        if attributes == Attributes::Pnt {
            all.extend(&planes[2][texel]);
        }
    }
}

/// The palettes and morph weights of a frame as the device (or the host's deformation) has them.
///
/// # Errors
/// The driver's refusal, no memory, a lost device.
pub fn read_pose(
    device: &Device,
    prepared: &mut dyn Prepared,
    frame: &Frame,
) -> Result<Vec<[f32; 4]>, GpuError> {
    let poses = prepared.pose();
    if let Some(blocks) = poses.host_blocks() {
        return Ok(blocks.to_vec());
    }
    let Some(buffer) = poses.buffer() else {
        return Ok(Vec::new());
    };
    let before = [
        Access::TransferWrite,
        Access::ComputeRead,
        Access::VertexStorageRead,
        Access::VertexUniformRead,
    ];
    let mut all = match poses.image(frame.parity) {
        Some(image) => read_texture(device, poses, image)?,
        None => Vec::new(),
    };
    let offset = poses.half_offset(frame.parity);
    let bytes = poses.frame_bytes() - all.len() as u64;
    if bytes > 0 {
        all.extend(read_buffer(device, buffer, offset, bytes, &before)?);
    }
    Ok(bytemuck::pod_collect_to_vec(&all))
}

/// The palettes that a texture holds, texel after texel, without what fills it up.
fn read_texture(device: &Device, poses: &PoseBuffers, image: &Image) -> Result<Vec<u8>, GpuError> {
    let host = readback_buffer(device, image.packed_bytes())?;
    let fetched = [Access::VertexSampledRead];
    run_once(device, |encoder| {
        let read = Transition::image(image, &fetched, &[Access::TransferRead]);
        encoder.barrier("read back", &[read]);
        encoder.copy_image(image, (&host, 0));
        // Later frames may fetch from it again.
        let back = Transition::image(image, &[Access::TransferRead], &fetched);
        let to_host = Transition::buffer(&host, &[Access::TransferWrite], &[Access::HostRead]);
        encoder.barrier("to the host", &[back, to_host]);
        Ok(())
    })?;
    let palettes = 16 * poses.layout().morphs_start(poses.blocks());
    Ok(host.mapped()?[..palettes].to_vec())
}

fn readback_buffer(device: &Device, bytes: u64) -> Result<Buffer, GpuError> {
    let used = BufferUse::default();
    Buffer::new(device, "readback", bytes, MemoryPlace::Readback, used)
}

/// What a frame left in a target.
///
/// # Errors
/// The driver's refusal, no memory, a lost device.
pub fn read_target(device: &Device, target: &Attachments) -> Result<Picture, GpuError> {
    let planes = read_images(device, target.images(), |_| Ok(()))?;
    let sizes = target
        .images()
        .iter()
        .map(|image| image.format().texel_bytes() as usize);
    Ok(Picture {
        extent: target.extent(),
        planes: sizes.zip(planes).collect(),
    })
}

fn read_buffer(
    device: &Device,
    buffer: &Buffer,
    offset: u64,
    bytes: u64,
    before: &[Access],
) -> Result<Vec<u8>, GpuError> {
    let host = readback_buffer(device, bytes)?;
    run_once(device, |encoder| {
        encoder.barrier(
            "read back",
            &[Transition::buffer(buffer, before, &[Access::TransferRead])],
        );
        encoder.copy_buffer((buffer, offset), (&host, 0), bytes);
        encoder.barrier(
            "to the host",
            &[Transition::buffer(
                &host,
                &[Access::TransferWrite],
                &[Access::HostRead],
            )],
        );
        Ok(())
    })?;
    Ok(host.mapped()?[..bytes as usize].to_vec())
}

/// Runs `body`, then copies images that it (or an earlier frame) drew.
fn read_images(
    device: &Device,
    images: &[Image],
    body: impl FnOnce(&mut Encoder<'_>) -> Result<(), GpuError>,
) -> Result<Vec<Vec<u8>>, GpuError> {
    let hosts = images
        .iter()
        .map(|image| readback_buffer(device, image.packed_bytes()))
        .collect::<Result<Vec<_>, _>>()?;
    run_once(device, |encoder| {
        body(encoder)?;
        let attachment = |image: &Image| {
            if image.format().is_depth() {
                [Access::DepthAttachment]
            } else {
                [Access::ColorAttachment]
            }
        };
        let befores: Vec<_> = images.iter().map(attachment).collect();
        let transitions: Vec<_> = images
            .iter()
            .zip(&befores)
            .map(|(image, before)| Transition::image(image, before, &[Access::TransferRead]))
            .collect();
        encoder.barrier("read back", &transitions);
        for (image, host) in images.iter().zip(&hosts) {
            encoder.copy_image(image, (host, 0));
        }
        let to_host: Vec<_> = hosts
            .iter()
            .map(|host| Transition::buffer(host, &[Access::TransferWrite], &[Access::HostRead]))
            .collect();
        encoder.barrier("to the host", &to_host);
        Ok(())
    })?;
    let whole = |(image, host): (&Image, &Buffer)| {
        Ok(host.mapped()?[..image.packed_bytes() as usize].to_vec())
    };
    images.iter().zip(&hosts).map(whole).collect()
}

fn run_once(
    device: &Device,
    body: impl FnOnce(&mut Encoder<'_>) -> Result<(), GpuError>,
) -> Result<(), GpuError> {
    let mut slot = FrameSlot::new(device, "readback", 2)?;
    slot.record(RecordOptions::default(), body)?;
    slot.submit()?;
    slot.wait()
}
