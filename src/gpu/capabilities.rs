//! Limits and names of a device.

use std::ffi::CStr;

use ash::{khr, vk};

use super::optional::{Extensions, Optional, optional};
use super::physical::DeviceSummary;

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
    /// `maxDrawIndirectCount`: draws of one indirect call.
    pub max_draw_indirect_count: u32,
    /// `maxTransformFeedbackBuffers`; 0 without the extension, as are the three below.
    pub max_transform_feedback_buffers: u32,
    /// `maxTransformFeedbackBufferSize`, bytes.
    pub max_transform_feedback_buffer_size: u64,
    /// `maxTransformFeedbackBufferDataSize`: bytes captured of a vertex.
    pub max_transform_feedback_buffer_data_size: u32,
    /// `maxTransformFeedbackBufferDataStride`: bytes from captured vertex to vertex.
    pub max_transform_feedback_buffer_data_stride: u32,
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
    let has = optional(instance, device.raw, &Extensions::of(instance, device.raw));
    let feedback = match has.transform_feedback {
        true => feedback_limits(instance, device.raw),
        false => Default::default(),
    };
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
        max_draw_indirect_count: limits.max_draw_indirect_count,
        max_transform_feedback_buffers: feedback.max_transform_feedback_buffers,
        max_transform_feedback_buffer_size: feedback.max_transform_feedback_buffer_size,
        max_transform_feedback_buffer_data_size: feedback.max_transform_feedback_buffer_data_size,
        max_transform_feedback_buffer_data_stride: feedback
            .max_transform_feedback_buffer_data_stride,
        has,
    }
}

/// Limits of `VK_EXT_transform_feedback`, which the device must have.
fn feedback_limits(
    instance: &ash::Instance,
    raw: vk::PhysicalDevice,
) -> vk::PhysicalDeviceTransformFeedbackPropertiesEXT<'static> {
    let mut limits = vk::PhysicalDeviceTransformFeedbackPropertiesEXT::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut limits);
    // SAFETY: `raw` comes from this instance; the chain lives until the call returns.
    unsafe { instance.get_physical_device_properties2(raw, &mut all) };
    limits
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

pub(super) fn driver_info(instance: &ash::Instance, raw: vk::PhysicalDevice) -> DriverInfo {
    // SAFETY: `raw` comes from this instance.
    let plain = unsafe { instance.get_physical_device_properties(raw) };
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    if Extensions::of(instance, raw).has(khr::driver_properties::NAME) {
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
