#version 450
// Adds one morph target to the vertices that it moves, in place; each vertex at most once.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"
#include "vertex.glsl"

layout(local_size_x_id = 3) in;

// Moved vertices: the vertex's index, then its displacements as floats.
layout(std430, set = 0, binding = 0) readonly buffer Entries { uint entry_words[]; };
// Palettes of all characters, then their morph weights.
layout(std430, set = 0, binding = 1) readonly buffer Pose { uvec4 pose[]; };
// Vertices as floats: position, normal, tangent.
layout(std430, set = 0, binding = 2) buffer Output { float output_words[]; };

layout(push_constant) uniform ScatterConstants {
    uint first_word;   // of the target's entries
    uint entry_count;  // of this target
    uint output_word;  // of the item's first vertex
    uint weight_index; // of the target's weight among the floats of the pose
} constants;

void main() {
    uint entry = gl_GlobalInvocationID.x;
    if (entry >= constants.entry_count) {
        return;
    }
    uint displacements = 3u * (ATTRIBUTES + 1u);
    uint floats = 3u + 3u * ATTRIBUTES + ATTRIBUTES / 2u;
    uint at = constants.first_word + entry * (1u + displacements);
    uint target = constants.output_word + entry_words[at] * floats;
    uint index = constants.weight_index;
    float weight = uintBitsToFloat(pose[index / 4u][index & 3u]);
    for (uint word = 0u; word < displacements; ++word) {
        precise float moved = output_words[target + word] + weight * uintBitsToFloat(entry_words[at + 1u + word]);
        output_words[target + word] = moved;
    }
}
