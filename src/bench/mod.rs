//! Floor module `bench`.
