//! Tables for a terminal.

use comfy_table::{Cell, Color, ContentArrangement, LineStyle, Table, presets};

use super::content::{Grid, Lines, content};
use super::{Format, ReportError, Style};
use crate::result::ResultFile;

/// `--format table`.
pub(super) struct Console;

impl Format for Console {
    fn name(&self) -> &'static str {
        "table"
    }

    fn render(&self, file: &ResultFile, style: &Style) -> Result<String, ReportError> {
        let content = content(file);
        let mut text = content.head.join("\n");
        text.push('\n');
        for grid in [
            &content.stages,
            &content.ratios,
            &content.engines,
            &content.axes,
        ] {
            push_grid(&mut text, grid, style);
        }
        for lines in [&content.missing, &content.warnings, &content.conclusions] {
            push_lines(&mut text, lines);
        }
        Ok(text)
    }
}

fn push_grid(text: &mut String, grid: &Grid, style: &Style) {
    if grid.rows.is_empty() {
        return;
    }
    let mut table = Table::new();
    // Rows of one line need no rules between them.
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = style.width {
        table.set_width(width);
    } else {
        table.set_content_arrangement(ContentArrangement::Disabled);
    }
    if style.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table.set_header(&grid.columns);
    for row in &grid.rows {
        table.add_row(row.iter().map(|cell| coloured(cell, style)));
    }
    text.push_str(&format!("\n{}\n{}\n", grid.title, table.trim_fmt()));
}

/// Verdicts in colour: green for faster, red for slower, yellow for unclear.
fn coloured(cell: &str, style: &Style) -> Cell {
    let verdicts = [
        ("faster", Color::Green),
        ("slower", Color::Red),
        ("unclear", Color::Yellow),
    ];
    let found = verdicts.into_iter().find(|(word, _)| cell.ends_with(word));
    match found {
        Some((_, colour)) if style.colour => Cell::new(cell).fg(colour),
        _ => Cell::new(cell),
    }
}

fn push_lines(text: &mut String, lines: &Lines) {
    if lines.lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n{}\n", lines.title));
    for line in &lines.lines {
        text.push_str(&format!("  {line}\n"));
    }
}
