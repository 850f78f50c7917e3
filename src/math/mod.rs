//! Small mathematics that skinning needs and no crate gives in the form wanted here.

pub mod bounded;
pub mod dual_quat;
pub mod normal;
pub mod octahedral;
pub mod polar;
pub mod real;
pub mod rotation;
pub mod snorm;
