//! Where a result was measured: the machine, its power, the device and its driver.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::NullReasons;

/// The machine that measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Operating system with its version.
    pub os: String,
    /// Processor architecture, such as `x86_64`.
    pub arch: String,
    /// Processor name.
    pub cpu: String,
    /// Threads that the host side may use at once.
    pub threads: u32,
    /// Power source, clocks and temperature.
    pub power: Power,
    /// The Vulkan device.
    pub device: Device,
    /// Limits assumed on purpose (`--assume`), or `null` when the device's own were used.
    pub assumed: Option<Assumed>,
}

/// What could be read about power when the run began. Each is `null` with a reason in
/// `null_reasons` where the machine does not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// `mains` or `battery`.
    pub source: Option<String>,
    /// The processor's frequency governor.
    pub governor: Option<String>,
    /// Clock frequencies in hertz by what they drive.
    pub clocks: Option<BTreeMap<String, f64>>,
    /// Temperatures in degrees Celsius by sensor.
    pub temperature: Option<BTreeMap<String, f64>>,
    /// Why any of the above is `null`.
    #[serde(default)]
    pub null_reasons: NullReasons,
}

/// What sort of device Vulkan says it is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// A card of its own.
    Discrete,
    /// Shares the processor's memory.
    Integrated,
    /// Passed through to a virtual machine.
    Virtual,
    /// A software driver: its times say nothing about any GPU.
    Cpu,
    /// None of the above.
    #[default]
    Other,
}

impl DeviceKind {
    /// The word that the file uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Cpu => "cpu",
            Self::Other => "other",
        }
    }
}

/// The Vulkan device that was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// Index in `skinbench devices`; the loader's order is not fixed between runs.
    pub index: u32,
    /// `deviceName`.
    pub name: String,
    /// `deviceType`.
    pub kind: DeviceKind,
    /// PCI vendor.
    pub vendor_id: u32,
    /// PCI device.
    pub device_id: u32,
    /// `deviceUUID` as lower-case hexadecimal with dashes.
    pub uuid: String,
    /// Such as `1.3.230`.
    pub api_version: String,
    /// The driver.
    pub driver: Driver,
    /// Limits as the device reports them, by their Vulkan names.
    pub limits: BTreeMap<String, Value>,
    /// Features and extensions that the harness asks about, by their Vulkan names.
    pub features: BTreeMap<String, Value>,
    /// Nanoseconds a tick, a floating-point number by nature.
    pub timestamp_period_ns: f64,
    /// Valid bits of a stamp on the queue in use; 0 = this queue has no stamps.
    pub timestamp_valid_bits: u32,
}

/// The driver, in its own words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Driver {
    /// `driverName`.
    pub name: String,
    /// `driverInfo`.
    pub info: String,
    /// `driverVersion`, decoded where the vendor's packing is known.
    pub version: String,
    /// `conformanceVersion`, such as `1.3.1.1`.
    pub conformance: String,
}

/// Limits that a run was told to assume instead of the device's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Assumed {
    /// The file given to `--assume`.
    pub file: String,
    /// Limits and features that were narrowed.
    pub applied: BTreeMap<String, Value>,
    /// Entries of the file that could not be honoured here.
    pub assumed_not_honoured: BTreeMap<String, Value>,
}
