//! Floor module `math`.
