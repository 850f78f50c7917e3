#version 450
// Deforms in the vertex stage. PALETTE_UNIFORM holds the number of joints of the uniform array; the
// palette lies in a storage buffer where it is not defined.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"
#include "draw.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in uvec4 in_joints_0;
layout(location = 4) in uvec4 in_joints_1;
layout(location = 5) in uvec4 in_joints_2;
layout(location = 6) in vec4 in_weights_0;
layout(location = 7) in vec4 in_weights_1;
layout(location = 8) in vec4 in_weights_2;

// Each character's palettes and morph weights.
layout(std430, set = 0, binding = 0) readonly buffer Pose { vec4 pose[]; };
layout(std430, set = 0, binding = 1) readonly buffer Morphs { float morph_words[]; };

#ifdef PALETTE_UNIFORM
// One character's palette, now and one frame ago, at dynamic offsets.
layout(std140, set = 0, binding = 2) uniform Palette { vec4 palette[3 * PALETTE_UNIFORM]; };
layout(std140, set = 0, binding = 3) uniform PreviousPalette { vec4 previous_palette[3 * PALETTE_UNIFORM]; };

const uint PALETTE_NOW = 0u;
const uint PALETTE_PREVIOUS = 1u;

vec4 palette_row(uint which, uint joint, uint row) {
    uint at = 3u * joint + row;
    return which == PALETTE_NOW ? palette[at] : previous_palette[at];
}
#else
vec4 palette_row(uint base, uint joint, uint row) { return pose[base + 3u * joint + row]; }
#endif

uint influence_joint(uint slot) {
    return slot < 4u ? in_joints_0[slot] : (slot < 8u ? in_joints_1[slot - 4u] : in_joints_2[slot - 8u]);
}

float influence_weight(uint slot) {
    return slot < 4u ? in_weights_0[slot] : (slot < 8u ? in_weights_1[slot - 4u] : in_weights_2[slot - 8u]);
}

float morph_word(uint word) { return morph_words[word]; }

float morph_weight(uint base, uint target) { return pose[base + target / 4u][target & 3u]; }

#include "morph.glsl"
#include "skinning.glsl"

Vertex deform_at(uint palette_base, uint morph_base) {
    Vertex v = Vertex(in_position, vec3(0.0), vec4(0.0));
    if (ATTRIBUTES != ATTRIBUTES_P) {
        v.normal = in_normal;
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        v.tangent = in_tangent;
    }
    v = morph_vertex(v, uint(gl_VertexIndex), constants.vertex_count, constants.morph_targets, morph_base);
    return deform_vertex(v, palette_base);
}

void main() {
    uint pose_base = uint(gl_InstanceIndex) * constants.pose_stride;
#ifdef PALETTE_UNIFORM
    uint now = PALETTE_NOW;
    uint previous = PALETTE_PREVIOUS;
#else
    uint now = pose_base + constants.palette_base;
    uint previous = pose_base + constants.previous_palette_base;
#endif
    Vertex v = deform_at(now, pose_base + constants.morph_base);
    vec3 previous_position = vec3(0.0);
    if (PASS == PASS_VELOCITY) {
        previous_position = deform_at(previous, pose_base + constants.previous_morph_base).position;
    }
    emit(v, previous_position);
}
