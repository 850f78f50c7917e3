#version 450
// Deforms in the vertex stage. PALETTE_UNIFORM holds the vec4s of the palette's uniform array;
// under PALETTE_TEXTURE it lies in a texture; else in a storage buffer.
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "constants.glsl"
#include "draw.glsl"
#include "skinned.glsl"

void main() {
    Vertex v = deform_at(PALETTE_NOW, constants.palette_base, constants.morph_base);
    vec3 previous_position = vec3(0.0);
    if (PASS == PASS_VELOCITY) {
        previous_position = deform_at(PALETTE_PREVIOUS, constants.previous_palette_base, constants.previous_morph_base).position;
    }
    emit(v, previous_position);
}
