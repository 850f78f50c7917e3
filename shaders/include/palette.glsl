// Reading joints from a palette. The CPU twin is `deform::palette::read`.
//
// The includer defines, before this file:
//   vec4 palette_vec4(uint base, uint index)    16 bytes as floats, `index` vec4s behind `base`
//   vec4 palette_half4(uint base, uint index)   8 bytes as halves, `index` of them behind `base`
//   uint palette_joints()                       joints of the palette

#ifndef PALETTE_GLSL
#define PALETTE_GLSL

struct Rows {
    vec4 r0;
    vec4 r1;
    vec4 r2;
};

struct DualQuat {
    vec4 real; // x, y, z, w
    vec4 dual;
};

// Row `index` behind `base`, a vec4 or four halves.
vec4 palette_row(uint base, uint index) {
    vec4 row;
    if (PALETTE == PALETTE_ROWS3X4_HALF) {
        row = palette_half4(base, index);
    } else {
        row = palette_vec4(base, index);
    }
    return row;
}

// Three rows that lie one after the other, `index` rows behind `base`.
Rows rows_at(uint base, uint index) {
    return Rows(palette_row(base, index), palette_row(base, index + 1u), palette_row(base, index + 2u));
}

// The same of a 4x4 matrix in columns.
Rows rows_of_columns(uint base, uint index) {
    vec4 c0 = palette_vec4(base, index);
    vec4 c1 = palette_vec4(base, index + 1u);
    vec4 c2 = palette_vec4(base, index + 2u);
    vec4 c3 = palette_vec4(base, index + 3u);
    return Rows(vec4(c0.x, c1.x, c2.x, c3.x), vec4(c0.y, c1.y, c2.y, c3.y), vec4(c0.z, c1.z, c2.z, c3.z));
}

uint dual_quat_stride() {
    uint stride = 2u;
    if (PALETTE == PALETTE_DUAL_QUAT_SCALE) {
        stride = 5u;
    }
    return stride;
}

// The rotation of a joint in a palette of dual quaternions.
vec4 joint_real(uint base, uint joint) { return palette_vec4(base, dual_quat_stride() * joint); }

vec4 joint_dual(uint base, uint joint) { return palette_vec4(base, dual_quat_stride() * joint + 1u); }

// The matrix of a joint; in a palette of dual quaternions with scale its symmetric factor.
Rows joint_rows(uint base, uint joint) {
    Rows rows;
    if (PALETTE == PALETTE_MAT4) {
        rows = rows_of_columns(base, 4u * joint);
    } else {
        rows = rows_at(base, PALETTE == PALETTE_DUAL_QUAT_SCALE ? 5u * joint + 2u : 3u * joint);
    }
    return rows;
}

// What stands behind the joints begins so many rows (vec4s, or of halves four) behind the base.
uint behind_joints() {
    uint joints = palette_joints();
    uint rows = dual_quat_stride() * joints;
    if (PALETTE == PALETTE_MAT4) {
        rows = 4u * joints;
    } else if (PALETTE == PALETTE_ROWS3X4_HALF) {
        rows = 6u * ((joints + 1u) / 2u);
    } else if (PALETTE == PALETTE_ROWS3X4) {
        rows = 3u * joints;
    }
    return rows;
}

// The inverse transpose of a joint, under `per-joint` normals.
Rows joint_normal_rows(uint base, uint joint) { return rows_at(base, behind_joints() + 3u * joint); }

// Whether a joint scales non-uniformly, under `flagged` normals.
bool joint_flag(uint base, uint joint) {
    uint index = behind_joints() + joint / 4u;
    return palette_row(base, index)[joint & 3u] != 0.0;
}

#endif
