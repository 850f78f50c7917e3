//! Descriptor set layouts and sets.

use ash::vk;

use super::buffer::Buffer;
use super::device::Device;
use super::error::GpuError;
use super::image::Image;

/// What a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// A storage block at a fixed offset.
    Storage,
    /// A uniform block at an offset given with each bind.
    UniformDynamic,
    /// An image that is fetched from without a sampler.
    SampledImage,
}

impl BindingKind {
    fn vk(self) -> vk::DescriptorType {
        match self {
            Self::Storage => vk::DescriptorType::STORAGE_BUFFER,
            Self::UniformDynamic => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
            Self::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        }
    }
}

/// What is put into a binding.
#[derive(Clone, Copy)]
pub enum BoundResource<'a> {
    /// A buffer from a byte offset on, and the byte range that is seen.
    Buffer(&'a Buffer, u64, u64),
    /// A whole image with all layers, made by `Image::sampled`.
    Image(&'a Image),
}

impl<'a> From<(&'a Buffer, u64, u64)> for BoundResource<'a> {
    fn from((buffer, offset, range): (&'a Buffer, u64, u64)) -> Self {
        Self::Buffer(buffer, offset, range)
    }
}

impl<'a> From<&'a Image> for BoundResource<'a> {
    fn from(image: &'a Image) -> Self {
        Self::Image(image)
    }
}

impl BoundResource<'_> {
    fn fits(&self, kind: BindingKind) -> bool {
        match self {
            Self::Buffer(..) => kind != BindingKind::SampledImage,
            Self::Image(image) => kind == BindingKind::SampledImage && image.is_sampled(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Buffer(buffer, ..) => buffer.name(),
            Self::Image(image) => image.name(),
        }
    }
}

/// What a descriptor write points at.
enum WriteInfo {
    Buffer([vk::DescriptorBufferInfo; 1]),
    Image([vk::DescriptorImageInfo; 1]),
}

impl WriteInfo {
    fn of(resource: &BoundResource<'_>) -> Self {
        match resource {
            BoundResource::Buffer(buffer, offset, range) => {
                Self::Buffer([vk::DescriptorBufferInfo {
                    buffer: buffer.raw(),
                    offset: *offset,
                    range: *range,
                }])
            }
            BoundResource::Image(image) => Self::Image([vk::DescriptorImageInfo {
                sampler: vk::Sampler::null(),
                image_view: image.view(),
                image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            }]),
        }
    }
}

/// One binding of a set: a buffer or an image seen by one stage.
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

    fn check(&self, set: &str, resources: &[BoundResource<'_>]) -> Result<(), GpuError> {
        if resources.len() != self.bindings.len() {
            return Err(GpuError::Unsupported(format!(
                "set `{set}` gives {} resources to the {} bindings of `{}`",
                resources.len(),
                self.bindings.len(),
                self.name
            )));
        }
        let mut pairs = self.bindings.iter().zip(resources);
        let Some((binding, found)) = pairs.find(|(binding, found)| !found.fits(binding.kind))
        else {
            return Ok(());
        };
        Err(GpuError::Unsupported(format!(
            "set `{set}` puts `{}` into binding {} of `{}`, which holds a {:?}",
            found.name(),
            binding.binding,
            self.name,
            binding.kind
        )))
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
    /// Makes a set and writes each binding, in layout order, with a [`BoundResource`] or what becomes
    /// one, such as (buffer, byte offset, byte range).
    ///
    /// # Errors
    /// A different number of resources than bindings, a resource of another kind than its binding, or
    /// the driver's refusal.
    pub fn new<'r, R: Copy + Into<BoundResource<'r>>>(
        device: &Device,
        name: &str,
        layout: &SetLayout,
        resources: &[R],
    ) -> Result<Self, GpuError> {
        let resources: Vec<_> = resources
            .iter()
            .map(|resource| (*resource).into())
            .collect();
        layout.check(name, &resources)?;
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
        set.write(&layout.bindings, &resources);
        Ok(set)
    }

    fn write(&self, bindings: &[Binding], resources: &[BoundResource<'_>]) {
        let infos: Vec<_> = resources.iter().map(WriteInfo::of).collect();
        let writes: Vec<_> = bindings
            .iter()
            .zip(&infos)
            .map(|(binding, info)| {
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(self.raw)
                    .dst_binding(binding.binding)
                    .descriptor_type(binding.kind.vk());
                match info {
                    WriteInfo::Buffer(info) => write.buffer_info(info),
                    WriteInfo::Image(info) => write.image_info(info),
                }
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
