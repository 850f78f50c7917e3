//! Floor module `result`.
