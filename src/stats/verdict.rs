//! What an interval allows one to say.

use serde::{Deserialize, Serialize};

/// A ratio this close to 1 is called the same even where smaller effects could be detected.
pub const SAME_WITHIN: f64 = 0.05;

/// What an interval allows one to say about `a` against `b`; unclear is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// `a` takes less time.
    Faster,
    /// `a` takes more time.
    Slower,
    /// Any difference is too small to matter or to be told from none.
    Same,
    /// The interval allows for more than one of the others.
    Unclear,
}

impl Verdict {
    /// The verdict on the interval of a ratio a/b (dimensionless, 1 = equal), given the minimum
    /// detectable effect as a fraction, or `None` where no A/A comparison was made.
    ///
    /// `Faster`/`Slower`: the whole interval lies beyond the minimum detectable effect. This is
    /// asked first: a proven difference of 3 % is a difference. `Same`: the whole interval lies
    /// within ±max(minimum detectable effect, 5 %). Everything else is `Unclear`, as is every
    /// interval with a NaN and every verdict without a known detectable effect.
    pub fn of(ci: [f64; 2], minimum_detectable_effect: Option<f64>) -> Self {
        let Some(mde) = minimum_detectable_effect.filter(|mde| *mde >= 0.0) else {
            return Self::Unclear;
        };
        let [lo, hi] = [ci[0] - 1.0, ci[1] - 1.0];
        let same = mde.max(SAME_WITHIN);
        if lo.is_nan() || hi.is_nan() || lo > hi {
            Self::Unclear
        } else if hi < 0.0 && hi < -mde {
            Self::Faster
        } else if lo > 0.0 && lo > mde {
            Self::Slower
        } else if lo >= -same && hi <= same {
            Self::Same
        } else {
            Self::Unclear
        }
    }

    /// The word that files and tables use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Same => "same",
            Self::Unclear => "unclear",
        }
    }
}

/// The larger absolute end of an A/A ratio's interval minus 1, as a fraction.
///
/// Never its point estimate: two runs of the same thing may agree by luck, and the interval says
/// how much they could have differed. `None` when an end is not a number.
pub fn minimum_detectable_effect(aa_ci: [f64; 2]) -> Option<f64> {
    let ends = aa_ci.map(|end| (end - 1.0).abs());
    ends.iter()
        .all(|end| end.is_finite())
        .then(|| ends[0].max(ends[1]))
}
