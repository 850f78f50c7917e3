//! Descriptor set layouts and sets.

use ash::vk;

use super::buffer::Buffer;
use super::device::Device;
use super::error::GpuError;

/// What a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// A storage block at a fixed offset.
    Storage,
    /// A uniform block at an offset given with each bind.
    UniformDynamic,
}

impl BindingKind {
    fn vk(self) -> vk::DescriptorType {
        match self {
            Self::Storage => vk::DescriptorType::STORAGE_BUFFER,
            Self::UniformDynamic => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
        }
    }
}

/// One binding of a set: a buffer seen by one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    /// `binding` in the shader.
    pub binding: u32,
    /// What it holds.
    pub kind: BindingKind,
}

/// Which stage sees a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The compute stage.
    Compute,
    /// The vertex stage.
    Vertex,
}

impl Stage {
    pub(super) fn vk(self) -> vk::ShaderStageFlags {
        match self {
            Self::Compute => vk::ShaderStageFlags::COMPUTE,
            Self::Vertex => vk::ShaderStageFlags::VERTEX,
        }
    }
}

/// A descriptor set layout.
pub struct SetLayout {
    device: Device,
    raw: vk::DescriptorSetLayout,
    bindings: Vec<Binding>,
    name: String,
}

impl SetLayout {
    /// Makes a layout. Dynamic offsets are given in the order of `bindings`, by rising number.
    ///
    /// # Errors
    /// The driver's refusal.
    pub fn new(
        device: &Device,
        name: &str,
        stage: Stage,
        bindings: &[Binding],
    ) -> Result<Self, GpuError> {
        let raw_bindings: Vec<_> = bindings
            .iter()
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding.binding)
                    .descriptor_type(binding.kind.vk())
                    .descriptor_count(1)
                    .stage_flags(stage.vk())
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&raw_bindings);
        // SAFETY: the create-info is complete and the device is alive.
        let raw = unsafe { device.raw().create_descriptor_set_layout(&info, None) }
            .map_err(GpuError::vk("create set layout", name))?;
        device.name(raw, name);
        Ok(Self {
            device: device.clone(),
            raw,
            bindings: bindings.to_vec(),
            name: name.to_owned(),
        })
    }

    pub(super) fn raw(&self) -> vk::DescriptorSetLayout {
        self.raw
    }
}

impl Drop for SetLayout {
    fn drop(&mut self) {
        // SAFETY: pipeline layouts and sets made from it stay valid without it.
        unsafe {
            self.device
                .raw()
                .destroy_descriptor_set_layout(self.raw, None)
        };
    }
}

/// A descriptor set in a pool of its own. Every binding is written: a driver here crashes in a
/// dispatch with an unwritten one, even if the shader never reads it.
pub struct DescriptorSet {
    device: Device,
    pool: vk::DescriptorPool,
    raw: vk::DescriptorSet,
}

impl DescriptorSet {
    /// Makes a set and writes each binding with (buffer, byte offset, byte range), in layout order.
    ///
    /// # Errors
    /// A different number of buffers than bindings, or the driver's refusal.
    pub fn new(
        device: &Device,
        name: &str,
        layout: &SetLayout,
        buffers: &[(&Buffer, u64, u64)],
    ) -> Result<Self, GpuError> {
        if buffers.len() != layout.bindings.len() {
            return Err(GpuError::Unsupported(format!(
                "set `{name}` gives {} buffers to the {} bindings of `{}`",
                buffers.len(),
                layout.bindings.len(),
                layout.name
            )));
        }
        let pool = create_pool(device, name, &layout.bindings)?;
        let mut set = Self {
            device: device.clone(),
            pool,
            raw: vk::DescriptorSet::null(),
        };
        let layouts = [layout.raw()];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(pool)
            .set_layouts(&layouts);
        // SAFETY: the pool has room for exactly this set.
        let sets = unsafe { device.raw().allocate_descriptor_sets(&info) }
            .map_err(GpuError::vk("allocate set", name))?;
        set.raw = sets.first().copied().unwrap_or_default();
        device.name(set.raw, name);
        set.write(&layout.bindings, buffers);
        Ok(set)
    }

    fn write(&self, bindings: &[Binding], buffers: &[(&Buffer, u64, u64)]) {
        let infos: Vec<[vk::DescriptorBufferInfo; 1]> = buffers
            .iter()
            .map(|(buffer, offset, range)| {
                [vk::DescriptorBufferInfo {
                    buffer: buffer.raw(),
                    offset: *offset,
                    range: *range,
                }]
            })
            .collect();
        let writes: Vec<_> = bindings
            .iter()
            .zip(&infos)
            .map(|(binding, info)| {
                vk::WriteDescriptorSet::default()
                    .dst_set(self.raw)
                    .dst_binding(binding.binding)
                    .descriptor_type(binding.kind.vk())
                    .buffer_info(info)
            })
            .collect();
        // SAFETY: the set is new, so nothing uses it; `infos` lives until the call returns.
        unsafe { self.device.raw().update_descriptor_sets(&writes, &[]) };
    }

    pub(super) fn raw(&self) -> vk::DescriptorSet {
        self.raw
    }
}

impl Drop for DescriptorSet {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it uses.
        unsafe { self.device.raw().destroy_descriptor_pool(self.pool, None) };
    }
}

fn create_pool(
    device: &Device,
    name: &str,
    bindings: &[Binding],
) -> Result<vk::DescriptorPool, GpuError> {
    let sizes: Vec<_> = bindings
        .iter()
        .map(|binding| vk::DescriptorPoolSize {
            ty: binding.kind.vk(),
            descriptor_count: 1,
        })
        .collect();
    let info = vk::DescriptorPoolCreateInfo::default()
        .max_sets(1)
        .pool_sizes(&sizes);
    // SAFETY: the create-info is complete and the device is alive.
    let pool = unsafe { device.raw().create_descriptor_pool(&info, None) }
        .map_err(GpuError::vk("create descriptor pool", name))?;
    device.name(pool, name);
    Ok(pool)
}
