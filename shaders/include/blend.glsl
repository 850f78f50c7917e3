// Blending the joints of one vertex into one matrix, linearly or as dual quaternions.
// The CPU twin is `deform::skin::blend`; keep the order of operations alike.
//
// The includer defines, before this file, beside what palette.glsl asks for:
//   uint influence_joint(uint slot)
//   float influence_weight(uint slot)

#ifndef BLEND_GLSL
#define BLEND_GLSL

#include "palette.glsl"
#include "vertex.glsl"

// What weights are divided by: their sum, or 1 where that is not asked for or nothing is left of it.
float weight_sum() {
    precise float sum = 0.0;
    if (NORMALISE != 0u) {
        for (uint slot = 0u; slot < LOOPED; ++slot) {
            sum += influence_weight(slot);
        }
    }
    return sum > 0.0 ? sum : 1.0;
}

float slot_weight(uint slot, float sum) {
    precise float weight = influence_weight(slot);
    if (NORMALISE != 0u) {
        weight = weight / sum;
    }
    return weight;
}

// Whether the loop ends before this slot.
bool is_over(float weight) { return EARLY_OUT != 0u && weight == 0.0; }

// The weighted sum of the joints' matrices, slot after slot: linear blending. Of dual quaternions with
// scale, of their symmetric factors.
Rows sum_of_rows(uint base, float sum) {
    precise Rows rows = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    for (uint slot = 0u; slot < LOOPED; ++slot) {
        float weight = slot_weight(slot, sum);
        if (slot > 0u && is_over(weight)) {
            break;
        }
        Rows joint = joint_rows(base, influence_joint(slot));
        rows.r0 += weight * joint.r0;
        rows.r1 += weight * joint.r1;
        rows.r2 += weight * joint.r2;
    }
    return rows;
}

// The slot of the largest weight, the lowest of several: the others turn to its side.
uint pivot_slot() {
    uint pivot = 0u;
    float best = influence_weight(0u);
    for (uint slot = 1u; slot < LOOPED; ++slot) {
        float weight = influence_weight(slot);
        if (weight > best) {
            best = weight;
            pivot = slot;
        }
    }
    return pivot;
}

// The rigid motion of a dual quaternion whose parts were divided by the length of the real one
// (L. Kavan et al., Geometric skinning with approximate dual quaternion blending, 2008).
Rows rigid_rows(DualQuat q) {
    precise float x = q.real.x;
    precise float y = q.real.y;
    precise float z = q.real.z;
    precise float w = q.real.w;
    precise vec3 r0 = vec3(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y));
    precise vec3 r1 = vec3(2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x));
    precise vec3 r2 = vec3(2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y));
    precise vec3 t = 2.0 * (w * q.dual.xyz - q.dual.w * q.real.xyz + cross3(q.real.xyz, q.dual.xyz));
    return Rows(vec4(r0, t.x), vec4(r1, t.y), vec4(r2, t.z));
}

DualQuat blend_dual_quats(uint base, float sum) {
    vec4 pivot = joint_real(base, influence_joint(pivot_slot()));
    precise vec4 real = vec4(0.0);
    precise vec4 dual = vec4(0.0);
    for (uint slot = 0u; slot < LOOPED; ++slot) {
        float weight = slot_weight(slot, sum);
        if (slot > 0u && is_over(weight)) {
            break;
        }
        uint joint = influence_joint(slot);
        vec4 q = joint_real(base, joint);
        // q and -q are the same rotation: the one on the pivot's side is blended.
        float turned = dot4(q, pivot) < 0.0 ? -weight : weight;
        real += turned * q;
        dual += turned * joint_dual(base, joint);
    }
    precise float size = sqrt(dot4(real, real));
    real = real / size;
    dual = dual / size;
    return DualQuat(real, dual);
}

// A row of a rotation times a symmetric matrix, whose rows are its columns.
vec4 stretched(vec4 row, Rows s) {
    return vec4(dot3(row.xyz, s.r0.xyz), dot3(row.xyz, s.r1.xyz), dot3(row.xyz, s.r2.xyz), row.w);
}

// The matrix that moves this vertex, whatever the palette.
Rows blended_rows(uint base) {
    float sum = weight_sum();
    Rows rows = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    if (PALETTE != PALETTE_DUAL_QUAT) {
        rows = sum_of_rows(base, sum);
    }
    if (PALETTE == PALETTE_DUAL_QUAT || PALETTE == PALETTE_DUAL_QUAT_SCALE) {
        Rows rigid = rigid_rows(blend_dual_quats(base, sum));
        if (PALETTE == PALETTE_DUAL_QUAT) {
            rows = rigid;
        } else {
            // Scale first, linearly; then the rigid motion.
            rows = Rows(stretched(rigid.r0, rows), stretched(rigid.r1, rows), stretched(rigid.r2, rows));
        }
    }
    return rows;
}

// A normal carried by the weighted sum of the joints' inverse transposes.
vec3 carried_by_joints(uint base, vec3 n) {
    float sum = weight_sum();
    precise Rows rows = Rows(vec4(0.0), vec4(0.0), vec4(0.0));
    for (uint slot = 0u; slot < LOOPED; ++slot) {
        float weight = slot_weight(slot, sum);
        if (slot > 0u && is_over(weight)) {
            break;
        }
        Rows joint = joint_normal_rows(base, influence_joint(slot));
        rows.r0 += weight * joint.r0;
        rows.r1 += weight * joint.r1;
        rows.r2 += weight * joint.r2;
    }
    precise vec3 carried = vec3(dot3(rows.r0.xyz, n), dot3(rows.r1.xyz, n), dot3(rows.r2.xyz, n));
    return carried;
}

// Whether a joint that moves this vertex scales non-uniformly.
bool is_flagged(uint base) {
    bool any = false;
    for (uint slot = 0u; slot < LOOPED; ++slot) {
        any = any || (influence_weight(slot) != 0.0 && joint_flag(base, influence_joint(slot)));
    }
    return any;
}

#endif
