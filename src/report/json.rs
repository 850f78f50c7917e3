//! The result file itself.

use super::{Format, ReportError, Style};
use crate::result::{ResultFile, store};

/// `--format json`.
pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn render(&self, file: &ResultFile, _style: &Style) -> Result<String, ReportError> {
        Ok(store::to_json(file)?)
    }
}
