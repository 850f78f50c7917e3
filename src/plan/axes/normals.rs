//! Axis `normals`: how normals are transformed.

use crate::plan::named::named;
use crate::plan::{Allowed, Axis, Case, Impossible, Value};

named! {
    /// How normals are transformed.
    pub enum NormalMode {
        /// By the cofactors of the blended 3×3 with the sign of its determinant: exact.
        Cofactor = "cofactor",
        /// By the blended 3×3 itself, as engines do: wrong under non-uniform scale.
        Direct = "direct",
        /// The same, not made unit length again.
        DirectRaw = "direct-raw",
        /// By the inverse transpose of the blended 3×3.
        InverseTranspose = "inverse-transpose",
        /// By a blend of matrices that the host computed for each joint: not the same thing.
        PerJoint = "per-joint",
        /// By cofactors where a joint has non-uniform scale, else directly.
        Flagged = "flagged",
    }
}

pub(super) static AXIS: Axis = Axis::new(
    "normals",
    "how normals are transformed",
    Allowed::Words(NormalMode::NAMES),
    Value::word(NormalMode::Cofactor.name()),
)
.swept(NormalMode::NAMES)
.beside(&[("joint-scale", &["none", "non-uniform"])])
.impossible_where(no_matrix);

impl Case {
    /// How normals are transformed.
    pub fn normal_mode(&self) -> NormalMode {
        self.word(&AXIS)
            .and_then(NormalMode::from_name)
            .unwrap_or(NormalMode::Cofactor)
    }
}

fn no_matrix(case: &Case) -> Option<Impossible> {
    let palette = case.palette();
    (case.normal_mode() == NormalMode::PerJoint && palette.is_dual_quat()).then(|| Impossible {
        name: AXIS.name,
        need: "a palette of matrices for per-joint".to_owned(),
        have: format!("palette {palette}"),
    })
}
