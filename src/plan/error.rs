//! What can be wrong with a request. Every message is one line: what, where, what to do.

use thiserror::Error;

use super::{Allowed, Axis};

/// The most cases that a plan may have.
pub const MAX_CASES: usize = 10_000;

/// Why a request is no plan. `origin` is the argument (or file entry) that is to blame.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlanError {
    /// `--axis` without a name or without values.
    #[error("{origin}: '{text}' names no axis and values: write NAME=VALUE,VALUE")]
    NotAnAxis {
        /// Argument.
        origin: String,
        /// What it holds.
        text: String,
    },
    /// A name that no axis has.
    #[error("{origin}: there is no axis '{axis}': choose one of {known}")]
    UnknownAxis {
        /// Argument.
        origin: String,
        /// The name.
        axis: String,
        /// The names there are.
        known: String,
    },
    /// A value that the axis does not allow.
    #[error("{origin}: axis {axis} has no value '{value}': give {allowed}")]
    BadValue {
        /// Argument.
        origin: String,
        /// Axis.
        axis: &'static str,
        /// The value.
        value: String,
        /// What it could be.
        allowed: Allowed,
    },
    /// Nothing between two commas, or nothing at all.
    #[error("{origin}: axis {axis} has an empty value: give {allowed}, separated by commas")]
    EmptyValue {
        /// Argument.
        origin: String,
        /// Axis.
        axis: &'static str,
        /// What it could be.
        allowed: Allowed,
    },
    /// A parenthesis without its partner.
    #[error("{origin}: '{text}' has an unpaired parenthesis: close each '(' with a ')'")]
    Unpaired {
        /// Argument.
        origin: String,
        /// The list of values.
        text: String,
    },
    /// Two arguments that name one axis.
    #[error("{second}: axis {axis} is already set by {first}: keep one of the two")]
    SetTwice {
        /// Axis.
        axis: &'static str,
        /// The argument that came first.
        first: String,
        /// The argument that came after it.
        second: String,
    },
    /// An axis of the built-in character beside a MODEL.
    #[error(
        "{origin}: axis {axis} is of the built-in character alone: leave out the axis or MODEL"
    )]
    BuiltInOnly {
        /// Argument.
        origin: String,
        /// Axis.
        axis: &'static str,
    },
    /// A named axis that a named engine contradicts.
    #[error("{origin}: engine {engine} of {engines} has {contrast}: leave out one of the two")]
    EngineConflict {
        /// The argument that names the axis.
        origin: String,
        /// The argument that names the engine.
        engines: String,
        /// Engine.
        engine: &'static str,
        /// The axis with what the engine allows, and what was named.
        contrast: String,
    },
    /// Places without an engine in them.
    #[error("{strategies}: no engine of {engines} runs there: add one of {places}")]
    NoEngine {
        /// The argument that names the engines.
        engines: String,
        /// The argument that names the places.
        strategies: String,
        /// Where the engines run.
        places: String,
    },
    /// Several values where only one can be checked at a time.
    #[error("{origin}: axis {axis} has several values, and this command takes one: give {allowed}")]
    OneValue {
        /// Argument.
        origin: String,
        /// Axis.
        axis: &'static str,
        /// What it could be.
        allowed: Allowed,
    },
    /// No device could run any of the cases.
    #[error("no case can run: {why}: change one of the two")]
    NothingRuns {
        /// Why the first of them cannot.
        why: String,
    },
    /// More cases than [`MAX_CASES`].
    #[error("the axes make {count} cases, more than {MAX_CASES}: name fewer values")]
    TooManyCases {
        /// How many; `usize::MAX` where they were not counted to the end.
        count: usize,
    },
    /// Cases of a user's kernel without one.
    #[error("axis kernel has the value own, and there is no kernel: give --kernel FILE")]
    NoKernel,
    /// A user's kernel that no case would run.
    #[error(
        "--kernel {path}: no case would run it: leave compute among the places and own among the \
         values of axis kernel"
    )]
    IdleKernel {
        /// The file.
        path: String,
    },
    /// A text that is no clip of this character.
    #[error("--clip: {what}: {todo}")]
    Clip {
        /// What is wrong.
        what: String,
        /// What to do.
        todo: String,
    },
    /// A text that is not what its argument asks for.
    #[error("'{text}' is not {wanted}: give {todo}")]
    Malformed {
        /// The text.
        text: String,
        /// What it should be.
        wanted: &'static str,
        /// What to write.
        todo: &'static str,
    },
}

impl PlanError {
    pub(super) fn bad_value(axis: &Axis, value: &str, origin: &str) -> Self {
        Self::BadValue {
            origin: origin.to_owned(),
            axis: axis.name,
            value: shown(value),
            allowed: axis.allowed,
        }
    }
}

/// `text` for a message: control characters escaped, the end cut off beyond 60 characters, so that
/// the message stays one readable line.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut line: String = text.chars().take(LONGEST).map(visible).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

fn visible(character: char) -> String {
    let breaks = matches!(character, '\u{2028}' | '\u{2029}');
    if character.is_control() || breaks {
        character.escape_default().to_string()
    } else {
        character.to_string()
    }
}
