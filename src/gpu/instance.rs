//! The Vulkan instance: loader, layers, validation messenger.

use std::ffi::{CStr, CString, c_char};

use ash::{ext, vk};

use super::error::GpuError;
use super::physical::{DeviceSummary, summarise};
use super::validation::ValidationLog;

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// What is asked of the instance.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstanceOptions {
    /// Load the validation layer with synchronization validation; an error if it is not installed.
    pub validation: bool,
}

/// A Vulkan 1.1 instance.
pub struct Instance {
    pub(super) raw: ash::Instance,
    debug: Option<Messenger>,
    log: ValidationLog,
    /// Whether debug names and labels can be given.
    pub(super) debug_utils: bool,
    // Dropped last: it holds the loader's library.
    _entry: ash::Entry,
}

struct Messenger {
    table: ext::debug_utils::Instance,
    raw: vk::DebugUtilsMessengerEXT,
}

impl Instance {
    /// Loads the Vulkan loader and creates an instance.
    ///
    /// # Errors
    /// No loader, no driver, or no validation layer where one was asked for.
    pub fn new(options: InstanceOptions) -> Result<Self, GpuError> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers; nothing else holds it.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| {
            GpuError::Missing(format!(
                "no Vulkan loader on this machine ({error}); install libvulkan1 or run scripts/bench"
            ))
        })?;
        if options.validation {
            require_validation_layer(&entry)?;
        }
        let debug_utils = has_extension(&entry, ext::debug_utils::NAME);
        let log = ValidationLog::default();
        let raw = create(&entry, options, debug_utils, &log)?;
        let debug = if options.validation {
            Some(Messenger::new(&entry, &raw, &log)?)
        } else {
            None
        };
        Ok(Self {
            raw,
            debug,
            log,
            debug_utils,
            _entry: entry,
        })
    }

    /// Messages of the validation layer so far.
    pub fn validation_log(&self) -> &ValidationLog {
        &self.log
    }

    /// Every Vulkan device, in the loader's order.
    ///
    /// # Errors
    /// The loader could not list them.
    pub fn devices(&self) -> Result<Vec<DeviceSummary>, GpuError> {
        // SAFETY: the instance is alive.
        let all = unsafe { self.raw.enumerate_physical_devices() }
            .map_err(GpuError::vk("list devices of", "instance"))?;
        Ok(all
            .into_iter()
            .enumerate()
            .map(|(index, device)| summarise(&self.raw, index, device))
            .collect())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: devices hold an `Arc` of the instance, so none is left; the messenger goes first.
        unsafe {
            if let Some(debug) = &self.debug {
                debug.table.destroy_debug_utils_messenger(debug.raw, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}

impl Messenger {
    fn new(
        entry: &ash::Entry,
        instance: &ash::Instance,
        log: &ValidationLog,
    ) -> Result<Self, GpuError> {
        let table = ext::debug_utils::Instance::new(entry, instance);
        // SAFETY: the log outlives the messenger: both are fields of `Instance`.
        let raw = unsafe { table.create_debug_utils_messenger(&log.messenger_info(), None) }
            .map_err(GpuError::vk("create", "validation messenger"))?;
        Ok(Self { table, raw })
    }
}

fn require_validation_layer(entry: &ash::Entry) -> Result<(), GpuError> {
    // SAFETY: only reads the loader's layer list.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    let found = layers
        .iter()
        .any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER));
    if found {
        return Ok(());
    }
    Err(GpuError::Missing(
        "the validation layer is not installed; install vulkan-validationlayers or run without --validation"
            .into(),
    ))
}

fn has_extension(entry: &ash::Entry, name: &CStr) -> bool {
    // SAFETY: only reads the loader's extension list.
    let all = unsafe { entry.enumerate_instance_extension_properties(None) }.unwrap_or_default();
    all.iter()
        .any(|extension| extension.extension_name_as_c_str() == Ok(name))
}

fn create(
    entry: &ash::Entry,
    options: InstanceOptions,
    debug_utils: bool,
    log: &ValidationLog,
) -> Result<ash::Instance, GpuError> {
    let name = CString::from(c"skinbench");
    let application = vk::ApplicationInfo::default()
        .application_name(&name)
        .engine_name(&name)
        .api_version(vk::API_VERSION_1_1);
    let layers: Vec<*const c_char> = options
        .validation
        .then_some(VALIDATION_LAYER.as_ptr())
        .into_iter()
        .collect();
    let extensions: Vec<*const c_char> = debug_utils
        .then_some(ext::debug_utils::NAME.as_ptr())
        .into_iter()
        .collect();
    let enable = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enable);
    let mut messenger = log.messenger_info();
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions);
    if options.validation {
        info = info.push_next(&mut features).push_next(&mut messenger);
    }
    // SAFETY: all pointers in `info` live until the call returns.
    unsafe { entry.create_instance(&info, None) }.map_err(GpuError::vk("create", "instance"))
}
