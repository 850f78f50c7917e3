//! The compute pipelines of a case, one for each source layout and count of influences.

use crate::gpu::{
    Binding, BindingKind, ComputePipeline, ComputeRecipe, GpuError, SetLayout, Shader,
    Specialization, Stage,
};
use crate::plan::{MorphMethod, MorphOrder, Robust};
use crate::shader_types::{self, DispatchConstants, Module};
use crate::strategy::constants::deforming;
use crate::strategy::source::SourceLayout;
use crate::strategy::{Setup, StrategyError};

/// Layout, slots that are looped over, and the pipeline.
type Made = (SourceLayout, usize, ComputePipeline);

/// All pipelines of a kernel, and the layout of their sets.
pub(super) struct Kernels {
    pub layout: SetLayout,
    shader: Shader,
    name: &'static str,
    made: Vec<Made>,
}

impl Kernels {
    /// None yet.
    pub fn new(setup: &Setup<'_>, name: &'static str) -> Result<Self, GpuError> {
        let bindings = [0, 1, 2, 3].map(|binding| Binding {
            binding,
            kind: BindingKind::Storage,
        });
        let layout = SetLayout::new(setup.device, name, Stage::Compute, &bindings)?;
        let (label, words) = match setup.kernel {
            Some(kernel) => (kernel.name.as_str(), kernel.spirv.clone()),
            None => (Module::DeformComp.name(), Module::DeformComp.spirv()),
        };
        Ok(Self {
            layout,
            shader: Shader::new(setup.device, label, &words)?,
            name,
            made: Vec::new(),
        })
    }

    /// Makes the pipeline of a layout and count of influences, unless there is one.
    pub fn make(
        &mut self,
        setup: &Setup<'_>,
        layout: &SourceLayout,
        looped: usize,
    ) -> Result<(), GpuError> {
        if self.find(layout, looped).is_some() {
            return Ok(());
        }
        let mut constants = deforming(setup, layout, looped);
        constants.push(shader_types::WORKGROUP.with(setup.case.workgroup()));
        let before = setup.case.morph_method() == MorphMethod::Sparse
            && setup.case.morph_order() == MorphOrder::Before;
        constants.push(shader_types::IN_PLACE.with(before.into()));
        let recipe = ComputeRecipe {
            name: &format!("{}: {looped} influences", self.name),
            shader: &self.shader,
            specialization: &Specialization(constants),
            set: &self.layout,
            push_bytes: size_of::<DispatchConstants>() as u32,
            robust: setup.case.robust() == Robust::On,
        };
        let pipeline = ComputePipeline::new(setup.device, &recipe)?;
        self.made.push((*layout, looped, pipeline));
        Ok(())
    }

    /// The index of a pipeline.
    fn find(&self, layout: &SourceLayout, looped: usize) -> Option<usize> {
        self.made
            .iter()
            .position(|(known, slots, _)| known == layout && *slots == looped)
    }

    /// The index of a pipeline that was made.
    pub fn index(&self, layout: &SourceLayout, looped: usize) -> Result<usize, StrategyError> {
        let missing = || StrategyError::DoesNotFit(format!("no kernel for {looped} influences"));
        self.find(layout, looped).ok_or_else(missing)
    }

    /// A pipeline by its index.
    pub fn get(&self, index: usize) -> &ComputePipeline {
        &self.made[index].2
    }
}
