//! Axis `output`: the format of deformed normals and tangents.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Place, Value};

named! {
    /// Format of deformed normals and tangents. Positions are three 32-bit floats in each.
    pub enum OutputFormat {
        /// 32-bit floats: 40 B a vertex with tangents, as all of these.
        F32 = "f32",
        /// Four signed bytes each: 20 B.
        Snorm8 = "snorm8",
        /// Octahedral, two signed 16-bit numbers each, rounded to nearest: 20 B.
        Oct16 = "oct16",
        /// The same, truncated, as Godot has it: 20 B.
        Oct16Truncated = "oct16-truncated",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "output",
    "format of deformed normals and tangents; positions are f32",
    Allowed::Words(OutputFormat::NAMES),
    Value::word(OutputFormat::F32.name()),
)
.swept(OutputFormat::NAMES)
.only_where(Place::writes_vertices);

impl Case {
    /// Format of deformed normals and tangents; `F32` where it is `n/a`.
    pub fn output_format(&self) -> OutputFormat {
        self.word(&AXIS)
            .and_then(OutputFormat::from_name)
            .unwrap_or(OutputFormat::F32)
    }
}
