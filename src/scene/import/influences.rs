//! JOINTS_n and WEIGHTS_n: up to twelve influences a vertex, normalised once.

use super::accessors::{Numbers, Wanted};
use super::document::Document;
use super::error::ImportError;
use super::primitive::Place;
use gltf::json::accessor::Type;
use gltf::json::mesh::Semantic;

/// Sets of four influences that are read.
const MOST_SETS: u32 = 3;
/// Allowed distance of the sum of weights from one, for each weight that is not zero: the threshold
/// of glTF-Validator. Sums of stored unorm weights that are exactly 255 or 65,535 stay below it: each
/// weight is rounded to f32 by less than half of 2⁻²⁴ of itself.
const SUM_TOLERANCE: f64 = 2e-7;

/// The influences of all vertices.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Influences {
    /// Slots a vertex: 0, 4, 8 or 12.
    pub slots: usize,
    /// Joint indices; 0 where the weight is 0.
    pub joints: Vec<u16>,
    /// Weights, summing to one.
    pub weights: Vec<f32>,
    /// Vertices whose weights were normalised.
    pub normalised: usize,
    /// Vertices without any weight, bound to joint 0.
    pub unweighted: usize,
    /// The vertex with the highest joint index of nonzero weight.
    pub highest: Option<Highest>,
}

/// A joint index of nonzero weight, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Highest {
    /// The joint index.
    pub joint: u16,
    /// The vertex that refers to it.
    pub vertex: usize,
    /// The JOINTS_n accessor.
    pub accessor: usize,
}

/// Reads all sets of a primitive of `count` vertices; `None` where it has none.
pub(super) fn read(
    doc: &Document,
    place: &Place,
    count: usize,
) -> Result<Option<Influences>, ImportError> {
    let sets = check_sets(doc, place)?;
    if sets == 0 {
        return Ok(None);
    }
    let slots = 4 * sets as usize;
    let mut influences = Influences {
        slots,
        joints: vec![0; slots * count],
        weights: vec![0.0; slots * count],
        ..Influences::default()
    };
    let mut accessors = Vec::new();
    for set in 0..sets {
        accessors.push(read_set(doc, place, set, count, &mut influences)?);
    }
    influences.settle(&accessors);
    Ok(Some(influences))
}

/// The number of sets. Sets must count up from 0, each with joints and weights.
fn check_sets(doc: &Document, place: &Place) -> Result<u32, ImportError> {
    let has = |semantic| place.attribute(&semantic).is_some();
    let sets = (0..MOST_SETS)
        .take_while(|set| has(Semantic::Joints(*set)))
        .count() as u32;
    for semantic in place.semantics() {
        let what = match semantic {
            Semantic::Joints(set) | Semantic::Weights(set) if *set >= MOST_SETS => {
                "more than 12 influences a vertex are not supported; limit them when exporting"
            }
            Semantic::Joints(set) | Semantic::Weights(set) if *set >= sets => {
                "it has no JOINTS of the same or of a lower set"
            }
            Semantic::Joints(set) if !has(Semantic::Weights(*set)) => {
                "it has no WEIGHTS of its set"
            }
            _ => continue,
        };
        return Err(doc.invalid(&format!("{} of {place}", semantic.to_string()), what));
    }
    Ok(sets)
}

/// Reads one set into its four slots; the accessor of its joints.
fn read_set(
    doc: &Document,
    place: &Place,
    set: u32,
    count: usize,
    into: &mut Influences,
) -> Result<usize, ImportError> {
    let accessor = |semantic: Semantic| place.attribute(&semantic).unwrap_or(usize::MAX);
    let wanted = |role, numbers| Wanted {
        role,
        element: "vertex",
        shape: Type::Vec4,
        numbers,
        count: Some(count),
    };
    let (at_joints, at_weights) = (
        accessor(Semantic::Joints(set)),
        accessor(Semantic::Weights(set)),
    );
    let role = format!("JOINTS_{set} of {place}");
    let joints = doc.integers(at_joints, &wanted(&role, Numbers::Joints))?;
    let role = format!("WEIGHTS_{set} of {place}");
    let weights = doc.floats(at_weights, &wanted(&role, Numbers::UnsignedNormalised))?;
    if let Some(at) = weights.iter().position(|weight| *weight < 0.0) {
        let what = format!(
            "the weight {} of vertex {} is negative",
            weights[at],
            at / 4
        );
        return Err(doc.accessor_error(at_weights, &role, &what));
    }
    let first = 4 * set as usize;
    let quads = joints
        .as_chunks::<4>()
        .0
        .iter()
        .zip(weights.as_chunks::<4>().0);
    for (vertex, (joints, weights)) in quads.enumerate() {
        let slot = vertex * into.slots + first;
        // The component type is u8 or u16, so nothing is lost.
        into.joints[slot..slot + 4].copy_from_slice(&joints.map(|joint| joint as u16));
        into.weights[slot..slot + 4].copy_from_slice(weights);
    }
    Ok(at_joints)
}

impl Influences {
    /// Normalises all vertices and notes the highest joint; `accessors` are those of the joints.
    fn settle(&mut self, accessors: &[usize]) {
        let vertices = self
            .joints
            .chunks_mut(self.slots)
            .zip(self.weights.chunks_mut(self.slots));
        for (vertex, (joints, weights)) in vertices.enumerate() {
            match settle_vertex(joints, weights) {
                Settled::AsStored => {}
                Settled::Normalised => self.normalised += 1,
                Settled::Unweighted => self.unweighted += 1,
            }
            for (slot, joint) in joints.iter().enumerate() {
                if weights[slot] > 0.0 && self.highest.is_none_or(|highest| *joint > highest.joint)
                {
                    self.highest = Some(Highest {
                        joint: *joint,
                        vertex,
                        accessor: accessors[slot / 4],
                    });
                }
            }
        }
    }
}

/// What became of a vertex.
#[derive(Debug, PartialEq, Eq)]
enum Settled {
    AsStored,
    Normalised,
    Unweighted,
}

/// Sets joints of zero weight to 0 and makes the weights of one vertex sum to one.
fn settle_vertex(joints: &mut [u16], weights: &mut [f32]) -> Settled {
    for (joint, weight) in joints.iter_mut().zip(weights.iter()) {
        if *weight == 0.0 {
            *joint = 0;
        }
    }
    let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    let used = weights.iter().filter(|weight| **weight > 0.0).count();
    if used == 0 {
        weights[0] = 1.0;
        return Settled::Unweighted;
    }
    if (sum - 1.0).abs() <= SUM_TOLERANCE * used as f64 {
        return Settled::AsStored;
    }
    for (joint, weight) in joints.iter_mut().zip(weights.iter_mut()) {
        *weight = (f64::from(*weight) / sum) as f32;
        // A weight beyond f32 below the others becomes none at all.
        if *weight == 0.0 {
            *joint = 0;
        }
    }
    Settled::Normalised
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_unorm_sums_stay_as_stored() {
        for most in [255.0_f32, 65535.0] {
            for parts in [[1.0, 2.0, 3.0], [85.0, 84.0, 1.0], [0.0, 0.0, 0.0]] {
                let rest = most - parts.iter().sum::<f32>();
                let mut weights = [parts[0], parts[1], parts[2], rest].map(|part| part / most);
                let stored = weights;
                assert_eq!(
                    settle_vertex(&mut [1, 2, 3, 4], &mut weights),
                    Settled::AsStored
                );
                assert_eq!(weights, stored);
            }
        }
    }

    #[test]
    fn a_unorm_sum_one_step_off_is_normalised() {
        let mut weights = [32767.0 / 65535.0, 32767.0 / 65535.0, 0.0, 0.0];
        assert_eq!(
            settle_vertex(&mut [1, 2, 3, 4], &mut weights),
            Settled::Normalised
        );
        assert_eq!(weights, [0.5, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn the_threshold_grows_with_the_weights_used() {
        // 0.5 + 0.5000003 is 3e-7 off: within 2·2e-7. One weight of 1.0000003 is beyond 2e-7.
        assert_eq!(
            settle_vertex(&mut [0; 4], &mut [0.5, 0.500_000_3, 0.0, 0.0]),
            Settled::AsStored
        );
        assert_eq!(
            settle_vertex(&mut [0; 4], &mut [1.000_000_4, 0.0, 0.0, 0.0]),
            Settled::Normalised
        );
    }

    #[test]
    fn slots_without_weight_hold_joint_0() {
        let (mut joints, mut weights) = ([7, 9, 60_000, 3], [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(settle_vertex(&mut joints, &mut weights), Settled::AsStored);
        assert_eq!(joints, [0, 9, 0, 0]);
    }

    #[test]
    fn vertices_without_any_weight_follow_joint_0() {
        let (mut joints, mut weights) = ([7, 9, 1, 3], [0.0; 4]);
        assert_eq!(
            settle_vertex(&mut joints, &mut weights),
            Settled::Unweighted
        );
        assert_eq!((joints, weights), ([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn extreme_weights_still_sum_to_one() {
        for mut weights in [
            [f32::MAX; 4],
            [1e-45, 1e-45, 0.0, 0.0],
            [f32::MAX, 1e-45, 0.0, 0.0],
        ] {
            assert_eq!(
                settle_vertex(&mut [0; 4], &mut weights),
                Settled::Normalised
            );
            assert_eq!(weights.iter().sum::<f32>(), 1.0);
        }
    }
}
