//! What the places share that write vertices before the passes: `compute`, `transform-feedback`, `cpu`.

use crate::gpu::{Access, Buffer, Encoder, GpuError, RenderEncoder};
use crate::shader_types::PassKind;

use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{DeformedVertices, When};
use super::skin_cache::{SkinCache, SkinKey};
use super::{DrawRecipe, Frame, MemoryUse, PoseBuffers, Prepared};

/// Buffers and draws of such a place.
pub(super) struct Written {
    pub poses: PoseBuffers,
    pub meshes: MeshBuffers,
    pub items: Vec<ItemInfo>,
    pub vertices: DeformedVertices,
    pub pipeline_ns: f64,
    /// Where some poses stand still.
    pub cache: Option<SkinCache>,
    /// The keys of the frame before.
    pub keys_before: Vec<SkinKey>,
    /// Characters to deform in the frame under way, one list for each of the vertices' targets.
    pub selected: [Vec<u32>; 2],
}

impl Written {
    /// Every character is deformed in every frame, unless `cached`.
    pub fn new(
        poses: PoseBuffers,
        meshes: MeshBuffers,
        items: Vec<ItemInfo>,
        vertices: DeformedVertices,
        pipeline_ns: f64,
        cached: bool,
    ) -> Self {
        let all: Vec<u32> = (0..vertices.instances).collect();
        Self {
            cache: cached.then(|| SkinCache::new(all.len())),
            keys_before: Vec::new(),
            selected: [all.clone(), all],
            poses,
            meshes,
            items,
            vertices,
            pipeline_ns,
        }
    }

    /// The characters to deform for one of the vertices' targets.
    pub fn selected(&self, when: When) -> &[u32] {
        match when {
            When::Now => &self.selected[0],
            When::Before => &self.selected[1],
        }
    }

    /// Which frame's palette a target is deformed by.
    pub fn pose_parity(&self, frame: &Frame, when: When) -> usize {
        match when {
            When::Now => frame.parity,
            When::Before => 1 - frame.parity,
        }
    }

    fn select(&mut self, frame: &Frame, keys: &[SkinKey]) {
        let Some(cache) = &mut self.cache else { return };
        if self.vertices.deforms_previous {
            let before = std::mem::replace(&mut self.keys_before, keys.to_vec());
            self.selected = [cache.stale(0, keys), cache.stale(1, &before)];
        } else {
            // The half that is written, which need not change sides.
            let offset = self.vertices.half_offset(frame.parity, When::Now);
            self.selected[0] = cache.stale(usize::from(offset > 0), keys);
        }
    }
}

/// How a place fills the vertices.
pub(super) trait Deform {
    /// How it writes them.
    const WRITE: Access;
    /// Name of the barrier between the last write and the passes.
    const BARRIER: &'static str;
    /// Whether it has a stage `deform` on the device.
    const ON_DEVICE: bool;

    /// The stage `deform` on the host; false where there is none.
    fn deform_host(&mut self, _place: &mut Written, _frame: &Frame) -> Result<bool, GpuError> {
        Ok(false)
    }

    /// The stage `upload`.
    fn upload(
        &self,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) -> Result<(), GpuError>;

    /// The stage `deform` on the device.
    fn deform(
        &self,
        _place: &Written,
        _encoder: &mut Encoder<'_>,
        _frame: &Frame,
    ) -> Result<(), GpuError> {
        Ok(())
    }

    /// Bytes that it reads and writes beside source, palette and output, in one deformation.
    fn extra_bytes(&self) -> u64 {
        0
    }
}

/// A place that writes vertices, made ready.
pub(super) struct WrittenPlace<D> {
    pub place: Written,
    pub how: D,
}

impl<D: Deform> Prepared for WrittenPlace<D> {
    fn pose(&mut self) -> &mut PoseBuffers {
        &mut self.place.poses
    }

    fn select(&mut self, frame: &Frame, keys: &[SkinKey]) {
        self.place.select(frame, keys);
    }

    fn deform_host(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        self.how.deform_host(&mut self.place, frame)
    }

    fn upload(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.how.upload(&self.place, encoder, frame)
    }

    fn deforms_on_device(&self) -> bool {
        D::ON_DEVICE
    }

    fn deform(&self, encoder: &mut Encoder<'_>, frame: &Frame) -> Result<(), GpuError> {
        self.how.deform(&self.place, encoder, frame)
    }

    fn before_passes(&self, encoder: &mut Encoder<'_>, _frame: &Frame) {
        self.place
            .vertices
            .before_passes(encoder, D::BARRIER, D::WRITE);
    }

    fn draw(
        &self,
        pass: &mut RenderEncoder<'_>,
        frame: &Frame,
        recipe: &DrawRecipe,
    ) -> Result<(), GpuError> {
        let Written {
            vertices,
            items,
            meshes,
            ..
        } = &self.place;
        vertices.draw(pass, frame, recipe, items, meshes)
    }

    fn output(&self, frame: &Frame) -> Option<(&Buffer, u64)> {
        let vertices = &self.place.vertices;
        let offset = vertices.half_offset(frame.parity, When::Now);
        Some((&vertices.buffer, offset))
    }

    fn previous_output(&self, frame: &Frame) -> Option<(&Buffer, u64)> {
        let vertices = &self.place.vertices;
        let offset = vertices.half_offset(frame.parity, When::Before);
        vertices.doubled.then_some((&vertices.buffer, offset))
    }

    fn memory(&self) -> MemoryUse {
        let Written {
            vertices,
            meshes,
            poses,
            ..
        } = &self.place;
        vertices.memory(meshes, poses)
    }

    fn deformations(&self, passes: &[PassKind]) -> u64 {
        self.place.vertices.deformations(passes)
    }

    fn bytes_moved(&self) -> u64 {
        let Written {
            vertices,
            meshes,
            poses,
            items,
            ..
        } = &self.place;
        vertices.bytes_moved(meshes.read_bytes(items), poses) + self.how.extra_bytes()
    }

    fn pipeline_creation_ns(&self) -> f64 {
        self.place.pipeline_ns
    }
}
