//! The command line: raw arguments become plain requests; nothing below knows clap.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use thiserror::Error;

use crate::plan::{PlanError, RunRequest, VerifyRequest};

mod args;
mod convert;
mod help;
mod one_line;

pub use args::{DataFormat, RunFormat};

/// What was asked, not yet validated against axes or devices.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// List the devices.
    Devices(Devices),
    /// Measure.
    Run(Run),
    /// The gate alone.
    Verify(Verify),
}

/// `skinbench devices`.
#[derive(Clone, Debug, PartialEq)]
pub struct Devices {
    /// How to print.
    pub format: DataFormat,
    /// Turn on the validation layer; a message is a failure.
    pub validation: bool,
}

/// `skinbench run`.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What to measure.
    pub request: RunRequest,
    /// Device index, UUID or part of a name, never empty; absent = the best one.
    pub device: Option<String>,
    /// Print what would be measured, and measure nothing.
    pub dry_run: bool,
    /// The result file; absent = `results/<device>-<utc>.json`.
    pub out: Option<PathBuf>,
    /// How to print.
    pub format: RunFormat,
    /// Turn on the validation layer; a message is a failure.
    pub validation: bool,
}

/// `skinbench verify`.
#[derive(Clone, Debug, PartialEq)]
pub struct Verify {
    /// What to check.
    pub request: VerifyRequest,
    /// Device index, UUID or part of a name, never empty; absent = the best one.
    pub device: Option<String>,
    /// The folder to write deformed vertices to.
    pub dump: Option<PathBuf>,
    /// How to print.
    pub format: DataFormat,
    /// Turn on the validation layer; a message is a failure.
    pub validation: bool,
}

/// Why there is no command to run.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CliError {
    /// Help or version was asked for: many lines, for standard output.
    #[error("{0}")]
    Shown(String),
    /// A bad argument: one line, for standard error.
    #[error("{0}")]
    Usage(String),
    /// A bad axis argument: one line, for standard error.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl CliError {
    /// The exit code of the process: 0 where help was asked for, else 2.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Shown(_) => 0,
            Self::Usage(_) | Self::Plan(_) => 2,
        }
    }

    /// Whether the text answers what was asked, and so belongs to standard output.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Shown(_))
    }
}

/// The command in `args`, whose first entry is the program's name.
///
/// # Errors
/// [`CliError::Shown`] for `--help` and `--version`; otherwise one line that says what is wrong,
/// where, and what to do. Values of axes are checked later, by [`crate::plan::Plan::build`].
pub fn parse<I, T>(args: I) -> Result<Command, CliError>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString>,
{
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    match args::Args::try_parse_from(&args) {
        Ok(raw) => convert::command(raw),
        Err(error) => Err(one_line::reduce(&error, command_in(&args).as_deref())),
    }
}

/// The first of `args` that names a command.
fn command_in(args: &[OsString]) -> Option<String> {
    let names = one_line::command_names();
    let texts = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let mut named = texts.filter(|text| names.iter().any(|name| name == text));
    named.next().map(str::to_owned)
}
