#version 450
// Screen-space motion since the last frame, in normalised device units.

layout(location = 3) in vec4 in_clip;
layout(location = 4) in vec4 in_previous_clip;

layout(location = 0) out vec2 out_velocity;

void main() {
    out_velocity = in_clip.xy / in_clip.w - in_previous_clip.xy / in_previous_clip.w;
}
