#version 450
// Test of the Vulkan floor: each vertex fetches its texel of a 5x4 texture array, and transform
// feedback captures it.
#extension GL_EXT_samplerless_texture_functions : require

layout(set = 0, binding = 0) uniform texture2DArray texels;

layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 0) out vec4 out_texel;

void main() {
    uint texel = uint(gl_VertexIndex);
    out_texel = texelFetch(texels, ivec3(texel % 5u, texel / 5u % 4u, texel / 20u), 0);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
