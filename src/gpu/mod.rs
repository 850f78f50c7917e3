//! Floor module `gpu`.
