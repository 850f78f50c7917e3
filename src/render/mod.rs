//! Floor module `render`.
