//! Medians and quantiles.

/// The median, or `None` for an empty list or one with a value that is not finite.
///
/// Of an even number it is the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted_finite(values)?;
    let half = sorted.len() / 2;
    let upper = sorted.get(half)?;
    let lower = sorted.get((sorted.len() - 1) / 2)?;
    Some(0.5 * (lower + upper))
}

/// The quantile at `p` in [0, 1], linear between order statistics (type 7 of Hyndman & Fan,
/// "Sample Quantiles in Statistical Packages", The American Statistician 50, 1996).
///
/// `None` for an empty list, a value that is not finite, or a `p` outside [0, 1].
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let sorted = sorted_finite(values)?;
    let place = p * (sorted.len() - 1) as f64;
    let lower = sorted.get(place.floor() as usize)?;
    let upper = sorted.get(place.ceil() as usize)?;
    Some(lower + (place - place.floor()) * (upper - lower))
}

/// The values in ascending order; `None` when there are none or one is not finite.
pub(super) fn sorted_finite(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(sorted)
}
