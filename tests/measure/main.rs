//! The measuring loop against devices of known cost, with a fake clock: no GPU, no waiting.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod fake;
mod looping;
mod statements;
