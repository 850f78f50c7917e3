// What every vertex shader of a pass shares: constants, outputs, projection, readback.

#ifndef DRAW_GLSL
#define DRAW_GLSL

#include "vertex.glsl"

#include "draw_constants.glsl"

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec4 out_tangent;
layout(location = 3) out vec4 out_clip;
layout(location = 4) out vec4 out_previous_clip;

// Characters stand in a grid. The offset is added after deformation: deformed vertices are in the
// space of their scene's root in every place.
vec3 placement() {
    uint instance = gl_InstanceIndex;
    uint column = instance % constants.grid_columns;
    uint row = instance / constants.grid_columns;
    precise vec3 offset = vec3(constants.grid_step.x * float(column), 0.0, constants.grid_step.y * float(row));
    return offset;
}

vec4 project(vec3 position) {
    precise vec3 world = position + placement();
    precise vec4 clip = constants.view_projection * vec4(world, 1.0);
    return clip;
}

// The centre of this vertex's texel; w = 1, so nothing is divided.
vec4 readback_position() {
    uint texel = uint(gl_VertexIndex) - constants.tile_first;
    precise vec2 at = vec2(texel % constants.tile_width, texel / constants.tile_width) + 0.5;
    precise vec2 ndc = 2.0 * at / vec2(constants.tile_width, constants.tile_height) - 1.0;
    return vec4(ndc, 0.0, 1.0);
}

void emit(Vertex v, vec3 previous_position) {
    out_position = v.position;
    out_normal = v.normal;
    out_tangent = v.tangent;
    out_clip = vec4(0.0);
    out_previous_clip = vec4(0.0);
    gl_PointSize = 1.0;
    if (PASS == PASS_READBACK) {
        gl_Position = readback_position();
        return;
    }
    gl_Position = project(v.position);
    if (PASS == PASS_VELOCITY) {
        out_clip = gl_Position;
        out_previous_clip = project(previous_position);
    }
}

#endif
