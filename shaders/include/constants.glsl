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

// Invocations of a workgroup has constant_id 3 (local_size_x_id in deform.comp).

#endif
