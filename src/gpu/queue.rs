//! One frame slot: a command buffer with its fence and queries.

use ash::vk;

use super::device::Device;
use super::encoder::{Encoder, RecordOptions, Recorded};
use super::error::GpuError;
use super::queries::{StampPool, ticks_between};

/// A command buffer that is recorded, submitted and waited for, over and over.
///
/// Sync: `submit` signals the fence; `wait` is the only waiter and must see it before the slot is
/// recorded again.
pub struct FrameSlot {
    device: Device,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    fence: vk::Fence,
    stamps: StampPool,
    recorded: Recorded,
    in_flight: bool,
}

impl FrameSlot {
    /// Makes a slot with room for `stamps` timestamps.
    ///
    /// # Errors
    /// The driver's refusal; a half-built slot is freed.
    pub fn new(device: &Device, name: &str, stamps: u32) -> Result<Self, GpuError> {
        let mut slot = Self {
            device: device.clone(),
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            stamps: StampPool::new(device, &format!("{name}: stamps"), stamps)?,
            recorded: Recorded::default(),
            in_flight: false,
        };
        slot.create(name)?;
        Ok(slot)
    }

    fn create(&mut self, name: &str) -> Result<(), GpuError> {
        let raw = self.device.raw();
        let pool = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::TRANSIENT)
            .queue_family_index(self.device.queue_family());
        // SAFETY: the device is alive and each create-info complete; `Drop` frees what was made.
        unsafe {
            self.pool = raw
                .create_command_pool(&pool, None)
                .map_err(GpuError::vk("create command pool", name))?;
            let buffers = vk::CommandBufferAllocateInfo::default()
                .command_pool(self.pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let buffers = raw
                .allocate_command_buffers(&buffers)
                .map_err(GpuError::vk("allocate", name))?;
            self.commands = buffers.first().copied().unwrap_or_default();
            self.fence = raw
                .create_fence(&vk::FenceCreateInfo::default(), None)
                .map_err(GpuError::vk("create fence", name))?;
        }
        self.device.name(self.pool, &format!("{name}: pool"));
        self.device
            .name(self.commands, &format!("{name}: commands"));
        self.device.name(self.fence, &format!("{name}: fence"));
        Ok(())
    }

    /// Records the slot anew.
    ///
    /// # Errors
    /// Those of `body`, or the driver's refusal.
    pub fn record<E: From<GpuError>>(
        &mut self,
        options: RecordOptions,
        body: impl FnOnce(&mut Encoder<'_>) -> Result<(), E>,
    ) -> Result<&Recorded, E> {
        self.wait()?;
        let raw = self.device.raw();
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: `wait` saw the fence, so the pool is not in use.
        unsafe {
            raw.reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty())
                .map_err(GpuError::vk("reset", "command pool"))?;
            raw.begin_command_buffer(self.commands, &begin)
                .map_err(GpuError::vk("begin", "commands"))?;
        }
        let mut encoder = Encoder::new(&self.device, self.commands, &self.stamps, options);
        body(&mut encoder)?;
        self.recorded = encoder.finish();
        // SAFETY: begun above.
        unsafe { raw.end_command_buffer(self.commands) }
            .map_err(GpuError::vk("end", "commands"))?;
        Ok(&self.recorded)
    }

    /// Submits what was recorded last, once.
    ///
    /// # Errors
    /// A lost device, or no memory.
    pub fn submit(&mut self) -> Result<(), GpuError> {
        let commands = [self.commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        // SAFETY: the commands are recorded, the fence is unsignalled, one thread uses the queue.
        unsafe {
            self.device
                .raw()
                .queue_submit(self.device.queue(), &submit, self.fence)
        }
        .map_err(GpuError::vk("submit", "frame"))?;
        self.in_flight = true;
        Ok(())
    }

    /// Waits for the last submit. Returns at once if there is none.
    ///
    /// # Errors
    /// A lost device.
    pub fn wait(&mut self) -> Result<(), GpuError> {
        if !self.in_flight {
            return Ok(());
        }
        // SAFETY: the fence was handed to a submit. After a failure the slot is not used again.
        unsafe {
            self.device
                .raw()
                .wait_for_fences(&[self.fence], true, u64::MAX)
                .map_err(GpuError::vk("wait for", "frame"))?;
            self.device
                .raw()
                .reset_fences(&[self.fence])
                .map_err(GpuError::vk("reset", "fence"))?;
        }
        self.in_flight = false;
        Ok(())
    }

    /// What the last recording left behind.
    pub fn recorded(&self) -> &Recorded {
        &self.recorded
    }

    /// The stamps of the last submit, after `wait`.
    ///
    /// # Errors
    /// The driver's refusal or a lost device.
    pub fn read_stamps(&self) -> Result<FrameStamps, GpuError> {
        let capabilities = self.device.capabilities();
        Ok(FrameStamps {
            raw: self.stamps.read(self.recorded.stamps)?,
            spans: self
                .recorded
                .spans
                .iter()
                .map(|span| (span.name.clone(), span.first))
                .collect(),
            valid_bits: capabilities.timestamp_valid_bits,
            period_ns: f64::from(capabilities.timestamp_period_ns),
        })
    }
}

impl Drop for FrameSlot {
    fn drop(&mut self) {
        let _ = self.wait();
        // SAFETY: the fence was seen (or the device is lost); null handles are ignored.
        unsafe {
            self.device.raw().destroy_fence(self.fence, None);
            self.device.raw().destroy_command_pool(self.pool, None);
        }
    }
}

/// Timestamps of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameStamps {
    raw: Vec<Option<u64>>,
    spans: Vec<(String, u32)>,
    valid_bits: u32,
    period_ns: f64,
}

impl FrameStamps {
    /// Nanoseconds of the scope `name`; `None` where it was not stamped or the device did not answer.
    pub fn scope_ns(&self, name: &str) -> Option<f64> {
        let first = self.spans.iter().find(|(span, _)| span == name)?.1;
        self.between(first, first + 1)
    }

    /// Nanoseconds from the first stamp to the last.
    pub fn total_ns(&self) -> Option<f64> {
        let last = u32::try_from(self.raw.len()).ok()?.checked_sub(1)?;
        self.between(0, last)
    }

    fn between(&self, first: u32, second: u32) -> Option<f64> {
        let stamp = |index: u32| self.raw.get(index as usize).copied().flatten();
        let ticks = ticks_between(stamp(first)?, stamp(second)?, self.valid_bits)?;
        Some(ticks as f64 * self.period_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamps(raw: Vec<Option<u64>>, valid_bits: u32) -> FrameStamps {
        FrameStamps {
            raw,
            spans: vec![("upload".into(), 0), ("passes".into(), 2)],
            valid_bits,
            period_ns: 2.5,
        }
    }

    #[test]
    fn scopes_and_the_whole_frame_are_timed_in_ticks_times_period() {
        let frame = stamps(vec![Some(10), Some(14), Some(20), Some(50)], 64);
        assert_eq!(frame.scope_ns("upload"), Some(10.0));
        assert_eq!(frame.scope_ns("passes"), Some(75.0));
        assert_eq!(frame.scope_ns("deform"), None);
        assert_eq!(frame.total_ns(), Some(100.0));
    }

    #[test]
    fn an_unanswered_stamp_or_no_valid_bits_give_nothing() {
        assert_eq!(
            stamps(vec![Some(10), None, Some(1), Some(2)], 64).scope_ns("upload"),
            None
        );
        assert_eq!(
            stamps(vec![Some(10), Some(14), Some(20), Some(50)], 0).total_ns(),
            None
        );
        assert_eq!(stamps(vec![], 64).total_ns(), None);
    }
}
