//! Shader modules and values for their specialization constants.

use ash::vk;

use super::device::Device;
use super::error::GpuError;

/// A shader module.
pub struct Shader {
    device: Device,
    pub(super) raw: vk::ShaderModule,
}

impl Shader {
    /// Makes a module from SPIR-V words.
    ///
    /// # Errors
    /// The driver's refusal.
    pub fn new(device: &Device, name: &str, spirv: &[u32]) -> Result<Self, GpuError> {
        let info = vk::ShaderModuleCreateInfo::default().code(spirv);
        // SAFETY: our words come from a compiler and are checked by the validation layer in tests. Of a
        // user's kernel every id, declaration and capability was checked; that its functions are valid
        // is for the user to see to (docs/KERNELS.md).
        let raw = unsafe { device.raw().create_shader_module(&info, None) }
            .map_err(GpuError::vk("create shader module", name))?;
        device.name(raw, name);
        Ok(Self {
            device: device.clone(),
            raw,
        })
    }
}

impl Drop for Shader {
    fn drop(&mut self) {
        // SAFETY: pipelines made from it stay valid without it.
        unsafe { self.device.raw().destroy_shader_module(self.raw, None) };
    }
}

/// Values for specialization constants: (`constant_id`, value).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Specialization(pub Vec<(u32, u32)>);

impl Specialization {
    pub(super) fn entries(&self) -> Vec<vk::SpecializationMapEntry> {
        let entry = |(at, (id, _)): (usize, &(u32, u32))| vk::SpecializationMapEntry {
            constant_id: *id,
            offset: (at * 4) as u32,
            size: 4,
        };
        self.0.iter().enumerate().map(entry).collect()
    }

    pub(super) fn data(&self) -> Vec<u8> {
        self.0
            .iter()
            .flat_map(|(_, value)| value.to_ne_bytes())
            .collect()
    }
}
