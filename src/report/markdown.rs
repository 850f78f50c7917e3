//! Markdown, for issues and READMEs.

use super::content::{Grid, Lines, content};
use super::{Format, ReportError, Style};
use crate::result::ResultFile;

/// `--format markdown`.
pub(super) struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn render(&self, file: &ResultFile, _style: &Style) -> Result<String, ReportError> {
        let content = content(file);
        let head: Vec<String> = content.head.iter().map(|line| escaped(line)).collect();
        let mut text = format!("{}\n", head.join("  \n"));
        push_lines(&mut text, &content.conclusions);
        for grid in [
            &content.ratios,
            &content.engines,
            &content.axes,
            &content.stages,
        ] {
            push_grid(&mut text, grid);
        }
        for lines in [&content.missing, &content.warnings] {
            push_lines(&mut text, lines);
        }
        Ok(text)
    }
}

fn push_grid(text: &mut String, grid: &Grid) {
    if grid.rows.is_empty() {
        return;
    }
    text.push_str(&format!("\n### {}\n\n", escaped(&grid.title)));
    text.push_str(&row(&grid.columns));
    text.push_str(&format!("|{}\n", " --- |".repeat(grid.columns.len())));
    for cells in &grid.rows {
        text.push_str(&row(cells));
    }
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn push_lines(text: &mut String, lines: &Lines) {
    if lines.lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n### {}\n\n", escaped(&lines.title)));
    for line in &lines.lines {
        text.push_str(&format!("- {}\n", escaped(line)));
    }
}

/// Names of devices and files must not become markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}
