//! Shader modules of the passes, each made once, and the formats that they draw to.

use std::rc::Rc;

use crate::gpu::{Device, GpuError, PassFormats, Shader};
use crate::render::{TargetKind, formats_of};
use crate::shader_types::{Module, PassKind};

use super::readback::readback_formats;

/// Shader modules, each made once.
pub(super) struct ShaderCache<'a> {
    device: &'a Device,
    made: Vec<(Module, Rc<Shader>)>,
}

impl<'a> ShaderCache<'a> {
    pub fn new(device: &'a Device) -> Self {
        Self {
            device,
            made: Vec::new(),
        }
    }

    pub fn get(&mut self, module: Module) -> Result<Rc<Shader>, GpuError> {
        if let Some((_, shader)) = self.made.iter().find(|(other, _)| *other == module) {
            return Ok(Rc::clone(shader));
        }
        let shader = Rc::new(Shader::new(self.device, module.name(), &module.spirv())?);
        self.made.push((module, Rc::clone(&shader)));
        Ok(shader)
    }

    /// The fragment stage of a kind of pass; none for depth alone.
    pub fn fragment(&mut self, kind: PassKind) -> Result<Option<Rc<Shader>>, GpuError> {
        let module = match kind {
            PassKind::Depth => return Ok(None),
            PassKind::GBuffer => Module::GBufferFrag,
            PassKind::Velocity => Module::VelocityFrag,
            PassKind::Readback => Module::ReadbackFrag,
        };
        self.get(module).map(Some)
    }
}

/// The target whose formats a kind of pass draws to. Shadow maps and depth prepasses agree.
fn target_of(kind: PassKind) -> TargetKind {
    match kind {
        PassKind::Depth => TargetKind::Depth,
        PassKind::GBuffer | PassKind::Readback => TargetKind::GBuffer,
        PassKind::Velocity => TargetKind::Velocity,
    }
}

/// What a kind of pass draws to.
pub(super) fn formats_for(kind: PassKind) -> PassFormats {
    if kind == PassKind::Readback {
        readback_formats()
    } else {
        formats_of(target_of(kind))
    }
}

/// The pipeline of a kind.
pub(super) fn find<T>(pipelines: &[(PassKind, T)], kind: PassKind) -> Result<&T, GpuError> {
    let found = pipelines.iter().find(|(other, _)| *other == kind);
    found
        .map(|(_, pipeline)| pipeline)
        .ok_or_else(|| GpuError::Unsupported(format!("no pipeline was made for {kind:?} passes")))
}
