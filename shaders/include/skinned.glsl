// What every module shares that deforms in the vertex stage: attributes in, palette and morphs.
// The push constants come before this file.

#ifndef SKINNED_GLSL
#define SKINNED_GLSL

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in uvec4 in_joints_0;
layout(location = 4) in uvec4 in_joints_1;
layout(location = 5) in uvec4 in_joints_2;
layout(location = 6) in vec4 in_weights_0;
layout(location = 7) in vec4 in_weights_1;
layout(location = 8) in vec4 in_weights_2;

// Palettes of all characters, then their morph weights; the weights alone where palettes are elsewhere.
layout(std430, set = 0, binding = 0) readonly buffer Pose { uvec4 pose[]; };
layout(std430, set = 0, binding = 1) readonly buffer Morphs { float morph_words[]; };

const uint PALETTE_NOW = 0u;
const uint PALETTE_PREVIOUS = 1u;

// Which palette is read: now or one frame ago.
uint palette_when = PALETTE_NOW;

#if defined(PALETTE_UNIFORM)
// One character's palette, now and one frame ago, at dynamic offsets: the base is 0.
layout(std140, set = 0, binding = 2) uniform Palette { uvec4 palette[PALETTE_UNIFORM]; };
layout(std140, set = 0, binding = 3) uniform PreviousPalette { uvec4 previous_palette[PALETTE_UNIFORM]; };

uvec4 palette_bits(uint base, uint index) {
    return palette_when == PALETTE_NOW ? palette[index] : previous_palette[index];
}
#elif defined(PALETTE_TEXTURE)
layout(set = 0, binding = 2) uniform texture2DArray palette;
layout(set = 0, binding = 3) uniform texture2DArray previous_palette;

// Texel `index`, counted along rows and layers.
vec4 palette_texel(uint index) {
    uint row = index / PALETTE_WIDTH;
    ivec3 at = ivec3(index % PALETTE_WIDTH, row % PALETTE_ROWS, row / PALETTE_ROWS);
    return palette_when == PALETTE_NOW ? texelFetch(palette, at, 0) : texelFetch(previous_palette, at, 0);
}
#else
uvec4 palette_bits(uint base, uint index) { return pose[base + index]; }
#endif

#if defined(PALETTE_TEXTURE)
vec4 palette_vec4(uint base, uint index) { return palette_texel(base + index); }

// A texture of halves has a texel for each 8 bytes.
vec4 palette_half4(uint base, uint index) { return palette_texel(2u * base + index); }
#else
vec4 palette_vec4(uint base, uint index) { return uintBitsToFloat(palette_bits(base, index)); }

vec4 palette_half4(uint base, uint index) {
    uvec4 two = palette_bits(base, index / 2u);
    uvec2 one = (index & 1u) == 0u ? two.xy : two.zw;
    return vec4(unpackHalf2x16(one.x), unpackHalf2x16(one.y));
}
#endif

uint palette_joints() { return constants.joints; }

uint influence_joint(uint slot) {
    return slot < 4u ? in_joints_0[slot] : (slot < 8u ? in_joints_1[slot - 4u] : in_joints_2[slot - 8u]);
}

float influence_weight(uint slot) {
    return slot < 4u ? in_weights_0[slot] : (slot < 8u ? in_weights_1[slot - 4u] : in_weights_2[slot - 8u]);
}

float morph_word(uint word) { return morph_words[word]; }

float morph_weight(uint base, uint target) { return uintBitsToFloat(pose[base + target / 4u][target & 3u]); }

#include "deform.glsl"

Vertex bind_vertex() {
    Vertex v = Vertex(in_position, vec3(0.0), vec4(0.0));
    if (ATTRIBUTES != ATTRIBUTES_P) {
        v.normal = in_normal;
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        v.tangent = in_tangent;
    }
    return v;
}

// This vertex by the palette of now or one frame ago. The bases are those of the first character.
Vertex deform_at(uint when, uint palette_base, uint morph_base) {
    palette_when = when;
    uint instance = uint(gl_InstanceIndex);
    Morphing morphing = Morphing(uint(gl_VertexIndex), constants.vertex_count, constants.morph_targets,
        morph_base + instance * constants.morph_stride);
    return deform_vertex(bind_vertex(), palette_base + instance * constants.pose_stride, morphing);
}

#endif
