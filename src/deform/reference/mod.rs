//! The f64 reference: what poses, palettes and vertices must be, and by how much an f32 evaluation
//! may differ.
//!
//! Every tolerance is derived from the standard model of rounding: an f32 operation returns its
//! exact result times 1 + δ, |δ| ≤ u = 2⁻²⁴, and a value that went through k roundings differs by
//! at most γₖ = k·u/(1 − k·u) (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd
//! ed., ch. 3). A multiplication fused with an addition has one rounding less, so contraction is
//! covered. Where roundings are counted, sums are bounded for any order of summation; where bounds are
//! carried along, for the order in which the kernels, which are `precise`, spell them out.
//!
//! - [`pose`] evaluates a clip from the same f32 inputs and checks uploaded palettes.
//! - [`vertex`] deforms one vertex by the palette as uploaded, in every variant.
//! - [`verify`] holds deformed vertices against it.

pub mod affine;
mod blend;
mod direction;
mod joint;
mod lbs;
pub mod method;
pub mod pose;
pub mod sampler;
pub mod verify;
pub mod vertex;

pub use direction::Direction;
pub use joint::Part as JointPart;

pub use crate::math::bounded::{U, gamma};
