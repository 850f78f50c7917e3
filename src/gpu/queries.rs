//! Timestamps and pipeline statistics.

use ash::vk;

use super::device::Device;
use super::error::GpuError;

/// Ticks from `start` to `end` on a counter of `valid_bits` bits that wraps.
///
/// `None` where the device counts nothing (`valid_bits` 0). The subtraction is on integers: a
/// 64-bit tick count does not fit a double.
pub fn ticks_between(start: u64, end: u64, valid_bits: u32) -> Option<u64> {
    match valid_bits {
        0 => None,
        1..=63 => Some(end.wrapping_sub(start) & ((1u64 << valid_bits) - 1)),
        _ => Some(end.wrapping_sub(start)),
    }
}

/// A pair of stamps in a [`StampPool`], by the name of the scope that wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StampSpan {
    /// Name of the scope.
    pub name: String,
    /// Index of the first stamp; the second follows.
    pub first: u32,
}

/// A pool of timestamps for one command buffer.
pub struct StampPool {
    device: Device,
    raw: vk::QueryPool,
    capacity: u32,
}

impl StampPool {
    /// Makes a pool of `capacity` stamps.
    ///
    /// # Errors
    /// The driver's refusal.
    pub fn new(device: &Device, name: &str, capacity: u32) -> Result<Self, GpuError> {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(capacity);
        // SAFETY: the create-info is complete and the device is alive.
        let raw = unsafe { device.raw().create_query_pool(&info, None) }
            .map_err(GpuError::vk("create query pool", name))?;
        device.name(raw, name);
        Ok(Self {
            device: device.clone(),
            raw,
            capacity,
        })
    }

    /// How many stamps fit.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Reads the first `count` stamps after the fence of their submit was seen.
    ///
    /// A stamp that the device did not write is `None`.
    ///
    /// # Errors
    /// The driver's refusal or a lost device.
    pub fn read(&self, count: u32) -> Result<Vec<Option<u64>>, GpuError> {
        let mut raw = vec![[0u64; 2]; count.min(self.capacity) as usize];
        if raw.is_empty() {
            return Ok(Vec::new());
        }
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
        // SAFETY: each element holds the value and its availability, as the flags ask.
        let done = unsafe {
            self.device
                .raw()
                .get_query_pool_results(self.raw, 0, &mut raw, flags)
        };
        match done {
            Ok(()) | Err(vk::Result::NOT_READY) => {}
            Err(result) => return Err(GpuError::vk("read", "timestamps")(result)),
        }
        Ok(raw
            .into_iter()
            .map(|[value, available]| (available != 0).then_some(value))
            .collect())
    }

    pub(super) fn raw(&self) -> vk::QueryPool {
        self.raw
    }
}

impl Drop for StampPool {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it writes.
        unsafe { self.device.raw().destroy_query_pool(self.raw, None) };
    }
}

/// Counts of shader invocations in one untimed frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Vertex shader invocations.
    pub vertex_invocations: u64,
    /// Compute shader invocations.
    pub compute_invocations: u64,
}

/// A pool with one pipeline-statistics query.
pub struct StatisticsPool {
    device: Device,
    raw: vk::QueryPool,
}

impl StatisticsPool {
    /// Makes the pool, or `None` where the device cannot count.
    ///
    /// # Errors
    /// The driver's refusal.
    pub fn new(device: &Device) -> Result<Option<Self>, GpuError> {
        if !device.used().pipeline_statistics {
            return Ok(None);
        }
        let counted = vk::QueryPipelineStatisticFlags::VERTEX_SHADER_INVOCATIONS
            | vk::QueryPipelineStatisticFlags::COMPUTE_SHADER_INVOCATIONS;
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::PIPELINE_STATISTICS)
            .query_count(1)
            .pipeline_statistics(counted);
        // SAFETY: the feature is on, the create-info is complete.
        let raw = unsafe { device.raw().create_query_pool(&info, None) }
            .map_err(GpuError::vk("create query pool", "statistics"))?;
        device.name(raw, "statistics");
        Ok(Some(Self {
            device: device.clone(),
            raw,
        }))
    }

    /// Reads the counts after the fence of their submit was seen.
    ///
    /// # Errors
    /// The driver's refusal or a lost device.
    pub fn read(&self) -> Result<Statistics, GpuError> {
        // Results come in the order of the flag bits: vertex before compute.
        let mut raw = [[0u64; 2]; 1];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: one query with two counters of 64 bits.
        unsafe {
            self.device
                .raw()
                .get_query_pool_results(self.raw, 0, &mut raw, flags)
        }
        .map_err(GpuError::vk("read", "statistics"))?;
        Ok(Statistics {
            vertex_invocations: raw[0][0],
            compute_invocations: raw[0][1],
        })
    }

    pub(super) fn raw(&self) -> vk::QueryPool {
        self.raw
    }
}

impl Drop for StatisticsPool {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it writes.
        unsafe { self.device.raw().destroy_query_pool(self.raw, None) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_wrap_at_the_valid_bits() {
        assert_eq!(ticks_between(5, 9, 0), None);
        assert_eq!(ticks_between(5, 9, 64), Some(4));
        assert_eq!(ticks_between((1 << 36) - 1, 4, 36), Some(5));
        assert_eq!(ticks_between(u64::MAX, 1, 64), Some(2));
        // Bits above the valid ones are not part of the count.
        assert_eq!(ticks_between(0xFFFF_0000_0000_0001, 3, 48), Some(2));
    }
}
