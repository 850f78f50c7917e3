//! clap's messages take several lines; a script's log wants one that says what, where, what to do.

use std::error::Error as _;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::CliError;
use super::args::Args;
use crate::plan::shown;

/// The error as help, or as one line. `command` is the subcommand it concerns, for the advice.
pub(super) fn reduce(error: &clap::Error, command: Option<&str>) -> CliError {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            CliError::Shown(error.render().to_string())
        }
        kind => CliError::Usage(line(error, kind, command)),
    }
}

fn line(error: &clap::Error, kind: ErrorKind, command: Option<&str>) -> String {
    let (what, todo) = match kind {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            ("there is no command".to_owned(), Some(commands()))
        }
        ErrorKind::InvalidSubcommand => unknown_command(error),
        ErrorKind::UnknownArgument => unknown_argument(error),
        ErrorKind::InvalidValue => bad_value(error),
        ErrorKind::ValueValidation => refused_value(error),
        ErrorKind::ArgumentConflict => conflict(error),
        _ => (collapsed(error), None),
    };
    let todo = todo.unwrap_or_else(|| match command {
        Some(name) => format!("see 'skinbench {name} --help'"),
        None => "see 'skinbench --help'".to_owned(),
    });
    format!("{what}: {todo}")
}

/// The advice to give a command.
fn commands() -> String {
    let names = command_names();
    format!("give one of {}; see 'skinbench --help'", names.join(", "))
}

/// The names of all commands, as clap knows them.
pub(super) fn command_names() -> Vec<String> {
    let command = Args::command();
    let names = command.get_subcommands().map(|c| c.get_name().to_owned());
    names.collect()
}

/// What is wrong, and what to do where that is known.
type Said = (String, Option<String>);

fn unknown_command(error: &clap::Error) -> Said {
    let name = text(error, ContextKind::InvalidSubcommand);
    (
        format!("there is no command '{name}'"),
        suggestion(error, ContextKind::SuggestedSubcommand).or_else(|| Some(commands())),
    )
}

fn unknown_argument(error: &clap::Error) -> Said {
    let name = text(error, ContextKind::InvalidArg);
    let what = if name.starts_with('-') {
        format!("there is no argument '{name}' here")
    } else {
        format!("argument '{name}' is one too many")
    };
    (what, suggestion(error, ContextKind::SuggestedArg))
}

fn bad_value(error: &clap::Error) -> Said {
    let argument = text(error, ContextKind::InvalidArg);
    let value = text(error, ContextKind::InvalidValue);
    let valid = all(error, ContextKind::ValidValue);
    if value.is_empty() {
        return (format!("{argument} needs a value"), choice(&valid));
    }
    let todo = suggestion(error, ContextKind::SuggestedValue).or_else(|| choice(&valid));
    (format!("{argument} has no value '{value}'"), todo)
}

fn refused_value(error: &clap::Error) -> Said {
    let argument = text(error, ContextKind::InvalidArg);
    let value = text(error, ContextKind::InvalidValue);
    match error.source() {
        Some(source) => match source.to_string().split_once(": ") {
            Some((what, todo)) => (format!("{argument}: {what}"), Some(todo.to_owned())),
            None => (format!("{argument}: {source}"), None),
        },
        None => (format!("{argument} cannot be '{value}'"), None),
    }
}

fn conflict(error: &clap::Error) -> Said {
    let argument = text(error, ContextKind::InvalidArg);
    match text(error, ContextKind::PriorArg) {
        prior if prior == argument => (
            format!("{argument} is given twice"),
            Some("keep one of the two".to_owned()),
        ),
        prior => (
            format!("{argument} and {prior} exclude each other"),
            Some("keep one of the two".to_owned()),
        ),
    }
}

/// clap's own words up to its usage, on one line.
fn collapsed(error: &clap::Error) -> String {
    let rendered = error.render().to_string();
    let said = rendered
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty());
    let joined = said.collect::<Vec<_>>().join(" ");
    joined.trim_start_matches("error: ").to_owned()
}

fn suggestion(error: &clap::Error, kind: ContextKind) -> Option<String> {
    all(error, kind)
        .first()
        .map(|name| format!("did you mean '{name}'?"))
}

fn choice(valid: &[String]) -> Option<String> {
    let names = valid.join(", ");
    (!valid.is_empty()).then(|| format!("choose one of {names}"))
}

/// The first text that clap holds under `kind`; empty where it holds none.
fn text(error: &clap::Error, kind: ContextKind) -> String {
    all(error, kind).into_iter().next().unwrap_or_default()
}

fn all(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(one)) => vec![shown(one)],
        Some(ContextValue::Strings(many)) => many.iter().map(|one| shown(one)).collect(),
        _ => Vec::new(),
    }
}
