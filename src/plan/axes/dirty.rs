//! Axis `dirty`: share of the characters whose pose changes from frame to frame.

use crate::plan::{Allowed, Axis, Case, Impossible, Place, Poses, Value};

pub(super) static AXIS: Axis = Axis::new(
    "dirty",
    "percent of the characters whose pose changes from frame to frame",
    Allowed::Range(0, 100),
    Value::Number(100),
)
.swept(&["0", "10", "50", "100"])
.beside(&[("instances", &["16"])])
.only_where(Place::writes_vertices)
.impossible_where(no_such_share);

/// One pose changes or stands still: there is no share of it.
fn no_such_share(case: &Case) -> Option<Impossible> {
    let one = case.instances() == 1 || case.poses() == Poses::Shared;
    let share = (1..100).contains(&case.dirty());
    (one && share).then(|| Impossible {
        name: "dirty",
        need: "several characters with poses of their own".to_owned(),
        have: "one pose".to_owned(),
    })
}

impl Case {
    /// Percent of the characters whose pose changes from frame to frame; 100 where it is `n/a`.
    pub fn dirty(&self) -> u32 {
        self.number(&AXIS).unwrap_or(100)
    }
}
