//! Small mathematics that skinning needs and no crate gives in the form wanted here.

pub mod normal;
pub mod rotation;
