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

float dot4(vec4 a, vec4 b) {
    precise float d = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    return d;
}

vec3 cross3(vec3 a, vec3 b) {
    precise vec3 c = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    return c;
}

// Bounds of the squared length of what is normalised; beyond them f32 has no direction to give.
const float SMALLEST_LENGTH_SQUARED = 1e-30;
const float LARGEST_LENGTH_SQUARED = 1e30;

// A direction too short or too long to normalise becomes `fallback`: nothing is ever NaN.
vec3 normalize_or(vec3 v, vec3 fallback) {
    precise float squared = dot3(v, v);
    precise vec3 unit = v * inversesqrt(squared);
    return squared > SMALLEST_LENGTH_SQUARED && squared < LARGEST_LENGTH_SQUARED ? unit : fallback;
}

#endif
