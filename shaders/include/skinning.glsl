// Linear blend skinning of one vertex: the same mathematics in every place.
// The CPU twin is `deform::skin::deform_vertex`; keep the order of operations alike.
//
// Everything is `precise`: no driver may fuse a product and a sum in one module and not in another,
// so what is read back is what is drawn, and all places pay the same.
//
// The includer defines, before this file:
//   vec4 palette_row(uint base, uint joint, uint row)   row 0..2 of the 3x4 skin matrix
//   uint influence_joint(uint slot)
//   float influence_weight(uint slot)

#ifndef SKINNING_GLSL
#define SKINNING_GLSL

#include "vertex.glsl"

struct Rows {
    vec4 r0;
    vec4 r1;
    vec4 r2;
};

// The matrix blended from all influences, by rows.
Rows blended_rows(uint palette_base) {
    uint joint = influence_joint(0u);
    float weight = influence_weight(0u);
    precise Rows rows;
    rows.r0 = weight * palette_row(palette_base, joint, 0u);
    rows.r1 = weight * palette_row(palette_base, joint, 1u);
    rows.r2 = weight * palette_row(palette_base, joint, 2u);
    for (uint slot = 1u; slot < INFLUENCES; ++slot) {
        joint = influence_joint(slot);
        weight = influence_weight(slot);
        rows.r0 += weight * palette_row(palette_base, joint, 0u);
        rows.r1 += weight * palette_row(palette_base, joint, 1u);
        rows.r2 += weight * palette_row(palette_base, joint, 2u);
    }
    return rows;
}

vec3 skin_position(Rows rows, vec3 p) {
    precise vec3 q = vec3(dot3(rows.r0.xyz, p) + rows.r0.w, dot3(rows.r1.xyz, p) + rows.r1.w, dot3(rows.r2.xyz, p) + rows.r2.w);
    return q;
}

// A direction too short to normalise keeps its bind-pose value: nothing is ever NaN.
vec3 normalize_or(vec3 v, vec3 fallback) {
    precise float squared = dot3(v, v);
    precise vec3 unit = v * inversesqrt(squared);
    return squared > 1e-30 ? unit : fallback;
}

// Skins position, normal and tangent.
//
// Normals take the cofactor matrix of the blended 3x3, which is det * inverse transpose and exists
// for every matrix; the sign of the determinant keeps them on their side under a mirror. The
// handedness of the tangent turns with that sign, so that the bitangent stays right.
Vertex deform_vertex(Vertex v, uint palette_base) {
    Rows rows = blended_rows(palette_base);
    Vertex deformed = v;
    deformed.position = skin_position(rows, v.position);
    if (ATTRIBUTES == ATTRIBUTES_P) {
        return deformed;
    }
    precise vec3 c0 = cross3(rows.r1.xyz, rows.r2.xyz);
    precise vec3 c1 = cross3(rows.r2.xyz, rows.r0.xyz);
    precise vec3 c2 = cross3(rows.r0.xyz, rows.r1.xyz);
    precise float determinant = dot3(rows.r0.xyz, c0);
    float side = determinant < 0.0 ? -1.0 : 1.0;
    precise vec3 normal = side * vec3(dot3(c0, v.normal), dot3(c1, v.normal), dot3(c2, v.normal));
    deformed.normal = normalize_or(normal, v.normal);
    if (ATTRIBUTES == ATTRIBUTES_PNT) {
        vec3 t = v.tangent.xyz;
        precise vec3 tangent = vec3(dot3(rows.r0.xyz, t), dot3(rows.r1.xyz, t), dot3(rows.r2.xyz, t));
        precise float handedness = side * v.tangent.w;
        deformed.tangent = vec4(normalize_or(tangent, t), handedness);
    }
    return deformed;
}

#endif
