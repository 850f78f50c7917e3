//! Numbers as people read them: three significant digits and a unit.

/// A number and its unit stay together where a cell is wrapped.
const NO_BREAK: char = '\u{a0}';

/// Shown for what was not measured.
pub(super) const NONE: &str = "–";

/// A time in nanoseconds as `2.05 ms`.
pub(super) fn time(ns: f64) -> String {
    scaled(ns, &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")])
}

/// A rate by second as `12.3 M/s`.
pub(super) fn rate(per_second: f64) -> String {
    scaled(
        per_second,
        &[
            (1.0, "/s"),
            (1e3, "k/s"),
            (1e6, "M/s"),
            (1e9, "G/s"),
            (1e12, "T/s"),
        ],
    )
}

/// A fraction as a percentage: `1.3 %`; three digits from 100 % on, two below.
pub(super) fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if !percent.is_finite() {
        return NONE.to_owned();
    }
    let digits = if percent.abs() >= 99.5 { 3 } else { 2 };
    format!("{}{NO_BREAK}%", significant(percent, digits))
}

/// A ratio with three significant digits.
pub(super) fn ratio(value: f64) -> String {
    significant(value, 3)
}

/// A small number as `1.2e-7`.
pub(super) fn tiny(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:.1e}")
    }
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let value = rounded(value, 3);
    let fits = units.iter().rev().find(|(size, _)| value.abs() >= *size);
    let (size, unit) = fits.or(units.first()).copied().unwrap_or((1.0, ""));
    format!("{}{NO_BREAK}{unit}", significant(value / size, 3))
}

/// `value` with so many significant digits and no more zeros than these.
fn significant(value: f64, digits: i32) -> String {
    let value = rounded(value, digits);
    let decimals = (digits - 1 - exponent(value)).clamp(0, digits + 2);
    format!("{value:.*}", decimals as usize)
}

fn rounded(value: f64, digits: i32) -> f64 {
    let step = 10_f64.powi(exponent(value) + 1 - digits);
    (value / step).round() * step
}

/// The power of ten of the first digit; 0 for 0.
fn exponent(value: f64) -> i32 {
    if value == 0.0 || !value.is_finite() {
        0
    } else {
        value.abs().log10().floor() as i32
    }
}
