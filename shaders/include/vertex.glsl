// A vertex with all attributes; those that ATTRIBUTES leaves out keep their defaults.

#ifndef VERTEX_GLSL
#define VERTEX_GLSL

struct Vertex {
    vec3 position; // object space, then world space
    vec3 normal;   // unit
    vec4 tangent;  // unit, handedness in w
};

// `precise` reaches sums and products, not the built-in dot and cross: these are spelt out.
float dot3(vec3 a, vec3 b) {
    precise float d = a.x * b.x + a.y * b.y + a.z * b.z;
    return d;
}

vec3 cross3(vec3 a, vec3 b) {
    precise vec3 c = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    return c;
}

#endif
