//! Two-dimensional attachments with their memory and view.

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

use super::device::Device;
use super::error::GpuError;

/// The attachment formats in use. Vulkan requires all of them as attachments but `Depth32Float`, in
/// whose stead a device may offer a 24-bit one: ask `Device::supports_attachment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four bytes, 0 to 1.
    Rgba8,
    /// Four half floats.
    Rgba16Float,
    /// Two half floats.
    Rg16Float,
    /// Four floats.
    Rgba32Float,
    /// Depth as a float.
    Depth32Float,
}

impl Format {
    /// Vulkan's value.
    pub(super) fn vk(self) -> vk::Format {
        match self {
            Self::Rgba8 => vk::Format::R8G8B8A8_UNORM,
            Self::Rgba16Float => vk::Format::R16G16B16A16_SFLOAT,
            Self::Rg16Float => vk::Format::R16G16_SFLOAT,
            Self::Rgba32Float => vk::Format::R32G32B32A32_SFLOAT,
            Self::Depth32Float => vk::Format::D32_SFLOAT,
        }
    }

    /// Vulkan's name for it, as results show it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgba8 => "R8G8B8A8_UNORM",
            Self::Rgba16Float => "R16G16B16A16_SFLOAT",
            Self::Rg16Float => "R16G16_SFLOAT",
            Self::Rgba32Float => "R32G32B32A32_SFLOAT",
            Self::Depth32Float => "D32_SFLOAT",
        }
    }

    /// Bytes a texel.
    pub fn texel_bytes(self) -> u64 {
        match self {
            Self::Rgba8 | Self::Rg16Float | Self::Depth32Float => 4,
            Self::Rgba16Float => 8,
            Self::Rgba32Float => 16,
        }
    }

    /// Whether it is a depth format.
    pub fn is_depth(self) -> bool {
        self == Self::Depth32Float
    }

    pub(super) fn aspect(self) -> vk::ImageAspectFlags {
        if self.is_depth() {
            vk::ImageAspectFlags::DEPTH
        } else {
            vk::ImageAspectFlags::COLOR
        }
    }
}

/// An attachment that owns its memory.
pub struct Image {
    device: Device,
    raw: vk::Image,
    view: vk::ImageView,
    allocation: Option<Allocation>,
    format: Format,
    extent: (u32, u32),
    name: String,
}

impl Image {
    /// Makes an attachment that can be copied from.
    ///
    /// # Errors
    /// No memory left, or the driver's refusal; a half-built image is freed.
    pub fn attachment(
        device: &Device,
        name: &str,
        format: Format,
        extent: (u32, u32),
    ) -> Result<Self, GpuError> {
        // SAFETY: the create-info is complete and the device is alive.
        let raw = unsafe { device.raw().create_image(&image_info(format, extent), None) }
            .map_err(GpuError::vk("create image", name))?;
        // From here on a failure drops `image`, which frees what was made.
        let mut image = Self {
            device: device.clone(),
            raw,
            view: vk::ImageView::null(),
            allocation: None,
            format,
            extent,
            name: name.to_owned(),
        };
        device.name(raw, name);
        image.bind_memory()?;
        image.view = image.create_view()?;
        device.name(image.view, name);
        Ok(image)
    }

    fn bind_memory(&mut self) -> Result<(), GpuError> {
        // SAFETY: the image was made by this device.
        let requirements = unsafe { self.device.raw().get_image_memory_requirements(self.raw) };
        let allocation = self.device.allocate(&AllocationCreateDesc {
            name: &self.name,
            requirements,
            location: MemoryLocation::GpuOnly,
            linear: false,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: the allocation was made for this image's requirements and is bound once.
        let bound = unsafe {
            self.device
                .raw()
                .bind_image_memory(self.raw, allocation.memory(), allocation.offset())
        };
        self.allocation = Some(allocation);
        bound.map_err(GpuError::vk("bind memory to image", &self.name))
    }

    fn create_view(&self) -> Result<vk::ImageView, GpuError> {
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(self.format.vk())
            .subresource_range(self.range());
        // SAFETY: the image has memory and the range covers its one level and layer.
        unsafe { self.device.raw().create_image_view(&info, None) }
            .map_err(GpuError::vk("create view of", &self.name))
    }

    /// Width and height in texels.
    pub fn extent(&self) -> (u32, u32) {
        self.extent
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The debug name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the whole image, tightly packed.
    pub fn packed_bytes(&self) -> u64 {
        u64::from(self.extent.0) * u64::from(self.extent.1) * self.format.texel_bytes()
    }

    pub(super) fn raw(&self) -> vk::Image {
        self.raw
    }

    pub(super) fn view(&self) -> vk::ImageView {
        self.view
    }

    pub(super) fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.format.aspect(),
            base_mip_level: 0,
            level_count: 1,
            base_array_layer: 0,
            layer_count: 1,
        }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it uses; a null view is ignored.
        unsafe {
            self.device.raw().destroy_image_view(self.view, None);
            self.device.raw().destroy_image(self.raw, None);
        }
        if let Some(allocation) = self.allocation.take() {
            self.device.free(allocation);
        }
    }
}

fn image_info(format: Format, extent: (u32, u32)) -> vk::ImageCreateInfo<'static> {
    let attachment = if format.is_depth() {
        vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
    } else {
        vk::ImageUsageFlags::COLOR_ATTACHMENT
    };
    vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(format.vk())
        .extent(vk::Extent3D {
            width: extent.0,
            height: extent.1,
            depth: 1,
        })
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::OPTIMAL)
        .usage(attachment | vk::ImageUsageFlags::TRANSFER_SRC)
        .initial_layout(vk::ImageLayout::UNDEFINED)
}
