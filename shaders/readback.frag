#version 450
// Stores the attributes of one vertex, exactly as the vertex stage wrote them.

layout(location = 0) flat in vec3 in_position;
layout(location = 1) flat in vec3 in_normal;
layout(location = 2) flat in vec4 in_tangent;

layout(location = 0) out vec4 out_position;
layout(location = 1) out vec4 out_normal;
layout(location = 2) out vec4 out_tangent;

void main() {
    out_position = vec4(in_position, 1.0);
    out_normal = vec4(in_normal, 1.0);
    out_tangent = in_tangent;
}
