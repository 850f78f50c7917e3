//! Help texts made from what there is, so that a new axis or place explains itself.

use crate::plan::{Axis, Place, axes};

/// What exit codes mean.
pub(super) const EXIT_CODES: &str = "Exit codes: 0 fine; 1 a finding, such as a case that is wrong; \
2 it could not do what was asked; 130 interrupted.";

/// Help of `--preset`.
pub(super) const PRESET: &str = "\
How much to measure:
- quick: 5000 vertices and 64 joints (or MODEL), 1 and 16 instances, intervals of ratios to 5 %
- standard: 50000 vertices (or MODEL), 1 and 100 instances, intervals to 2 %
- full: each axis alone around the defaults, in every place, intervals to 1 %
quick and standard draw 1, 2, 4 and 8 passes in compute, vertex-storage, vertex-uniform and cpu; an \
axis that you name wins over the preset, and so does an engine over what you do not name";

/// Help of `--strategies` of a command that takes `default` unasked.
pub(super) fn strategies(default: &str) -> String {
    format!(
        "Places, separated by commas: {} [default: {default}]",
        Place::NAMES.join(", ")
    )
}

/// Help of `--axis`: every axis with what it varies, its values and its default.
pub(super) fn axes() -> String {
    let mut text = String::from(
        "Values of one axis, separated by commas; repeat the flag for each axis. \
         The defaults hold where the preset says nothing:",
    );
    for axis in axes::ALL {
        text.push_str(&format!(
            "\n- {}: {}; {} [default: {}]",
            axis.name, axis.about, axis.allowed, axis.default
        ));
        if axis.built_in_only {
            text.push_str(" (not with MODEL)");
        }
        text.push_str(&places_of(axis));
    }
    text
}

/// Where an axis means something, unless that is everywhere.
fn places_of(axis: &Axis) -> String {
    let (there, not_there): (Vec<Place>, Vec<Place>) =
        Place::ALL.iter().partition(|place| (axis.applies)(**place));
    let names = |places: &[Place]| {
        let names: Vec<_> = places.iter().map(|place| place.name()).collect();
        names.join(", ")
    };
    match (there.len(), not_there.len()) {
        (_, 0) => String::new(),
        (_, 1) => format!(" (not in {})", names(&not_there)),
        _ => format!(" ({} only)", names(&there)),
    }
}
