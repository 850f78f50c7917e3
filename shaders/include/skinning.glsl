// Skinning of one vertex: the same mathematics in every place.
// The CPU twin is `deform::skin::skin_vertex`; keep the order of operations alike.
//
// Everything is `precise`: no driver may fuse a product and a sum in one module and not in another,
// so what is read back is what is drawn, and all places pay the same.

#ifndef SKINNING_GLSL
#define SKINNING_GLSL

#include "blend.glsl"

vec3 turned(Rows rows, vec3 v) {
    precise vec3 q = vec3(dot3(rows.r0.xyz, v), dot3(rows.r1.xyz, v), dot3(rows.r2.xyz, v));
    return q;
}

vec3 skin_position(Rows rows, vec3 p) {
    precise vec3 q = vec3(dot3(rows.r0.xyz, p) + rows.r0.w, dot3(rows.r1.xyz, p) + rows.r1.w, dot3(rows.r2.xyz, p) + rows.r2.w);
    return q;
}

// What carries normals, not normalised, and the side on which a mirror leaves the handedness.
struct Carried {
    vec3 normal;
    float side;
};

// The cofactor matrix of the blended 3x3 is det * inverse transpose and exists for every matrix;
// the sign of the determinant keeps normals on their side under a mirror.
Carried by_cofactor(Rows rows, vec3 n) {
    precise vec3 c0 = cross3(rows.r1.xyz, rows.r2.xyz);
    precise vec3 c1 = cross3(rows.r2.xyz, rows.r0.xyz);
    precise vec3 c2 = cross3(rows.r0.xyz, rows.r1.xyz);
    precise float determinant = dot3(rows.r0.xyz, c0);
    float side = determinant < 0.0 ? -1.0 : 1.0;
    precise vec3 normal = vec3(dot3(c0, n), dot3(c1, n), dot3(c2, n));
    if (NORMALS == NORMALS_INVERSE_TRANSPOSE) {
        normal = normal / determinant;
    } else {
        normal = side * normal;
    }
    return Carried(normal, side);
}

Carried carry_normal(Rows rows, uint base, vec3 n) {
    Carried carried;
    if (NORMALS == NORMALS_PER_JOINT) {
        carried = Carried(carried_by_joints(base, n), 1.0);
    } else if (NORMALS == NORMALS_DIRECT || NORMALS == NORMALS_DIRECT_RAW) {
        carried = Carried(turned(rows, n), 1.0);
    } else if (NORMALS == NORMALS_FLAGGED && !is_flagged(base)) {
        carried = Carried(turned(rows, n), 1.0);
    } else {
        carried = by_cofactor(rows, n);
    }
    return carried;
}

vec3 unit_or(vec3 v, vec3 fallback) {
    vec3 unit = v;
    if (NORMALS != NORMALS_DIRECT_RAW) {
        unit = normalize_or(v, fallback);
    }
    return unit;
}

// Skins position, normal and tangent. The handedness of the tangent turns with the side, so that
// the bitangent stays right; the modes that engines use leave it alone.
Vertex skin_vertex(Vertex v, vec3 bind_normal, vec3 bind_tangent, uint base) {
    Rows rows = blended_rows(base);
    Vertex skinned = v;
    skinned.position = skin_position(rows, v.position);
    if (ATTRIBUTES != ATTRIBUTES_P) {
        Carried carried = carry_normal(rows, base, v.normal);
        skinned.normal = unit_or(carried.normal, bind_normal);
        if (ATTRIBUTES == ATTRIBUTES_PNT) {
            precise float handedness = carried.side * v.tangent.w;
            skinned.tangent = vec4(unit_or(turned(rows, v.tangent.xyz), bind_tangent), handedness);
        }
    }
    return skinned;
}

#endif
