#version 450
// Deforms vertices of one item of one character, or of several, into a vertex buffer.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"

layout(local_size_x_id = 3) in;

// Source vertices as words: position, normal, tangent as floats; joints; weights.
layout(std430, set = 0, binding = 0) readonly buffer Source { uint source_words[]; };
// Palettes of all characters, then their morph weights.
layout(std430, set = 0, binding = 1) readonly buffer Pose { uvec4 pose[]; };
layout(std430, set = 0, binding = 2) readonly buffer Morphs { float morph_words[]; };
// Deformed vertices as words: position, normal, tangent; read too under IN_PLACE.
layout(std430, set = 0, binding = 3) buffer Output { uint output_words[]; };

layout(push_constant) uniform DispatchConstants {
    uint vertex_count;    // of the mesh
    uint first_vertex;    // of this dispatch
    uint dispatch_count;  // vertices of this dispatch
    uint source_word;     // where first_vertex lies in the bound window of the source
    uint output_word;     // where its result goes in the bound window of the output
    uint instance_words;  // words of the output from one character to the next
    uint instance;        // which character; the first one of several
    uint palette_base;    // vec4 index of the item's palette in the first block
    uint pose_stride;     // vec4s from one character's palettes to the next
    uint joints;          // of the palette
    uint morph_base;      // vec4 index of the item's morph weights in the first block
    uint morph_stride;    // vec4s from one character's morph weights to the next
    uint morph_targets;
} constants;

uint joints_word;
uint weights_word;

vec4 palette_vec4(uint base, uint index) { return uintBitsToFloat(pose[base + index]); }

vec4 palette_half4(uint base, uint index) {
    uvec4 two = pose[base + index / 2u];
    uvec2 one = (index & 1u) == 0u ? two.xy : two.zw;
    return vec4(unpackHalf2x16(one.x), unpackHalf2x16(one.y));
}

uint palette_joints() { return constants.joints; }

// The unsigned number of `bytes` bytes at place `slot` of an array that starts at `word`.
uint source_number(uint word, uint slot, uint bytes) {
    uint at = slot * bytes;
    uint found = source_words[word + at / 4u];
    if (bytes != 4u) {
        found = (found >> (8u * (at & 3u))) & ((1u << (8u * bytes)) - 1u);
    }
    return found;
}

uint influence_joint(uint slot) { return source_number(joints_word, slot, JOINT_BYTES); }

float influence_weight(uint slot) {
    uint number = source_number(weights_word, slot, WEIGHT_BYTES);
    precise float weight = uintBitsToFloat(number);
    if (WEIGHT_BYTES == 2u) {
        weight = float(number) / 65535.0;
    } else if (WEIGHT_BYTES == 1u) {
        weight = float(number) / 255.0;
    }
    return weight;
}

float morph_word(uint word) { return morph_words[word]; }

float morph_weight(uint base, uint target) { return uintBitsToFloat(pose[base + target / 4u][target & 3u]); }

#include "deform.glsl"
#include "pack.glsl"

// 3 floats a position, 3 a normal, 4 a tangent: 3, 6 or 10.
const uint FLOATS = 3u + 3u * ATTRIBUTES + ATTRIBUTES / 2u;
const uint JOINT_WORDS = (INFLUENCES * JOINT_BYTES + 3u) / 4u;
const uint WEIGHT_WORDS = (INFLUENCES * WEIGHT_BYTES + 3u) / 4u;
const uint SOURCE_STRIDE = FLOATS + JOINT_WORDS + WEIGHT_WORDS;
// Packed: one word a normal, one a tangent.
uint output_stride() {
    uint words = 3u + ATTRIBUTES;
    if (OUTPUT == OUTPUT_F32) {
        words = FLOATS;
    }
    return words;
}

float bind_float(uint source, uint target, uint word) {
    uint bits;
    if (IN_PLACE != 0u) {
        bits = output_words[target + word];
    } else {
        bits = source_words[source + word];
    }
    return uintBitsToFloat(bits);
}

vec3 bind_vec3(uint source, uint target, uint word) {
    return vec3(bind_float(source, target, word), bind_float(source, target, word + 1u), bind_float(source, target, word + 2u));
}

Vertex load_vertex(uint source, uint target) {
    Vertex v = Vertex(bind_vec3(source, target, 0u), vec3(0.0), vec4(0.0));
    if (ATTRIBUTES != ATTRIBUTES_P) {
        v.normal = bind_vec3(source, target, 3u);
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        v.tangent = vec4(bind_vec3(source, target, 6u), bind_float(source, target, 9u));
    }
    return v;
}

void store_vec3(uint at, vec3 value) {
    output_words[at] = floatBitsToUint(value.x);
    output_words[at + 1u] = floatBitsToUint(value.y);
    output_words[at + 2u] = floatBitsToUint(value.z);
}

void store_vertex(uint at, Vertex v) {
    store_vec3(at, v.position);
    if (ATTRIBUTES != ATTRIBUTES_P) {
        if (OUTPUT == OUTPUT_F32) {
            store_vec3(at + 3u, v.normal);
        } else {
            output_words[at + 3u] = pack_normal(v.normal);
        }
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        if (OUTPUT == OUTPUT_F32) {
            store_vec3(at + 6u, v.tangent.xyz);
            output_words[at + 9u] = floatBitsToUint(v.tangent.w);
        } else {
            output_words[at + 4u] = pack_tangent(v.tangent);
        }
    }
}

void main() {
    uint local = gl_GlobalInvocationID.x;
    if (local >= constants.dispatch_count) {
        return;
    }
    uint instance = constants.instance + gl_WorkGroupID.y;
    uint source = constants.source_word + local * SOURCE_STRIDE;
    uint target = constants.output_word + gl_WorkGroupID.y * constants.instance_words + local * output_stride();
    joints_word = source + FLOATS;
    weights_word = joints_word + JOINT_WORDS;
    Morphing morphing = Morphing(constants.first_vertex + local, constants.vertex_count, constants.morph_targets,
        constants.morph_base + instance * constants.morph_stride);
    Vertex v = load_vertex(source, target);
    store_vertex(target, deform_vertex(v, constants.palette_base + instance * constants.pose_stride, morphing));
}
