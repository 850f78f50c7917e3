//! What a place needs to know to make itself ready.

use std::sync::Arc;

use crate::deform::output::{Attributes, OutputLayout};
use crate::deform::palette::{PaletteFormat, PoseLayout};
use crate::deform::variant::Variant;
use crate::gpu::{Device, GpuError};
use crate::plan::{Case, MorphMethod, Previous};
use crate::scene::Scene;
use crate::shader_types::PassKind;

/// A compute kernel that somebody else wrote, checked against the interface of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The file it came from, for messages and debuggers.
    pub name: String,
    /// Its SPIR-V.
    pub spirv: Vec<u32>,
    /// Invocations of its workgroup; `None` where it takes those of the case.
    pub fixed_workgroup: Option<u32>,
}

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
    /// The character, adapted to the case.
    pub scene: Arc<Scene>,
    /// The clip that plays.
    pub clip: Option<usize>,
    /// The case: its axes say how.
    pub case: &'a Case,
    /// What of it changes the vertices.
    pub variant: Variant,
    /// Number of characters.
    pub instances: u32,
    /// All characters take the pose of the first.
    pub shared_pose: bool,
    /// The kinds of pass that will be drawn.
    pub kinds: &'a [PassKind],
    /// A kernel of the user's own, instead of ours.
    pub kernel: Option<&'a Kernel>,
}

impl Setup<'_> {
    /// Whether the frame before is needed.
    pub fn velocity(&self) -> bool {
        self.kinds.contains(&PassKind::Velocity)
    }

    /// Whether a place that deforms before the passes deforms by the palette of the frame before too,
    /// rather than keeping that frame's vertices.
    pub fn deforms_previous(&self) -> bool {
        self.velocity() && self.case.previous() == Previous::Palette
    }

    /// Where deformed vertices lie.
    pub fn output(&self) -> OutputLayout {
        OutputLayout::new(&self.scene, self.variant.attributes, self.variant.output)
    }

    /// Where poses lie, each palette at a multiple of `alignment` `vec4`s.
    pub fn poses(&self, scene: &Scene, alignment: usize) -> PoseLayout {
        PoseLayout::new(scene, self.palette_format(), alignment)
    }

    /// How palettes are stored.
    pub fn palette_format(&self) -> PaletteFormat {
        PaletteFormat::new(self.variant.palette, self.variant.normals)
    }

    /// Blocks of palettes: one a character, or one for all.
    pub fn blocks(&self) -> usize {
        if self.shared_pose {
            1
        } else {
            self.instances as usize
        }
    }

    /// Morph targets that a deforming kernel gathers, of the `targets` of a mesh: none where another
    /// kernel scatters them.
    pub fn gathered_targets(&self, targets: u32) -> u32 {
        match self.case.morph_method() {
            MorphMethod::Dense => targets,
            MorphMethod::Sparse => 0,
        }
    }

    /// Bytes of all deformed vertices of one frame.
    pub fn output_bytes(&self) -> u64 {
        self.output().bytes(self.instances as usize) as u64
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
