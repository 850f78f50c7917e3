// Deformed normals and tangents in one word each, as OUTPUT says, and back.
// The CPU twins are `math::octahedral` and `math::snorm`; keep the order of operations alike.

#ifndef PACK_GLSL
#define PACK_GLSL

#include "vertex.glsl"

const float SNORM_STEPS = 127.0;
const float SMALLEST_SIZE = 1.17549435e-38; // 2^-126: what is below may be flushed
const uint WIDE_STEPS = 0xffffu;
const uint NARROW_STEPS = 0x7fffu;

// GLSL leaves the rounding of a half to the implementation: the floor is spelt out.
uint snorm_byte(float c) {
    precise float scaled = clamp(c, -1.0, 1.0) * SNORM_STEPS + 0.5;
    return uint(int(floor(scaled))) & 0xffu;
}

uint pack_snorm(vec4 v) {
    return snorm_byte(v.x) | snorm_byte(v.y) << 8 | snorm_byte(v.z) << 16 | snorm_byte(v.w) << 24;
}

float snorm_float(uint word, int shift) {
    precise float c = float(bitfieldExtract(int(word), shift, 8)) / SNORM_STEPS;
    return max(c, -1.0);
}

vec4 unpack_snorm(uint word) {
    return vec4(snorm_float(word, 0), snorm_float(word, 8), snorm_float(word, 16), snorm_float(word, 24));
}

// -1 for what is negative, else 1: never 0, which would lose the fold.
float side_of(float x) { return x < 0.0 ? -1.0 : 1.0; }

// The point of [0, 1]^2 on the unfolded octahedron for a direction.
vec2 octahedral(vec3 v) {
    precise float size = abs(v.x) + abs(v.y) + abs(v.z);
    precise vec2 p = v.xy / size;
    if (v.z < 0.0) {
        precise vec2 folded = vec2((1.0 - abs(p.y)) * side_of(p.x), (1.0 - abs(p.x)) * side_of(p.y));
        p = folded;
    }
    precise vec2 unit = p * 0.5 + 0.5;
    // A zero vector becomes +z.
    return size < SMALLEST_SIZE ? vec2(0.5) : unit;
}

uint octahedral_code(float unit, uint steps) {
    precise float scaled = unit * float(steps);
    precise float whole = floor(OUTPUT == OUTPUT_OCT16 ? scaled + 0.5 : scaled);
    return uint(clamp(whole, 0.0, float(steps)));
}

vec3 octahedral_vector(uint code_x, uint code_y, uint steps_y) {
    precise float x = 2.0 * (float(code_x) / float(WIDE_STEPS)) - 1.0;
    precise float y = 2.0 * (float(code_y) / float(steps_y)) - 1.0;
    precise float z = 1.0 - abs(x) - abs(y);
    float fold = z < 0.0 ? -z : 0.0;
    precise vec3 v = vec3(x < 0.0 ? x + fold : x - fold, y < 0.0 ? y + fold : y - fold, z);
    precise float size = sqrt(dot3(v, v));
    precise vec3 unit = v / size;
    return unit;
}

uint pack_normal(vec3 normal) {
    uint word;
    if (OUTPUT == OUTPUT_SNORM8) {
        word = pack_snorm(vec4(normal, 0.0));
    } else {
        vec2 unit = octahedral(normal);
        word = octahedral_code(unit.x, WIDE_STEPS) | octahedral_code(unit.y, WIDE_STEPS) << 16;
    }
    return word;
}

// The handedness is the fourth byte, or the topmost bit above 15 of y.
uint pack_tangent(vec4 tangent) {
    uint word;
    if (OUTPUT == OUTPUT_SNORM8) {
        word = pack_snorm(tangent);
    } else {
        vec2 unit = octahedral(tangent.xyz);
        uint top = tangent.w < 0.0 ? 0u : 1u << 31;
        word = octahedral_code(unit.x, WIDE_STEPS) | octahedral_code(unit.y, NARROW_STEPS) << 16 | top;
    }
    return word;
}

vec3 unpack_normal(uint word) {
    vec3 normal;
    if (OUTPUT == OUTPUT_SNORM8) {
        normal = unpack_snorm(word).xyz;
    } else {
        normal = octahedral_vector(word & WIDE_STEPS, word >> 16, WIDE_STEPS);
    }
    return normal;
}

vec4 unpack_tangent(uint word) {
    vec4 tangent;
    if (OUTPUT == OUTPUT_SNORM8) {
        tangent = unpack_snorm(word);
    } else {
        vec3 direction = octahedral_vector(word & WIDE_STEPS, (word >> 16) & NARROW_STEPS, NARROW_STEPS);
        tangent = vec4(direction, (word >> 31) == 0u ? -1.0 : 1.0);
    }
    return tangent;
}

#endif
