//! A request as plain data: what was asked, not yet validated.

use std::path::PathBuf;
use std::time::Duration;

use super::axes::{self, STRATEGY};
use super::error::shown;
use super::{Axis, ClipChoice, PlanError, Preset, Resolution, Value};

/// What was asked of `run`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRequest {
    /// A `.gltf` or `.glb` file; absent = the built-in character.
    pub model: Option<PathBuf>,
    /// Values for every axis that is not named.
    pub preset: Preset,
    /// The axes named, in the order of the arguments.
    pub axes: Vec<AxisRequest>,
    /// Size of the render targets.
    pub resolution: Resolution,
    /// The clip to play; absent = the first.
    pub clip: Option<ClipChoice>,
    /// Bound of the whole run; absent = the preset's.
    pub time_limit: Option<Duration>,
    /// Seed of every random choice; absent = a fresh one.
    pub seed: Option<u64>,
    /// A compute kernel of the user's own: a `.spv` or `.comp` file.
    pub kernel: Option<PathBuf>,
}

/// An axis that an argument named, with the values it is to take.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// The axis.
    pub axis: &'static Axis,
    /// In the order of the axis, at least one.
    pub values: Vec<Value>,
    /// The argument, for messages.
    pub origin: String,
}

/// One argument that names values of one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisRequest {
    origin: String,
    axis: String,
    values: String,
}

impl AxisRequest {
    /// A flag that stands for one axis, such as `--passes 1,2`.
    pub fn flag(flag: &str, axis: &str, values: &str) -> Self {
        Self {
            origin: flag.to_owned(),
            axis: axis.to_owned(),
            values: values.to_owned(),
        }
    }

    /// `--strategies a,b`.
    pub fn strategies(values: &str) -> Self {
        Self::flag("--strategies", STRATEGY, values)
    }

    /// `--passes 1,2,4`.
    pub fn passes(values: &str) -> Self {
        Self::flag("--passes", "passes", values)
    }

    /// `--instances 1,100`.
    pub fn instances(values: &str) -> Self {
        Self::flag("--instances", "instances", values)
    }

    /// The argument of `--axis`: `NAME=V1,V2`.
    ///
    /// # Errors
    /// [`PlanError::NotAnAxis`] where there is no name or no `=`.
    pub fn axis(text: &str) -> Result<Self, PlanError> {
        match text.split_once('=') {
            Some((name, values)) if !name.trim().is_empty() => Ok(Self::flag(
                &format!("--axis {}", shown(text)),
                name.trim(),
                values,
            )),
            _ => Err(PlanError::NotAnAxis {
                origin: "--axis".to_owned(),
                text: shown(text),
            }),
        }
    }

    /// The axis and its values: repeats merged, in the order of the axis.
    pub(super) fn resolve(&self, known: &[&'static Axis]) -> Result<Named, PlanError> {
        let axis = axes::find(known, &self.axis).ok_or_else(|| self.unknown(known))?;
        let texts = split(&self.values).ok_or_else(|| PlanError::Unpaired {
            origin: self.origin.clone(),
            text: shown(&self.values),
        })?;
        if texts.contains(&"") {
            return Err(PlanError::EmptyValue {
                origin: self.origin.clone(),
                axis: axis.name,
                allowed: axis.allowed,
            });
        }
        Ok(Named {
            axis,
            values: axis.parse_all(texts, &self.origin)?,
            origin: self.origin.clone(),
        })
    }

    fn unknown(&self, known: &[&'static Axis]) -> PlanError {
        let names: Vec<_> = known.iter().map(|axis| axis.name).collect();
        PlanError::UnknownAxis {
            origin: self.origin.clone(),
            axis: shown(&self.axis),
            known: names.join(", "),
        }
    }
}

/// Splits at commas that stand outside parentheses, and trims blanks; `None` where a parenthesis
/// has no partner.
fn split(values: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, character) in values.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(values[start..at].trim_matches(' '));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(values[start..].trim_matches(' '));
    (depth == 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commas_inside_parentheses_do_not_separate() {
        let chain = "wave(amplitude=.1,frequency=3)+twist(rate=1), none";
        let parts = ["wave(amplitude=.1,frequency=3)+twist(rate=1)", "none"];
        assert_eq!(split(chain).as_deref(), Some(parts.as_slice()));
        assert_eq!(split("a(b(c,d),e),f").map(|parts| parts.len()), Some(2));
    }

    #[test]
    fn parentheses_must_pair() {
        assert_eq!(split("wave(1,2"), None);
        assert_eq!(split("wave)1,2("), None);
        assert_eq!(split(")("), None);
    }

    #[test]
    fn nothing_is_one_empty_value() {
        assert_eq!(split("").as_deref(), Some([""].as_slice()));
        assert_eq!(split("1,,2").as_deref(), Some(["1", "", "2"].as_slice()));
    }
}
