//! Choices that are not axes: the clip, the size of the targets, seconds.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::PlanError;
use super::error::shown;

/// Which clip to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ClipChoice {
    /// By its place in the file, from 0.
    Index(usize),
    /// By its name, or a part of it in any case.
    Name(String),
}

impl FromStr for ClipChoice {
    type Err = PlanError;

    /// Digits alone are an index, anything else a name.
    fn from_str(text: &str) -> Result<Self, PlanError> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match (text.trim().is_empty(), digits, text.parse()) {
            (true, ..) => Err(malformed(text, "a clip", "its name or its index from 0")),
            (_, true, Ok(index)) => Ok(Self::Index(index)),
            _ => Ok(Self::Name(text.to_owned())),
        }
    }
}

impl ClipChoice {
    /// The index of this choice among clips of those names. A whole name beats a part of one.
    ///
    /// # Errors
    /// [`PlanError::Clip`] where no clip, or more than one, is meant; it lists them.
    pub fn resolve(&self, names: &[&str]) -> Result<usize, PlanError> {
        match self {
            _ if names.is_empty() => Err(clip_error("the character has no clip", "leave it out")),
            Self::Index(index) if *index < names.len() => Ok(*index),
            Self::Index(index) => Err(clip_error(
                format!("there is no clip {index}"),
                format!("give 0 to {}, or one of {}", names.len() - 1, list(names)),
            )),
            Self::Name(name) => by_name(name, names),
        }
    }
}

fn by_name(name: &str, names: &[&str]) -> Result<usize, PlanError> {
    if let Some(index) = names.iter().position(|known| *known == name) {
        return Ok(index);
    }
    let part = name.to_lowercase();
    let hits: Vec<_> = (0..names.len())
        .filter(|index| names[*index].to_lowercase().contains(&part))
        .collect();
    match hits.as_slice() {
        [index] => Ok(*index),
        [] => Err(clip_error(
            format!("no clip is named '{}'", shown(name)),
            format!("choose one of {}", list(names)),
        )),
        _ => Err(clip_error(
            format!("'{}' matches several clips", shown(name)),
            format!("choose one of {}", list_at(names, &hits)),
        )),
    }
}

fn clip_error(what: impl Into<String>, todo: impl Into<String>) -> PlanError {
    PlanError::Clip {
        what: what.into(),
        todo: todo.into(),
    }
}

fn list(names: &[&str]) -> String {
    list_at(names, &(0..names.len()).collect::<Vec<_>>())
}

fn list_at(names: &[&str], indices: &[usize]) -> String {
    let entries = indices
        .iter()
        .map(|index| format!("{index} '{}'", shown(names[*index])));
    entries.collect::<Vec<_>>().join(", ")
}

/// Size of the render targets in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl Resolution {
    /// The longest side allowed, pixels: what no device goes beyond today.
    pub const MAX_SIDE: u32 = 32_768;

    /// Whether both sides are within 1 and [`Self::MAX_SIDE`].
    pub(super) fn is_valid(self) -> bool {
        [self.width, self.height]
            .iter()
            .all(|side| (1..=Self::MAX_SIDE).contains(side))
    }
}

impl Default for Resolution {
    fn default() -> Self {
        Self {
            width: 256,
            height: 256,
        }
    }
}

impl fmt::Display for Resolution {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Resolution {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let sides = text.split_once(['x', 'X', '×']);
        let parsed = sides.and_then(|(width, height)| {
            Some(Self {
                width: plain_u32(width)?,
                height: plain_u32(height)?,
            })
        });
        parsed.filter(|size| size.is_valid()).ok_or_else(|| {
            malformed(
                text,
                "a resolution",
                "WIDTHxHEIGHT in pixels, each from 1 to 32768, such as 256x256",
            )
        })
    }
}

fn plain_u32(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// The longest time limit, seconds: a week.
const LONGEST_LIMIT_S: f64 = 604_800.0;

/// A bound of a run: plain decimal seconds, from 1 to 604,800.
///
/// # Errors
/// [`PlanError::Malformed`] for anything else.
pub fn parse_time_limit(text: &str) -> Result<Duration, PlanError> {
    let seconds = decimal(text).filter(|seconds| (1.0..=LONGEST_LIMIT_S).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| {
        malformed(
            text,
            "a time limit",
            "seconds from 1 to 604800 in plain decimals, such as 60 or 2.5",
        )
    })
}

/// A time in a clip: plain decimal seconds, from 0 to 86,400.
///
/// # Errors
/// [`PlanError::Malformed`] for anything else.
pub fn parse_clip_time(text: &str) -> Result<f64, PlanError> {
    let seconds = decimal(text).filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| {
        malformed(
            text,
            "a time in a clip",
            "seconds from 0 to 86400 in plain decimals, such as 0.25",
        )
    })
}

/// A seed: plain digits, up to 2⁶⁴ − 1.
///
/// # Errors
/// [`PlanError::Malformed`] for anything else.
pub fn parse_seed(text: &str) -> Result<u64, PlanError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().ok_or_else(|| {
        malformed(
            text,
            "a seed",
            "a whole number from 0 to 18446744073709551615",
        )
    })
}

/// Digits with at most one point among them: no sign, exponent, `inf` or `nan`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    plain.then(|| text.parse().ok()).flatten()
}

fn malformed(text: &str, wanted: &'static str, todo: &'static str) -> PlanError {
    PlanError::Malformed {
        text: shown(text),
        wanted,
        todo,
    }
}
