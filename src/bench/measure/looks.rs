//! When the stopping rule looks, and how sure every interval must be for that.

/// Rounds at the first look; with fewer there are no verdicts.
pub const FIRST_LOOK: u32 = 10;

/// How often all intervals together may miss.
const MAY_MISS: f64 = 0.05;

/// The rounds at which the rule looks: 10, 20, 40, 80, … and `max_rounds`.
pub fn schedule(max_rounds: u32) -> Vec<u32> {
    let doubling = std::iter::successors(Some(FIRST_LOOK), |look| look.checked_mul(2));
    let mut looks: Vec<u32> = doubling.take_while(|look| *look < max_rounds).collect();
    looks.push(max_rounds);
    looks
}

/// The confidence of each interval so that the ones reported hold in 95 of 100 runs although the
/// rule looked several times: 1 − 0.05/looks (Bonferroni).
///
/// A run that the time limit ends forms its last intervals at a round that is not in the schedule,
/// in place of the looks that it never reached; their number does not grow.
pub fn confidence(max_rounds: u32) -> f64 {
    1.0 - MAY_MISS / schedule(max_rounds).len() as f64
}
