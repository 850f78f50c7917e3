//! *How* a vertex is deformed: everything of a case that changes what comes out, or what is read.

use super::output::Attributes;
use crate::plan::{
    Case, InfluenceLoop, MorphOrder, NormalMode, OutputFormat, PaletteLayout, WeightFormat,
    WeightNormalise,
};

/// The variant of a deformation, the same in every place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// What is deformed.
    pub attributes: Attributes,
    /// How the palette lies in memory; the dual quaternions also say how joints are blended.
    pub palette: PaletteLayout,
    /// How weights were stored: their decoding rounds.
    pub weights: WeightFormat,
    /// Whether the kernel divides by the sum of the weights.
    pub normalise: WeightNormalise,
    /// Whether the kernel stops at the first weight of zero.
    pub early_out: bool,
    /// How normals are carried.
    pub normals: NormalMode,
    /// Whether morph targets come before or after skinning.
    pub morph_order: MorphOrder,
    /// How deformed vertices are stored.
    pub output: OutputFormat,
}

impl Default for Variant {
    fn default() -> Self {
        Self {
            attributes: Attributes::Pn,
            palette: PaletteLayout::Rows3x4,
            weights: WeightFormat::F32,
            normalise: WeightNormalise::Off,
            early_out: false,
            normals: NormalMode::Cofactor,
            morph_order: MorphOrder::Before,
            output: OutputFormat::F32,
        }
    }
}

impl From<crate::plan::Attributes> for Attributes {
    fn from(attributes: crate::plan::Attributes) -> Self {
        match attributes {
            crate::plan::Attributes::P => Self::P,
            crate::plan::Attributes::Pn => Self::Pn,
            crate::plan::Attributes::Pnt => Self::Pnt,
        }
    }
}

impl Variant {
    /// The variant of a case.
    pub fn of(case: &Case) -> Self {
        Self {
            attributes: case.attributes().into(),
            palette: case.palette(),
            weights: case.weight_format(),
            normalise: case.weight_normalise(),
            early_out: case.influence_loop() == InfluenceLoop::EarlyOut,
            normals: case.normal_mode(),
            morph_order: case.morph_order(),
            output: case.output_format(),
        }
    }

    /// The default variant with these attributes.
    pub fn with_attributes(attributes: Attributes) -> Self {
        Self {
            attributes,
            ..Self::default()
        }
    }

    /// Whether a kernel with `influences` slots divides by the sum of the weights.
    pub fn normalises(&self, influences: usize) -> bool {
        match self.normalise {
            WeightNormalise::Off => false,
            WeightNormalise::Two => influences == 2,
            WeightNormalise::On => true,
        }
    }

    /// Whether joints are blended as dual quaternions.
    pub fn is_dual_quat(&self) -> bool {
        matches!(
            self.palette,
            PaletteLayout::DualQuat | PaletteLayout::DualQuatScale
        )
    }
}
