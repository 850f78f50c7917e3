#version 450
// Draws vertices that were deformed before: by the compute pass, by transform feedback, or by the
// CPU. Under PACKED normals and tangents are words, encoded as OUTPUT says.
#extension GL_GOOGLE_include_directive : require
#include "constants.glsl"
#include "draw.glsl"
#include "pack.glsl"

layout(location = 0) in vec3 in_position;
#ifdef PACKED
layout(location = 1) in uint in_normal;
layout(location = 2) in uint in_tangent;
#else
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
#endif
layout(location = 3) in vec3 in_previous_position;

void main() {
    Vertex v = Vertex(in_position, vec3(0.0), vec4(0.0));
    if (ATTRIBUTES != ATTRIBUTES_P) {
#ifdef PACKED
        v.normal = unpack_normal(in_normal);
#else
        v.normal = in_normal;
#endif
    }
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
#ifdef PACKED
        v.tangent = unpack_tangent(in_tangent);
#else
        v.tangent = in_tangent;
#endif
    }
    emit(v, in_previous_position);
}
