//! CSV (RFC 4180) for spreadsheets and scripts: plain numbers in the file's units.
//!
//! Lines that are not cells begin with `#`: first what was measured, at the end what follows from
//! it. Between them one line a case, skipped ones too; what was not measured is an empty cell.

use std::collections::BTreeSet;

use super::content::{content, why};
use super::{Format, ReportError, Style};
use crate::result::{Case, ResultFile, Stages, Status, axis_text};

/// `--format csv`.
pub(super) struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn render(&self, file: &ResultFile, _style: &Style) -> Result<String, ReportError> {
        let content = content(file);
        let axes: BTreeSet<&str> = file
            .cases
            .iter()
            .flat_map(|case| case.axes.keys().map(String::as_str))
            .collect();
        let mut text = comments(&content.head);
        text.push_str(&line(columns(&axes)));
        for case in &file.cases {
            text.push_str(&line(cells(case, &axes)));
        }
        text.push_str(&comments(&content.conclusions.lines));
        text.push_str(&comments(&content.warnings.lines));
        Ok(text)
    }
}

fn columns(axes: &BTreeSet<&str>) -> Vec<String> {
    let mut columns = vec!["id".to_owned()];
    columns.extend(axes.iter().map(|axis| (*axis).to_owned()));
    columns.extend(["status", "reason"].map(str::to_owned));
    for stage in Stages::NAMES {
        columns.extend(["median", "low", "high"].map(|what| format!("{stage}_{what}_ns")));
    }
    columns.extend(["vertices_per_s", "max_position_error", "samples"].map(str::to_owned));
    columns
}

fn cells(case: &Case, axes: &BTreeSet<&str>) -> Vec<String> {
    let mut cells = vec![case.id.clone()];
    cells.extend(
        axes.iter()
            .map(|axis| case.axes.get(*axis).map(axis_text).unwrap_or_default()),
    );
    cells.push(case.status.name().to_owned());
    cells.push(if case.status == Status::Measured {
        String::new()
    } else {
        why(case)
    });
    for stage in case.stages.list() {
        let numbers = stage
            .as_ref()
            .map(|stage| [stage.median_ns, stage.ci95_ns[0], stage.ci95_ns[1]]);
        cells.extend(match numbers {
            Some(numbers) => numbers.map(|number| number.to_string()),
            None => [const { String::new() }; 3],
        });
    }
    let error = case
        .verification
        .as_ref()
        .and_then(|seen| seen.max_position_error);
    let optional =
        |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    cells.extend([
        optional(case.vertices_per_s),
        optional(error),
        case.rounds.len().to_string(),
    ]);
    cells
}

fn line(cells: Vec<String>) -> String {
    let quoted: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\n", quoted.join(","))
}

fn quoted(cell: &str) -> String {
    match cell.contains(['"', ',', '\n', '\r', '#']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

fn comments(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| format!("# {}\n", line.replace(['\n', '\r'], " ")))
        .collect()
}
