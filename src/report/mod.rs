//! Printing a result: one file a format, all listed in [`FORMATS`].
//!
//! A report is drawn from a [`ResultFile`] alone, on a machine without Vulkan too. What is said is
//! gathered once, in `content`; a format only lays it out.

mod console;
mod content;
mod csv;
mod json;
mod markdown;
#[cfg(test)]
mod tests;
mod units;

use std::io::IsTerminal;

use crate::result::ResultFile;

/// The first line of every report of a software driver.
pub const SOFTWARE_DRIVER: &str = "software Vulkan driver: says nothing about any GPU";

/// How a report may be laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal; `None` = as wide as it needs.
    pub width: Option<u16>,
    /// Whether colours may be used.
    pub colour: bool,
}

impl Style {
    /// What suits standard output: no colours and no width when it is not a terminal, no colours
    /// when `NO_COLOR` is set.
    pub fn of_stdout() -> Self {
        if !std::io::stdout().is_terminal() {
            return Self::default();
        }
        Self {
            width: comfy_table::Table::new().width(),
            colour: std::env::var_os("NO_COLOR").is_none(),
        }
    }
}

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The result cannot be written as JSON.
    #[error("cannot print the result as JSON: {0}: please report this")]
    Json(#[from] serde_json::Error),
    /// There is no such format.
    #[error("no format `{given}`: use one of {known}")]
    Unknown {
        /// What was asked for.
        given: String,
        /// What there is.
        known: String,
    },
}

/// One way to lay a result out as text.
pub trait Format: Sync {
    /// The word for `--format`.
    fn name(&self) -> &'static str;

    /// The whole text, ending in a line break.
    ///
    /// # Errors
    /// The result cannot be put into this format.
    fn render(&self, file: &ResultFile, style: &Style) -> Result<String, ReportError>;
}

/// Every format, in the order in which help lists them.
pub static FORMATS: [&dyn Format; 4] = [
    &console::Console,
    &json::Json,
    &markdown::Markdown,
    &csv::Csv,
];

/// The format called `name`.
///
/// # Errors
/// There is none; the message lists what there is.
pub fn format(name: &str) -> Result<&'static dyn Format, ReportError> {
    let found = FORMATS.into_iter().find(|format| format.name() == name);
    found.ok_or_else(|| ReportError::Unknown {
        given: name.to_owned(),
        known: FORMATS.map(|format| format.name()).join(", "),
    })
}
