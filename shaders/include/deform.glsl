// A whole vertex: morph targets and skinning, in the order of MORPH_AFTER.
// The CPU twin is `deform::skin::deform_vertex`; keep the order of operations alike.

#ifndef DEFORM_GLSL
#define DEFORM_GLSL

#include "morph.glsl"
#include "skinning.glsl"

// Where the morph displacements and weights of a vertex are.
struct Morphing {
    uint vertex;       // of the mesh
    uint vertex_count; // of the mesh
    uint targets;
    uint weights_base;
};

Vertex morphed(Vertex v, Morphing m) { return morph_vertex(v, m.vertex, m.vertex_count, m.targets, m.weights_base); }

Vertex deform_vertex(Vertex bind, uint palette_base, Morphing morphing) {
    Vertex v = bind;
    if (MORPH_AFTER == 0u) {
        v = morphed(v, morphing);
    }
    v = skin_vertex(v, bind.normal, bind.tangent.xyz, palette_base);
    if (MORPH_AFTER != 0u && morphing.targets > 0u) {
        v = morphed(v, morphing);
        if (ATTRIBUTES != ATTRIBUTES_P) {
            v.normal = unit_or(v.normal, v.normal);
        }
        if (ATTRIBUTES == ATTRIBUTES_PNT) {
            v.tangent.xyz = unit_or(v.tangent.xyz, v.tangent.xyz);
        }
    }
    return v;
}

#endif
