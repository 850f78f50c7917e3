//! From how many passes on one place overtakes another.

use serde::{Deserialize, Serialize};

use super::order::median;
use super::{Bootstrap, Verdict};

/// Which of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// How the times of two places lie to each other over the measured numbers of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CrossoverKind {
    /// One wins at few passes, the other at many.
    Crosses,
    /// `a` wins at every measured number of passes.
    AlwaysFaster,
    /// `a` wins at none: `b` does at every one.
    Never,
    /// The intervals do not decide.
    Unclear,
}

impl CrossoverKind {
    /// The word that files and tables use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Crosses => "crosses",
            Self::AlwaysFaster => "always-faster",
            Self::Never => "never",
            Self::Unclear => "unclear",
        }
    }
}

/// The times of both places at one number of passes.
#[derive(Clone, Debug, PartialEq)]
pub struct AtPasses {
    /// The number of passes.
    pub passes: f64,
    /// Times of `a`, one a round.
    pub a: Vec<f64>,
    /// Times of `b` in the same rounds.
    pub b: Vec<f64>,
}

/// Where `a` and `b` change places.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// Whether they do.
    pub kind: CrossoverKind,
    /// Where their times are equal, between two measured numbers of passes.
    pub passes: Option<f64>,
    /// Interval of `passes`, cut at the first and last measured number.
    pub ci: Option<[f64; 2]>,
    /// Which of the two wins beyond `passes`.
    pub overtakes: Option<Side>,
    /// `a` against `b` at each measured number of passes, ascending.
    pub verdicts: Vec<(f64, Verdict)>,
}

/// The crossover of `a` against `b` from the per-round times at each measured number of passes.
///
/// A win is a verdict: the interval of the paired ratio lies beyond the minimum detectable effect
/// (a fraction; `None` = unknown, so that nothing is a win). `a` wins everywhere: `AlwaysFaster`;
/// `b` wins everywhere: `Never`; the wins change hands exactly once: `Crosses`; else `Unclear`.
///
/// Where they cross, `passes` is where the median over rounds of T_a − T_b changes sign for the
/// last time, linear between the two measured neighbours. That is exact when both times are lines
/// T = fixed + slope · passes, and between neighbours it needs no such model. Its interval comes
/// from rounds drawn anew with all numbers of passes together; nothing is extrapolated.
///
/// The rounds of all points must be the same; points may come in any order.
pub fn crossover(
    points: &[AtPasses],
    bootstrap: &Bootstrap,
    minimum_detectable_effect: Option<f64>,
) -> Crossover {
    let mut points: Vec<&AtPasses> = points.iter().collect();
    points.sort_by(|p, q| p.passes.total_cmp(&q.passes));
    let verdict = |point: &&AtPasses| {
        let ratio = bootstrap.ratio(&point.a, &point.b);
        let verdict = ratio.map(|ratio| Verdict::of(ratio.ci, minimum_detectable_effect));
        (point.passes, verdict.unwrap_or(Verdict::Unclear))
    };
    let verdicts: Vec<(f64, Verdict)> = points.iter().map(verdict).collect();
    let (kind, overtakes) = decide(&verdicts);
    let place = overtakes.and_then(|side| locate(&points, side, bootstrap));
    Crossover {
        kind: match (kind, place) {
            (CrossoverKind::Crosses, None) => CrossoverKind::Unclear,
            _ => kind,
        },
        passes: place.map(|(passes, _)| passes),
        ci: place.map(|(_, ci)| ci),
        overtakes: overtakes.filter(|_| place.is_some()),
        verdicts,
    }
}

/// The kind from the wins in ascending order of passes, and who wins in the end if they cross.
fn decide(verdicts: &[(f64, Verdict)]) -> (CrossoverKind, Option<Side>) {
    let winner = |(_, verdict): &(f64, Verdict)| match verdict {
        Verdict::Faster => Some(Side::A),
        Verdict::Slower => Some(Side::B),
        _ => None,
    };
    let wins: Vec<Side> = verdicts.iter().filter_map(winner).collect();
    let changes = wins.windows(2).filter(|pair| pair[0] != pair[1]).count();
    match (wins.last(), changes) {
        (Some(&last), 1) => (CrossoverKind::Crosses, Some(last)),
        (Some(Side::A), 0) if wins.len() == verdicts.len() => (CrossoverKind::AlwaysFaster, None),
        (Some(Side::B), 0) if wins.len() == verdicts.len() => (CrossoverKind::Never, None),
        _ => (CrossoverKind::Unclear, None),
    }
}

/// Where `side` overtakes, with the interval of that place.
fn locate(points: &[&AtPasses], side: Side, bootstrap: &Bootstrap) -> Option<(f64, [f64; 2])> {
    let passes: Vec<f64> = points.iter().map(|point| point.passes).collect();
    let leads: Vec<Vec<f64>> = points.iter().map(|point| lead(point, side)).collect();
    let medians = leads.iter().map(|lead| median(lead));
    let here = overtaking(&passes, &medians.collect::<Option<Vec<f64>>>()?);
    let series: Vec<&[f64]> = leads.iter().map(Vec::as_slice).collect();
    let ends = [*passes.first()?, *passes.last()?];
    let ci = bootstrap.widest(&series, here, ends, |medians| overtaking(&passes, medians))?;
    here.is_finite().then_some((here, ci))
}

/// How much earlier `side` is done, round by round; positive = it wins.
fn lead(point: &AtPasses, side: Side) -> Vec<f64> {
    let ahead = point.a.iter().zip(&point.b).map(|(a, b)| match side {
        Side::A => b - a,
        Side::B => a - b,
    });
    ahead.collect()
}

/// The last place at which a lead over ascending numbers of passes turns from behind to ahead;
/// the first number when it is never behind, the last when it is behind there.
fn overtaking(passes: &[f64], lead: &[f64]) -> f64 {
    let wins = |lead: &f64| *lead > 0.0;
    let Some(last) = lead.iter().rposition(|lead| !wins(lead)) else {
        return passes.first().copied().unwrap_or(f64::NAN);
    };
    match (passes.get(last + 1), lead.get(last + 1)) {
        (Some(next), Some(ahead)) => {
            let share = -lead[last] / (ahead - lead[last]);
            passes[last] + share * (next - passes[last])
        }
        _ => passes[last],
    }
}
