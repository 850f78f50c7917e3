//! The Vulkan floor on every device, with validation on: one message fails.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use skinbench::gpu::{
    Access, Attachments, Binding, BindingKind, BoundResource, Buffer, BufferUse, Capabilities,
    ComputePipeline, ComputeRecipe, DescriptorSet, Device, DeviceOptions, DrawTopology, Encoder,
    Format, FrameSlot, GpuError, GraphicsPipeline, GraphicsRecipe, Image, ImageRegion, IndexedDraw,
    MemoryPlace, Optional, PassFormats, RecordOptions, RenderEncoder, SetLayout, Shader,
    Specialization, Stage, Transition, VertexAttribute, VertexFormat,
};
use skinbench::shader_types::{self, DrawConstants, Module};

use support::{assert_silent, devices};

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

/// Uploads three layers of 5×4 texels, each in two regions and in another order than they lie in the
/// buffer, and gives what comes back.
fn layers_there_and_back(device: &Device, format: Format, bytes: &[u8]) -> Vec<u8> {
    let base = 32;
    let texel = format.texel_bytes();
    let mut staged = vec![0xEE; base];
    staged.extend_from_slice(bytes);
    let source = upload(device, &staged, BufferUse::default());
    let back = readback(device, bytes.len() as u64);
    let image = Image::sampled(device, "palette", format, (5, 4), 3).unwrap();
    assert_eq!(image.packed_bytes(), bytes.len() as u64);
    let regions: Vec<_> = [2, 0, 1]
        .into_iter()
        .flat_map(|at: u32| {
            let first = u64::from(at) * 20 * texel;
            [
                layer(first + 15 * texel, at, 3, (5, 1)),
                layer(first, at, 0, (5, 3)),
                layer(0, at, 0, (0, 3)),
            ]
        })
        .collect();
    submit(device, |encoder| {
        let fresh = [Access::Undefined];
        let written = [Access::TransferWrite];
        let fetched = [Access::VertexSampledRead];
        let copied = [Access::TransferRead];
        encoder.barrier("new", &[Transition::discard(&image, &fresh, &written)]);
        encoder.copy_buffer_to_image((&source, base as u64), &image, &regions);
        // As a vertex stage would find it, and on to the copy.
        encoder.barrier("fetch", &[Transition::image(&image, &written, &fetched)]);
        encoder.barrier("copy", &[Transition::image(&image, &fetched, &copied)]);
        encoder.copy_image(&image, (&back, 0));
        encoder.barrier(
            "host",
            &[Transition::buffer(&back, &written, &[Access::HostRead])],
        );
        Ok(())
    });
    back.mapped().unwrap()[..bytes.len()].to_vec()
}

#[test]
fn a_layered_image_gives_back_what_was_uploaded() {
    for (instance, summary) in devices() {
        for options in generations() {
            let device = Device::open(&instance, &summary, options).unwrap();
            for format in [Format::Rgba32Float, Format::Rgba16Float] {
                // Small whole numbers in bytes are numbers in either format: nothing may change.
                let count = 3 * 20 * format.texel_bytes() as usize;
                let bytes: Vec<u8> = (0..count).map(|at| (at % 61) as u8).collect();
                let back = layers_there_and_back(&device, format, &bytes);
                assert_eq!(back, bytes, "{format:?} on {}", summary.name);
            }
        }
        assert_silent(&instance, &summary.name);
    }
}

fn few_layers(capabilities: &mut Capabilities) {
    capabilities.max_image_array_layers = 2;
    capabilities.max_image_dimension_2d = 64;
}

#[test]
fn an_image_beyond_the_limits_is_refused_by_name() {
    for (instance, summary) in devices() {
        let device = Device::open(&instance, &summary, narrowed(few_layers)).unwrap();
        let make = |extent, layers| {
            let made = Image::sampled(&device, "palette", Format::Rgba32Float, extent, layers);
            made.map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(make((64, 1), 2), Ok(()));
        for (extent, layers, limit) in [
            ((64, 1), 3, "maxImageArrayLayers"),
            ((64, 1), 0, "maxImageArrayLayers"),
            ((65, 1), 1, "maxImageDimension2D"),
            ((1, 65), 1, "maxImageDimension2D"),
        ] {
            let message = make(extent, layers).unwrap_err();
            assert!(
                message.contains("`palette`") && message.contains(limit),
                "{message}"
            );
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn a_binding_takes_only_what_its_kind_holds() {
    for (instance, summary) in devices() {
        let device = Device::open(&instance, &summary, DeviceOptions::default()).unwrap();
        let kinds = [BindingKind::Storage, BindingKind::SampledImage];
        let bindings: Vec<_> = (0..)
            .zip(kinds)
            .map(|(binding, kind)| Binding { binding, kind })
            .collect();
        let layout = SetLayout::new(&device, "layout", Stage::Vertex, &bindings).unwrap();
        let used = BufferUse {
            storage: true,
            ..BufferUse::default()
        };
        let buffer = upload(&device, &[0; 64], used);
        let format = Format::Rgba32Float;
        let image = Image::sampled(&device, "palette", format, (4, 4), 2).unwrap();
        let target = Image::attachment(&device, "target", format, (4, 4)).unwrap();
        let set = |resources: &[BoundResource<'_>]| {
            let made = DescriptorSet::new(&device, "set", &layout, resources);
            made.map(|_| ()).map_err(|error| error.to_string())
        };
        let block: BoundResource<'_> = (&buffer, 0, 64).into();
        assert_eq!(set(&[block, (&image).into()]), Ok(()));
        for wrong in [[block, block], [block, (&target).into()]] {
            let message = set(&wrong).unwrap_err();
            assert!(message.contains("binding 1 of `layout`"), "{message}");
        }
        let message = set(&[(&image).into(), (&image).into()]).unwrap_err();
        assert!(message.contains("`palette` into binding 0"), "{message}");
        assert!(set(&[block]).unwrap_err().contains("1 resources"));
        assert_silent(&instance, &summary.name);
    }
}

/// A device that captures no vertices.
fn without_capture(capabilities: &mut Capabilities) {
    capabilities.has.transform_feedback = false;
}

/// A place to draw points to while they are captured.
fn one_texel(device: &Device) -> Attachments {
    let formats = PassFormats {
        colors: vec![Format::Rgba8],
        depth: false,
    };
    Attachments::new(device, "one texel", &formats, (1, 1)).unwrap()
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

#[test]
fn a_device_that_does_not_capture_says_so_by_name() {
    for (instance, summary) in devices() {
        let device = Device::open(&instance, &summary, narrowed(without_capture)).unwrap();
        assert!(!device.used().transform_feedback);
        let used = BufferUse {
            transform_feedback: true,
            ..BufferUse::default()
        };
        let made = Buffer::new(&device, "captured", 64, MemoryPlace::Device, used);
        let message = made.err().unwrap().to_string();
        let why = "VK_EXT_transform_feedback is missing or not in use";
        assert!(
            message.contains(&format!("buffer `captured`: {why}")),
            "{message}"
        );
        let (target, buffer) = (one_texel(&device), readback(&device, 64));
        let mut refused = None;
        submit(&device, |encoder| {
            pass(encoder, &target, |pass| {
                let body = |_: &mut RenderEncoder<'_>| -> Result<(), GpuError> { panic!("it ran") };
                refused = pass.transform_feedback(&buffer, 0, 64, body).err();
                Ok(())
            })
        });
        let message = refused.unwrap().to_string();
        assert!(message.contains(&format!("`readback`: {why}")), "{message}");
        assert_silent(&instance, &summary.name);
    }
}

/// The words of `shaders/test/capture.vert`.
fn capture_words() -> Vec<u32> {
    let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/test_capture.vert.spv"));
    bytemuck::pod_collect_to_vec(bytes)
}

fn capture_pipeline(device: &Device, set: &SetLayout, formats: &PassFormats) -> GraphicsPipeline {
    let vertex = Shader::new(device, "capture", &capture_words()).unwrap();
    let recipe = GraphicsRecipe {
        name: "capture",
        vertex: &vertex,
        fragment: None,
        specialization: &Specialization::default(),
        fragment_specialization: &Specialization::default(),
        attributes: &[],
        strides: &[],
        topology: DrawTopology::Points,
        formats,
        set: Some(set),
        push_bytes: 0,
        capture_only: true,
        robust: false,
    };
    GraphicsPipeline::new(device, &recipe).unwrap()
}

/// Fetches the 60 texels of an image in the vertex stage, captures 23 and then 37 of them, and gives a
/// buffer's words around them.
fn captured(device: &Device, format: Format, texels: &[u8]) -> Vec<f32> {
    let binding = Binding {
        binding: 0,
        kind: BindingKind::SampledImage,
    };
    let layout = SetLayout::new(device, "texels", Stage::Vertex, &[binding]).unwrap();
    let image = Image::sampled(device, "texels", format, (5, 4), 3).unwrap();
    let set = DescriptorSet::new(device, "texels", &layout, &[&image]).unwrap();
    let source = upload(device, texels, BufferUse::default());
    let used = BufferUse {
        transform_feedback: true,
        ..BufferUse::default()
    };
    let size = 16 * 62;
    let target = Buffer::new(device, "captured", size, MemoryPlace::Device, used).unwrap();
    let blank = upload(device, &vec![0xFF; size as usize], BufferUse::default());
    let back = readback(device, size);
    let attachments = one_texel(device);
    let pipeline = capture_pipeline(device, &layout, attachments.formats());
    let layer_bytes = 20 * format.texel_bytes();
    let regions: Vec<_> = (0..3)
        .map(|at| layer(u64::from(at) * layer_bytes, at, 0, (5, 4)))
        .collect();
    submit(device, |encoder| {
        use Access::{TransferRead, TransferWrite, TransformFeedbackWrite, VertexSampledRead};
        let fresh = [Access::Undefined];
        encoder.barrier(
            "new",
            &[Transition::discard(&image, &fresh, &[TransferWrite])],
        );
        encoder.copy_buffer_to_image((&source, 0), &image, &regions);
        encoder.copy_buffer((&blank, 0), (&target, 0), size);
        encoder.barrier(
            "capture",
            &[
                Transition::image(&image, &[TransferWrite], &[VertexSampledRead]),
                Transition::buffer(&target, &[TransferWrite], &[TransformFeedbackWrite]),
            ],
        );
        pass(encoder, &attachments, |pass| {
            pass.bind_pipeline(&pipeline);
            // Two draws follow each other in one capture.
            pass.transform_feedback(&target, 16, 16 * 60, |pass| -> Result<(), GpuError> {
                pass.bind_set(&set, &[]);
                pass.draw(0, 23, 0);
                pass.draw(23, 37, 0);
                Ok(())
            })
        })?;
        encoder.barrier(
            "copy",
            &[Transition::buffer(
                &target,
                &[TransformFeedbackWrite],
                &[TransferRead],
            )],
        );
        encoder.copy_buffer((&target, 0), (&back, 0), size);
        encoder.barrier(
            "host",
            &[Transition::buffer(
                &back,
                &[TransferWrite],
                &[Access::HostRead],
            )],
        );
        Ok(())
    });
    bytemuck::pod_collect_to_vec(&back.mapped().unwrap()[..size as usize])
}

#[test]
fn captured_vertices_are_the_texels_that_they_fetched() {
    for (instance, summary) in devices() {
        for options in generations() {
            let device = Device::open(&instance, &summary, options).unwrap();
            if !device.used().transform_feedback {
                println!("skipped: {} captures no vertices", summary.name);
                continue;
            }
            // 240 floats, all different, and what they are as bytes of either format: the halves
            // 0x3C00 + n are 1 + n/1024, exactly.
            let floats: Vec<f32> = (0..240).map(|n| 1.0 + n as f32 / 1024.0).collect();
            let halves: Vec<u16> = (0..240).map(|n| 0x3C00 + n).collect();
            for (format, texels) in [
                (Format::Rgba32Float, bytemuck::cast_slice(&floats)),
                (Format::Rgba16Float, bytemuck::cast_slice(&halves)),
            ] {
                let found = captured(&device, format, texels);
                assert_eq!(found[4..244], floats, "{format:?}");
                // The words before and after are as they were: all bits set.
                let around = found[..4].iter().chain(&found[244..]);
                assert!(
                    around.clone().count() == 8 && around.map(|f| f.to_bits()).all(|b| b == !0)
                );
            }
            assert!(device.capabilities().max_transform_feedback_buffers >= 1);
        }
        assert_silent(&instance, &summary.name);
    }
}

/// A vertex of the drawing tests: position, normal, tangent.
const VERTEX_BYTES: u32 = 40;

fn attribute(location: u32, format: VertexFormat, offset: u32) -> VertexAttribute {
    VertexAttribute {
        location,
        binding: 0,
        format,
        offset,
    }
}

fn drawn_attributes() -> Vec<VertexAttribute> {
    vec![
        attribute(0, VertexFormat::Float(3), 0),
        attribute(1, VertexFormat::Float(3), 12),
        attribute(2, VertexFormat::Float(4), 24),
        attribute(3, VertexFormat::Float(3), 0),
    ]
}

fn drawn_formats() -> PassFormats {
    PassFormats {
        colors: vec![Format::Rgba16Float, Format::Rgba8],
        depth: true,
    }
}

/// `predeformed.vert` and `gbuffer.frag`.
fn drawing_pipeline(
    device: &Device,
    attributes: &[VertexAttribute],
    robust: bool,
) -> Result<GraphicsPipeline, GpuError> {
    let shader = |module: Module| Shader::new(device, module.name(), &module.spirv());
    let (vertex, fragment) = (
        shader(Module::PredeformedVert)?,
        shader(Module::GBufferFrag)?,
    );
    let specialization = Specialization(vec![shader_types::ATTRIBUTES.with(2)]);
    let recipe = GraphicsRecipe {
        name: "drawing",
        vertex: &vertex,
        fragment: Some(&fragment),
        specialization: &specialization,
        fragment_specialization: &specialization,
        attributes,
        strides: &[VERTEX_BYTES],
        topology: DrawTopology::Triangles,
        formats: &drawn_formats(),
        set: None,
        push_bytes: size_of::<DrawConstants>() as u32,
        capture_only: false,
        robust,
    };
    GraphicsPipeline::new(device, &recipe)
}

#[test]
fn every_vertex_format_is_one_that_the_device_takes() {
    let kinds = [
        VertexFormat::Float,
        VertexFormat::Uint8,
        VertexFormat::Uint16,
        VertexFormat::Uint32,
        VertexFormat::Unorm8,
        VertexFormat::Unorm16,
        VertexFormat::Snorm8,
        VertexFormat::Snorm16,
    ];
    let three = [VertexFormat::Float(3), VertexFormat::Uint32(3)];
    let all: Vec<_> = kinds
        .iter()
        .flat_map(|kind| [1, 2, 4].map(kind))
        .chain(three)
        .collect();
    for (instance, summary) in devices() {
        let device = Device::open(&instance, &summary, DeviceOptions::default()).unwrap();
        // The shader reads none of them, but the layer holds each against the device's formats.
        for formats in all.chunks(12) {
            let mut attributes = drawn_attributes();
            let more = (4..).zip(formats);
            attributes.extend(more.map(|(location, format)| attribute(location, *format, 0)));
            drawing_pipeline(&device, &attributes, false).unwrap();
        }
        assert_silent(&instance, &summary.name);
    }
}

/// Six triangles one above the other, three vertices each, every one with a normal of its own.
fn triangles() -> Vec<f32> {
    (0..6)
        .flat_map(|at| {
            let low = at as f32 / 3.0 - 1.0;
            [[-1.0, low], [-0.6, low], [-0.8, low + 0.3]].map(|[x, y]| {
                let shade = 0.1 + at as f32 / 10.0;
                [x, y, 0.5, shade, 0.0, 1.0, shade, 0.0, 0.0, 1.0]
            })
        })
        .flatten()
        .collect()
}

/// How the triangles are drawn: once, twice or three times side by side, from the place of another.
fn draws(first_instance: bool) -> Vec<IndexedDraw> {
    (0..6)
        .map(|at| IndexedDraw {
            indices: 3,
            instances: 1 + at % 3,
            first_index: 0,
            vertex_offset: 3 * at as i32,
            first_instance: u32::from(first_instance) * (at % 2),
        })
        .collect()
}

/// Draws and gives both colour images.
fn pictures(device: &Device, indirect: bool) -> Vec<u8> {
    let used = |set: fn(&mut BufferUse)| {
        let mut used = BufferUse::default();
        set(&mut used);
        used
    };
    let all = draws(device.used().draw_indirect_first_instance);
    let vertices = upload(
        device,
        bytemuck::cast_slice(&triangles()),
        used(|u| u.vertex = true),
    );
    let indices = upload(
        device,
        bytemuck::cast_slice(&[0u32, 1, 2]),
        used(|u| u.index = true),
    );
    // One entry of padding in front, and strides of 24 bytes.
    let padded: Vec<[u32; 6]> = [IndexedDraw::default()]
        .iter()
        .chain(&all)
        .map(|draw| {
            let words: [u32; 5] = bytemuck::cast(*draw);
            [words[0], words[1], words[2], words[3], words[4], 77]
        })
        .collect();
    let parameters = upload(
        device,
        bytemuck::cast_slice(&padded),
        used(|u| u.indirect = true),
    );
    let attachments = Attachments::new(device, "picture", &drawn_formats(), (48, 48)).unwrap();
    let pipeline = drawing_pipeline(device, &drawn_attributes(), false).unwrap();
    let constants = DrawConstants {
        view_projection: glam::Mat4::IDENTITY.to_cols_array_2d(),
        grid_step: [0.5, 0.0],
        grid_columns: 4,
        ..DrawConstants::default()
    };
    let images = &attachments.images()[..2];
    let size = images.iter().map(Image::packed_bytes).sum();
    let back = readback(device, size);
    submit(device, |encoder| {
        pass(encoder, &attachments, |pass| {
            pass.bind_pipeline(&pipeline);
            pass.push_constants(bytemuck::bytes_of(&constants));
            pass.bind_vertices(&[(&vertices, 0)]);
            pass.bind_indices(&indices);
            if indirect {
                pass.draw_indexed_indirect(&parameters, 24, all.len() as u32, 24);
                return Ok(());
            }
            for draw in &all {
                pass.draw_indexed(
                    draw.indices,
                    draw.instances,
                    draw.vertex_offset,
                    draw.first_instance,
                );
            }
            Ok(())
        })?;
        let (drawn, copied) = ([Access::ColorAttachment], [Access::TransferRead]);
        let transitions: Vec<_> = images
            .iter()
            .map(|image| Transition::image(image, &drawn, &copied))
            .collect();
        encoder.barrier("copy", &transitions);
        let mut offset = 0;
        for image in images {
            encoder.copy_image(image, (&back, offset));
            offset += image.packed_bytes();
        }
        let written = [Access::TransferWrite];
        encoder.barrier(
            "host",
            &[Transition::buffer(&back, &written, &[Access::HostRead])],
        );
        Ok(())
    });
    back.mapped().unwrap()[..size as usize].to_vec()
}

/// A device that draws no more than four entries a call.
fn few_draws(capabilities: &mut Capabilities) {
    capabilities.max_draw_indirect_count = 4;
}

/// A device that draws one entry a call.
fn single_draws(capabilities: &mut Capabilities) {
    capabilities.has.multi_draw_indirect = false;
}

/// A device whose indirect draws begin at instance 0.
fn from_instance_0(capabilities: &mut Capabilities) {
    capabilities.has.draw_indirect_first_instance = false;
}

#[test]
fn indirect_draws_give_the_picture_of_direct_ones() {
    for (instance, summary) in devices() {
        for options in [
            DeviceOptions::default(),
            narrowed(few_draws),
            narrowed(single_draws),
            narrowed(from_instance_0),
        ] {
            let device = Device::open(&instance, &summary, options).unwrap();
            let (direct, indirect) = (pictures(&device, false), pictures(&device, true));
            assert!(direct.iter().any(|byte| *byte != 0), "nothing was drawn");
            assert_eq!(direct, indirect, "{}", summary.name);
        }
        assert_silent(&instance, &summary.name);
    }
}

/// A device without robustness of single pipelines.
fn all_or_nothing(capabilities: &mut Capabilities) {
    capabilities.has.pipeline_robustness = false;
}

/// Makes a compute and a graphics pipeline with robust access.
fn robust_pipelines(device: &Device) -> Result<(), GpuError> {
    let bindings = [0, 1, 2, 3].map(|binding| Binding {
        binding,
        kind: BindingKind::Storage,
    });
    let set = SetLayout::new(device, "compute", Stage::Compute, &bindings)?;
    let module = Module::DeformComp;
    let recipe = ComputeRecipe {
        name: "kernel",
        shader: &Shader::new(device, module.name(), &module.spirv())?,
        specialization: &Specialization(vec![shader_types::WORKGROUP.with(64)]),
        set: &set,
        push_bytes: size_of::<shader_types::DispatchConstants>() as u32,
        robust: true,
    };
    let drawing = drawing_pipeline(device, &drawn_attributes(), true);
    let kernel = ComputePipeline::new(device, &recipe);
    if let (Err(kernel), Err(drawing)) = (&kernel, &drawing) {
        let (kernel, drawing) = (kernel.to_string(), drawing.to_string());
        assert!(kernel.contains("pipeline `kernel`"), "{kernel}");
        assert!(drawing.contains("pipeline `drawing`"), "{drawing}");
    }
    drawing?;
    kernel?;
    Ok(())
}

#[test]
fn robust_access_is_had_by_the_pipeline_or_by_the_device_or_refused() {
    for (instance, summary) in devices() {
        let device = Device::open(&instance, &summary, DeviceOptions::default()).unwrap();
        assert!(!device.is_robust());
        let made = robust_pipelines(&device);
        assert_eq!(made.is_ok(), device.used().pipeline_robustness);
        let device = Device::open(&instance, &summary, narrowed(all_or_nothing)).unwrap();
        let message = robust_pipelines(&device).unwrap_err().to_string();
        assert!(message.contains("VK_EXT_pipeline_robustness"), "{message}");
        let options = DeviceOptions {
            robust_buffer_access: true,
            ..narrowed(all_or_nothing)
        };
        let device = Device::open(&instance, &summary, options).unwrap();
        assert!(device.is_robust());
        robust_pipelines(&device).unwrap();
        assert_silent(&instance, &summary.name);
    }
}
