//! Buffers with their memory.

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};

use super::device::Device;
use super::error::GpuError;

/// Where the memory of a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryPlace {
    /// On the device, not seen by the host.
    Device,
    /// Written by the host, read by the device (staging): the host's own memory, coherent.
    Upload,
    /// Written by the device, read by the host.
    Readback,
}

impl MemoryPlace {
    fn location(self) -> MemoryLocation {
        match self {
            Self::Device => MemoryLocation::GpuOnly,
            // The allocator's `CpuToGpu` prefers memory of the device where the host can see it:
            // the transfer would then hide in the host's stages on some devices and not on others.
            Self::Upload | Self::Readback => MemoryLocation::GpuToCpu,
        }
    }
}

/// What a buffer is used for besides being copied from and to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferUse {
    /// Storage block.
    pub storage: bool,
    /// Uniform block.
    pub uniform: bool,
    /// Vertex attributes.
    pub vertex: bool,
    /// Indices.
    pub index: bool,
    /// Parameters of indirect draws.
    pub indirect: bool,
    /// Target of transform feedback: only where the device captures.
    pub transform_feedback: bool,
}

/// A buffer that owns its memory.
pub struct Buffer {
    device: Device,
    raw: vk::Buffer,
    allocation: Option<Allocation>,
    size: u64,
    name: String,
}

impl Buffer {
    /// Makes a buffer of at least one byte.
    ///
    /// # Errors
    /// A use that the device does not have, no memory left, or the driver's refusal; a half-built
    /// buffer is freed.
    pub fn new(
        device: &Device,
        name: &str,
        size: u64,
        place: MemoryPlace,
        used: BufferUse,
    ) -> Result<Self, GpuError> {
        if used.transform_feedback && device.feedback().is_none() {
            return Err(GpuError::no_transform_feedback("buffer", name));
        }
        let size = size.max(16);
        let info = vk::BufferCreateInfo::default()
            .size(size)
            .usage(usage_flags(used))
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the create-info is complete and the device is alive.
        let raw = unsafe { device.raw().create_buffer(&info, None) }
            .map_err(GpuError::vk("create buffer", name))?;
        // From here on a failure drops `buffer`, which frees what was made.
        let mut buffer = Self {
            device: device.clone(),
            raw,
            allocation: None,
            size,
            name: name.to_owned(),
        };
        device.name(raw, name);
        // SAFETY: the buffer was made by this device.
        let requirements = unsafe { device.raw().get_buffer_memory_requirements(raw) };
        let allocation = device.allocate(&AllocationCreateDesc {
            name,
            requirements,
            location: place.location(),
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: the allocation was made for this buffer's requirements and is bound once.
        let bound = unsafe {
            device
                .raw()
                .bind_buffer_memory(raw, allocation.memory(), allocation.offset())
        };
        buffer.allocation = Some(allocation);
        bound.map_err(GpuError::vk("bind memory to buffer", name))?;
        Ok(buffer)
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The debug name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The memory as the host sees it.
    ///
    /// # Errors
    /// The buffer lies in device memory.
    pub fn mapped_mut(&mut self) -> Result<&mut [u8], GpuError> {
        let size = self.size as usize;
        let slice = self
            .allocation
            .as_mut()
            .and_then(|allocation| allocation.mapped_slice_mut());
        slice
            .and_then(|slice| slice.get_mut(..size))
            .ok_or_else(|| not_mapped(&self.name))
    }

    /// The memory as the host sees it, to read what the device wrote before a fence was seen.
    ///
    /// # Errors
    /// The buffer lies in device memory.
    pub fn mapped(&self) -> Result<&[u8], GpuError> {
        let slice = self
            .allocation
            .as_ref()
            .and_then(|allocation| allocation.mapped_slice());
        slice
            .and_then(|slice| slice.get(..self.size as usize))
            .ok_or_else(|| not_mapped(&self.name))
    }

    pub(super) fn raw(&self) -> vk::Buffer {
        self.raw
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it reads or writes.
        unsafe { self.device.raw().destroy_buffer(self.raw, None) };
        if let Some(allocation) = self.allocation.take() {
            self.device.free(allocation);
        }
    }
}

fn not_mapped(name: &str) -> GpuError {
    GpuError::Unsupported(format!(
        "buffer `{name}` lies in device memory and cannot be mapped"
    ))
}

fn usage_flags(used: BufferUse) -> vk::BufferUsageFlags {
    let mut flags = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    for (wanted, flag) in [
        (used.storage, vk::BufferUsageFlags::STORAGE_BUFFER),
        (used.uniform, vk::BufferUsageFlags::UNIFORM_BUFFER),
        (used.vertex, vk::BufferUsageFlags::VERTEX_BUFFER),
        (used.index, vk::BufferUsageFlags::INDEX_BUFFER),
        (used.indirect, vk::BufferUsageFlags::INDIRECT_BUFFER),
        (
            used.transform_feedback,
            vk::BufferUsageFlags::TRANSFORM_FEEDBACK_BUFFER_EXT,
        ),
    ] {
        if wanted {
            flags |= flag;
        }
    }
    flags
}
