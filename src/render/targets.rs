//! The attachments that passes draw to.

use crate::gpu::{Attachments, Device, Format, GpuError, PassFormats};

/// Which attachments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// Normal, material, depth.
    GBuffer,
    /// The light's depth; cascades share it.
    Shadow,
    /// The camera's depth.
    Depth,
    /// Motion, depth.
    Velocity,
}

impl TargetKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::GBuffer, Self::Shadow, Self::Depth, Self::Velocity];

    fn name(self) -> &'static str {
        match self {
            Self::GBuffer => "g-buffer",
            Self::Shadow => "shadow map",
            Self::Depth => "depth prepass",
            Self::Velocity => "velocity",
        }
    }
}

/// The formats of a target.
pub fn formats_of(kind: TargetKind) -> PassFormats {
    let colors = match kind {
        TargetKind::GBuffer => vec![Format::Rgba16Float, Format::Rgba8],
        TargetKind::Velocity => vec![Format::Rg16Float],
        TargetKind::Shadow | TargetKind::Depth => Vec::new(),
    };
    PassFormats {
        colors,
        depth: true,
    }
}

/// All targets of a run; cases share them.
pub struct Targets {
    all: Vec<(TargetKind, Attachments)>,
    extent: (u32, u32),
}

impl Targets {
    /// Makes every target at `extent`.
    ///
    /// # Errors
    /// An extent beyond the device's, or no memory left.
    pub fn new(device: &Device, extent: (u32, u32)) -> Result<Self, GpuError> {
        let limit = device.capabilities().max_framebuffer_extent;
        if extent.0.max(extent.1) > limit {
            return Err(GpuError::Unsupported(format!(
                "--resolution {}x{} is beyond what {} draws to, {limit} a side",
                extent.0,
                extent.1,
                device.summary().name
            )));
        }
        let formats = TargetKind::ALL
            .into_iter()
            .flat_map(|kind| formats_of(kind).all());
        if let Some(missing) = formats
            .into_iter()
            .find(|f| !device.supports_attachment(*f))
        {
            return Err(GpuError::Unsupported(format!(
                "{} cannot draw to {}, which the passes need",
                device.summary().name,
                missing.name()
            )));
        }
        let make = |kind: TargetKind| {
            Attachments::new(device, kind.name(), &formats_of(kind), extent)
                .map(|made| (kind, made))
        };
        let all = TargetKind::ALL
            .into_iter()
            .map(make)
            .collect::<Result<_, _>>()?;
        Ok(Self { all, extent })
    }

    /// The attachments of one kind.
    pub fn get(&self, kind: TargetKind) -> &Attachments {
        let found = self.all.iter().find(|(other, _)| *other == kind);
        // `new` makes every kind; the first stands in for a kind that cannot be missing.
        found.map_or(&self.all[0].1, |(_, attachments)| attachments)
    }

    /// Width and height in pixels.
    pub fn extent(&self) -> (u32, u32) {
        self.extent
    }
}
