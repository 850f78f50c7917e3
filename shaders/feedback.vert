#version 450
// Deforms in the vertex stage and captures the vertex instead of drawing it (GL_EXT_transform_feedback
// of Vulkan). The layout of the captured vertex is part of the interface: FEEDBACK_ATTRIBUTES is that
// of ATTRIBUTES, FEEDBACK_PACKED says whether normals and tangents are words.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#define PALETTE_TEXTURE
#include "constants.glsl"
#include "draw_constants.glsl"
#include "skinned.glsl"
#include "pack.glsl"

#if FEEDBACK_ATTRIBUTES == 0
#define STRIDE 12
#elif defined(FEEDBACK_PACKED)
#define STRIDE (12 + 4 * FEEDBACK_ATTRIBUTES)
#elif FEEDBACK_ATTRIBUTES == 1
#define STRIDE 24
#else
#define STRIDE 40
#endif

layout(location = 0, xfb_buffer = 0, xfb_stride = STRIDE, xfb_offset = 0) out vec3 out_position;
#if FEEDBACK_ATTRIBUTES > 0
#if defined(FEEDBACK_PACKED)
layout(location = 1, xfb_buffer = 0, xfb_stride = STRIDE, xfb_offset = 12) flat out uint out_normal;
#else
layout(location = 1, xfb_buffer = 0, xfb_stride = STRIDE, xfb_offset = 12) out vec3 out_normal;
#endif
#endif
#if FEEDBACK_ATTRIBUTES > 1
#if defined(FEEDBACK_PACKED)
layout(location = 2, xfb_buffer = 0, xfb_stride = STRIDE, xfb_offset = 16) flat out uint out_tangent;
#else
layout(location = 2, xfb_buffer = 0, xfb_stride = STRIDE, xfb_offset = 24) out vec4 out_tangent;
#endif
#endif

void main() {
    Vertex v = deform_at(PALETTE_NOW, constants.palette_base, constants.morph_base);
    out_position = v.position;
#if FEEDBACK_ATTRIBUTES > 0
#if defined(FEEDBACK_PACKED)
    out_normal = pack_normal(v.normal);
#else
    out_normal = v.normal;
#endif
#endif
#if FEEDBACK_ATTRIBUTES > 1
#if defined(FEEDBACK_PACKED)
    out_tangent = pack_tangent(v.tangent);
#else
    out_tangent = v.tangent;
#endif
#endif
    // Outside the clip volume: nothing is drawn.
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
}
