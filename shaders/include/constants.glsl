// Specialization constants. Their ids and meanings are declared once more in src/shader_types.rs
// and held together by a test that reflects every module.

#ifndef CONSTANTS_GLSL
#define CONSTANTS_GLSL

// Which attributes a vertex has beside its position.
const uint ATTRIBUTES_P = 0u;   // none
const uint ATTRIBUTES_PN = 1u;  // normal
const uint ATTRIBUTES_PNT = 2u; // normal and tangent
layout(constant_id = 0) const uint ATTRIBUTES = ATTRIBUTES_PN;

// Influence slots a vertex: 1, 2, 4, 8 or 12.
layout(constant_id = 1) const uint INFLUENCES = 4u;

// What the vertex stage is for.
const uint PASS_DEPTH = 0u;    // depth alone: shadow maps and the depth prepass
const uint PASS_GBUFFER = 1u;  // normal and tangent
const uint PASS_VELOCITY = 2u; // where the vertex was one frame ago
const uint PASS_READBACK = 3u; // each vertex a point whose attributes go to float targets
layout(constant_id = 2) const uint PASS = PASS_GBUFFER;

// Invocations of a workgroup has constant_id 3 (local_size_x_id of the compute modules).

// How a joint lies in the palette.
const uint PALETTE_MAT4 = 0u;            // 4 columns
const uint PALETTE_ROWS3X4 = 1u;         // 3 rows
const uint PALETTE_ROWS3X4_HALF = 2u;    // 3 rows of halves, two joints in three vec4s
const uint PALETTE_DUAL_QUAT = 3u;       // real and dual part
const uint PALETTE_DUAL_QUAT_SCALE = 4u; // the same and 3 rows of the symmetric factor
layout(constant_id = 4) const uint PALETTE = PALETTE_ROWS3X4;

// Whether the loop over influences ends at the first weight of zero.
layout(constant_id = 5) const uint EARLY_OUT = 0u;

// Bytes of a joint index in the source, as words are read by compute: 1, 2 or 4.
layout(constant_id = 6) const uint JOINT_BYTES = 2u;

// Bytes of a weight in the source: 4 a float, 2 or 1 a normalised integer.
layout(constant_id = 7) const uint WEIGHT_BYTES = 4u;

// Whether weights are divided by their sum.
layout(constant_id = 8) const uint NORMALISE = 0u;

// How deformed normals and tangents are stored.
const uint OUTPUT_F32 = 0u;
const uint OUTPUT_SNORM8 = 1u;
const uint OUTPUT_OCT16 = 2u;           // rounded
const uint OUTPUT_OCT16_TRUNCATED = 3u; // as Godot's encoder does
layout(constant_id = 9) const uint OUTPUT = OUTPUT_F32;

// How normals are carried.
const uint NORMALS_COFACTOR = 0u;
const uint NORMALS_DIRECT = 1u;
const uint NORMALS_DIRECT_RAW = 2u;
const uint NORMALS_INVERSE_TRANSPOSE = 3u;
const uint NORMALS_PER_JOINT = 4u;
const uint NORMALS_FLAGGED = 5u;
layout(constant_id = 10) const uint NORMALS = NORMALS_COFACTOR;

// Whether morph targets are added after skinning.
layout(constant_id = 11) const uint MORPH_AFTER = 0u;

// Whether bind-pose attributes are read from where the deformed ones go.
layout(constant_id = 12) const uint IN_PLACE = 0u;

// Texels in a row of the palette's texture.
layout(constant_id = 13) const uint PALETTE_WIDTH = 256u;

// Rows in a layer of the palette's texture.
layout(constant_id = 14) const uint PALETTE_ROWS = 1024u;

// Influence slots that loops visit: fewer than INFLUENCES where vertices are partitioned by their count.
layout(constant_id = 15) const uint LOOPED = 4u;

#endif
