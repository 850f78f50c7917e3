//! The device with what all cases share: targets and frame slots.

use crate::gpu::{Device, FrameSlot, GpuError, Recorded};
use crate::render::Targets;
use crate::strategy::SLOTS;

/// Stamps of a frame: three stages of two.
const STAMPS: u32 = 8;

/// One device, its targets, and two frame slots. One thread uses it.
pub struct Lab {
    /// The device.
    pub device: Device,
    /// What passes draw to.
    pub targets: Targets,
    pub(super) slots: Vec<FrameSlot>,
}

impl Lab {
    /// Makes targets of `extent` and the slots.
    ///
    /// # Errors
    /// An extent beyond the device's, no memory, or the driver's refusal.
    pub fn new(device: Device, extent: (u32, u32)) -> Result<Self, GpuError> {
        let targets = Targets::new(&device, extent)?;
        let slots = (0..SLOTS)
            .map(|slot| FrameSlot::new(&device, &format!("frame slot {slot}"), STAMPS))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            device,
            targets,
            slots,
        })
    }

    /// Waits for every frame that was started.
    ///
    /// # Errors
    /// A lost device.
    pub fn wait(&mut self) -> Result<(), GpuError> {
        self.slots.iter_mut().try_for_each(FrameSlot::wait)
    }

    /// What the last recording of a slot left behind.
    pub fn recorded(&self, slot: usize) -> &Recorded {
        self.slots[slot].recorded()
    }
}
