//! Deformation on the host: the palette, the f64 reference, the twins of the GPU kernels, and the
//! place `cpu`.
//!
//! Palettes and morph weights of all characters lie as [`palette::PoseLayout`] says, deformed vertices
//! as [`output::OutputLayout`]; [`variant::Variant`] says how one becomes the other.

pub mod blend;
pub mod cpu_place;
pub mod output;
pub mod palette;
pub mod reference;
pub mod skin;
pub mod variant;

#[cfg(test)]
mod tests;
