//! What reports must say, and what device and file names must not break.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::units::{percent, rate, ratio, time};
use super::*;
use crate::result::{
    Case, Clock, DeviceKind, Reason, ReasonKind, Stage, Stages, Status, StopReason, conclude,
};

fn stage(ns: f64) -> Option<Stage> {
    Some(Stage {
        clock: Clock::Gpu,
        median_ns: ns,
        ci95_ns: [0.99 * ns, 1.01 * ns],
        samples_ns: vec![ns; 20],
        repeats: 1,
    })
}

fn case(place: &str, passes: u32, ns: f64) -> Case {
    let axes = [
        ("strategy", json!(place)),
        ("passes", json!(passes)),
        ("instances", json!(1)),
    ];
    Case {
        id: format!("{place}/passes={passes}"),
        axes: axes
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        status: Status::Measured,
        stages: Stages {
            frame_gpu: stage(ns),
            frame_wall: stage(2.0 * ns),
            ..Stages::default()
        },
        rounds: (0..20).map(|round| [0, round]).collect(),
        stop_reason: Some(StopReason::Converged),
        ..Case::default()
    }
}

fn file() -> ResultFile {
    let mut file = ResultFile::default();
    file.environment.device.name = "A | B <i>".to_owned();
    file.environment.device.kind = DeviceKind::Cpu;
    for passes in [1, 2, 4, 8] {
        let n = f64::from(passes);
        file.cases
            .push(case("compute", passes, 1e6 * (10.0 + 2.0 * n)));
        file.cases
            .push(case("vertex-storage", passes, 1e6 * (4.0 + 4.0 * n)));
    }
    let mut twin = case("compute", 1, 12e6);
    twin.id.push_str("/aa");
    file.cases.push(twin);
    let mut skipped = case("vertex-uniform", 1, 1.0);
    skipped.status = Status::Skipped;
    skipped.stages = Stages::default();
    let reason = Reason::new(
        ReasonKind::Limit,
        "maxUniformBufferRange",
        "the palette is too big",
    );
    skipped.reason = Some(reason.with(65536, 16384));
    file.cases.push(skipped);
    file.warnings.push("3 vertices, \"odd\" ones".to_owned());
    conclude(&mut file);
    file
}

fn render(name: &str) -> String {
    format(name)
        .unwrap()
        .render(&file(), &Style::default())
        .unwrap()
}

#[test]
fn people_read_three_digits() {
    let plain = |text: String| text.replace('\u{a0}', " ");
    assert_eq!(plain(time(2_046_000.0)), "2.05 ms");
    assert_eq!(plain(time(999.6)), "1.00 µs");
    assert_eq!(plain(time(123.4)), "123 ns");
    assert_eq!(plain(time(0.0)), "0.00 ns");
    assert_eq!(plain(time(61.5e9)), "61.5 s");
    assert_eq!(plain(time(f64::NAN)), "–");
    assert_eq!(plain(rate(12.34e6)), "12.3 M/s");
    assert_eq!(plain(percent(0.0129)), "1.3 %");
    assert_eq!(plain(percent(0.129)), "13 %");
    assert_eq!(plain(percent(1.294)), "129 %");
    assert_eq!(plain(percent(0.0)), "0.0 %");
    assert_eq!(ratio(0.99949), "0.999");
    assert_eq!(ratio(12.345), "12.3");
}

#[test]
fn a_software_driver_is_named_first_in_every_text() {
    for name in ["table", "markdown", "csv"] {
        let text = render(name);
        assert!(
            text.lines().next().unwrap().contains(SOFTWARE_DRIVER),
            "{name}: {text}"
        );
    }
    let mut hardware = file();
    hardware.environment.device.kind = DeviceKind::Virtual;
    for format in FORMATS {
        let text = format.render(&hardware, &Style::default()).unwrap();
        assert!(!text.contains(SOFTWARE_DRIVER), "{}", format.name());
    }
}

#[test]
fn every_text_says_who_wins_what_is_missing_and_how_sure_it_is() {
    for name in ["table", "markdown", "csv"] {
        let text = render(name).replace(['\\', '\u{a0}'], "");
        for phrase in [
            "compute overtakes vertex-storage from 3 passes, by frame_gpu",
            "A/A by frame_gpu",
            "the palette is too big (maxUniformBufferRange: needs 65536, has 16384)",
            "\"odd\" ones",
        ] {
            let quoted = phrase.replace('"', "\"\"");
            assert!(
                text.contains(phrase) || text.contains(&quoted),
                "{name}: {phrase}: {text}"
            );
        }
    }
    let table = render("table");
    assert!(table.contains("0.667 (0.667–0.667) faster"), "{table}");
    assert!(table.contains("1.38 (1.38–1.38) slower"), "{table}");
}

#[test]
fn engines_and_axes_have_tables_of_their_own() {
    let mut file = file();
    let off = |id: &str, axis: &str, value: &str, ns| {
        let mut off = case("compute", 1, ns);
        off.axes.insert(axis.to_owned(), json!(value));
        off.id = id.to_owned();
        off
    };
    file.cases.push(off(
        "compute/passes=1/palette=mat4",
        "palette",
        "mat4",
        24e6,
    ));
    let mut godot = off("compute/engine=godot/passes=1", "engine", "godot", 6e6);
    godot.partners = vec![
        "compute/passes=1".to_owned(),
        "vertex-storage/passes=1".to_owned(),
    ];
    file.cases.push(godot);
    file.cases[0]
        .axes
        .insert("palette".to_owned(), json!("rows3x4"));
    conclude(&mut file);
    for name in ["table", "markdown"] {
        let text = format(name)
            .unwrap()
            .render(&file, &Style::default())
            .unwrap();
        let line = |parts: &[&str]| {
            let has = |line: &str| parts.iter().all(|part| line.contains(part));
            assert!(text.lines().any(has), "{parts:?}: {text}");
        };
        line(&[
            "mat4 by rows3x4",
            "compute",
            "passes=1",
            "2.00 (2.00–2.00) slower",
        ]);
        line(&[
            "godot, compute",
            "default, compute",
            "0.500 (0.500–0.500) faster",
        ]);
        line(&[
            "godot, compute",
            "default, vertex-storage",
            "0.750 (0.750–0.750) faster",
        ]);
    }
}

#[test]
fn an_axis_without_meaning_in_a_place_has_no_column() {
    let mut file = file();
    for case in &mut file.cases {
        let value = if case.id.starts_with("compute") {
            json!(64)
        } else {
            json!("n/a")
        };
        case.axes.insert("workgroup".to_owned(), value);
    }
    conclude(&mut file);
    let table = format("table")
        .unwrap()
        .render(&file, &Style::default())
        .unwrap();
    assert!(!table.contains("workgroup"), "{table}");
}

#[test]
fn places_with_axes_of_their_own_share_a_row() {
    let mut file = file();
    file.cases.retain(|case| case.status == Status::Measured);
    file.cases.push(case("vertex-uniform", 1, 18e6));
    for case in &mut file.cases {
        let uniform = case.id.starts_with("vertex-uniform");
        let value = if uniform { "off" } else { "n/a" };
        case.axes.insert("partition".to_owned(), json!(value));
    }
    conclude(&mut file);
    let content = super::content::content(&file);
    assert_eq!(content.ratios.rows.len(), 4, "{:?}", content.ratios.rows);
    let cells = content.ratios.rows[0].join(" ");
    assert!(cells.contains("0.667") && cells.contains("1.50"), "{cells}");
}

#[test]
fn only_axes_that_vary_have_a_column() {
    let table = render("table");
    assert!(
        table.contains("passes") && !table.contains("instances"),
        "{table}"
    );
    assert!(
        !table.contains("palette  "),
        "an empty stage has no column: {table}"
    );
}

#[test]
fn nothing_is_coloured_unless_asked_for() {
    assert!(!render("table").contains('\u{1b}'));
    let style = Style {
        width: Some(100),
        colour: true,
    };
    let text = format("table").unwrap().render(&file(), &style).unwrap();
    assert!(text.contains('\u{1b}'));
}

#[test]
fn a_table_fits_its_terminal() {
    let style = Style {
        width: Some(80),
        colour: false,
    };
    let text = format("table").unwrap().render(&file(), &style).unwrap();
    let tables = text
        .lines()
        .filter(|line| line.contains('─') || line.contains('┆'));
    for line in tables {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn markdown_escapes_names_and_keeps_its_columns() {
    let text = render("markdown");
    assert!(text.contains("A \\| B \\<i\\>"), "{text}");
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    for block in text.split("\n\n").filter(|block| block.starts_with('|')) {
        let counts: Vec<usize> = block.lines().map(bars).collect();
        assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{block}");
    }
}

#[test]
fn csv_has_one_line_a_case_with_as_many_cells_as_columns() {
    let text = render("csv");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 1 + file().cases.len());
    let commas = |line: &str| {
        let mut quoted = false;
        let outside = line.chars().filter(|letter| {
            quoted ^= *letter == '"';
            *letter == ',' && !quoted
        });
        outside.count()
    };
    for line in &lines {
        assert_eq!(commas(line), commas(lines[0]), "{line}");
    }
}

#[test]
fn json_is_the_file() {
    let parsed: ResultFile = serde_json::from_str(&render("json")).unwrap();
    assert_eq!(parsed, file());
}

#[test]
fn an_empty_result_prints_in_every_format() {
    for format in FORMATS {
        let text = format
            .render(&ResultFile::default(), &Style::default())
            .unwrap();
        assert!(text.ends_with('\n'), "{}", format.name());
    }
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    let error = super::format("yaml").err().unwrap().to_string();
    assert!(
        error.contains("`yaml`") && error.contains("table, json, markdown, csv"),
        "{error}"
    );
}
