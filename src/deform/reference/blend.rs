//! The matrix that moves one vertex, whatever the palette, with bounds for a GPU.
//!
//! Written apart from the kernels' twin ([`crate::deform::blend`]), on arrays of [`OnGpu`] numbers and
//! on [`dual_quat`](crate::math::dual_quat): a formula that is wrong there shows here. The palette
//! counts as uploaded: halves decode exactly, dual quaternions are what they are.
//!
//! Every operation brings the bounds of its operands and one rounding of its own (running error
//! analysis), in the order of the kernels, which are `precise`: no driver may put them into another.
//! The one order that differs is the twin's dot product of two quaternions, which adds in pairs: its
//! rounding is at most one of the sum more, and the twin's square root, one rounding where nine are
//! allowed, leaves room for that. Signs of dot products are not compared within a margin.
//!
//! **Weights.** A mesh holds the float nearest to c/65535 or c/255 (one rounding); a kernel divides (2.5
//! ulp, 5u) or has the vertex fetch do it, so they differ by 6u of the weight at most. The zero
//! weight is exact. Under `weight-normalise` the weights are summed in order, and each is divided.
//!
//! **Early-out** leaves out slots of weight zero behind the last other one: nothing is lost in a mesh whose
//! slots are sorted, so the reference takes all slots, and a mesh that is not sorted fails.
//!
//! **Dual quaternions** turn to the side of the slot of largest weight. Where a tie or a dot product
//! near zero could fall either way, with another outcome, the vertex is *ambiguous*.

use glam::{DVec3, Vec4};

use crate::deform::skin::Source;
use crate::math::bounded::{OnGpu, U};
use crate::math::dual_quat::{DualQuat, UNDECIDED, blend, blend_f64};
use crate::plan::{PaletteLayout, WeightFormat};

/// A vector with bounds.
pub(super) type Vector = [OnGpu; 3];

/// Roundings of a weight that is stored as an integer.
const INTEGER_WEIGHT: usize = 6;

/// Roundings of a weight, against the one that the mesh holds.
pub(super) fn weight_roundings(source: &Source<'_>) -> usize {
    match source.variant.weights {
        WeightFormat::F32 => 0,
        WeightFormat::Unorm16 | WeightFormat::Unorm8 => INTEGER_WEIGHT,
    }
}

/// The blended matrix.
pub(super) struct Blended {
    /// Rows of the linear part.
    pub(super) linear: [Vector; 3],
    /// The translation.
    pub(super) offset: Vector,
    /// Whether a pivot or a flip could fall either way.
    pub(super) ambiguous: bool,
    /// Absolute values of what was added up: of the linear part and the translation.
    pub(super) absolute: ([DVec3; 3], DVec3),
}

/// A slot: its joint, and the weight that blends it.
type Slot = (usize, OnGpu);

impl Blended {
    pub(super) fn of(source: &Source<'_>, index: usize) -> Self {
        let slots = slots(source, index);
        if source.variant.is_dual_quat() {
            return Self::of_dual_quats(source, index, &slots);
        }
        let (linear, offset) = sum(&slots, |joint| source.palette.joint_rows(joint));
        let mut absolute = ([DVec3::ZERO; 3], DVec3::ZERO);
        for (joint, weight) in slots {
            let size = weight.value.abs();
            for (r, row) in source.palette.joint_rows(joint).into_iter().enumerate() {
                absolute.0[r] += size * row.truncate().abs().as_dvec3();
                absolute.1[r] += size * f64::from(row.w.abs());
            }
        }
        Self {
            linear,
            offset,
            ambiguous: false,
            absolute,
        }
    }

    fn of_dual_quats(source: &Source<'_>, index: usize, slots: &[Slot]) -> Self {
        let uploaded: Vec<_> = slots.iter().map(|(j, _)| joint(source, *j)).collect();
        let weights: Vec<OnGpu> = slots.iter().map(|(_, weight)| *weight).collect();
        let lifted: Vec<DualQuat<OnGpu>> = uploaded.iter().map(DualQuat::lifted).collect();
        let rows = blend(&weights, &lifted).rows();
        let turn = rows.map(|[x, y, z, _]| [x, y, z]);
        let linear = match source.variant.palette {
            PaletteLayout::DualQuatScale => {
                let (stretch, _) = sum(slots, |joint| source.palette.joint_stretch(joint));
                // Scale first: R·S, S being symmetric.
                turn.map(|row| stretch.map(|column| dot(&row, &column)))
            }
            _ => turn,
        };
        let offset = rows.map(|[.., t]| t);
        Self {
            linear,
            offset,
            ambiguous: is_ambiguous(source, index, &uploaded),
            absolute: (linear.map(|row| value(&row).abs()), value(&offset).abs()),
        }
    }

    /// The blended matrix in f64, without bounds; rows.
    pub(super) fn exact(&self) -> [DVec3; 3] {
        self.linear.map(|row| value(&row))
    }
}

/// The weighted sum of the joints' normal rows.
pub(super) fn blended_normal_rows(source: &Source<'_>, index: usize) -> [Vector; 3] {
    let slots = slots(source, index);
    sum(&slots, |joint| source.palette.joint_normal_rows(joint)).0
}

/// Joints and weights of the vertex before they are normalised; an unskinned mesh has joint 0.
pub(super) fn stored_slots(
    source: &Source<'_>,
    index: usize,
) -> impl Iterator<Item = (usize, f32)> {
    let mesh = source.mesh;
    let n = mesh.influences;
    let rigid = (n == 0).then_some((0, 1.0));
    let range = n * index..n * (index + 1);
    let joints = mesh.joints[range.clone()].iter().map(|&j| usize::from(j));
    rigid
        .into_iter()
        .chain(joints.zip(mesh.weights[range].iter().copied()))
}

fn slots(source: &Source<'_>, index: usize) -> Vec<Slot> {
    let roundings = weight_roundings(source) as f64;
    let decoded = |weight: f32| {
        let exact = OnGpu::exact(weight);
        OnGpu::with_error(exact.value, exact.error + roundings * U * exact.value.abs())
    };
    let mut all: Vec<Slot> = stored_slots(source, index)
        .map(|(joint, weight)| (joint, decoded(weight)))
        .collect();
    if source.variant.normalises(all.len()) {
        normalise(&mut all);
    }
    all
}

/// Divides by the sum, or by 1 where it is not above zero; unbounded where that is open.
fn normalise(slots: &mut [Slot]) {
    let first = slots[0].1;
    let sum = slots[1..]
        .iter()
        .fold(first, |sum, (_, weight)| sum + *weight);
    let divisor = if sum.value <= 0.0 && sum.value + sum.error <= 0.0 {
        OnGpu::exact(1.0)
    } else {
        sum
    };
    for (_, weight) in slots {
        *weight = *weight / divisor;
    }
}

fn sum(slots: &[Slot], rows_of: impl Fn(usize) -> [Vec4; 3]) -> ([Vector; 3], Vector) {
    let product = |(joint, weight): &Slot| {
        rows_of(*joint).map(|row| row.to_array().map(|x| *weight * OnGpu::exact(x)))
    };
    let mut rows = product(&slots[0]);
    for slot in &slots[1..] {
        for (row, more) in rows.iter_mut().zip(product(slot)) {
            *row = [0, 1, 2, 3].map(|c| row[c] + more[c]);
        }
    }
    (rows.map(|[x, y, z, _]| [x, y, z]), rows.map(|[.., t]| t))
}

fn joint(source: &Source<'_>, joint: usize) -> DualQuat<f32> {
    DualQuat {
        real: source.palette.joint_real(joint).to_array(),
        dual: source.palette.joint_dual(joint).to_array(),
    }
}

/// Kernels choose the pivot by the weights as stored.
fn is_ambiguous(source: &Source<'_>, index: usize, uploaded: &[DualQuat<f32>]) -> bool {
    let weights: Vec<f64> = stored_slots(source, index).map(|(_, w)| w.into()).collect();
    let exact: Vec<DualQuat<f64>> = uploaded.iter().map(DualQuat::lifted).collect();
    let blended = blend_f64(&weights, &exact);
    blended.tie_margin < UNDECIDED || blended.flip_margin < UNDECIDED
}

/// From the left, as kernels spell it out.
pub(super) fn dot(a: &Vector, b: &Vector) -> OnGpu {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn apply(rows: &[Vector; 3], v: &Vector) -> Vector {
    rows.map(|row| dot(&row, v))
}

pub(super) fn value(v: &Vector) -> DVec3 {
    DVec3::from_array(v.map(|x| x.value))
}

/// The length of the error.
pub(super) fn error(v: &Vector) -> f64 {
    DVec3::from_array(v.map(|x| x.error)).length()
}
