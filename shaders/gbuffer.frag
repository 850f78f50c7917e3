#version 450
// Writes the normal, and the tangent with its handedness, as a deferred renderer would.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"

layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;

layout(location = 0) out vec4 out_normal;
layout(location = 1) out vec4 out_material;

void main() {
    out_normal = vec4(ATTRIBUTES != ATTRIBUTES_P ? in_normal : vec3(0.0, 0.0, 1.0), 1.0);
    vec4 tangent = ATTRIBUTES == ATTRIBUTES_PNT ? in_tangent : vec4(1.0, 0.0, 0.0, 1.0);
    out_material = 0.5 * tangent + 0.5;
}
