//! The presets: values for every axis that nobody named, and how hard to measure.

use std::time::Duration;

use super::named::named;
use super::{Place, Settings};

named! {
    /// How much to measure.
    pub enum Preset {
        /// A first answer within a minute.
        Quick = "quick",
        /// A bigger character and crowd, narrower intervals, within ten minutes.
        Standard = "standard",
        /// Each axis alone around the defaults, with no time limit.
        Full = "full",
    }
}

/// Not a derive: the enumeration is made by a macro that knows no default.
#[allow(clippy::derivable_impls)]
impl Default for Preset {
    fn default() -> Self {
        Self::Quick
    }
}

/// The four first places, which `quick` and `standard` measure.
const PLACES: &[&str] = &["compute", "vertex-storage", "vertex-uniform", "cpu"];

impl Preset {
    /// The axes that differ from their defaults, whichever else is swept.
    pub(super) fn values(self) -> Settings<'static> {
        match self {
            Self::Quick => &[
                ("strategy", PLACES),
                ("passes", &["1", "2", "4", "8"]),
                ("instances", &["1", "16"]),
            ],
            Self::Standard => &[
                ("strategy", PLACES),
                ("passes", &["1", "2", "4", "8"]),
                ("instances", &["1", "100"]),
                ("vertices", &["50000"]),
            ],
            Self::Full => &[("strategy", Place::NAMES)],
        }
    }

    /// Whether each axis is swept alone around the others' values.
    pub(super) fn sweeps(self) -> bool {
        self == Self::Full
    }

    /// Bound of the whole run, gate included; `None` for no bound.
    pub fn time_limit(self) -> Option<Duration> {
        match self {
            Self::Quick => Some(Duration::from_secs(60)),
            Self::Standard => Some(Duration::from_secs(600)),
            Self::Full => None,
        }
    }

    /// How narrow the interval of every ratio is to become: its width as a fraction.
    pub fn ratio_target(self) -> f64 {
        match self {
            Self::Quick => 0.05,
            Self::Standard => 0.02,
            Self::Full => 0.01,
        }
    }
}
