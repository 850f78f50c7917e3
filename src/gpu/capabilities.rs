//! What a device offers beyond the baseline, what was asked of it, and what it got.

use std::ffi::{CStr, c_char};

use ash::{khr, vk};

use super::physical::DeviceSummary;

/// An optional capability. Each has a fallback; none is needed to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Optional {
    /// `vkCmdPipelineBarrier2`; else Vulkan 1.0 barriers.
    pub synchronization2: bool,
    /// `vkCmdBeginRendering`; else render passes and framebuffers.
    pub dynamic_rendering: bool,
    /// `pipelineStatisticsQuery`; else the counters are null.
    pub pipeline_statistics: bool,
}

impl Optional {
    /// Everything that exists.
    pub const ALL: Self = Self {
        synchronization2: true,
        dynamic_rendering: true,
        pipeline_statistics: true,
    };

    /// What both have.
    pub fn and(self, other: Self) -> Self {
        Self {
            synchronization2: self.synchronization2 && other.synchronization2,
            dynamic_rendering: self.dynamic_rendering && other.dynamic_rendering,
            pipeline_statistics: self.pipeline_statistics && other.pipeline_statistics,
        }
    }
}

/// The numbers and names of a device that the rest of the program asks for.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Capabilities {
    /// `maxUniformBufferRange`, bytes.
    pub max_uniform_buffer_range: u64,
    /// `maxStorageBufferRange`, bytes.
    pub max_storage_buffer_range: u64,
    /// `maxComputeWorkGroupCount[0]`.
    pub max_compute_work_group_count: u32,
    /// `maxComputeWorkGroupCount[1]`.
    pub max_compute_work_group_count_y: u32,
    /// `maxComputeWorkGroupInvocations`, and no more than `maxComputeWorkGroupSize[0]`.
    pub max_compute_work_group_invocations: u32,
    /// `minUniformBufferOffsetAlignment`, bytes.
    pub min_uniform_buffer_offset_alignment: u64,
    /// `minStorageBufferOffsetAlignment`, bytes.
    pub min_storage_buffer_offset_alignment: u64,
    /// `maxPerStageDescriptorStorageBuffers`.
    pub max_per_stage_descriptor_storage_buffers: u32,
    /// `maxPerStageDescriptorUniformBuffers`.
    pub max_per_stage_descriptor_uniform_buffers: u32,
    /// `maxBoundDescriptorSets`.
    pub max_bound_descriptor_sets: u32,
    /// `maxPushConstantsSize`, bytes.
    pub max_push_constants_size: u32,
    /// `maxVertexInputAttributes`.
    pub max_vertex_input_attributes: u32,
    /// `maxImageDimension2D`, texels.
    pub max_image_dimension_2d: u32,
    /// `maxImageArrayLayers`.
    pub max_image_array_layers: u32,
    /// `maxPerStageDescriptorSampledImages`.
    pub max_per_stage_descriptor_sampled_images: u32,
    /// The smaller of `maxFramebufferWidth` and `maxFramebufferHeight`.
    pub max_framebuffer_extent: u32,
    /// The largest device-local heap, bytes.
    pub device_heap_bytes: u64,
    /// `timestampPeriod`, nanoseconds a tick.
    pub timestamp_period_ns: f32,
    /// `timestampValidBits` of the queue family in use.
    pub timestamp_valid_bits: u32,
    /// What the device has of the optional capabilities, before anything was asked.
    pub has: Optional,
}

/// Names and versions for the result file.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct DriverInfo {
    /// `driverName`.
    pub name: String,
    /// `driverInfo`.
    pub info: String,
    /// `driverVersion`, raw.
    pub version: u32,
    /// `conformanceVersion`, dotted.
    pub conformance: String,
    /// `vendorID`.
    pub vendor_id: u32,
    /// `deviceID`.
    pub device_id: u32,
}

/// The queue family in use: the first with graphics and compute.
pub(super) fn queue_family(
    instance: &ash::Instance,
    raw: vk::PhysicalDevice,
) -> Option<(u32, u32)> {
    let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    // SAFETY: `raw` comes from this instance.
    let families = unsafe { instance.get_physical_device_queue_family_properties(raw) };
    families
        .iter()
        .enumerate()
        .find(|(_, family)| family.queue_flags.contains(wanted) && family.queue_count > 0)
        .map(|(index, family)| (index as u32, family.timestamp_valid_bits))
}

pub(super) fn read(
    instance: &ash::Instance,
    device: &DeviceSummary,
    valid_bits: u32,
) -> Capabilities {
    // SAFETY: `raw` comes from this instance.
    let properties = unsafe { instance.get_physical_device_properties(device.raw) };
    // SAFETY: as above.
    let memory = unsafe { instance.get_physical_device_memory_properties(device.raw) };
    let limits = &properties.limits;
    Capabilities {
        max_uniform_buffer_range: limits.max_uniform_buffer_range.into(),
        max_storage_buffer_range: limits.max_storage_buffer_range.into(),
        max_compute_work_group_count: limits.max_compute_work_group_count[0],
        max_compute_work_group_count_y: limits.max_compute_work_group_count[1],
        max_compute_work_group_invocations: limits
            .max_compute_work_group_invocations
            .min(limits.max_compute_work_group_size[0]),
        min_uniform_buffer_offset_alignment: limits.min_uniform_buffer_offset_alignment,
        min_storage_buffer_offset_alignment: limits.min_storage_buffer_offset_alignment,
        max_per_stage_descriptor_storage_buffers: limits.max_per_stage_descriptor_storage_buffers,
        max_per_stage_descriptor_uniform_buffers: limits.max_per_stage_descriptor_uniform_buffers,
        max_bound_descriptor_sets: limits.max_bound_descriptor_sets,
        max_push_constants_size: limits.max_push_constants_size,
        max_vertex_input_attributes: limits.max_vertex_input_attributes,
        max_image_dimension_2d: limits.max_image_dimension2_d,
        max_image_array_layers: limits.max_image_array_layers,
        max_per_stage_descriptor_sampled_images: limits.max_per_stage_descriptor_sampled_images,
        max_framebuffer_extent: limits
            .max_framebuffer_width
            .min(limits.max_framebuffer_height),
        device_heap_bytes: largest_device_heap(&memory),
        timestamp_period_ns: limits.timestamp_period,
        timestamp_valid_bits: valid_bits,
        has: optional(instance, device.raw),
    }
}

fn largest_device_heap(memory: &vk::PhysicalDeviceMemoryProperties) -> u64 {
    memory
        .memory_heaps_as_slice()
        .iter()
        .filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL))
        .map(|heap| heap.size)
        .max()
        .unwrap_or(0)
}

/// Names of the extensions to enable: the optional ones in use, and `VK_KHR_portability_subset`, which
/// must be enabled where a driver lists it. None of the subset's missing features is used.
pub(super) fn extension_names(
    instance: &ash::Instance,
    raw: vk::PhysicalDevice,
    optional: Optional,
) -> Vec<*const c_char> {
    // SAFETY: `raw` comes from this instance.
    let all = unsafe { instance.enumerate_device_extension_properties(raw) }.unwrap_or_default();
    let mut names = Vec::new();
    if all
        .iter()
        .any(|e| e.extension_name_as_c_str() == Ok(khr::portability_subset::NAME))
    {
        names.push(khr::portability_subset::NAME.as_ptr());
    }
    if optional.synchronization2 {
        names.push(khr::synchronization2::NAME.as_ptr());
    }
    if optional.dynamic_rendering {
        names.push(khr::dynamic_rendering::NAME.as_ptr());
        // Dynamic rendering on Vulkan 1.1 depends on these two.
        names.push(khr::depth_stencil_resolve::NAME.as_ptr());
        names.push(khr::create_renderpass2::NAME.as_ptr());
    }
    names
}

fn optional(instance: &ash::Instance, raw: vk::PhysicalDevice) -> Optional {
    // SAFETY: `raw` comes from this instance.
    let extensions =
        unsafe { instance.enumerate_device_extension_properties(raw) }.unwrap_or_default();
    let has = |name: &CStr| {
        extensions
            .iter()
            .any(|e| e.extension_name_as_c_str() == Ok(name))
    };
    let mut sync2 = vk::PhysicalDeviceSynchronization2Features::default();
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default();
    let mut features = vk::PhysicalDeviceFeatures2::default();
    // A structure may be chained only where its extension exists.
    if has(khr::synchronization2::NAME) {
        features = features.push_next(&mut sync2);
    }
    let rendering_names = [
        khr::dynamic_rendering::NAME,
        khr::depth_stencil_resolve::NAME,
        khr::create_renderpass2::NAME,
    ];
    if rendering_names.iter().all(|name| has(name)) {
        features = features.push_next(&mut rendering);
    }
    // SAFETY: as above; the chain lives until the call returns.
    unsafe { instance.get_physical_device_features2(raw, &mut features) };
    let pipeline_statistics = features.features.pipeline_statistics_query == vk::TRUE;
    Optional {
        synchronization2: sync2.synchronization2 == vk::TRUE,
        dynamic_rendering: rendering.dynamic_rendering == vk::TRUE,
        pipeline_statistics,
    }
}

pub(super) fn driver_info(instance: &ash::Instance, raw: vk::PhysicalDevice) -> DriverInfo {
    // SAFETY: `raw` comes from this instance.
    let plain = unsafe { instance.get_physical_device_properties(raw) };
    // SAFETY: as above.
    let extensions =
        unsafe { instance.enumerate_device_extension_properties(raw) }.unwrap_or_default();
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    if extensions
        .iter()
        .any(|e| e.extension_name_as_c_str() == Ok(khr::driver_properties::NAME))
    {
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: as above; the chain lives until the call returns.
        unsafe { instance.get_physical_device_properties2(raw, &mut all) };
    }
    let text = |c: Result<&CStr, _>| {
        c.map_or_else(
            |_: std::ffi::FromBytesUntilNulError| String::new(),
            |c| c.to_string_lossy().into(),
        )
    };
    let v = driver.conformance_version;
    DriverInfo {
        name: text(driver.driver_name_as_c_str()),
        info: text(driver.driver_info_as_c_str()),
        version: plain.driver_version,
        conformance: format!("{}.{}.{}.{}", v.major, v.minor, v.subminor, v.patch),
        vendor_id: plain.vendor_id,
        device_id: plain.device_id,
    }
}
