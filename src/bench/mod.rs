//! Floor module `bench`.

pub mod measure;
