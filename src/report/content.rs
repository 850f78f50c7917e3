//! What a report says, before any format lays it out.

mod comparisons;
mod conclusions;
mod stages;

use std::collections::{BTreeMap, BTreeSet};

use super::SOFTWARE_DRIVER;
use super::units::percent;
use crate::result::{
    Axes, Case, DeviceKind, NOT_APPLICABLE, ResultFile, Status, StopReason, TimeSource, axis_text,
    is_twin, text_of,
};

/// Rows of text under a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grid {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// Lines of text under a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub title: String,
    pub lines: Vec<String>,
}

/// A report, format-neutral.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// Device and kind first; with a software driver a line before it that says so.
    pub head: Vec<String>,
    /// One row a measured case.
    pub stages: Grid,
    /// Places against `compute`.
    pub ratios: Grid,
    /// Engines against `default`.
    pub engines: Grid,
    /// Values of an axis against its default.
    pub axes: Grid,
    /// Crossovers, and how sure they are.
    pub conclusions: Lines,
    /// What was not measured, and why.
    pub missing: Lines,
    /// What to know before believing it.
    pub warnings: Lines,
}

/// Everything that a report of `file` says.
pub(super) fn content(file: &ResultFile) -> Content {
    let varying = Varying::of(file);
    Content {
        head: head(file),
        stages: stages::grid(file, &varying),
        ratios: conclusions::ratios(file, &varying),
        engines: comparisons::engines(file, &varying),
        axes: comparisons::axes(file),
        conclusions: conclusions::crossovers(file, &varying),
        missing: missing(file),
        warnings: warnings(file),
    }
}

/// The first lines: what was measured, on what, how long.
pub(super) fn head(file: &ResultFile) -> Vec<String> {
    let device = &file.environment.device;
    let driver = &device.driver;
    let mut head = Vec::new();
    if device.kind == DeviceKind::Cpu {
        head.push(SOFTWARE_DRIVER.to_owned());
    }
    let driver = [&driver.name, &driver.info].map(String::as_str).join(" ");
    let device = format!(
        "device: {} ({}), {}",
        device.name,
        device.kind.name(),
        driver
    );
    head.push(device.trim_end_matches([' ', ',']).to_owned());
    let scene = &file.scene;
    let render = &scene.render;
    head.push(format!(
        "scene: {}, {} vertices, {} joints, {}×{} pixels",
        scene.source, scene.vertices, scene.joints, render.width, render.height
    ));
    head.push(timing(file));
    if let Some(assumed) = &file.environment.assumed {
        head.push(format!(
            "limits assumed from {}, not the device's own",
            assumed.file
        ));
    }
    head
}

/// "40 rounds (converged), 99.3 % intervals, times from GPU timestamps".
fn timing(file: &ResultFile) -> String {
    let timing = &file.timing;
    let stops: BTreeSet<StopReason> = file
        .cases
        .iter()
        .filter_map(|case| case.stop_reason)
        .collect();
    let stops: Vec<&str> = stops.into_iter().map(StopReason::name).collect();
    let stops = if stops.is_empty() {
        "not ended"
    } else {
        &stops.join(", ")
    };
    let source = match timing.source {
        TimeSource::GpuTimestamps => "GPU timestamps",
        TimeSource::Fence => "the fence's wall time: this queue has no usable timestamps",
    };
    let confidence = timing.confidence.map_or(String::new(), |confidence| {
        format!(", {} intervals", confidence_text(confidence))
    });
    format!(
        "timing: {} rounds ({stops}){confidence}, times from {source}",
        timing.rounds
    )
}

/// 0.99286 as `99.3 %`: never rounded up to 100.
fn confidence_text(confidence: f64) -> String {
    format!("{:.1}\u{a0}%", (confidence * 1000.0).floor() / 10.0)
}

/// Cases that are not `measured`, those with one reason in one line.
fn missing(file: &ResultFile) -> Lines {
    let mut groups: BTreeMap<(Status, String), Vec<&str>> = BTreeMap::new();
    for case in file
        .cases
        .iter()
        .filter(|case| case.status != Status::Measured)
    {
        groups
            .entry((case.status, why(case)))
            .or_default()
            .push(&case.id);
    }
    let line = |((status, why), ids): ((Status, String), Vec<&str>)| {
        format!("{}: {}: {why}", status.name(), ids.join(", "))
    };
    Lines {
        title: "Not measured".to_owned(),
        lines: groups.into_iter().map(line).collect(),
    }
}

/// A reason as text: its message, with what was needed and what there was.
pub(super) fn why(case: &Case) -> String {
    let Some(reason) = &case.reason else {
        return "no reason recorded".to_owned();
    };
    match (&reason.need, &reason.have) {
        (Some(need), Some(have)) => format!(
            "{} ({}: needs {}, has {})",
            reason.message,
            reason.name,
            axis_text(need),
            axis_text(have)
        ),
        _ => reason.message.clone(),
    }
}

/// The file's own warnings, those of the scene, and what follows from statuses and rounds.
fn warnings(file: &ResultFile) -> Lines {
    let mut lines: Vec<String> = file.warnings.clone();
    lines.extend(file.scene.warnings.iter().cloned());
    let count =
        |counts: &dyn Fn(&Case) -> bool| file.cases.iter().filter(|case| counts(case)).count();
    let invalid = count(&|case| case.status == Status::Invalid);
    if invalid > 0 {
        lines.push(format!(
            "{invalid} case(s) put vertices in the wrong place and were not timed"
        ));
    }
    let few = count(&|case| case.stop_reason == Some(StopReason::TooFewRounds));
    if few > 0 {
        lines.push(format!(
            "{few} case(s) have fewer than ten rounds: medians without verdicts"
        ));
    }
    lines.dedup();
    Lines {
        title: "Warnings".to_owned(),
        lines,
    }
}

/// Axes (without `strategy`) that have more than one value among the cases that are no twins.
pub(super) struct Varying {
    names: Vec<String>,
    /// The default of each axis that has a text for a value, as far as the cases tell.
    defaults: BTreeMap<String, String>,
}

impl Varying {
    fn of(file: &ResultFile) -> Self {
        let mut values: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for case in file.cases.iter().filter(|case| !is_twin(case)) {
            for (name, value) in &case.axes {
                // What a place has no choice in does not tell it from the others.
                let value = Some(axis_text(value)).filter(|text| text != NOT_APPLICABLE);
                values.entry(name).or_default().extend(value);
            }
        }
        let several = values
            .into_iter()
            .filter(|(name, values)| *name != "strategy" && values.len() > 1);
        let mut names: Vec<String> = several.map(|(name, _)| name.to_owned()).collect();
        // The number of passes is what crossovers run over: it stands last.
        names.sort_by_key(|name| name == "passes");
        Self {
            names,
            defaults: defaults(file),
        }
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    /// The value of each varying axis, in the order of [`Varying::names`].
    fn values(&self, axes: &Axes) -> Vec<String> {
        let value = |name: &String| {
            axes.get(name)
                .map_or(super::units::NONE.to_owned(), axis_text)
        };
        self.names.iter().map(value).collect()
    }

    /// "instances=16 normals=direct": the varying axes that have a value there, but for texts that are
    /// the default.
    fn named(&self, axes: &Axes) -> String {
        let texts = self.names.iter().filter_map(|name| {
            let text = text_of(axes, name).filter(|text| text != NOT_APPLICABLE)?;
            (self.defaults.get(name) != Some(&text)).then(|| format!("{name}={text}"))
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// "instances=16: " for a statement about one point of several; empty when there is but one.
    fn prefix(&self, axes: &Axes) -> String {
        match self.named(axes) {
            named if !named.is_empty() => format!("{named}: "),
            _ if self.names.iter().any(|name| name != "passes") => {
                "with every varied axis at its default: ".to_owned()
            }
            named => named,
        }
    }
}

/// The default of each axis whose values are texts: an identifier names what differs from it, so a
/// value that a case has without naming it is the default.
fn defaults(file: &ResultFile) -> BTreeMap<String, String> {
    let unnamed = |case: &Case| {
        let id = case.id.clone();
        let texts = case.axes.iter().filter(|(_, value)| value.is_string());
        let of = move |(name, value): (&String, &serde_json::Value)| {
            let text = axis_text(value);
            let named = id.contains(&format!("/{name}=")) || text == NOT_APPLICABLE;
            (!named).then(|| (name.clone(), text))
        };
        texts.filter_map(of).collect::<Vec<_>>()
    };
    file.cases.iter().flat_map(unnamed).collect()
}

/// What the A/A comparison allows to say.
pub(super) fn detectable(file: &ResultFile) -> Vec<String> {
    let line = |twin: &crate::result::SelfComparison| {
        format!(
            "A/A by {}: {} against itself is {} ({}–{}): no difference below {} is called one",
            twin.metric.name(),
            twin.id,
            super::units::ratio(twin.median),
            super::units::ratio(twin.ci95[0]),
            super::units::ratio(twin.ci95[1]),
            percent(twin.minimum_detectable_effect)
        )
    };
    let lines: Vec<String> = file.timing.self_comparisons.iter().map(line).collect();
    match lines.is_empty() {
        true => vec!["no A/A comparison over ten rounds: no differences are called".to_owned()],
        false => lines,
    }
}
