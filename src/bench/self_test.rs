//! Distrusting the device's clock before anything is timed.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::{Value, json};

use crate::gpu::Access;
use crate::gpu::{
    Buffer, BufferUse, Device, FrameSlot, GpuError, MemoryPlace, RecordOptions, Transition,
};

/// Repetitions of each probe; the smallest of so many is the floor.
const PROBES: usize = 16;
/// Bytes that the probe copies: enough to take longer than a stamp on any device.
const COPY_BYTES: u64 = 8 << 20;

/// What the test saw.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    /// Whether stamps can be used at all.
    pub usable: bool,
    /// Why not.
    pub failure: Option<String>,
    /// Two stamps back to back, smallest of some.
    pub floor_ns: Option<f64>,
    /// A copy by the stamps, median of some.
    pub copy_gpu_ns: Option<f64>,
    /// The same submits by the host's clock.
    pub copy_wall_ns: Option<f64>,
    /// Valid bits of a stamp.
    pub valid_bits: u32,
    /// Nanoseconds a tick.
    pub period_ns: f64,
}

impl SelfTest {
    /// As the result's `timing.self_test` holds it.
    pub fn to_json(&self) -> BTreeMap<String, Value> {
        let entries = [
            ("usable", json!(self.usable)),
            ("failure", json!(self.failure)),
            ("valid_bits", json!(self.valid_bits)),
            ("period_ns", json!(self.period_ns)),
            ("floor_ns", json!(self.floor_ns)),
            ("copy_bytes", json!(COPY_BYTES)),
            ("copy_gpu_ns", json!(self.copy_gpu_ns)),
            ("copy_wall_ns", json!(self.copy_wall_ns)),
        ];
        entries
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect()
    }
}

/// Measures an empty bracket and a copy, and looks whether the stamps can be believed.
///
/// # Errors
/// A lost device, no memory, or the driver's refusal.
pub fn self_test(device: &Device) -> Result<SelfTest, GpuError> {
    let capabilities = device.capabilities();
    let mut test = SelfTest {
        usable: false,
        failure: None,
        floor_ns: None,
        copy_gpu_ns: None,
        copy_wall_ns: None,
        valid_bits: capabilities.timestamp_valid_bits,
        period_ns: f64::from(capabilities.timestamp_period_ns),
    };
    if test.valid_bits == 0 {
        test.failure = Some("the queue has no timestamps (timestampValidBits is 0)".into());
        return Ok(test);
    }
    if !(test.period_ns > 0.0 && test.period_ns.is_finite()) {
        test.failure = Some(format!("timestampPeriod is {}", test.period_ns));
        return Ok(test);
    }
    probe(device, &mut test)?;
    test.failure = judge(&test);
    test.usable = test.failure.is_none();
    Ok(test)
}

fn probe(device: &Device, test: &mut SelfTest) -> Result<(), GpuError> {
    let used = BufferUse::default();
    let from = Buffer::new(
        device,
        "self-test: source",
        COPY_BYTES,
        MemoryPlace::Device,
        used,
    )?;
    let to = Buffer::new(
        device,
        "self-test: target",
        COPY_BYTES,
        MemoryPlace::Device,
        used,
    )?;
    let mut slot = FrameSlot::new(device, "self-test", 4)?;
    let (mut floors, mut copies, mut walls) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PROBES {
        slot.record(RecordOptions::default(), |encoder| {
            // The copy of the submit before must be done with both buffers.
            let again = [Access::TransferRead, Access::TransferWrite];
            let transitions = [&from, &to].map(|buffer| Transition::buffer(buffer, &again, &again));
            encoder.barrier("self-test", &transitions);
            encoder.stamped("floor", |_| Ok::<_, GpuError>(()))?;
            encoder.stamped("copy", |encoder| {
                encoder.copy_buffer((&from, 0), (&to, 0), COPY_BYTES);
                Ok(())
            })
        })?;
        let start = Instant::now();
        slot.submit()?;
        slot.wait()?;
        walls.push(start.elapsed().as_nanos() as f64);
        let stamps = slot.read_stamps()?;
        floors.extend(stamps.scope_ns("floor"));
        copies.extend(stamps.scope_ns("copy"));
    }
    test.floor_ns =
        (floors.len() == PROBES).then(|| floors.iter().copied().fold(f64::MAX, f64::min));
    test.copy_gpu_ns = if copies.len() == PROBES {
        crate::stats::median(&copies)
    } else {
        None
    };
    test.copy_wall_ns = crate::stats::median(&walls);
    Ok(())
}

/// Stamps must be answered, move forwards, and claim no more time than passed outside.
fn judge(test: &SelfTest) -> Option<String> {
    let (Some(gpu), Some(_)) = (test.copy_gpu_ns, test.floor_ns) else {
        return Some("the device left timestamps unanswered".into());
    };
    let wall = test.copy_wall_ns?;
    if gpu.is_nan() || gpu <= 0.0 {
        return Some(format!(
            "a copy of {COPY_BYTES} bytes took no time by the stamps"
        ));
    }
    // 5 % for the two clocks' rates; a wrapped or unordered counter is off by far more.
    if gpu > wall * 1.05 {
        return Some(format!(
            "stamps claim {gpu:.0} ns inside {wall:.0} ns of the host's clock"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(floor: Option<f64>, gpu: Option<f64>, wall: f64) -> Option<String> {
        judge(&SelfTest {
            usable: false,
            failure: None,
            floor_ns: floor,
            copy_gpu_ns: gpu,
            copy_wall_ns: Some(wall),
            valid_bits: 64,
            period_ns: 1.0,
        })
    }

    #[test]
    fn stamps_that_lie_are_recognised() {
        assert_eq!(seen(Some(10.0), Some(900.0), 1000.0), None);
        assert!(seen(None, Some(900.0), 1000.0).is_some());
        assert!(seen(Some(0.0), Some(0.0), 1000.0).is_some());
        assert!(seen(Some(0.0), Some(f64::NAN), 1000.0).is_some());
        assert!(seen(Some(0.0), Some(2000.0), 1000.0).is_some());
    }
}
