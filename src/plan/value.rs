//! One value of an axis, and which values an axis allows.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value as Json;

/// A value as results spell "this axis means nothing here".
pub const NOT_APPLICABLE: &str = "n/a";

/// One value of an axis.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A count, in the unit its axis names.
    Number(u32),
    /// A named value.
    Word(Cow<'static, str>),
    /// The axis means nothing for this place or this character.
    NotApplicable,
}

impl Value {
    /// A named value known at compile time.
    pub const fn word(name: &'static str) -> Self {
        Self::Word(Cow::Borrowed(name))
    }

    /// The value as results hold it: numbers as numbers, everything else as text.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Number(number) => Json::from(*number),
            Self::Word(name) => Json::from(name.as_ref()),
            Self::NotApplicable => Json::from(NOT_APPLICABLE),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(out, "{number}"),
            Self::Word(name) => out.write_str(name),
            Self::NotApplicable => out.write_str(NOT_APPLICABLE),
        }
    }
}

/// The values that an axis allows. Its `Display` ends the sentence "give …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Whole numbers from the first to the second, both included.
    Range(u32, u32),
    /// These whole numbers alone, ascending.
    Steps(&'static [u32]),
    /// These names, in the order in which tables show them.
    Words(&'static [&'static str]),
}

impl Allowed {
    /// The value that `text` names; `None` where the axis does not allow it.
    ///
    /// Numbers are plain ASCII digits: no sign, point, exponent or separator.
    pub fn parse(&self, text: &str) -> Option<Value> {
        match self {
            Self::Range(min, max) => digits(text)
                .filter(|number| (min..=max).contains(&number))
                .map(Value::Number),
            Self::Steps(steps) => digits(text)
                .filter(|number| steps.contains(number))
                .map(Value::Number),
            Self::Words(words) => words
                .iter()
                .find(|word| **word == text)
                .map(|word| Value::word(word)),
        }
    }

    /// Where `value` stands among the allowed ones: by size, or in the order of the names.
    pub fn rank(&self, value: &Value) -> usize {
        match (self, value) {
            (_, Value::Number(number)) => *number as usize,
            (Self::Words(words), Value::Word(name)) => words
                .iter()
                .position(|word| word == name)
                .unwrap_or(usize::MAX),
            _ => usize::MAX,
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(min, max) => write!(out, "a whole number from {min} to {max}"),
            Self::Steps(steps) => one_of(out, steps),
            Self::Words(words) => one_of(out, words),
        }
    }
}

/// A number of ASCII digits alone that fits in 32 bits.
fn digits(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Writes `a, b or c`.
fn one_of<T: fmt::Display>(out: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let joint = match index {
            0 => "",
            _ if index + 1 == items.len() => " or ",
            _ => ", ",
        };
        write!(out, "{joint}{item}")?;
    }
    Ok(())
}
