//! Morph targets and the default weights of nodes.

use super::document::Document;
use super::error::ImportError;
use super::primitive::{Place, vectors};
use crate::scene::MorphTarget;
use gltf::json::mesh::Semantic;
use gltf::json::{Index, accessor::Accessor};

/// Most morph weights of all nodes together.
const MOST_WEIGHTS: usize = 1 << 24;

/// The morph targets of a primitive of `count` vertices.
///
/// An accessor that is all zeros leaves its list empty. Normals and tangents of a target are ignored
/// where the primitive itself has none in the file: made ones have nothing to do with them.
pub(super) fn read_targets(
    doc: &Document,
    place: &Place,
    count: usize,
) -> Result<Vec<MorphTarget>, ImportError> {
    let targets = place.primitive.targets.iter().flatten();
    let has_normals = place.attribute(&Semantic::Normals).is_some();
    let has_tangents = has_normals && place.attribute(&Semantic::Tangents).is_some();
    let mut ignored = 0;
    let read = targets.enumerate().map(|(index, target)| {
        ignored += usize::from(target.normals.is_some() && !has_normals);
        ignored += usize::from(target.tangents.is_some() && !has_tangents);
        let list = |accessor: Option<Index<Accessor>>, name: &str| {
            displacements(
                doc,
                place,
                accessor,
                &format!("{name} of target {index}"),
                count,
            )
        };
        Ok(MorphTarget {
            positions: list(target.positions, "POSITION")?,
            normals: list(target.normals.filter(|_| has_normals), "NORMAL")?,
            tangents: list(target.tangents.filter(|_| has_tangents), "TANGENT")?,
        })
    });
    let read = read.collect::<Result<Vec<_>, _>>()?;
    if ignored > 0 {
        doc.warn(&format!(
            "{ignored} normals or tangents of morph targets of {place} were ignored, because the \
             primitive has none itself"
        ));
    }
    Ok(read)
}

/// One displacement a vertex, or none at all.
fn displacements(
    doc: &Document,
    place: &Place,
    accessor: Option<Index<Accessor>>,
    what: &str,
    count: usize,
) -> Result<Vec<[f32; 3]>, ImportError> {
    let Some(accessor) = accessor.map(|accessor| accessor.value()) else {
        return Ok(Vec::new());
    };
    if doc.is_all_zeros(accessor) && doc.stated_count(accessor) == count as u64 {
        return Ok(Vec::new());
    }
    vectors(doc, place, accessor, what, Some(count))
}

/// The morph weights of nodes, in the order of the skeleton.
pub(super) struct Weights {
    /// First weight and number of weights of each node, (0, 0) for none.
    pub ranges: Vec<(usize, usize)>,
    /// The default weights, node after node.
    pub defaults: Vec<f32>,
}

/// Default weights of the nodes `order` (indices in the file): `node.weights`, else `mesh.weights`,
/// else zeros.
pub(super) fn read_weights(doc: &Document, order: &[usize]) -> Result<Weights, ImportError> {
    let mut weights = Weights {
        ranges: Vec::with_capacity(order.len()),
        defaults: Vec::new(),
    };
    for node in order {
        let count = target_count(doc, *node)?;
        if count == 0 {
            weights.ranges.push((0, 0));
            continue;
        }
        if weights.defaults.len() + count > MOST_WEIGHTS {
            let what = format!("all nodes together have more than {MOST_WEIGHTS} morph weights");
            return Err(doc.invalid(&format!("node {node}"), &what));
        }
        weights.ranges.push((weights.defaults.len(), count));
        weights.defaults.extend(default_weights(doc, *node, count)?);
    }
    Ok(weights)
}

/// The number of morph targets of the mesh of a node, the same in all its primitives.
fn target_count(doc: &Document, node: usize) -> Result<usize, ImportError> {
    let mesh = doc
        .root
        .nodes
        .get(node)
        .and_then(|node| node.mesh)
        .map(|mesh| mesh.value());
    let Some((index, mesh)) = mesh.and_then(|mesh| Some((mesh, doc.root.meshes.get(mesh)?))) else {
        return Ok(0);
    };
    let mut counts = mesh
        .primitives
        .iter()
        .map(|p| p.targets.as_ref().map_or(0, Vec::len));
    let first = counts.next().unwrap_or(0);
    match counts.find(|count| *count != first) {
        Some(other) => {
            let what = format!("one primitive has {first} morph targets and another {other}");
            Err(doc.invalid(&format!("mesh {index}"), &what))
        }
        None => Ok(first),
    }
}

/// The default weights of a node that has `count`.
fn default_weights(doc: &Document, node: usize, count: usize) -> Result<Vec<f32>, ImportError> {
    let from = doc.root.nodes.get(node);
    let mesh = from.and_then(|node| doc.root.meshes.get(node.mesh?.value()));
    let stored = from.and_then(|node| node.weights.as_ref());
    let Some(stored) = stored.or_else(|| mesh.and_then(|mesh| mesh.weights.as_ref())) else {
        return Ok(vec![0.0; count]);
    };
    let place = format!("morph weights of node {node}");
    if stored.len() != count {
        let what = format!("there are {} for {count} morph targets", stored.len());
        return Err(doc.invalid(&place, &what));
    }
    match stored.iter().find(|weight| !weight.is_finite()) {
        Some(weight) => Err(doc.invalid(&place, &format!("{weight} is not a finite number"))),
        None => Ok(stored.clone()),
    }
}
