//! The passes of a frame.

use super::camera::Viewpoint;
use super::targets::TargetKind;
use crate::plan::PassMix;
use crate::shader_types::PassKind;

/// One drawing of the character in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// Debug label.
    pub name: &'static str,
    /// What the shaders do.
    pub kind: PassKind,
    /// From where.
    pub viewpoint: Viewpoint,
    /// To what.
    pub target: TargetKind,
}

const fn pass(
    name: &'static str,
    kind: PassKind,
    viewpoint: Viewpoint,
    target: TargetKind,
) -> Pass {
    Pass {
        name,
        kind,
        viewpoint,
        target,
    }
}

const GBUFFER: Pass = pass(
    "g-buffer",
    PassKind::GBuffer,
    Viewpoint::Main,
    TargetKind::GBuffer,
);

/// `pass-mix=frame`, in the order in which passes are added.
const FRAME: [Pass; 8] = [
    GBUFFER,
    pass(
        "shadow",
        PassKind::Depth,
        Viewpoint::Light(0),
        TargetKind::Shadow,
    ),
    pass("depth", PassKind::Depth, Viewpoint::Main, TargetKind::Depth),
    pass(
        "velocity",
        PassKind::Velocity,
        Viewpoint::Main,
        TargetKind::Velocity,
    ),
    pass(
        "shadow cascade 1",
        PassKind::Depth,
        Viewpoint::Light(1),
        TargetKind::Shadow,
    ),
    pass(
        "shadow cascade 2",
        PassKind::Depth,
        Viewpoint::Light(2),
        TargetKind::Shadow,
    ),
    pass(
        "shadow cascade 3",
        PassKind::Depth,
        Viewpoint::Light(3),
        TargetKind::Shadow,
    ),
    pass(
        "shadow cascade 4",
        PassKind::Depth,
        Viewpoint::Light(4),
        TargetKind::Shadow,
    ),
];

/// The passes of a frame: `count` g-buffers under `uniform`; under `frame` the first `count` of
/// g-buffer, shadow, depth, velocity and four shadow cascades (never more than these eight).
pub fn passes_of(mix: PassMix, count: u32) -> Vec<Pass> {
    match mix {
        PassMix::Uniform => vec![GBUFFER; count as usize],
        PassMix::Frame => FRAME.iter().copied().take(count as usize).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_repeats_the_g_buffer() {
        let passes = passes_of(PassMix::Uniform, 3);
        assert_eq!(passes, [GBUFFER; 3]);
    }

    #[test]
    fn a_frame_adds_shadow_depth_velocity_and_cascades() {
        let names: Vec<_> = passes_of(PassMix::Frame, 5)
            .iter()
            .map(|pass| pass.name)
            .collect();
        assert_eq!(
            names,
            [
                "g-buffer",
                "shadow",
                "depth",
                "velocity",
                "shadow cascade 1"
            ]
        );
        assert_eq!(passes_of(PassMix::Frame, 8).len(), 8);
    }
}
