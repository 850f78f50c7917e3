#version 450
// Deforms vertices of one item of one character into a vertex buffer.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"

layout(local_size_x_id = 3) in;

// Source vertices as words: position, normal, tangent as floats; joints, two u16 a word; weights.
layout(std430, set = 0, binding = 0) readonly buffer Source { uint source_words[]; };
// Each character's palettes and morph weights.
layout(std430, set = 0, binding = 1) readonly buffer Pose { vec4 pose[]; };
layout(std430, set = 0, binding = 2) readonly buffer Morphs { float morph_words[]; };
// Deformed vertices as floats: position, normal, tangent.
layout(std430, set = 0, binding = 3) writeonly buffer Output { float output_words[]; };

layout(push_constant) uniform DispatchConstants {
    uint vertex_count;    // of the mesh
    uint first_vertex;    // of this dispatch
    uint dispatch_count;  // vertices of this dispatch
    uint source_word;     // where first_vertex lies in the bound window of the source
    uint output_word;     // where its result goes in the bound window of the output
    uint palette_base;    // vec4 index of the palette in a character's pose
    uint pose_stride;     // vec4s from one character's pose to the next
    uint instance;        // which character
    uint morph_base;      // vec4 index of the morph weights in a character's pose
    uint morph_targets;
} constants;

uint joints_word;
uint weights_word;

vec4 palette_row(uint base, uint joint, uint row) { return pose[base + 3u * joint + row]; }

uint influence_joint(uint slot) {
    return (source_words[joints_word + slot / 2u] >> (16u * (slot & 1u))) & 0xFFFFu;
}

float influence_weight(uint slot) { return uintBitsToFloat(source_words[weights_word + slot]); }

float morph_word(uint word) { return morph_words[word]; }

float morph_weight(uint base, uint target) { return pose[base + target / 4u][target & 3u]; }

#include "morph.glsl"
#include "skinning.glsl"

// 3 floats a position, 3 a normal, 4 a tangent: 3, 6 or 10.
const uint FLOATS = 3u + 3u * ATTRIBUTES + ATTRIBUTES / 2u;
const uint SOURCE_STRIDE = FLOATS + (INFLUENCES + 1u) / 2u + INFLUENCES;

float source_float(uint word) { return uintBitsToFloat(source_words[word]); }

vec3 source_vec3(uint word) { return vec3(source_float(word), source_float(word + 1u), source_float(word + 2u)); }

Vertex load_vertex(uint at) {
    Vertex v = Vertex(source_vec3(at), vec3(0.0), vec4(0.0));
    if (ATTRIBUTES != ATTRIBUTES_P) {
        v.normal = source_vec3(at + 3u);
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        v.tangent = vec4(source_vec3(at + 6u), source_float(at + 9u));
    }
    return v;
}

void store_vec3(uint at, vec3 value) {
    output_words[at] = value.x;
    output_words[at + 1u] = value.y;
    output_words[at + 2u] = value.z;
}

void store_vertex(uint at, Vertex v) {
    store_vec3(at, v.position);
    if (ATTRIBUTES != ATTRIBUTES_P) {
        store_vec3(at + 3u, v.normal);
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        store_vec3(at + 6u, v.tangent.xyz);
        output_words[at + 9u] = v.tangent.w;
    }
}

void main() {
    uint local = gl_GlobalInvocationID.x;
    if (local >= constants.dispatch_count) {
        return;
    }
    uint pose_base = constants.instance * constants.pose_stride;
    uint at = constants.source_word + local * SOURCE_STRIDE;
    joints_word = at + FLOATS;
    weights_word = joints_word + (INFLUENCES + 1u) / 2u;
    uint vertex = constants.first_vertex + local;
    Vertex v = load_vertex(at);
    v = morph_vertex(v, vertex, constants.vertex_count, constants.morph_targets, pose_base + constants.morph_base);
    v = deform_vertex(v, pose_base + constants.palette_base);
    store_vertex(constants.output_word + local * FLOATS, v);
}
