//! What Rust and GLSL share: push constants, specialization constants, SPIR-V modules.
//!
//! A test reflects every module and holds its blocks against these structs.

use bytemuck::{Pod, Zeroable};

/// Push constants of every vertex shader. Offsets are in `vec4`s from the start of all poses.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct DrawConstants {
    /// World to clip space, columns.
    pub view_projection: [[f32; 4]; 4],
    /// World units between characters along x and z.
    pub grid_step: [f32; 2],
    /// Characters in a row.
    pub grid_columns: u32,
    /// The item's palette in the first block.
    pub palette_base: u32,
    /// The same, one frame ago.
    pub previous_palette_base: u32,
    /// From one character's palettes to the next.
    pub pose_stride: u32,
    /// Joints of the palette.
    pub joints: u32,
    /// The item's morph weights in the first block.
    pub morph_base: u32,
    /// The same, one frame ago.
    pub previous_morph_base: u32,
    /// From one character's morph weights to the next.
    pub morph_stride: u32,
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

/// Push constants of `deform.comp`, and of a kernel of one's own. Offsets of poses are in `vec4`s.
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
    /// Words of the output from one character to the next.
    pub instance_words: u32,
    /// Which character; the first where the dispatch has several, along y.
    pub instance: u32,
    /// The item's palette in the first block.
    pub palette_base: u32,
    /// From one character's palettes to the next.
    pub pose_stride: u32,
    /// Joints of the palette.
    pub joints: u32,
    /// The item's morph weights in the first block.
    pub morph_base: u32,
    /// From one character's morph weights to the next.
    pub morph_stride: u32,
    /// Morph targets of the mesh.
    pub morph_targets: u32,
}

/// Push constants of `morph_scatter.comp`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct ScatterConstants {
    /// Word of the target's first entry.
    pub first_word: u32,
    /// Entries of the target.
    pub entry_count: u32,
    /// Word of the item's first vertex in the output.
    pub output_word: u32,
    /// The target's weight among the floats of the poses.
    pub weight_index: u32,
}

/// Push constants of `morph_finish.comp`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct FinishConstants {
    /// Word of the item's first vertex in the output.
    pub output_word: u32,
    /// Its vertices.
    pub vertex_count: u32,
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
/// How a joint lies in the palette, in the order of `plan::PaletteLayout`.
pub const PALETTE: SpecConstant = SpecConstant {
    id: 4,
    name: "PALETTE",
};
/// Whether the loop over influences ends at the first weight of zero.
pub const EARLY_OUT: SpecConstant = SpecConstant {
    id: 5,
    name: "EARLY_OUT",
};
/// Bytes of a joint index in the source.
pub const JOINT_BYTES: SpecConstant = SpecConstant {
    id: 6,
    name: "JOINT_BYTES",
};
/// Bytes of a weight in the source.
pub const WEIGHT_BYTES: SpecConstant = SpecConstant {
    id: 7,
    name: "WEIGHT_BYTES",
};
/// Whether weights are divided by their sum.
pub const NORMALISE: SpecConstant = SpecConstant {
    id: 8,
    name: "NORMALISE",
};
/// How deformed normals and tangents are stored, in the order of `plan::OutputFormat`.
pub const OUTPUT: SpecConstant = SpecConstant {
    id: 9,
    name: "OUTPUT",
};
/// How normals are carried, in the order of `plan::NormalMode`.
pub const NORMALS: SpecConstant = SpecConstant {
    id: 10,
    name: "NORMALS",
};
/// Whether morph targets are added after skinning.
pub const MORPH_AFTER: SpecConstant = SpecConstant {
    id: 11,
    name: "MORPH_AFTER",
};
/// Whether bind-pose attributes are read from where the deformed ones go.
pub const IN_PLACE: SpecConstant = SpecConstant {
    id: 12,
    name: "IN_PLACE",
};
/// Texels in a row of the palette's texture.
pub const PALETTE_WIDTH: SpecConstant = SpecConstant {
    id: 13,
    name: "PALETTE_WIDTH",
};
/// Rows in a layer of the palette's texture.
pub const PALETTE_ROWS: SpecConstant = SpecConstant {
    id: 14,
    name: "PALETTE_ROWS",
};
/// Influence slots that the loop visits, of those stored.
pub const LOOPED: SpecConstant = SpecConstant {
    id: 15,
    name: "LOOPED",
};

/// All of them, by id.
pub const SPEC_CONSTANTS: [SpecConstant; 16] = [
    ATTRIBUTES,
    INFLUENCES,
    PASS,
    WORKGROUP,
    PALETTE,
    EARLY_OUT,
    JOINT_BYTES,
    WEIGHT_BYTES,
    NORMALISE,
    OUTPUT,
    NORMALS,
    MORPH_AFTER,
    IN_PLACE,
    PALETTE_WIDTH,
    PALETTE_ROWS,
    LOOPED,
];

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

macro_rules! modules {
    ($($(#[$doc:meta])* $name:ident = $file:literal,)+) => {
        /// A compiled module.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Module { $($(#[$doc])* $name,)+ }

        impl Module {
            /// All modules.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its name, as debuggers show it, and its SPIR-V.
            fn entry(self) -> (&'static str, &'static [u8]) {
                match self {
                    $(Self::$name => (
                        $file,
                        include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".spv")),
                    ),)+
                }
            }
        }
    };
}

modules! {
    /// Deforms into a vertex buffer.
    DeformComp = "deform.comp",
    /// Adds one morph target in place.
    MorphScatterComp = "morph_scatter.comp",
    /// Renormalises after morph targets.
    MorphFinishComp = "morph_finish.comp",
    /// Draws what was deformed before.
    PredeformedVert = "predeformed.vert",
    /// The same with packed normals and tangents.
    PredeformedPackedVert = "predeformed_packed.vert",
    /// Deforms in the vertex stage, palette in a storage buffer.
    SkinnedStorageVert = "skinned_storage.vert",
    /// The same, palette in a uniform array of 192 `vec4`s.
    SkinnedUniform192Vert = "skinned_uniform_192.vert",
    /// The same, palette in a uniform array of 960 `vec4`s.
    SkinnedUniform960Vert = "skinned_uniform_960.vert",
    /// The same, palette in a uniform array of 256 `vec4`s.
    SkinnedUniform256Vert = "skinned_uniform_256.vert",
    /// The same, palette in a uniform array of 1024 `vec4`s.
    SkinnedUniform1024Vert = "skinned_uniform_1024.vert",
    /// The same, palette in a uniform array of 320 `vec4`s.
    SkinnedUniform320Vert = "skinned_uniform_320.vert",
    /// The same, palette in a uniform array of 1020 `vec4`s.
    SkinnedUniform1020Vert = "skinned_uniform_1020.vert",
    /// The same, palette in a texture.
    SkinnedTextureVert = "skinned_texture.vert",
    /// Deforms in the vertex stage and captures positions.
    FeedbackPVert = "feedback_p.vert",
    /// The same with normals.
    FeedbackPnVert = "feedback_pn.vert",
    /// The same with normals and tangents.
    FeedbackPntVert = "feedback_pnt.vert",
    /// The same with packed normals.
    FeedbackPnPackedVert = "feedback_pn_packed.vert",
    /// The same with packed normals and tangents.
    FeedbackPntPackedVert = "feedback_pnt_packed.vert",
    /// Writes normal and tangent.
    GBufferFrag = "gbuffer.frag",
    /// Writes motion.
    VelocityFrag = "velocity.frag",
    /// Writes the attributes of one vertex.
    ReadbackFrag = "readback.frag",
}

impl Module {
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
}
