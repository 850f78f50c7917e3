//! Deformation on the host: the palette, the f64 reference, the twins of the GPU kernels, and the
//! place `cpu`.
//!
//! A *block* is what one instance reads each frame, in `vec4`s: the rows of its palettes and its
//! morph weights, arranged by [`palette::PoseLayout`]. Deformed vertices are interleaved f32,
//! arranged by [`output::OutputLayout`].

pub mod cpu_place;
pub mod output;
pub mod palette;
pub mod reference;
pub mod skin;

#[cfg(test)]
mod tests;
