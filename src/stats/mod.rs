//! Floor module `stats`.
