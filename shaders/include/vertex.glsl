// A vertex with all attributes; those that ATTRIBUTES leaves out keep their defaults.

#ifndef VERTEX_GLSL
#define VERTEX_GLSL

struct Vertex {
    vec3 position; // object space, then world space
    vec3 normal;   // unit
    vec4 tangent;  // unit, handedness in w
};

#endif
