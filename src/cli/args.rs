//! The raw arguments, as clap reads them.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use super::help;
use crate::plan::{self, ClipChoice, Preset, Resolution};

/// On this GPU, for this character, where should vertices be deformed?
#[derive(Debug, Parser)]
#[command(name = "skinbench", version, after_help = help::EXIT_CODES)]
pub(super) struct Args {
    #[command(subcommand)]
    pub command: RawCommand,

    /// Turn on the Vulkan validation layer with synchronization checks; any message is a failure
    #[arg(long, global = true)]
    pub validation: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum RawCommand {
    /// List every Vulkan device with what each place needs, has and lacks
    Devices(RawDevices),
    /// Measure each place side by side, and say which wins from how many passes on
    Run(RawRun),
    /// Check every place against the reference, and measure nothing
    Verify(RawVerify),
}

/// Output of `devices` and `verify`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DataFormat {
    /// A table to read.
    #[default]
    Table,
    /// For a program.
    Json,
}

/// Output of `run`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A table to read.
    #[default]
    Table,
    /// The result file, for a program.
    Json,
    /// A table to paste.
    Markdown,
    /// A line a case and stage.
    Csv,
}

#[derive(Debug, clap::Args)]
pub(super) struct RawDevices {
    /// How to print to standard output: table or json
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub format: DataFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct RawRun {
    /// The character, a .gltf or .glb file [default: the built-in one]
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,

    /// The device: an index or UUID that `skinbench devices` lists, or a part of its name in any
    /// case [default: discrete before integrated before virtual before cpu]
    #[arg(long, value_name = "INDEX|UUID|NAME", value_parser = NonEmptyStringValueParser::new())]
    pub device: Option<String>,

    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = preset_parser(),
          hide_possible_values = true, help = help::PRESET)]
    pub preset: Preset,

    #[arg(long, value_name = "PLACE,...", help = help::strategies("of the preset"))]
    pub strategies: Option<String>,

    #[arg(long, value_name = "NAME=VALUE,...", help = help::axes())]
    pub axis: Vec<String>,

    /// Drawings of the mesh in one frame, 1 to 64 [default: of the preset]
    #[arg(long, value_name = "N,...", allow_negative_numbers = true)]
    pub passes: Option<String>,

    /// Copies of the character, 1 to 100000 [default: of the preset]
    #[arg(long, value_name = "N,...", allow_negative_numbers = true)]
    pub instances: Option<String>,

    /// Size of the render targets in pixels, each side 1 to 32768
    #[arg(
        long,
        value_name = "WIDTHxHEIGHT",
        default_value_t,
        allow_negative_numbers = true
    )]
    pub resolution: Resolution,

    /// The clip to play, by a part of its name or its index from 0 [default: the first]
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub clip: Option<ClipChoice>,

    /// Bound of the whole run in seconds, 1 to 604800
    /// [default: 60 for quick, 600 for standard, none for full]
    #[arg(long, value_name = "SECONDS", value_parser = plan::parse_time_limit,
          allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// Seed of every random choice, a whole number of 64 bits [default: from the clock]
    #[arg(long, value_name = "N", value_parser = plan::parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,

    /// A compute kernel of your own, SPIR-V or GLSL: measured beside ours in every case of compute
    /// (docs/KERNELS.md)
    #[arg(long, value_name = "FILE.spv|FILE.comp")]
    pub kernel: Option<PathBuf>,

    /// List the cases, what would be skipped and why, memory and time; measure nothing
    #[arg(long)]
    pub dry_run: bool,

    /// The result file [default: results/<device>-<utc>.json]
    #[arg(long, value_name = "FILE.json")]
    pub out: Option<PathBuf>,

    /// How to print to standard output: table, json, markdown or csv
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub format: RunFormat,
}

#[derive(Debug, clap::Args)]
pub(super) struct RawVerify {
    /// The character, a .gltf or .glb file [default: the built-in one]
    #[arg(value_name = "MODEL")]
    pub model: Option<PathBuf>,

    /// The device: an index or UUID that `skinbench devices` lists, or a part of its name in any
    /// case [default: discrete before integrated before virtual before cpu]
    #[arg(long, value_name = "INDEX|UUID|NAME", value_parser = NonEmptyStringValueParser::new())]
    pub device: Option<String>,

    /// The clip, by a part of its name or its index from 0 [default: the first]
    #[arg(long, value_name = "NAME|INDEX", allow_negative_numbers = true)]
    pub clip: Option<ClipChoice>,

    /// The time in the clip in seconds, 0 to 86400
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = plan::parse_clip_time,
          allow_negative_numbers = true)]
    pub time: f64,

    /// Write the deformed positions and normals of every place, and index.json, to this folder
    #[arg(long, value_name = "DIR")]
    pub dump: Option<PathBuf>,

    #[arg(long, value_name = "PLACE,...", help = help::strategies("all of these"))]
    pub strategies: Option<String>,

    /// Copies of the character, 1 to 100000 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub instances: Option<String>,

    /// How to print to standard output: table or json
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub format: DataFormat,
}

/// Reads a preset by name; clap knows the names and so can suggest one.
fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::NAMES)
        .map(|name| Preset::from_name(&name).unwrap_or_default())
}
