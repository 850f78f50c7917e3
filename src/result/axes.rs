//! The point of the plan that a case stands at.

use std::collections::BTreeMap;

use serde_json::Value;

/// Axis name to its value: a JSON number for counts (`passes`, `instances`), else a text.
pub type Axes = BTreeMap<String, Value>;

/// The value of an axis that means nothing for a place.
pub const NOT_APPLICABLE: &str = "n/a";

/// The value of an axis as people write it: texts without quotes.
pub fn axis_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The value of axis `name` as text, when the axis is there.
pub fn text_of(axes: &Axes, name: &str) -> Option<String> {
    axes.get(name).map(axis_text)
}

/// The value of axis `name` as a number, written as a number or as a text.
pub fn number_of(axes: &Axes, name: &str) -> Option<f64> {
    match axes.get(name)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// `axes` without the named ones.
pub fn without(axes: &Axes, names: &[&str]) -> Axes {
    axes.iter()
        .filter(|(name, _)| !names.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The point that both stand at, or `None` where they differ.
///
/// An axis that is `n/a` (or absent) on one side takes the other's value: a vertex place has no
/// `workgroup`, and is compared with `compute` at each of them. Where only [`ENGINE`] differs, the
/// point has no engine.
pub fn merged(a: &Axes, b: &Axes) -> Option<Axes> {
    let mut point = a.clone();
    for (name, theirs) in b {
        match point.get(name) {
            Some(ours) if name == ENGINE && ours != theirs => drop(point.remove(name)),
            Some(ours) if ours == theirs || is_not_applicable(theirs) => {}
            Some(ours) if !is_not_applicable(ours) => return None,
            _ => {
                point.insert(name.clone(), theirs.clone());
            }
        }
    }
    Some(point)
}

/// The axes that both agree on, where one of them says nothing the other's value; without `names`.
pub fn shared(a: &Axes, b: &Axes, names: &[&str]) -> Axes {
    let agreed = |(name, ours): (&String, &Value)| {
        let theirs = b.get(name)?;
        let value = match is_not_applicable(ours) {
            true => theirs,
            false => ours,
        };
        let agree = ours == theirs || is_not_applicable(ours) || is_not_applicable(theirs);
        agree.then(|| (name.clone(), value.clone()))
    };
    without(&a.iter().filter_map(agreed).collect(), names)
}

/// The axis of engines, whose choices the other axes spell: two cases that agree on those are
/// comparable, whoever named them.
pub const ENGINE: &str = "engine";

/// The value of [`ENGINE`] for a case that is no engine's.
const NO_ENGINE: &str = "default";

/// The engine whose choices the other axes spell; `None` for `default` and without such an axis.
pub fn engine_of(axes: &Axes) -> Option<String> {
    text_of(axes, ENGINE).filter(|engine| engine != NO_ENGINE && engine != NOT_APPLICABLE)
}

fn is_not_applicable(value: &Value) -> bool {
    value.as_str() == Some(NOT_APPLICABLE)
}

/// Whether `a` and `b` stand at one point: [`merged`] without building it.
pub fn compatible(a: &Axes, b: &Axes) -> bool {
    b.iter().all(|(name, theirs)| match a.get(name) {
        _ if name == ENGINE => true,
        Some(ours) => ours == theirs || is_not_applicable(ours) || is_not_applicable(theirs),
        None => true,
    })
}

/// The places in the order in which they are compared: of a pair, the earlier one is `a`.
/// A place that is not listed comes after these, by name.
pub const PLACES: [&str; 6] = [
    "compute",
    "vertex-storage",
    "vertex-uniform",
    "vertex-texture",
    "transform-feedback",
    "cpu",
];

/// A key that sorts places as [`PLACES`] says.
pub fn place_order(place: &str) -> (usize, &str) {
    let known = PLACES.iter().position(|known| *known == place);
    (known.unwrap_or(PLACES.len()), place)
}
