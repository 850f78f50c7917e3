//! The Vulkan instance: loader, layers, validation messenger.

use std::ffi::{CStr, CString, c_char};

use ash::{ext, khr, vk};

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
        let layer = options.validation.then_some(VALIDATION_LAYER);
        let debug_utils = has_extension(&entry, layer, ext::debug_utils::NAME);
        if options.validation && !debug_utils {
            return Err(GpuError::Missing(
                "the Vulkan loader has no VK_EXT_debug_utils: run without --validation".into(),
            ));
        }
        let log = ValidationLog::default();
        let raw = create(&entry, options, debug_utils, &log)?;
        // From here on a failure drops the instance.
        let mut instance = Self {
            raw,
            debug: None,
            log,
            debug_utils,
            _entry: entry,
        };
        if options.validation {
            let made = Messenger::new(&instance._entry, &instance.raw, &instance.log)?;
            instance.debug = Some(made);
        }
        Ok(instance)
    }

    /// Whether the validation layer is on.
    pub fn validates(&self) -> bool {
        self.debug.is_some()
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

/// Whether the loader or a driver has an instance extension, or the layer in question.
fn has_extension(entry: &ash::Entry, layer: Option<&CStr>, name: &CStr) -> bool {
    [None, layer].into_iter().any(|provider| {
        // SAFETY: only reads the loader's and the layer's extension lists.
        let all = unsafe { entry.enumerate_instance_extension_properties(provider) };
        let all = all.unwrap_or_default();
        all.iter()
            .any(|extension| extension.extension_name_as_c_str() == Ok(name))
    })
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
    let portability = has_extension(entry, None, khr::portability_enumeration::NAME);
    let wanted = [
        (debug_utils, ext::debug_utils::NAME),
        (options.validation, ext::validation_features::NAME),
        // Without it the loader hides drivers on top of another API, such as MoltenVK.
        (portability, khr::portability_enumeration::NAME),
    ];
    let extensions: Vec<*const c_char> = wanted
        .iter()
        .filter(|(wanted, _)| *wanted)
        .map(|(_, name)| name.as_ptr())
        .collect();
    let enable = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
    let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enable);
    let mut messenger = log.messenger_info();
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions);
    if portability {
        info = info.flags(vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR);
    }
    if options.validation {
        info = info.push_next(&mut features).push_next(&mut messenger);
    }
    // SAFETY: all pointers in `info` live until the call returns.
    unsafe { entry.create_instance(&info, None) }.map_err(GpuError::vk("create", "instance"))
}
