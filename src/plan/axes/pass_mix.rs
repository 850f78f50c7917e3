//! Axis `pass-mix`: which passes a frame is made of.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Impossible, Value};

/// The most passes that [`PassMix::Frame`] defines.
pub const MAX_FRAME_PASSES: u32 = 8;

named! {
    /// Which passes a frame is made of.
    pub enum PassMix {
        /// Every pass is a g-buffer.
        Uniform = "uniform",
        /// 1 g-buffer, 2 adds a shadow, 3 a depth, 4 a velocity pass, 5 to 8 shadow cascades.
        Frame = "frame",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "pass-mix",
    "which passes a frame is made of",
    Allowed::Words(PassMix::NAMES),
    Value::word(PassMix::Uniform.name()),
)
.swept(PassMix::NAMES)
.beside(&[("passes", &["1", "2", "4", "8"])])
.impossible_where(too_many_passes);

impl Case {
    /// Which passes a frame of this case is made of.
    pub fn pass_mix(&self) -> PassMix {
        self.word(&AXIS)
            .and_then(PassMix::from_name)
            .unwrap_or(PassMix::Uniform)
    }
}

fn too_many_passes(case: &Case) -> Option<Impossible> {
    let have = case.passes();
    (case.pass_mix() == PassMix::Frame && have > MAX_FRAME_PASSES).then(|| Impossible {
        name: "pass-mix",
        need: format!("at most {MAX_FRAME_PASSES} passes"),
        have: format!("{have} passes"),
    })
}
