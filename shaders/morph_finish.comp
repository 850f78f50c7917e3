#version 450
// Renormalises normals and tangents once, after all morph targets were added to skinned vertices.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"
#include "vertex.glsl"

layout(local_size_x_id = 3) in;

// Vertices as floats: position, normal, tangent.
layout(std430, set = 0, binding = 2) buffer Output { float output_words[]; };

layout(push_constant) uniform FinishConstants {
    uint output_word;  // of the first vertex
    uint vertex_count;
} constants;

vec3 load(uint at) { return vec3(output_words[at], output_words[at + 1u], output_words[at + 2u]); }

void renormalise(uint at) {
    vec3 v = load(at);
    vec3 unit = normalize_or(v, v);
    output_words[at] = unit.x;
    output_words[at + 1u] = unit.y;
    output_words[at + 2u] = unit.z;
}

void main() {
    uint vertex = gl_GlobalInvocationID.x;
    if (vertex >= constants.vertex_count || ATTRIBUTES == ATTRIBUTES_P) {
        return;
    }
    uint floats = 3u + 3u * ATTRIBUTES + ATTRIBUTES / 2u;
    uint at = constants.output_word + vertex * floats;
    renormalise(at + 3u);
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        renormalise(at + 6u);
    }
}
