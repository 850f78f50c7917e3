//! What Rust and GLSL share: push constants, specialization constants, SPIR-V modules.
//!
//! A test reflects every module and holds its blocks against these structs.

use bytemuck::{Pod, Zeroable};

/// Push constants of `predeformed.vert` and `skinned.vert`. Offsets of a pose are in `vec4`s.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct DrawConstants {
    /// World to clip space, columns.
    pub view_projection: [[f32; 4]; 4],
    /// World units between characters along x and z.
    pub grid_step: [f32; 2],
    /// Characters in a row.
    pub grid_columns: u32,
    /// The palette in a character's pose.
    pub palette_base: u32,
    /// The same, one frame ago.
    pub previous_palette_base: u32,
    /// From one character's pose to the next.
    pub pose_stride: u32,
    /// The morph weights in a character's pose.
    pub morph_base: u32,
    /// The same, one frame ago.
    pub previous_morph_base: u32,
    /// Morph targets of the mesh.
    pub morph_targets: u32,
    /// Vertices of the mesh.
    pub vertex_count: u32,
    /// Readback: vertex in the first texel of the tile.
    pub tile_first: u32,
    /// Readback: texels in a row, a power of two.
    pub tile_width: u32,
    /// Readback: rows, a power of two.
    pub tile_height: u32,
}

/// Push constants of `deform.comp`. Offsets of a pose are in `vec4`s.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct DispatchConstants {
    /// Vertices of the mesh.
    pub vertex_count: u32,
    /// First vertex of this dispatch.
    pub first_vertex: u32,
    /// Vertices of this dispatch.
    pub dispatch_count: u32,
    /// Word of the first vertex in the bound window of the source.
    pub source_word: u32,
    /// Word of its result in the bound window of the output.
    pub output_word: u32,
    /// The palette in a character's pose.
    pub palette_base: u32,
    /// From one character's pose to the next.
    pub pose_stride: u32,
    /// Which character.
    pub instance: u32,
    /// The morph weights in a character's pose.
    pub morph_base: u32,
    /// Morph targets of the mesh.
    pub morph_targets: u32,
}

/// A named specialization constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecConstant {
    /// `constant_id`.
    pub id: u32,
    /// Name in GLSL, but for the workgroup size, which GLSL does not name.
    pub name: &'static str,
}

impl SpecConstant {
    /// The constant with a value.
    pub fn with(self, value: u32) -> (u32, u32) {
        (self.id, value)
    }
}

/// Which attributes a vertex has: 0 `p`, 1 `pn`, 2 `pnt`.
pub const ATTRIBUTES: SpecConstant = SpecConstant {
    id: 0,
    name: "ATTRIBUTES",
};
/// Influence slots a vertex.
pub const INFLUENCES: SpecConstant = SpecConstant {
    id: 1,
    name: "INFLUENCES",
};
/// What the vertex stage is for: see [`PassKind`].
pub const PASS: SpecConstant = SpecConstant {
    id: 2,
    name: "PASS",
};
/// Invocations of a workgroup.
pub const WORKGROUP: SpecConstant = SpecConstant { id: 3, name: "" };

/// Value of the constant [`PASS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum PassKind {
    /// Depth alone.
    Depth = 0,
    /// Normal and tangent.
    GBuffer = 1,
    /// Motion since the last frame.
    Velocity = 2,
    /// Each vertex a point whose attributes go to float targets.
    Readback = 3,
}

/// A compiled module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Module {
    /// Deforms into a vertex buffer.
    DeformComp,
    /// Draws what was deformed before.
    PredeformedVert,
    /// Deforms in the vertex stage, palette in a storage buffer.
    SkinnedStorageVert,
    /// The same, palette in a uniform array of 64 joints.
    SkinnedUniform64Vert,
    /// The same, palette in a uniform array of 320 joints.
    SkinnedUniform320Vert,
    /// Writes normal and tangent.
    GBufferFrag,
    /// Writes motion.
    VelocityFrag,
    /// Writes the attributes of one vertex.
    ReadbackFrag,
}

macro_rules! spirv {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".spv"))
    };
}

impl Module {
    /// All modules.
    pub const ALL: [Self; 8] = [
        Self::DeformComp,
        Self::PredeformedVert,
        Self::SkinnedStorageVert,
        Self::SkinnedUniform64Vert,
        Self::SkinnedUniform320Vert,
        Self::GBufferFrag,
        Self::VelocityFrag,
        Self::ReadbackFrag,
    ];

    /// Its name, as debuggers show it.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Its SPIR-V words.
    pub fn spirv(self) -> Vec<u32> {
        let words = self.entry().1.chunks_exact(4);
        words
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    }

    fn entry(self) -> (&'static str, &'static [u8]) {
        match self {
            Self::DeformComp => ("deform.comp", spirv!("deform.comp")),
            Self::PredeformedVert => ("predeformed.vert", spirv!("predeformed.vert")),
            Self::SkinnedStorageVert => ("skinned_storage.vert", spirv!("skinned_storage.vert")),
            Self::SkinnedUniform64Vert => {
                ("skinned_uniform_64.vert", spirv!("skinned_uniform_64.vert"))
            }
            Self::SkinnedUniform320Vert => (
                "skinned_uniform_320.vert",
                spirv!("skinned_uniform_320.vert"),
            ),
            Self::GBufferFrag => ("gbuffer.frag", spirv!("gbuffer.frag")),
            Self::VelocityFrag => ("velocity.frag", spirv!("velocity.frag")),
            Self::ReadbackFrag => ("readback.frag", spirv!("readback.frag")),
        }
    }
}
