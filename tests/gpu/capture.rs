//! Transform feedback: what is captured, and who refuses.

use skinbench::gpu::{
    Access, Attachments, Binding, BindingKind, Buffer, BufferUse, Capabilities, DescriptorSet,
    Device, DrawTopology, Format, GpuError, GraphicsPipeline, GraphicsRecipe, Image, MemoryPlace,
    PassFormats, RenderEncoder, SetLayout, Shader, Specialization, Stage, Transition,
};

use crate::support::{assert_silent, devices};
use crate::{generations, layer, narrowed, pass, readback, submit, upload};

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
