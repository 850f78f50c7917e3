//! The logical device: queue, allocator, extension tables, and everything's owner.

use std::ffi::CString;
use std::sync::{Arc, Mutex, PoisonError};

use ash::{ext, khr, vk};
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, Allocator, AllocatorCreateDesc};

use super::capabilities::{self, Capabilities, DriverInfo};
use super::error::GpuError;
use super::image::Format;
use super::instance::Instance;
use super::optional::{Extensions, Features, Optional};
use super::physical::DeviceSummary;
use super::validation::ValidationLog;

/// What is asked of a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceOptions {
    /// Optional capabilities to use where the device has them. Tests switch some off to run the
    /// fallbacks.
    pub use_optional: Optional,
    /// Lowers limits and takes capabilities out of `has`, so that what a smaller device would refuse
    /// or split is run here. What is taken out of `has` is not asked for either.
    pub narrow: Option<fn(&mut Capabilities)>,
    /// Turns `robustBufferAccess` on, which every device has: all pipelines then access buffers
    /// robustly. For devices without `VK_EXT_pipeline_robustness`.
    pub robust_buffer_access: bool,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        Self {
            use_optional: Optional::ALL,
            narrow: None,
            robust_buffer_access: false,
        }
    }
}

/// A shared handle to the open device. The last one to go closes it.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    raw: ash::Device,
    sync2: Option<khr::synchronization2::Device>,
    rendering: Option<khr::dynamic_rendering::Device>,
    feedback: Option<ext::transform_feedback::Device>,
    debug: Option<ext::debug_utils::Device>,
    queue: vk::Queue,
    queue_family: u32,
    // `None` only while the device is being dropped.
    allocator: Mutex<Option<Allocator>>,
    capabilities: Capabilities,
    driver: DriverInfo,
    used: Optional,
    is_robust: bool,
    summary: DeviceSummary,
    // Dropped after the device: the instance must outlive it.
    instance: Arc<Instance>,
}

impl Device {
    /// Opens a device with one queue that draws and computes.
    ///
    /// # Errors
    /// Vulkan older than 1.1, no such queue, or the driver's refusal.
    pub fn open(
        instance: &Arc<Instance>,
        summary: &DeviceSummary,
        options: DeviceOptions,
    ) -> Result<Self, GpuError> {
        require_1_1(summary)?;
        let (family, valid_bits) = capabilities::queue_family(&instance.raw, summary.raw)
            .ok_or_else(|| {
                GpuError::Unsupported(format!(
                    "{} has no queue that both draws and computes",
                    summary.name
                ))
            })?;
        let mut capabilities = capabilities::read(&instance.raw, summary, valid_bits);
        if let Some(narrow) = options.narrow {
            narrow(&mut capabilities);
        }
        let used = capabilities.has.and(options.use_optional);
        let raw = create(
            instance,
            summary,
            family,
            used,
            options.robust_buffer_access,
        )?;
        let allocator = match new_allocator(instance, summary, &raw) {
            Ok(allocator) => allocator,
            Err(error) => {
                // SAFETY: nothing was made from the device yet.
                unsafe { raw.destroy_device(None) };
                return Err(error);
            }
        };
        // SAFETY: the family and index were asked for in `create`.
        let queue = unsafe { raw.get_device_queue(family, 0) };
        let device = Self(Arc::new(Inner {
            sync2: used
                .synchronization2
                .then(|| khr::synchronization2::Device::new(&instance.raw, &raw)),
            rendering: used
                .dynamic_rendering
                .then(|| khr::dynamic_rendering::Device::new(&instance.raw, &raw)),
            feedback: used
                .transform_feedback
                .then(|| ext::transform_feedback::Device::new(&instance.raw, &raw)),
            debug: instance
                .debug_utils
                .then(|| ext::debug_utils::Device::new(&instance.raw, &raw)),
            queue,
            queue_family: family,
            allocator: Mutex::new(Some(allocator)),
            driver: capabilities::driver_info(&instance.raw, summary.raw),
            capabilities,
            used,
            is_robust: options.robust_buffer_access,
            summary: summary.clone(),
            instance: Arc::clone(instance),
            raw,
        }));
        device.name(queue, "queue: graphics and compute");
        Ok(device)
    }

    /// Limits and optional capabilities.
    pub fn capabilities(&self) -> &Capabilities {
        &self.0.capabilities
    }

    /// The optional capabilities in use.
    pub fn used(&self) -> Optional {
        self.0.used
    }

    /// Whether every pipeline accesses buffers robustly, asked for or not.
    pub fn is_robust(&self) -> bool {
        self.0.is_robust
    }

    /// Names and versions of the driver.
    pub fn driver(&self) -> &DriverInfo {
        &self.0.driver
    }

    /// Name, kind and UUID.
    pub fn summary(&self) -> &DeviceSummary {
        &self.0.summary
    }

    /// Whether images of `format` can be drawn to and copied from.
    pub fn supports_attachment(&self, format: Format) -> bool {
        // SAFETY: the physical device belongs to the instance, which is alive.
        let properties = unsafe {
            self.0
                .instance
                .raw
                .get_physical_device_format_properties(self.0.summary.raw, format.vk())
        };
        let attachment = if format.is_depth() {
            vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT
        } else {
            vk::FormatFeatureFlags::COLOR_ATTACHMENT
        };
        let needed = attachment | vk::FormatFeatureFlags::TRANSFER_SRC;
        properties.optimal_tiling_features.contains(needed)
    }

    /// Whether the validation layer is on.
    pub fn is_validated(&self) -> bool {
        self.0.instance.validates()
    }

    /// Messages of the validation layer so far.
    pub fn validation_log(&self) -> &ValidationLog {
        self.0.instance.validation_log()
    }

    /// Waits until the queue has nothing left to do.
    ///
    /// # Errors
    /// The device was lost.
    pub fn wait_idle(&self) -> Result<(), GpuError> {
        // SAFETY: the device is alive and only one thread uses the queue.
        unsafe { self.raw().device_wait_idle() }.map_err(GpuError::vk("wait for", "device"))
    }

    pub(super) fn raw(&self) -> &ash::Device {
        &self.0.raw
    }

    pub(super) fn queue(&self) -> vk::Queue {
        self.0.queue
    }

    pub(super) fn queue_family(&self) -> u32 {
        self.0.queue_family
    }

    pub(super) fn sync2(&self) -> Option<&khr::synchronization2::Device> {
        self.0.sync2.as_ref()
    }

    pub(super) fn rendering(&self) -> Option<&khr::dynamic_rendering::Device> {
        self.0.rendering.as_ref()
    }

    pub(super) fn feedback(&self) -> Option<&ext::transform_feedback::Device> {
        self.0.feedback.as_ref()
    }

    pub(super) fn debug(&self) -> Option<&ext::debug_utils::Device> {
        self.0.debug.as_ref()
    }

    /// Gives an object its debug name. A driver that refuses a name loses nothing else.
    pub(super) fn name<T: vk::Handle>(&self, object: T, name: &str) {
        let Some(debug) = &self.0.debug else { return };
        let Ok(name) = CString::new(name) else { return };
        let info = vk::DebugUtilsObjectNameInfoEXT::default()
            .object_handle(object)
            .object_name(&name);
        // SAFETY: the object is alive and belongs to this device.
        let _ = unsafe { debug.set_debug_utils_object_name(&info) };
    }

    pub(super) fn allocate(&self, desc: &AllocationCreateDesc<'_>) -> Result<Allocation, GpuError> {
        let failed = |message: String| GpuError::Memory {
            object: desc.name.to_owned(),
            message,
        };
        let mut allocator = self
            .0
            .allocator
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let allocator = allocator
            .as_mut()
            .ok_or_else(|| failed("the device is closing".into()))?;
        allocator
            .allocate(desc)
            .map_err(|error| failed(error.to_string()))
    }

    pub(super) fn free(&self, allocation: Allocation) {
        let mut allocator = self
            .0
            .allocator
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(allocator) = allocator.as_mut() {
            // Freeing an allocation that this allocator made cannot fail.
            let _ = allocator.free(allocation);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: every object holds a `Device`, so none is left; the allocator's blocks go first.
        unsafe {
            let _ = self.raw.device_wait_idle();
            self.allocator
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            self.raw.destroy_device(None);
        }
    }
}

fn require_1_1(summary: &DeviceSummary) -> Result<(), GpuError> {
    let (major, minor, _) = summary.api_version;
    if (major, minor) >= (1, 1) {
        return Ok(());
    }
    Err(GpuError::Unsupported(format!(
        "{} offers Vulkan {major}.{minor}; 1.1 is needed: update its driver",
        summary.name
    )))
}

fn create(
    instance: &Instance,
    summary: &DeviceSummary,
    family: u32,
    used: Optional,
    robust_buffer_access: bool,
) -> Result<ash::Device, GpuError> {
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(family)
        .queue_priorities(&priorities)];
    let names = Extensions::of(&instance.raw, summary.raw).to_enable(used);
    let mut features = Features::wanted(used, robust_buffer_access);
    let mut features = features.chain(used);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .push_next(&mut features);
    // SAFETY: all pointers in `info` live until the call returns.
    unsafe { instance.raw.create_device(summary.raw, &info, None) }
        .map_err(GpuError::vk("open device", &summary.name))
}

fn new_allocator(
    instance: &Instance,
    summary: &DeviceSummary,
    device: &ash::Device,
) -> Result<Allocator, GpuError> {
    Allocator::new(&AllocatorCreateDesc {
        instance: instance.raw.clone(),
        device: device.clone(),
        physical_device: summary.raw,
        debug_settings: gpu_allocator::AllocatorDebugSettings::default(),
        buffer_device_address: false,
        allocation_sizes: gpu_allocator::AllocationSizes::default(),
    })
    .map_err(|error| GpuError::Memory {
        object: summary.name.clone(),
        message: error.to_string(),
    })
}
