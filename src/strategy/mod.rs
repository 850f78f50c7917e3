//! *Where* vertices are deformed: one file a place, one trait.
//!
//! A place is added by one file and one line in [`strategy_of`].

mod compute;
mod constants;
mod cpu;
mod frame;
mod indirect;
mod kernel_check;
#[cfg(feature = "compile")]
mod kernel_compile;
mod kernel_file;
mod meshes;
mod need;
mod pose;
mod predeformed;
mod readback;
mod refusal;
mod setup;
mod shaders;
mod skin_cache;
mod skinned;
mod source;
mod split;
mod spoil;
mod texture;
mod transform_feedback;
mod vertex_place;
mod vertex_storage;
mod vertex_texture;
mod vertex_uniform;
mod windows;
mod written;

use std::ops::Range;

use crate::gpu::{Capabilities, Encoder, GpuError, RenderEncoder};
use crate::plan::{Case, Draws, Place};
use crate::result::Reason;
use crate::shader_types::PassKind;

pub use frame::{FrameRecipe, record_frame};
pub use kernel_check::KernelError;
pub use kernel_file::read_kernel;
pub use meshes::{MeshBuffers, MeshPart};
pub use need::{Need, value_needs};
pub use pose::{PoseBuffers, SLOTS};
pub use readback::{read_output, read_pose, read_previous, read_target};
pub use setup::{Kernel, Setup, StrategyError};
pub use skin_cache::{SkinCache, SkinKey, hash_pose};
pub use source::SourceLayout;
pub use spoil::{check_spoiled, spoiled};
pub use texture::{TextureShape, square_side};
pub use windows::{Dispatch, Window, dispatches, windows};

/// One place in which vertices can be deformed.
pub trait Strategy: Sync {
    /// Which place.
    fn place(&self) -> Place;

    /// Why this device cannot run `case` on this scene, or nothing.
    fn refuse(&self, setup: &Setup<'_>, case: &Case) -> Option<Reason>;

    /// The limits that the place needs whatever the scene, beside what the device has.
    fn needs(&self, capabilities: &Capabilities) -> Vec<Need>;

    /// Bytes of memory that `prepare` will ask for, device and staging together.
    fn estimate(&self, setup: &Setup<'_>) -> u64;

    /// Makes buffers and pipelines and uploads what does not change from frame to frame.
    ///
    /// # Errors
    /// No memory left, or the driver's refusal.
    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError>;
}

/// A frame as far as a place is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Which of the [`SLOTS`] staging buffers.
    pub slot: usize,
    /// Which half of doubled buffers holds this frame; the other holds the one before.
    pub parity: usize,
}

/// One draw of all characters.
#[derive(Clone, Copy, Debug)]
pub struct DrawRecipe {
    /// What the shaders do.
    pub kind: PassKind,
    /// One draw a character or one for all.
    pub draws: Draws,
    /// World to clip space.
    pub view_projection: glam::Mat4,
    /// Where characters stand.
    pub grid: crate::render::Grid,
    /// How many characters are seen: the first ones.
    pub visible: u32,
}

/// Memory in bytes, without padding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Bind-pose vertices, weights, morph targets.
    pub source: u64,
    /// Joint palettes and morph weights of all characters.
    pub palette: u64,
    /// Deformed vertices of this frame.
    pub output: Option<u64>,
    /// Deformed vertices or palettes of the frame before.
    pub previous: Option<u64>,
}

/// A place made ready for one scene and number of characters.
pub trait Prepared {
    /// The palettes and morph weights.
    fn pose(&mut self) -> &mut PoseBuffers;

    /// Says by what key each character's palette is known in the frame under way, or one key for all.
    /// A place that keeps deformed vertices deforms those again whose key changed.
    fn select(&mut self, _frame: &Frame, _keys: &[SkinKey]) {}

    /// The stage `deform` of a place that deforms on the host; false where it does not.
    ///
    /// # Errors
    /// The staging memory is not mapped.
    fn deform_host(&mut self, _frame: &Frame) -> Result<bool, GpuError> {
        Ok(false)
    }

    /// The stage `upload`.
    ///
    /// # Errors
    /// Those of the encoder.
    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError>;

    /// Whether the place has a stage `deform` on the device.
    fn deforms_on_device(&self) -> bool {
        false
    }

    /// The stage `deform` of a place that deforms on the device before the passes.
    ///
    /// # Errors
    /// Those of the encoder.
    fn deform(&self, _encoder: &mut Encoder<'_>, _frame: &Frame) -> Result<(), GpuError> {
        Ok(())
    }

    /// The barrier between the last stage and the passes.
    fn before_passes(&self, encoder: &mut Encoder<'_>, frame: &Frame);

    /// Draws every item with a surface of every character.
    ///
    /// # Errors
    /// A pass for which no pipeline was made.
    fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
    ) -> Result<(), GpuError>;

    /// The deformed vertices as a buffer, and the byte offset of this frame's; `None` where they
    /// exist only inside the passes.
    fn output(&self, frame: &Frame) -> Option<(&crate::gpu::Buffer, u64)>;

    /// The deformed vertices of the frame before, as a velocity pass of this one reads them; `None`
    /// where there are none in a buffer.
    fn previous_output(&self, _frame: &Frame) -> Option<(&crate::gpu::Buffer, u64)> {
        None
    }

    /// Draws vertices as points into the readback targets: `vertices` counted over all instances
    /// and items, the first of them in the first texel. Only for places without an output buffer.
    ///
    /// # Errors
    /// A place that has an output buffer.
    fn draw_points(
        &self,
        _pass: &mut RenderEncoder<'_>,
        _frame: &Frame,
        _vertices: Range<usize>,
        _tile: (u32, u32),
    ) -> Result<(), GpuError> {
        Err(GpuError::Unsupported(
            "this place writes its vertices to a buffer".into(),
        ))
    }

    /// Memory in use.
    fn memory(&self) -> MemoryUse;

    /// Times that `passes` of a frame deform each vertex.
    fn deformations(&self, passes: &[PassKind]) -> u64;

    /// Bytes that one deformation of all vertices reads and writes.
    fn bytes_moved(&self) -> u64;

    /// Nanoseconds that making the pipelines took.
    fn pipeline_creation_ns(&self) -> f64;
}

/// Why `case` cannot run on this device and scene: for want of something that the case asks for, or that
/// its place does. Nothing where it can.
pub fn refuse(setup: &Setup<'_>, case: &Case) -> Option<Reason> {
    refusal::of_case(setup, case).or_else(|| strategy_of(case.place()).refuse(setup, case))
}

/// The strategy of a place.
pub fn strategy_of(place: Place) -> &'static dyn Strategy {
    match place {
        Place::Compute => &compute::Compute,
        Place::VertexStorage => &vertex_storage::VertexStorage,
        Place::VertexUniform => &vertex_uniform::VertexUniform,
        Place::VertexTexture => &vertex_texture::VertexTexture,
        Place::TransformFeedback => &transform_feedback::TransformFeedback,
        Place::Cpu => &cpu::Cpu,
    }
}
