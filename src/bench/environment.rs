//! The machine and the device, as the result file holds them.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::gpu::{self, Device};
use crate::result::{self, Environment, NullReasons, Power, Reason, ReasonKind};

/// What can be read of machine and device when a run begins.
pub(super) fn environment(device: &Device) -> Environment {
    Environment {
        os: sysinfo::System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
        arch: std::env::consts::ARCH.to_owned(),
        cpu: cpu_name(),
        threads: rayon::current_num_threads() as u32,
        power: power(),
        device: describe_device(device),
        assumed: None,
    }
}

fn cpu_name() -> String {
    let unknown = || "unknown".to_owned();
    let Ok(mut system) = sysinfo::System::new() else {
        return unknown();
    };
    system.refresh_cpu_all();
    system
        .cpus()
        .first()
        .map_or_else(unknown, |cpu| cpu.brand().trim().to_owned())
}

fn power() -> Power {
    let governor = read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    let source = power_source();
    let clocks = read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq")
        .and_then(|kilohertz| kilohertz.parse::<f64>().ok())
        .map(|kilohertz| BTreeMap::from([("cpu0".to_owned(), kilohertz * 1e3)]));
    let temperature = temperatures();
    let mut null_reasons = NullReasons::new();
    let absent = [
        ("source", source.is_none()),
        ("governor", governor.is_none()),
        ("clocks", clocks.is_none()),
        ("temperature", temperature.is_none()),
    ];
    for (name, _) in absent.into_iter().filter(|(_, absent)| *absent) {
        let reason = Reason::new(ReasonKind::Feature, name, "this machine does not tell");
        null_reasons.insert(name.to_owned(), reason);
    }
    Power {
        source,
        governor,
        clocks,
        temperature,
        null_reasons,
    }
}

fn read_line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// `mains` where a mains supply is online, `battery` where there is one and none is.
fn power_source() -> Option<String> {
    let supplies = fs::read_dir("/sys/class/power_supply").ok()?;
    let mut seen = false;
    for supply in supplies.flatten() {
        seen = true;
        let path = supply.path();
        if read_line(&path.join("online").to_string_lossy()).as_deref() == Some("1") {
            return Some("mains".to_owned());
        }
    }
    seen.then(|| "battery".to_owned())
}

fn temperatures() -> Option<BTreeMap<String, f64>> {
    let components = sysinfo::Components::new_with_refreshed_list().ok()?;
    let all: BTreeMap<_, _> = components
        .iter()
        .filter_map(|c| Some((c.label().to_owned(), f64::from(c.temperature()?))))
        .filter(|(_, celsius)| celsius.is_finite())
        .collect();
    (!all.is_empty()).then_some(all)
}

fn describe_device(device: &Device) -> result::Device {
    let (summary, driver, capabilities) =
        (device.summary(), device.driver(), device.capabilities());
    let (major, minor, patch) = summary.api_version;
    result::Device {
        index: summary.index as u32,
        name: summary.name.clone(),
        kind: kind(summary.kind),
        vendor_id: driver.vendor_id,
        device_id: driver.device_id,
        uuid: summary.uuid.clone(),
        api_version: format!("{major}.{minor}.{patch}"),
        driver: result::Driver {
            name: driver.name.clone(),
            info: driver.info.clone(),
            version: driver.version.to_string(),
            conformance: driver.conformance.clone(),
        },
        limits: limits(capabilities),
        features: features(device),
        timestamp_period_ns: f64::from(capabilities.timestamp_period_ns),
        timestamp_valid_bits: capabilities.timestamp_valid_bits,
    }
}

fn kind(kind: gpu::DeviceKind) -> result::DeviceKind {
    match kind {
        gpu::DeviceKind::Discrete => result::DeviceKind::Discrete,
        gpu::DeviceKind::Integrated => result::DeviceKind::Integrated,
        gpu::DeviceKind::Virtual => result::DeviceKind::Virtual,
        gpu::DeviceKind::Cpu => result::DeviceKind::Cpu,
        gpu::DeviceKind::Other => result::DeviceKind::Other,
    }
}

/// The limits that the places ask about, by their Vulkan names.
pub(super) fn limits(c: &gpu::Capabilities) -> BTreeMap<String, Value> {
    let entries = [
        ("maxUniformBufferRange", json!(c.max_uniform_buffer_range)),
        ("maxStorageBufferRange", json!(c.max_storage_buffer_range)),
        (
            "maxComputeWorkGroupCount[0]",
            json!(c.max_compute_work_group_count),
        ),
        (
            "maxComputeWorkGroupInvocations",
            json!(c.max_compute_work_group_invocations),
        ),
        (
            "minUniformBufferOffsetAlignment",
            json!(c.min_uniform_buffer_offset_alignment),
        ),
        (
            "minStorageBufferOffsetAlignment",
            json!(c.min_storage_buffer_offset_alignment),
        ),
        (
            "maxPerStageDescriptorStorageBuffers",
            json!(c.max_per_stage_descriptor_storage_buffers),
        ),
        (
            "maxPerStageDescriptorUniformBuffers",
            json!(c.max_per_stage_descriptor_uniform_buffers),
        ),
        ("maxBoundDescriptorSets", json!(c.max_bound_descriptor_sets)),
        ("maxPushConstantsSize", json!(c.max_push_constants_size)),
        (
            "maxVertexInputAttributes",
            json!(c.max_vertex_input_attributes),
        ),
        ("maxImageDimension2D", json!(c.max_image_dimension_2d)),
        ("maxImageArrayLayers", json!(c.max_image_array_layers)),
        (
            "maxPerStageDescriptorSampledImages",
            json!(c.max_per_stage_descriptor_sampled_images),
        ),
        (
            "maxComputeWorkGroupCount[1]",
            json!(c.max_compute_work_group_count_y),
        ),
        ("maxDrawIndirectCount", json!(c.max_draw_indirect_count)),
        (
            "maxTransformFeedbackBufferSize",
            json!(c.max_transform_feedback_buffer_size),
        ),
        (
            "maxTransformFeedbackBufferDataSize",
            json!(c.max_transform_feedback_buffer_data_size),
        ),
        (
            "maxTransformFeedbackBufferDataStride",
            json!(c.max_transform_feedback_buffer_data_stride),
        ),
        ("maxFramebufferExtent", json!(c.max_framebuffer_extent)),
        ("deviceLocalHeapBytes", json!(c.device_heap_bytes)),
    ];
    entries
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Optional capabilities: whether the device has each, and whether it is in use.
fn features(device: &Device) -> BTreeMap<String, Value> {
    let (has, used) = (device.capabilities().has, device.used());
    let pairs = has.named().into_iter().zip(used.named());
    let mut all: BTreeMap<String, Value> = pairs
        .map(|((name, has), (_, used))| (name.to_owned(), json!({ "has": has, "used": used })))
        .collect();
    let robust = json!({ "has": true, "used": device.is_robust() });
    all.insert("robustBufferAccess".to_owned(), robust);
    all
}
