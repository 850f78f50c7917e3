// Morph targets: dense, in object space; renormalised once.
// The CPU twin is `deform::skin::morph_vertex`; keep the order of operations alike.
//
// The includer defines, before this file:
//   float morph_word(uint word)                     the displacements of one mesh
//   float morph_weight(uint base, uint target)      the weights of one character of one item
// Displacements lie target after target, vertex after vertex: position, normal, tangent xyz,
// as many of them as ATTRIBUTES has.

#ifndef MORPH_GLSL
#define MORPH_GLSL

#include "vertex.glsl"

Vertex morph_vertex(Vertex bind, uint vertex_index, uint vertex_count, uint targets, uint weights_base) {
    precise Vertex v = bind;
    uint words = 3u * (ATTRIBUTES + 1u);
    for (uint target = 0u; target < targets; ++target) {
        float weight = morph_weight(weights_base, target);
        uint at = (target * vertex_count + vertex_index) * words;
        v.position += weight * vec3(morph_word(at), morph_word(at + 1u), morph_word(at + 2u));
        if (ATTRIBUTES != ATTRIBUTES_P) {
            v.normal += weight * vec3(morph_word(at + 3u), morph_word(at + 4u), morph_word(at + 5u));
        }
        if (ATTRIBUTES == ATTRIBUTES_PNT) {
            v.tangent.xyz += weight * vec3(morph_word(at + 6u), morph_word(at + 7u), morph_word(at + 8u));
        }
    }
    return v;
}

#endif
