//! Pipelines of the vertex stage, one set for each source layout, count of influences and module.

use crate::gpu::{
    DrawTopology, GpuError, GraphicsPipeline, GraphicsRecipe, SetLayout, Specialization,
};
use crate::plan::Robust;
use crate::shader_types::{self, DrawConstants, Module, PassKind};
use crate::strategy::constants::deforming;
use crate::strategy::setup::Setup;
use crate::strategy::shaders::{ShaderCache, formats_for};
use crate::strategy::source::SourceLayout;
use crate::strategy::texture::TextureShape;

/// What one set of pipelines is for: layout, slots that are looped over, module.
type Key = (SourceLayout, usize, Module);

/// All pipelines of a place.
#[derive(Default)]
pub(in crate::strategy) struct Pipelines(Vec<(Key, Vec<(PassKind, GraphicsPipeline)>)>);

/// Makes them.
pub(in crate::strategy) struct Maker<'a> {
    setup: &'a Setup<'a>,
    name: &'a str,
    set: &'a SetLayout,
    shape: Option<TextureShape>,
    shaders: ShaderCache<'a>,
    made: Pipelines,
}

impl Pipelines {
    /// A set of pipelines, by its index.
    pub fn of(&self, index: usize) -> &[(PassKind, GraphicsPipeline)] {
        &self.0[index].1
    }
}

impl<'a> Maker<'a> {
    /// Makes pipelines for sets of the layout `set`; `shape` is that of the palette's texture.
    pub fn new(
        setup: &'a Setup<'a>,
        name: &'a str,
        set: &'a SetLayout,
        shape: Option<TextureShape>,
    ) -> Self {
        Self {
            setup,
            name,
            set,
            shape,
            shaders: ShaderCache::new(setup.device),
            made: Pipelines::default(),
        }
    }

    /// All that were made.
    pub fn finish(self) -> Pipelines {
        self.made
    }

    /// The index of the pipelines of a key, made where they are not known: one a kind of pass, and
    /// one for readback.
    pub fn get(
        &mut self,
        layout: SourceLayout,
        looped: usize,
        module: Module,
    ) -> Result<usize, GpuError> {
        let key = (layout, looped, module);
        if let Some(at) = self.made.0.iter().position(|(known, _)| *known == key) {
            return Ok(at);
        }
        let mut pipelines = Vec::new();
        for kind in self.setup.kinds.iter().copied().chain([PassKind::Readback]) {
            pipelines.push((kind, self.pipeline(&key, kind)?));
        }
        self.made.0.push((key, pipelines));
        Ok(self.made.0.len() - 1)
    }

    fn pipeline(
        &mut self,
        (layout, looped, module): &Key,
        kind: PassKind,
    ) -> Result<GraphicsPipeline, GpuError> {
        let mut constants = deforming(self.setup, layout, *looped);
        constants.push(shader_types::PASS.with(kind as u32));
        if let Some(shape) = &self.shape {
            constants.extend(shape.constants());
        }
        let specialization = Specialization(constants);
        let fragment = self.shaders.fragment(kind)?;
        let vertex = self.shaders.get(*module)?;
        let topology = match kind {
            PassKind::Readback => DrawTopology::Points,
            _ => DrawTopology::Triangles,
        };
        GraphicsPipeline::new(
            self.setup.device,
            &GraphicsRecipe {
                name: &format!("{}: {kind:?}, {looped} influences", self.name),
                vertex: &vertex,
                fragment: fragment.as_deref(),
                specialization: &specialization,
                fragment_specialization: &specialization,
                attributes: &layout.skinned_attributes(),
                strides: &[layout.stride()],
                topology,
                formats: &formats_for(kind),
                set: Some(self.set),
                push_bytes: size_of::<DrawConstants>() as u32,
                capture_only: false,
                robust: self.setup.case.robust() == Robust::On,
            },
        )
    }
}
