//! Two-dimensional images with their memory and view: attachments, and layered images to fetch from.

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

use super::buffer::Buffer;
use super::device::Device;
use super::error::GpuError;

/// The image formats in use. Vulkan requires all of them as attachments but `Depth32Float`, in whose
/// stead a device may offer a 24-bit one (ask `Device::supports_attachment`), and all the colour
/// formats as images to fetch from and to copy to and from.
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

/// What an image is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Drawn to.
    Attachment,
    /// Fetched from.
    Sampled,
}

impl Role {
    fn usage(self, format: Format) -> vk::ImageUsageFlags {
        let read = vk::ImageUsageFlags::TRANSFER_SRC;
        match self {
            Self::Attachment if format.is_depth() => {
                read | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
            }
            Self::Attachment => read | vk::ImageUsageFlags::COLOR_ATTACHMENT,
            Self::Sampled => {
                read | vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED
            }
        }
    }

    fn view_type(self) -> vk::ImageViewType {
        match self {
            Self::Attachment => vk::ImageViewType::TYPE_2D,
            Self::Sampled => vk::ImageViewType::TYPE_2D_ARRAY,
        }
    }
}

/// An image that owns its memory.
pub struct Image {
    device: Device,
    raw: vk::Image,
    view: vk::ImageView,
    allocation: Option<Allocation>,
    format: Format,
    extent: (u32, u32),
    layers: u32,
    role: Role,
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
        Self::new(device, name, format, extent, 1, Role::Attachment)
    }

    /// Makes an image of `layers` layers that shaders fetch from as a 2D array, one layer or many,
    /// and that can be copied to and from.
    ///
    /// # Errors
    /// A depth format, an extent or layers beyond the device's, no memory left, or the driver's
    /// refusal; a half-built image is freed.
    pub fn sampled(
        device: &Device,
        name: &str,
        format: Format,
        extent: (u32, u32),
        layers: u32,
    ) -> Result<Self, GpuError> {
        if format.is_depth() {
            return Err(GpuError::Unsupported(format!(
                "image `{name}`: {} is not required to be fetched from",
                format.name()
            )));
        }
        let limits = device.capabilities();
        let (side, most) = (extent.0.max(extent.1), limits.max_image_dimension_2d);
        refuse_beyond(name, "maxImageDimension2D", side, most)?;
        refuse_beyond(
            name,
            "maxImageArrayLayers",
            layers,
            limits.max_image_array_layers,
        )?;
        Self::new(device, name, format, extent, layers, Role::Sampled)
    }

    fn new(
        device: &Device,
        name: &str,
        format: Format,
        extent: (u32, u32),
        layers: u32,
        role: Role,
    ) -> Result<Self, GpuError> {
        let info = image_info(format, extent, layers, role);
        // SAFETY: the create-info is complete and the device is alive.
        let raw = unsafe { device.raw().create_image(&info, None) }
            .map_err(GpuError::vk("create image", name))?;
        // From here on a failure drops `image`, which frees what was made.
        let mut image = Self {
            device: device.clone(),
            raw,
            view: vk::ImageView::null(),
            allocation: None,
            format,
            extent,
            layers,
            role,
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
            .view_type(self.role.view_type())
            .format(self.format.vk())
            .subresource_range(self.range());
        // SAFETY: the image has memory and the range covers its one level and its layers.
        unsafe { self.device.raw().create_image_view(&info, None) }
            .map_err(GpuError::vk("create view of", &self.name))
    }

    /// Width and height in texels.
    pub fn extent(&self) -> (u32, u32) {
        self.extent
    }

    /// Layers; 1 for an attachment.
    pub fn layers(&self) -> u32 {
        self.layers
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The debug name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the whole image, all layers, tightly packed.
    pub fn packed_bytes(&self) -> u64 {
        let texels = u64::from(self.extent.0) * u64::from(self.extent.1) * u64::from(self.layers);
        texels * self.format.texel_bytes()
    }

    /// Whether shaders can fetch from it.
    pub(super) fn is_sampled(&self) -> bool {
        self.role == Role::Sampled
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
            layer_count: self.layers,
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

/// Rows of an image's layer, from its left edge, and where their texels lie in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageRegion {
    /// Byte offset of the first texel, counted from the base that is given with the copy.
    pub buffer_offset: u64,
    /// Which layer.
    pub layer: u32,
    /// First row.
    pub y: u32,
    /// Texels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl ImageRegion {
    /// Whether it lies inside the buffer (from a byte on) and the image, on whole texels.
    pub(super) fn fits(&self, (buffer, base): (&Buffer, u64), image: &Image) -> bool {
        let texel = image.format.texel_bytes();
        let first = base + self.buffer_offset;
        let bytes = u64::from(self.width) * u64::from(self.height) * texel;
        let (width, height) = image.extent;
        first.is_multiple_of(texel)
            && first + bytes <= buffer.size()
            && self.width <= width
            && u64::from(self.y) + u64::from(self.height) <= height.into()
            && self.layer < image.layers
    }

    pub(super) fn vk(&self, base: u64, image: &Image) -> vk::BufferImageCopy {
        vk::BufferImageCopy {
            buffer_offset: base + self.buffer_offset,
            // Zero: rows follow each other without gaps.
            buffer_row_length: 0,
            buffer_image_height: 0,
            image_subresource: vk::ImageSubresourceLayers {
                aspect_mask: image.format.aspect(),
                mip_level: 0,
                base_array_layer: self.layer,
                layer_count: 1,
            },
            image_offset: vk::Offset3D {
                x: 0,
                y: self.y as i32,
                z: 0,
            },
            image_extent: vk::Extent3D {
                width: self.width,
                height: self.height,
                depth: 1,
            },
        }
    }
}

fn refuse_beyond(name: &str, limit: &str, need: u32, have: u32) -> Result<(), GpuError> {
    if (1..=have).contains(&need) {
        return Ok(());
    }
    Err(GpuError::Unsupported(format!(
        "image `{name}`: {limit} is {have}, asked for are {need}"
    )))
}

fn image_info(
    format: Format,
    extent: (u32, u32),
    layers: u32,
    role: Role,
) -> vk::ImageCreateInfo<'static> {
    vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(format.vk())
        .extent(vk::Extent3D {
            width: extent.0,
            height: extent.1,
            depth: 1,
        })
        .mip_levels(1)
        .array_layers(layers)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::OPTIMAL)
        .usage(role.usage(format))
        .initial_layout(vk::ImageLayout::UNDEFINED)
}
