//! A crossover in a sentence.

use crate::result::{Case, Metric};
use crate::stats::{Crossover, CrossoverKind, Side, Verdict};

/// What the sentence is about.
pub(super) struct Shown<'a> {
    pub places: [&'a str; 2],
    pub metric: Metric,
    pub found: &'a Crossover,
    /// Ten rounds or more everywhere.
    pub enough: bool,
    /// Whether the minimum detectable effect is known.
    pub detectable: bool,
    /// A place without any times, and a case that says why.
    pub missing: Option<(String, &'a Case)>,
}

/// "compute overtakes vertex-storage from 3 passes (2–4), by frame_gpu".
pub(super) fn sentence(shown: &Shown) -> String {
    let [a, b] = shown.places;
    let metric = shown.metric.name();
    let over = range(shown.found);
    match (shown.found.kind, shown.found.passes, shown.found.ci) {
        (CrossoverKind::Crosses, Some(passes), Some(ci)) => {
            let (winner, loser) = match shown.found.overtakes {
                Some(Side::B) => (b, a),
                _ => (a, b),
            };
            let from = from(passes, ci);
            format!("{winner} overtakes {loser} from {from}, by {metric}")
        }
        (CrossoverKind::AlwaysFaster, ..) => {
            format!("{a} is faster than {b} at {over}, by {metric}")
        }
        (CrossoverKind::Never, ..) => format!("{b} is faster than {a} at {over}, by {metric}"),
        _ => format!("{a} against {b} is unclear, by {metric}: {}", doubt(shown)),
    }
}

/// The first whole number of passes at which the winner is ahead, with its interval.
fn from(passes: f64, [lo, hi]: [f64; 2]) -> String {
    let [from, lo, hi] = [passes, lo, hi].map(f64::ceil);
    let noun = if from == 1.0 { "pass" } else { "passes" };
    if lo == hi {
        format!("{from} {noun}")
    } else {
        format!("{from} {noun} ({lo}–{hi})")
    }
}

/// "every measured number of passes (1–8)".
fn range(found: &Crossover) -> String {
    match (found.verdicts.first(), found.verdicts.last()) {
        (Some((1.0, _)), Some((1.0, _))) => "1 pass, the only number measured".to_owned(),
        (Some((first, _)), Some((last, _))) if first == last => {
            format!("{first} passes, the only number measured")
        }
        (Some((first, _)), Some((last, _))) => {
            format!("every measured number of passes ({first}–{last})")
        }
        _ => "no measured number of passes".to_owned(),
    }
}

/// Why nothing is claimed.
fn doubt(shown: &Shown) -> String {
    if let Some((place, case)) = &shown.missing {
        let status = case.status.name();
        let why = case
            .reason
            .as_ref()
            .map_or("", |reason| reason.message.as_str());
        let colon = if why.is_empty() { "" } else { ": " };
        return format!("{place} is {status}{colon}{why}");
    }
    if shown.found.verdicts.is_empty() {
        return "no number of passes was measured in both".to_owned();
    }
    if !shown.enough {
        return "fewer than ten rounds".to_owned();
    }
    if !shown.detectable {
        return "no A/A comparison says what could be detected".to_owned();
    }
    verdicts(shown.found)
}

/// "slower at 1, 2 passes; same at 4".
fn verdicts(found: &Crossover) -> String {
    let all = [
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Same,
        Verdict::Unclear,
    ];
    let group = |verdict: Verdict| {
        let at = found
            .verdicts
            .iter()
            .filter(|(_, theirs)| *theirs == verdict);
        let passes: Vec<String> = at.map(|(passes, _)| passes.to_string()).collect();
        (!passes.is_empty()).then(|| format!("{} at {}", verdict.name(), passes.join(", ")))
    };
    let groups: Vec<String> = all.into_iter().filter_map(group).collect();
    format!("{} passes", groups.join("; "))
}
