//! skinbench: on this GPU, for this character, where should vertices be deformed?
//!
//! The modules form floors; imports go only downwards. See `docs/ARCHITECTURE.md`.

pub mod math;
pub mod report;
pub mod result;
pub mod stats;

pub mod deform;
pub mod plan;
pub mod scene;
pub mod shader_types;

pub mod gpu;

pub mod render;
pub mod strategy;

pub mod bench;

pub mod commands;

pub mod cli;
