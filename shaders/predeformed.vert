#version 450
// Draws vertices that were deformed before: by the compute pass or by the CPU.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"
#include "draw.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in vec3 in_previous_position;

void main() {
    Vertex v = Vertex(in_position, vec3(0.0), vec4(0.0));
    if (ATTRIBUTES != ATTRIBUTES_P) {
        v.normal = in_normal;
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        v.tangent = in_tangent;
    }
    emit(v, in_previous_position);
}
