//! Layered images and the bindings that show them.

use skinbench::gpu::{
    Access, Binding, BindingKind, BoundResource, BufferUse, Capabilities, DescriptorSet, Device,
    DeviceOptions, Format, Image, SetLayout, Stage, Transition,
};

use crate::support::{assert_silent, devices};
use crate::{generations, layer, narrowed, readback, submit, upload};

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
