//! Floor module `deform`.
