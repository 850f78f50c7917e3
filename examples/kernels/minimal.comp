#version 450
// A whole skinning kernel for `skinbench run --kernel`: what the defaults of the axes ask for, with any
// number of influences and any attributes. docs/KERNELS.md describes the interface.
//   glslc --target-env=vulkan1.1 -o minimal.spv minimal.comp
//   skinbench run --kernel minimal.spv

layout(local_size_x_id = 3) in;
layout(constant_id = 0) const uint ATTRIBUTES = 1u; // 0 positions, 1 also normals, 2 also tangents
layout(constant_id = 1) const uint INFLUENCES = 4u; // slots that a source vertex has
layout(constant_id = 15) const uint LOOPED = 4u;    // slots to visit

layout(std430, set = 0, binding = 0) readonly buffer Source { uint source_words[]; };
layout(std430, set = 0, binding = 1) readonly buffer Pose { vec4 pose[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Output { float output_floats[]; };

layout(push_constant) uniform DispatchConstants {
    uint vertex_count;
    uint first_vertex;
    uint dispatch_count;
    uint source_word;
    uint output_word;
    uint instance_words;
    uint instance;
    uint palette_base;
    uint pose_stride;
} constants;

const uint FLOATS = 3u + 3u * ATTRIBUTES + ATTRIBUTES / 2u; // 3, 6 or 10
const uint JOINT_WORDS = (INFLUENCES + 1u) / 2u;            // two 16-bit indices a word
const uint SOURCE_STRIDE = FLOATS + JOINT_WORDS + INFLUENCES;

// `precise` keeps a driver from fusing products and sums: the result is ours to the last bit.
float dot3(vec3 a, vec3 b) {
    precise float d = a.x * b.x + a.y * b.y + a.z * b.z;
    return d;
}

vec3 cross3(vec3 a, vec3 b) {
    precise vec3 c = vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    return c;
}

vec3 unit(vec3 v, vec3 fallback) {
    precise float squared = dot3(v, v);
    precise vec3 scaled = v * inversesqrt(squared);
    return squared > 1e-30 && squared < 1e30 ? scaled : fallback;
}

vec3 load(uint at) {
    return uintBitsToFloat(uvec3(source_words[at], source_words[at + 1u], source_words[at + 2u]));
}

void store(uint at, vec3 v) {
    output_floats[at] = v.x;
    output_floats[at + 1u] = v.y;
    output_floats[at + 2u] = v.z;
}

void main() {
    uint local = gl_GlobalInvocationID.x;
    if (local >= constants.dispatch_count) {
        return;
    }
    uint source = constants.source_word + local * SOURCE_STRIDE;
    uint target = constants.output_word + gl_WorkGroupID.y * constants.instance_words + local * FLOATS;
    uint palette = constants.palette_base + (constants.instance + gl_WorkGroupID.y) * constants.pose_stride;

    precise vec4 r0 = vec4(0.0);
    precise vec4 r1 = vec4(0.0);
    precise vec4 r2 = vec4(0.0);
    for (uint slot = 0u; slot < LOOPED; ++slot) {
        uint two = source_words[source + FLOATS + slot / 2u];
        uint row = palette + 3u * ((slot & 1u) == 0u ? two & 0xffffu : two >> 16);
        float weight = uintBitsToFloat(source_words[source + FLOATS + JOINT_WORDS + slot]);
        r0 += weight * pose[row];
        r1 += weight * pose[row + 1u];
        r2 += weight * pose[row + 2u];
    }

    vec3 p = load(source);
    precise vec3 position = vec3(dot3(r0.xyz, p) + r0.w, dot3(r1.xyz, p) + r1.w, dot3(r2.xyz, p) + r2.w);
    store(target, position);
    if (ATTRIBUTES == 0u) {
        return;
    }
    // The cofactor matrix, on the side that the determinant says, carries normals under any scale.
    vec3 c0 = cross3(r1.xyz, r2.xyz);
    vec3 c1 = cross3(r2.xyz, r0.xyz);
    vec3 c2 = cross3(r0.xyz, r1.xyz);
    float side = dot3(r0.xyz, c0) < 0.0 ? -1.0 : 1.0;
    vec3 n = load(source + 3u);
    store(target + 3u, unit(side * vec3(dot3(c0, n), dot3(c1, n), dot3(c2, n)), n));
    if (ATTRIBUTES == 2u) {
        vec3 t = load(source + 6u);
        store(target + 6u, unit(vec3(dot3(r0.xyz, t), dot3(r1.xyz, t), dot3(r2.xyz, t)), t));
        output_floats[target + 9u] = side * uintBitsToFloat(source_words[source + 9u]);
    }
}
