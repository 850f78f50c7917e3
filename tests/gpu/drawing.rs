//! Vertex formats, indirect draws and robust access.

use skinbench::gpu::{
    Access, Attachments, Binding, BindingKind, BufferUse, Capabilities, ComputePipeline,
    ComputeRecipe, Device, DeviceOptions, DrawTopology, Format, GpuError, GraphicsPipeline,
    GraphicsRecipe, Image, IndexedDraw, PassFormats, SetLayout, Shader, Specialization, Stage,
    Transition, VertexAttribute, VertexFormat,
};
use skinbench::shader_types::{self, DrawConstants, Module};

use crate::support::{assert_silent, devices};
use crate::{narrowed, pass, readback, submit, upload};

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
                pass.draw_indexed(draw);
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
