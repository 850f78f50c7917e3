//! What one axis is: a name, its values, its default, and where it means something.

use super::{Allowed, Case, Impossible, Place, PlanError, Value};

/// Axes by name, with values as one types them.
pub type Settings<'a> = &'a [(&'a str, &'a [&'a str])];

/// One dimension of a variant.
///
/// An axis is declared in one file of [`super::axes`] and registered by one line there. Everything
/// else (parsing, identifiers, results, presets, messages) follows from the declaration.
#[derive(Debug)]
pub struct Axis {
    /// The name in arguments, identifiers and results.
    pub name: &'static str,
    /// What the axis varies, with its unit: one line without a full stop.
    pub about: &'static str,
    /// The values it allows.
    pub allowed: Allowed,
    /// The value of a case that says nothing; never shown in an identifier.
    pub default: Value,
    /// The values that preset `full` sweeps; empty for an axis it leaves alone.
    pub sweep: &'static [&'static str],
    /// What other axes take during that sweep, where the axis shows only beside them.
    pub beside: Settings<'static>,
    /// Whether only the built-in character has this axis; with a MODEL it is `n/a`.
    pub built_in_only: bool,
    /// Whether the axis changes only how a picture comes about, not the picture or its vertices.
    pub how_only: bool,
    /// Those of its values that draw the same as its default, where not all do.
    pub alike: &'static [&'static str],
    /// Whether the axis means something in that place; elsewhere it is `n/a`.
    pub applies: fn(Place) -> bool,
    /// Why no device could run the case, as far as this axis knows.
    pub impossible: fn(&Case) -> Option<Impossible>,
}

/// Axes are declared once: one name is one axis.
impl PartialEq for Axis {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Axis {
    /// An axis that applies in every place and to every character, and is not swept.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        allowed: Allowed,
        default: Value,
    ) -> Self {
        Self {
            name,
            about,
            allowed,
            default,
            sweep: &[],
            beside: &[],
            built_in_only: false,
            how_only: false,
            alike: &[],
            applies: |_| true,
            impossible: |_| None,
        }
    }

    /// The same axis with the values that preset `full` sweeps.
    pub const fn swept(mut self, values: &'static [&'static str]) -> Self {
        self.sweep = values;
        self
    }

    /// The same axis with what other axes take while it is swept.
    pub const fn beside(mut self, others: Settings<'static>) -> Self {
        self.beside = others;
        self
    }

    /// The same axis, of the built-in character alone.
    pub const fn built_in_only(mut self) -> Self {
        self.built_in_only = true;
        self
    }

    /// The same axis, which changes how a picture comes about and not what it shows.
    pub const fn how_only(mut self) -> Self {
        self.how_only = true;
        self
    }

    /// The same axis, of which those values change how a picture comes about and not what it shows:
    /// they draw what the default draws.
    pub const fn how_only_among(mut self, values: &'static [&'static str]) -> Self {
        self.alike = values;
        self
    }

    /// The same axis, `n/a` in every place for which `applies` is false.
    pub const fn only_where(mut self, applies: fn(Place) -> bool) -> Self {
        self.applies = applies;
        self
    }

    /// The same axis with the combinations that no device could run.
    pub const fn impossible_where(mut self, why: fn(&Case) -> Option<Impossible>) -> Self {
        self.impossible = why;
        self
    }

    /// The value that `text` names. `origin` is the argument it stands in, for the message.
    ///
    /// # Errors
    /// [`PlanError::BadValue`] where the axis does not allow it.
    pub fn parse(&self, text: &str, origin: &str) -> Result<Value, PlanError> {
        self.allowed
            .parse(text)
            .ok_or_else(|| PlanError::bad_value(self, text, origin))
    }

    /// All `texts` as values: repeats merged, in the order of the axis.
    ///
    /// # Errors
    /// [`PlanError::BadValue`] for the first that the axis does not allow.
    pub fn parse_all<'a>(
        &self,
        texts: impl IntoIterator<Item = &'a str>,
        origin: &str,
    ) -> Result<Vec<Value>, PlanError> {
        let parsed: Result<Vec<_>, _> = texts
            .into_iter()
            .map(|text| self.parse(text, origin))
            .collect();
        let mut values = parsed?;
        values.sort_by_key(|value| self.allowed.rank(value));
        values.dedup();
        Ok(values)
    }
}
