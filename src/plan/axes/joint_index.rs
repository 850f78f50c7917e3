//! Axis `joint-index`: the width of a joint index in a vertex.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Impossible, Place, Value};

named! {
    /// Width of a joint index in a vertex.
    pub enum JointIndex {
        /// One byte: at most 256 joints.
        U8 = "u8",
        /// Two bytes.
        U16 = "u16",
        /// Four bytes.
        U32 = "u32",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "joint-index",
    "width of a joint index in a vertex",
    Allowed::Words(JointIndex::NAMES),
    Value::word(JointIndex::U16.name()),
)
.swept(JointIndex::NAMES)
.how_only()
.impossible_where(too_many_joints)
.only_where(|place| place != Place::Cpu);

impl Case {
    /// Width of a joint index; `U16` where it is `n/a`.
    pub fn joint_index(&self) -> JointIndex {
        self.word(&AXIS)
            .and_then(JointIndex::from_name)
            .unwrap_or(JointIndex::U16)
    }
}

/// Joints that an index of one byte can name.
const U8_JOINTS: u32 = 256;

/// With a MODEL its skins are not known here: who knows them refuses.
fn too_many_joints(case: &Case) -> Option<Impossible> {
    let have = case.joints().filter(|joints| *joints > U8_JOINTS)?;
    (case.joint_index() == JointIndex::U8).then(|| Impossible {
        name: AXIS.name,
        need: format!("at most {U8_JOINTS} joints for u8"),
        have: format!("{have} joints"),
    })
}
