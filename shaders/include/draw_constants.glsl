// The push constants of every vertex shader.

#ifndef DRAW_CONSTANTS_GLSL
#define DRAW_CONSTANTS_GLSL

layout(push_constant) uniform DrawConstants {
    mat4 view_projection;
    vec2 grid_step;             // world units between characters along x and z
    uint grid_columns;          // characters in a row
    uint palette_base;          // vec4 index of the item's palette in the first block
    uint previous_palette_base; // the same, one frame ago
    uint pose_stride;           // vec4s from one character's palettes to the next
    uint joints;                // of the palette
    uint morph_base;            // vec4 index of the item's morph weights in the first block
    uint previous_morph_base;   // the same, one frame ago
    uint morph_stride;          // vec4s from one character's morph weights to the next
    uint morph_targets;
    uint vertex_count;          // of the mesh
    uint tile_first;            // readback: vertex in the first texel
    uint tile_width;            // readback: texels in a row, a power of two
    uint tile_height;           // readback: rows, a power of two
} constants;

#endif
