//! What a place needs of a device, whatever the scene.

use crate::result::{Reason, ReasonKind};

/// A limit or a feature that a place needs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Need {
    /// `limit`, or `feature`, which is there (1) or not (0).
    pub kind: ReasonKind,
    /// Vulkan's name of it.
    pub name: &'static str,
    /// What is needed.
    pub need: u64,
    /// What the device has.
    pub have: u64,
}

impl Need {
    /// A limit of at least `need`.
    pub fn limit(name: &'static str, need: u64, have: u64) -> Self {
        Self {
            kind: ReasonKind::Limit,
            name,
            need,
            have,
        }
    }

    /// A feature or extension.
    pub fn feature(name: &'static str, have: bool) -> Self {
        Self {
            kind: ReasonKind::Feature,
            name,
            need: 1,
            have: have.into(),
        }
    }

    /// Whether the device has enough.
    pub fn is_met(&self) -> bool {
        self.have >= self.need
    }

    /// Why a case cannot run for want of it; nothing where it is met.
    pub fn reason(&self) -> Option<Reason> {
        let Self {
            kind,
            name,
            need,
            have,
        } = *self;
        let message = match kind {
            ReasonKind::Feature => format!("{name} is needed, the device does not have it"),
            _ => format!("{name}: {need} is needed, the device has {have}"),
        };
        (!self.is_met()).then(|| Reason::new(kind, name, message).with(need, have))
    }
}
