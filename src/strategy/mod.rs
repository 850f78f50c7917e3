//! Floor module `strategy`.
