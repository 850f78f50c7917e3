//! Attachments of a pass, with dynamic rendering or with a render pass and framebuffer.

use ash::vk;

use super::device::Device;
use super::error::GpuError;
use super::image::{Format, Image};

/// The formats of a pass's attachments: what a pipeline must be made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PassFormats {
    /// Colour formats, in location order.
    pub colors: Vec<Format>,
    /// Whether there is a depth attachment.
    pub depth: bool,
}

impl PassFormats {
    /// All formats, colours first.
    pub fn all(&self) -> Vec<Format> {
        let mut all = self.colors.clone();
        all.extend(self.depth.then_some(Format::Depth32Float));
        all
    }
}

/// Images that a pass draws to. Colours are cleared to zero, depth to one; all are stored.
pub struct Attachments {
    images: Vec<Image>,
    formats: PassFormats,
    extent: (u32, u32),
    fallback: Option<Fallback>,
}

struct Fallback {
    device: Device,
    render_pass: vk::RenderPass,
    framebuffer: vk::Framebuffer,
}

impl Attachments {
    /// Makes one image for each format.
    ///
    /// # Errors
    /// No memory left, or the driver's refusal; what was made is freed.
    pub fn new(
        device: &Device,
        name: &str,
        formats: &PassFormats,
        extent: (u32, u32),
    ) -> Result<Self, GpuError> {
        let images = formats
            .all()
            .into_iter()
            .enumerate()
            .map(|(at, format)| {
                let part = if format.is_depth() {
                    "depth".to_owned()
                } else {
                    format!("color {at}")
                };
                Image::attachment(device, &format!("{name}: {part}"), format, extent)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let fallback = match device.rendering() {
            Some(_) => None,
            None => Some(Fallback::new(device, name, formats, &images, extent)?),
        };
        Ok(Self {
            images,
            formats: formats.clone(),
            extent,
            fallback,
        })
    }

    /// The images, colours first, then depth.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// Their formats.
    pub fn formats(&self) -> &PassFormats {
        &self.formats
    }

    /// Width and height in texels.
    pub fn extent(&self) -> (u32, u32) {
        self.extent
    }

    fn area(&self) -> vk::Rect2D {
        let extent = vk::Extent2D {
            width: self.extent.0,
            height: self.extent.1,
        };
        vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent,
        }
    }

    pub(super) fn begin(&self, device: &Device, raw: vk::CommandBuffer) {
        match (&self.fallback, device.rendering()) {
            (None, Some(table)) => self.begin_dynamic(table, raw),
            (Some(fallback), _) => self.begin_fallback(device, fallback, raw),
            (None, None) => {}
        }
        let (width, height) = self.extent;
        let viewport = vk::Viewport {
            x: 0.0,
            y: 0.0,
            width: width as f32,
            height: height as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        };
        // SAFETY: the command buffer is recording.
        unsafe {
            device.raw().cmd_set_viewport(raw, 0, &[viewport]);
            device.raw().cmd_set_scissor(raw, 0, &[self.area()]);
        }
    }

    fn begin_dynamic(&self, table: &ash::khr::dynamic_rendering::Device, raw: vk::CommandBuffer) {
        let infos: Vec<_> = self.images.iter().map(attachment_info).collect();
        let (colors, depth) = infos.split_at(self.formats.colors.len());
        let mut info = vk::RenderingInfo::default()
            .render_area(self.area())
            .layer_count(1)
            .color_attachments(colors);
        if let Some(depth) = depth.first() {
            info = info.depth_attachment(depth);
        }
        // SAFETY: barriers put the images into their attachment layouts; `infos` lives on.
        unsafe { table.cmd_begin_rendering(raw, &info) };
    }

    fn begin_fallback(&self, device: &Device, fallback: &Fallback, raw: vk::CommandBuffer) {
        let clears: Vec<_> = self
            .images
            .iter()
            .map(|image| clear_value(image.format()))
            .collect();
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(fallback.render_pass)
            .framebuffer(fallback.framebuffer)
            .render_area(self.area())
            .clear_values(&clears);
        // SAFETY: barriers put the images into the layouts that the render pass expects.
        unsafe {
            device
                .raw()
                .cmd_begin_render_pass(raw, &info, vk::SubpassContents::INLINE)
        };
    }

    pub(super) fn end(&self, device: &Device, raw: vk::CommandBuffer) {
        // SAFETY: `begin` opened the pass that this ends.
        unsafe {
            match (&self.fallback, device.rendering()) {
                (None, Some(table)) => table.cmd_end_rendering(raw),
                (Some(_), _) => device.raw().cmd_end_render_pass(raw),
                (None, None) => {}
            }
        }
    }
}

fn clear_value(format: Format) -> vk::ClearValue {
    if format.is_depth() {
        vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: 1.0,
                stencil: 0,
            },
        }
    } else {
        vk::ClearValue {
            color: vk::ClearColorValue { float32: [0.0; 4] },
        }
    }
}

fn attachment_layout(format: Format) -> vk::ImageLayout {
    if format.is_depth() {
        vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL
    } else {
        vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL
    }
}

fn attachment_info(image: &Image) -> vk::RenderingAttachmentInfo<'static> {
    vk::RenderingAttachmentInfo::default()
        .image_view(image.view())
        .image_layout(attachment_layout(image.format()))
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .clear_value(clear_value(image.format()))
}

impl Fallback {
    fn new(
        device: &Device,
        name: &str,
        formats: &PassFormats,
        images: &[Image],
        extent: (u32, u32),
    ) -> Result<Self, GpuError> {
        let render_pass = create_render_pass(device, name, formats)?;
        // From here on a failure drops `fallback`, which frees what was made.
        let mut fallback = Self {
            device: device.clone(),
            render_pass,
            framebuffer: vk::Framebuffer::null(),
        };
        let views: Vec<_> = images.iter().map(Image::view).collect();
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(render_pass)
            .attachments(&views)
            .width(extent.0)
            .height(extent.1)
            .layers(1);
        // SAFETY: the views match the render pass's attachments.
        fallback.framebuffer = unsafe { device.raw().create_framebuffer(&info, None) }
            .map_err(GpuError::vk("create framebuffer", name))?;
        device.name(fallback.framebuffer, name);
        Ok(fallback)
    }
}

impl Drop for Fallback {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it uses; null is ignored.
        unsafe {
            self.device
                .raw()
                .destroy_framebuffer(self.framebuffer, None);
            self.device
                .raw()
                .destroy_render_pass(self.render_pass, None);
        }
    }
}

/// A render pass of one subpass whose layouts do not change: our own barriers do that.
pub(super) fn create_render_pass(
    device: &Device,
    name: &str,
    formats: &PassFormats,
) -> Result<vk::RenderPass, GpuError> {
    let attachments: Vec<_> = formats
        .all()
        .into_iter()
        .map(|format| {
            vk::AttachmentDescription::default()
                .format(format.vk())
                .samples(vk::SampleCountFlags::TYPE_1)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .stencil_load_op(vk::AttachmentLoadOp::DONT_CARE)
                .stencil_store_op(vk::AttachmentStoreOp::DONT_CARE)
                .initial_layout(attachment_layout(format))
                .final_layout(attachment_layout(format))
        })
        .collect();
    let references: Vec<_> = formats
        .all()
        .into_iter()
        .zip(0..)
        .map(|(format, attachment)| vk::AttachmentReference {
            attachment,
            layout: attachment_layout(format),
        })
        .collect();
    let (colors, depth) = references.split_at(formats.colors.len());
    let mut subpass = vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(colors);
    if let Some(depth) = depth.first() {
        subpass = subpass.depth_stencil_attachment(depth);
    }
    let subpasses = [subpass];
    let info = vk::RenderPassCreateInfo::default()
        .attachments(&attachments)
        .subpasses(&subpasses);
    // SAFETY: the create-info is complete and the device is alive.
    let raw = unsafe { device.raw().create_render_pass(&info, None) }
        .map_err(GpuError::vk("create render pass", name))?;
    device.name(raw, name);
    Ok(raw)
}
