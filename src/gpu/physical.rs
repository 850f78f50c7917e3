//! Which devices there are, and which one is meant.

use ash::vk;

use super::error::GpuError;

/// The kind of a device, best first for measuring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the CPU's memory.
    Integrated,
    /// A GPU seen through a virtual machine.
    Virtual,
    /// A software driver. It says nothing about any GPU.
    Cpu,
    /// The driver does not say.
    Other,
}

impl DeviceKind {
    fn from_vk(kind: vk::PhysicalDeviceType) -> Self {
        match kind {
            vk::PhysicalDeviceType::DISCRETE_GPU => Self::Discrete,
            vk::PhysicalDeviceType::INTEGRATED_GPU => Self::Integrated,
            vk::PhysicalDeviceType::VIRTUAL_GPU => Self::Virtual,
            vk::PhysicalDeviceType::CPU => Self::Cpu,
            _ => Self::Other,
        }
    }

    /// The word used in results and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Cpu => "cpu",
            Self::Other => "other",
        }
    }

    /// Discrete, integrated, virtual, cpu; a device that does not say comes before software only.
    fn rank(self) -> u8 {
        match self {
            Self::Discrete => 0,
            Self::Integrated => 1,
            Self::Virtual => 2,
            Self::Other => 3,
            Self::Cpu => 4,
        }
    }
}

/// A device as the loader shows it, before it is opened.
#[derive(Clone, Debug)]
pub struct DeviceSummary {
    /// Position in the loader's list.
    pub index: usize,
    /// The driver's name for the device.
    pub name: String,
    /// What kind it is.
    pub kind: DeviceKind,
    /// `VkPhysicalDeviceIDProperties::deviceUUID` in hexadecimal with dashes.
    pub uuid: String,
    /// The Vulkan version it offers.
    pub api_version: (u32, u32, u32),
    pub(super) raw: vk::PhysicalDevice,
}

/// What the user said of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Nothing: the best kind, and among equals the first.
    Default,
    /// An index, a UUID, or a case-insensitive part of a name.
    Asked(String),
}

pub(super) fn summarise(
    instance: &ash::Instance,
    index: usize,
    raw: vk::PhysicalDevice,
) -> DeviceSummary {
    // SAFETY: `raw` comes from this instance.
    let plain = unsafe { instance.get_physical_device_properties(raw) };
    let mut uuid = [0u8; 16];
    // The chained query is core in 1.1 only; an older device has no UUID to show.
    if plain.api_version >= vk::API_VERSION_1_1 {
        let mut id = vk::PhysicalDeviceIDProperties::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut id);
        // SAFETY: as above; the structures are zeroed and chained by ash.
        unsafe { instance.get_physical_device_properties2(raw, &mut all) };
        uuid = id.device_uuid;
    }
    let version = plain.api_version;
    DeviceSummary {
        index,
        name: plain
            .device_name_as_c_str()
            .map_or_else(|_| "unnamed".into(), |name| name.to_string_lossy().into()),
        kind: DeviceKind::from_vk(plain.device_type),
        uuid: format_uuid(&uuid),
        api_version: (
            vk::api_version_major(version),
            vk::api_version_minor(version),
            vk::api_version_patch(version),
        ),
        raw,
    }
}

fn format_uuid(bytes: &[u8; 16]) -> String {
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

/// Picks a device: by index, UUID or part of a name, or the best kind there is.
///
/// A software driver is taken by default only where there is nothing else.
///
/// # Errors
/// No device at all, none that fits, or a name that fits several: each error lists the devices.
pub fn choose_device<'a>(
    devices: &'a [DeviceSummary],
    selection: &Selection,
) -> Result<&'a DeviceSummary, GpuError> {
    if devices.is_empty() {
        return Err(GpuError::Missing(
            "no Vulkan device: install a driver (mesa-vulkan-drivers has a software one)".into(),
        ));
    }
    match selection {
        Selection::Default => Ok(best(devices)),
        Selection::Asked(text) => asked(devices, text.trim()),
    }
}

fn best(devices: &[DeviceSummary]) -> &DeviceSummary {
    devices
        .iter()
        .min_by_key(|device| device.kind.rank())
        .unwrap_or(&devices[0])
}

fn asked<'a>(devices: &'a [DeviceSummary], text: &str) -> Result<&'a DeviceSummary, GpuError> {
    if let Ok(index) = text.parse::<usize>() {
        return devices
            .iter()
            .find(|device| device.index == index)
            .ok_or_else(|| none_fits(devices, text));
    }
    let wanted = text.to_lowercase();
    if let Some(device) = devices
        .iter()
        .find(|device| same_uuid(&device.uuid, &wanted))
    {
        return Ok(device);
    }
    let named: Vec<_> = devices
        .iter()
        .filter(|device| !wanted.is_empty() && device.name.to_lowercase().contains(&wanted))
        .collect();
    match named.as_slice() {
        [] => Err(none_fits(devices, text)),
        [one] => Ok(one),
        several => Err(GpuError::Missing(format!(
            "--device {text:?} fits several devices: {}; give an index or a UUID",
            list(several.iter().copied())
        ))),
    }
}

fn same_uuid(uuid: &str, wanted: &str) -> bool {
    uuid == wanted || uuid.replace('-', "") == wanted
}

fn none_fits(devices: &[DeviceSummary], text: &str) -> GpuError {
    GpuError::Missing(format!(
        "--device {text:?} fits no device; there are: {}",
        list(devices.iter())
    ))
}

fn list<'a>(devices: impl Iterator<Item = &'a DeviceSummary>) -> String {
    let all: Vec<_> = devices
        .map(|d| format!("{} = {} ({}, {})", d.index, d.name, d.kind.name(), d.uuid))
        .collect();
    all.join("; ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;

    fn device(index: usize, kind: DeviceKind, name: &str) -> DeviceSummary {
        let uuid = format_uuid(&[index as u8; 16]);
        DeviceSummary {
            index,
            name: name.into(),
            kind,
            uuid,
            api_version: (1, 1, 0),
            raw: vk::PhysicalDevice::null(),
        }
    }

    fn pick(devices: &[DeviceSummary], text: Option<&str>) -> Result<String, String> {
        let selection = text.map_or(Selection::Default, |text| Selection::Asked(text.into()));
        choose_device(devices, &selection)
            .map(|d| d.name.clone())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_default_prefers_real_gpus_in_any_order() {
        let kinds = [
            DeviceKind::Cpu,
            DeviceKind::Other,
            DeviceKind::Virtual,
            DeviceKind::Integrated,
            DeviceKind::Discrete,
        ];
        for from in 0..kinds.len() {
            let devices: Vec<_> = kinds[..=from]
                .iter()
                .enumerate()
                .map(|(i, k)| device(i, *k, k.name()))
                .collect();
            assert_eq!(pick(&devices, None).unwrap(), kinds[from].name());
        }
    }

    #[test]
    fn a_device_is_found_by_index_uuid_and_part_of_its_name() {
        let devices = [
            device(0, DeviceKind::Discrete, "GeForce A"),
            device(1, DeviceKind::Cpu, "llvmpipe"),
        ];
        assert_eq!(pick(&devices, Some("1")).unwrap(), "llvmpipe");
        assert_eq!(pick(&devices, Some("LLVM")).unwrap(), "llvmpipe");
        assert_eq!(
            pick(&devices, Some("01010101-0101-0101-0101-010101010101")).unwrap(),
            "llvmpipe"
        );
        assert_eq!(
            pick(&devices, Some("00000000000000000000000000000000")).unwrap(),
            "GeForce A"
        );
    }

    #[test]
    fn errors_list_what_there_is() {
        let devices = [
            device(0, DeviceKind::Discrete, "GeForce A"),
            device(1, DeviceKind::Discrete, "GeForce B"),
        ];
        let several = pick(&devices, Some("geforce")).unwrap_err();
        assert!(
            several.contains("0 = GeForce A") && several.contains("1 = GeForce B"),
            "{several}"
        );
        for text in ["nothing-like-it", "7", ""] {
            assert!(
                pick(&devices, Some(text))
                    .unwrap_err()
                    .contains("GeForce B")
            );
        }
        assert!(pick(&[], None).unwrap_err().contains("no Vulkan device"));
    }
}
