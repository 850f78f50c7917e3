//! What the commands do. Data goes to standard output, all else to standard error.

mod devices;
mod kernel;
mod progress;
mod run;
mod verify;

use std::process::ExitCode;
use std::sync::Arc;

use crate::cli::Command;
use crate::gpu::{
    Device, DeviceKind, DeviceOptions, GpuError, Instance, InstanceOptions, Selection,
    choose_device,
};

/// Exit codes that scripts rely on.
pub mod exit {
    /// All is well.
    pub const FINE: u8 = 0;
    /// A finding: a case is wrong, or the validation layer spoke.
    pub const FINDING: u8 = 1;
    /// It could not do what was asked.
    pub const ERROR: u8 = 2;
    /// Interrupted by the user.
    pub const INTERRUPTED: u8 = 130;
}

/// Runs a command and gives the exit code. An error is one line on standard error.
pub fn execute(command: Command, line: Vec<String>) -> ExitCode {
    if let Err(message) = crate::strategy::check_spoiled() {
        complain(&message);
        return ExitCode::from(exit::ERROR);
    }
    let done = match command {
        Command::Devices(devices) => devices::execute(&devices),
        Command::Run(run) => run::execute(run, line),
        Command::Verify(verify) => verify::execute(verify),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&one_line(&format!("{error:#}")));
            ExitCode::from(exit::ERROR)
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn open_instance(validation: bool) -> Result<Arc<Instance>, GpuError> {
    Ok(Arc::new(Instance::new(InstanceOptions { validation })?))
}

/// Opens the device that was asked for, and says so if it is a software driver.
fn open_device(
    instance: &Arc<Instance>,
    asked: Option<&str>,
    options: DeviceOptions,
) -> Result<Device, GpuError> {
    let devices = instance.devices()?;
    let selection = asked.map_or(Selection::Default, |text| Selection::Asked(text.to_owned()));
    let device = choose_device(&devices, &selection)?;
    if device.kind == DeviceKind::Cpu {
        complain(&format!(
            "{} is a software Vulkan driver: what it measures says nothing about any GPU",
            device.name
        ));
    }
    Device::open(instance, device, options)
}

/// Prints what the validation layer said; true if it said anything.
fn report_validation(device: &Device) -> bool {
    let messages = device.validation_log().drain();
    for message in &messages {
        complain(&format!("validation: {}", one_line(message)));
    }
    !messages.is_empty()
}

/// Writes data to standard output. A reader that left early, such as `head`, is no error.
///
/// # Errors
/// Any other failure to write.
pub fn print(text: &str) -> anyhow::Result<()> {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::anyhow!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Writes one line to standard error. Where that cannot be written, nobody is left to tell.
pub fn complain(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "skinbench: {text}");
}
