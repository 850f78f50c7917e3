//! Axis `visible`: share of the characters that are drawn.

use crate::plan::{Allowed, Axis, Case, Impossible, Value};

pub(super) static AXIS: Axis = Axis::new(
    "visible",
    "percent of the characters that are drawn",
    Allowed::Range(0, 100),
    Value::Number(100),
)
.swept(&["0", "50", "100"])
.beside(&[("instances", &["16"])])
.impossible_where(no_such_share);

/// One character is seen or not: there is no share of it.
fn no_such_share(case: &Case) -> Option<Impossible> {
    let share = (1..100).contains(&case.visible());
    (case.instances() == 1 && share).then(|| Impossible {
        name: "visible",
        need: "several instances".to_owned(),
        have: "one".to_owned(),
    })
}

impl Case {
    /// Percent of the characters that are drawn.
    pub fn visible(&self) -> u32 {
        self.number(&AXIS).unwrap_or(100)
    }
}
