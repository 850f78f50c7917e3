//! What a place needs to know to make itself ready.

use std::sync::Arc;

use crate::deform::output::{Attributes, OutputLayout};
use crate::gpu::{Device, GpuError};
use crate::plan;
use crate::scene::Scene;
use crate::shader_types::PassKind;

/// A place could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// Vulkan refused.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Something does not fit; `refuse` should have said so.
    #[error("{0}")]
    DoesNotFit(String),
}

/// One scene in a number of copies on one device.
pub struct Setup<'a> {
    /// The device.
    pub device: &'a Device,
    /// The character.
    pub scene: Arc<Scene>,
    /// What is deformed.
    pub attributes: Attributes,
    /// Number of characters.
    pub instances: u32,
    /// All characters take the pose of the first.
    pub shared_pose: bool,
    /// The kinds of pass that will be drawn.
    pub kinds: &'a [PassKind],
}

impl Setup<'_> {
    /// Whether the frame before is needed.
    pub fn velocity(&self) -> bool {
        self.kinds.contains(&PassKind::Velocity)
    }

    /// Where deformed vertices lie.
    pub fn output(&self) -> OutputLayout {
        OutputLayout::new(&self.scene, self.attributes)
    }

    /// Blocks of palettes: one a character, or one for all.
    pub fn blocks(&self) -> usize {
        if self.shared_pose {
            1
        } else {
            self.instances as usize
        }
    }

    /// Bytes of all deformed vertices of one frame.
    pub fn output_bytes(&self) -> u64 {
        4 * self.output().floats(self.instances as usize) as u64
    }
}

impl From<plan::Attributes> for Attributes {
    fn from(attributes: plan::Attributes) -> Self {
        match attributes {
            plan::Attributes::P => Self::P,
            plan::Attributes::Pn => Self::Pn,
            plan::Attributes::Pnt => Self::Pnt,
        }
    }
}

/// The value of the specialization constant `ATTRIBUTES`.
pub(super) fn attributes_constant(attributes: Attributes) -> u32 {
    match attributes {
        Attributes::P => 0,
        Attributes::Pn => 1,
        Attributes::Pnt => 2,
    }
}
