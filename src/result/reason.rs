//! Why something is absent: every `null` of a result file has one of these beside it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What sort of obstacle a [`Reason`] describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasonKind {
    /// A device limit is too small.
    Limit,
    /// A device feature or extension is missing.
    Feature,
    /// It would not fit into memory.
    Memory,
    /// The time limit did not leave room for it.
    Time,
    /// It has no meaning here.
    #[serde(rename = "n/a")]
    NotApplicable,
    /// Something went wrong.
    Error,
}

/// Why a case was skipped, or why a number is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// What sort of obstacle.
    pub kind: ReasonKind,
    /// The limit, feature, stage or counter concerned, as the API or this file names it.
    pub name: String,
    /// What was needed: a number or a text; `null` when there is nothing to compare.
    pub need: Option<Value>,
    /// What there was instead; `null` when there is nothing to compare.
    pub have: Option<Value>,
    /// One line for people.
    pub message: String,
}

impl Reason {
    /// A reason with neither `need` nor `have`.
    pub fn new(kind: ReasonKind, name: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            kind,
            name: name.into(),
            need: None,
            have: None,
            message: message.into(),
        }
    }

    /// The same reason with what was needed and what there was.
    pub fn with(mut self, need: impl Into<Value>, have: impl Into<Value>) -> Self {
        self.need = Some(need.into());
        self.have = Some(have.into());
        self
    }

    /// "This has no meaning here", for the key `name`.
    pub fn not_applicable(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(ReasonKind::NotApplicable, name, message)
    }
}

/// Why the `null`s of one object are `null`: its key, or a dotted path below it such as
/// `stages.deform`, to the reason.
pub type NullReasons = BTreeMap<String, Reason>;
