//! One point of the cartesian product, and its stable identifier.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde_json::{Map, Value as Json};

use super::axes::STRATEGY;
use super::{Axis, Place, Value};

/// One axis and the value a case has on it.
#[derive(Clone, Debug)]
struct Setting {
    axis: &'static Axis,
    value: Value,
}

impl Setting {
    fn key(&self) -> (&'static str, &Value) {
        (self.axis.name, &self.value)
    }

    /// The same, with the default in place of `n/a` (what the place does without the axis) and of
    /// values that draw what the default draws.
    fn shown(&self) -> Self {
        let as_default = match &self.value {
            Value::NotApplicable => true,
            Value::Word(name) => self.axis.alike.contains(&name.as_ref()),
            Value::Number(_) => false,
        };
        let value = match as_default {
            true => &self.axis.default,
            false => &self.value,
        };
        Self {
            value: value.clone(),
            ..*self
        }
    }

    fn is_news(&self) -> bool {
        self.value != self.axis.default && self.value != Value::NotApplicable
    }
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Setting {}

impl PartialOrd for Setting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Setting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Setting {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Why no device at all could run a case: the fields of a result's `reason`, kind `n/a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The axis that forbids it.
    pub name: &'static str,
    /// What it needs.
    pub need: String,
    /// What the case has.
    pub have: String,
}

impl fmt::Display for Impossible {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} needs {}, not {}", self.name, self.need, self.have)
    }
}

/// One point of the cartesian product of all axes.
///
/// Equality, order and hash go by the values of all axes, and by whether it is the A/A twin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    /// One entry an axis, sorted by name.
    settings: Vec<Setting>,
    twin: bool,
}

impl Case {
    /// The case of one value an axis. An axis that means nothing for the place or for a MODEL
    /// (`model`) becomes `n/a`, so that two cases that differ in it alone are equal.
    pub(super) fn new(
        values: impl IntoIterator<Item = (&'static Axis, Value)>,
        model: bool,
    ) -> Self {
        let mut settings: Vec<_> = values
            .into_iter()
            .map(|(axis, value)| Setting { axis, value })
            .collect();
        settings.sort();
        let mut case = Self {
            settings,
            twin: false,
        };
        let place = case.place();
        for setting in &mut case.settings {
            let applies = (setting.axis.applies)(place) && !(model && setting.axis.built_in_only);
            if !applies {
                setting.value = Value::NotApplicable;
            }
        }
        case
    }

    /// The value on the axis of that name; `None` where the case has no such axis.
    pub fn value(&self, axis: &str) -> Option<&Value> {
        let found = self.settings.iter().find(|s| s.axis.name == axis);
        found.map(|setting| &setting.value)
    }

    /// Every axis with its value, sorted by name.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&'static Axis, &Value)> {
        self.settings.iter().map(|s| (s.axis, &s.value))
    }

    /// The number on `axis`: its default where the case says nothing, `None` where it is `n/a`.
    pub(super) fn number(&self, axis: &Axis) -> Option<u32> {
        match self.value(axis.name).unwrap_or(&axis.default) {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The name on `axis`: its default where the case says nothing, `None` where it is `n/a`.
    pub(super) fn word<'a>(&'a self, axis: &'a Axis) -> Option<&'a str> {
        match self.value(axis.name).unwrap_or(&axis.default) {
            Value::Word(name) => Some(name),
            _ => None,
        }
    }

    /// The stable, readable identifier: `strategy/axis=value/…`, axes sorted by name, values that
    /// differ from the defaults alone; the A/A twin ends in `/aa`.
    ///
    /// `n/a` is left out: the place (or the MODEL) implies it, and an axis added later that means
    /// nothing here must not change the identifier.
    pub fn id(&self) -> String {
        let mut id = self.place().name().to_owned();
        for setting in self.settings.iter().filter(|s| s.axis.name != STRATEGY) {
            if setting.is_news() {
                id.push_str(&format!("/{}={}", setting.axis.name, setting.value));
            }
        }
        if self.twin {
            id.push_str("/aa");
        }
        id
    }

    /// All axes with their values, defaults and `n/a` included, as the result's `axes` holds them.
    pub fn axes(&self) -> Map<String, Json> {
        self.axes_without(&[]).to_json()
    }

    /// What is left of the axes when those named are set aside: the key under which to group.
    /// The twin has the key of its original; ask [`Case::is_aa`] to keep it out.
    pub fn axes_without(&self, names: &[&str]) -> AxesKey {
        let kept = self.settings.iter();
        let kept = kept.filter(|setting| !names.contains(&setting.axis.name));
        AxesKey(kept.cloned().collect())
    }

    /// What the picture and its vertices depend on: the axes that do not change only how they come
    /// about, with `n/a` taken as the default. Cases with one key must draw the same.
    pub fn comparison_key(&self) -> AxesKey {
        let shown = self.settings.iter().filter(|s| !s.axis.how_only);
        AxesKey(shown.map(Setting::shown).collect())
    }

    /// Whether this is the A/A twin: the same case entered a second time.
    pub fn is_aa(&self) -> bool {
        self.twin
    }

    /// The A/A twin of this case.
    pub(super) fn twin(&self) -> Self {
        Self {
            twin: true,
            ..self.clone()
        }
    }

    /// The case that an A/A twin repeats; any other case itself.
    pub fn original(&self) -> Self {
        Self {
            twin: false,
            ..self.clone()
        }
    }

    /// The same axes point in another place, never an A/A twin. An axis that means something only
    /// there takes its default; one that means something only here becomes `n/a`.
    pub fn with(&self, place: Place) -> Self {
        let mut other = self.original();
        for setting in &mut other.settings {
            let axis = setting.axis;
            let meant = (axis.applies)(self.place());
            if axis.name == STRATEGY {
                setting.value = Value::word(place.name());
            } else if !(axis.applies)(place) {
                setting.value = Value::NotApplicable;
            } else if !meant {
                setting.value = axis.default.clone();
            }
        }
        other
    }

    /// Why no device at all could run this case; `None` for one that some device may run.
    pub fn impossible(&self) -> Option<Impossible> {
        self.settings.iter().find_map(|s| (s.axis.impossible)(self))
    }
}

impl fmt::Display for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.id())
    }
}

/// A point on some of the axes: what cases that belong together have in common.
///
/// Its `Display` names the values that differ from the defaults, or says `defaults`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AxesKey(Vec<Setting>);

impl AxesKey {
    /// The axes as the result holds them.
    pub fn to_json(&self) -> Map<String, Json> {
        let entries = self.0.iter();
        entries
            .map(|s| (s.axis.name.to_owned(), s.value.to_json()))
            .collect()
    }
}

impl fmt::Display for AxesKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let news: Vec<_> = self
            .0
            .iter()
            .filter(|setting| setting.is_news())
            .map(|setting| format!("{}={}", setting.axis.name, setting.value))
            .collect();
        match news.as_slice() {
            [] => out.pad("defaults"),
            _ => out.pad(&news.join(" ")),
        }
    }
}
