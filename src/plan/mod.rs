//! Floor module `plan`.
