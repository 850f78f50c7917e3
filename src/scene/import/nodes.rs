//! The node hierarchy as a [`Skeleton`], and skins.

use super::accessors::{Numbers, Wanted};
use super::document::{Document, name_or};
use super::error::ImportError;
use crate::scene::{Local, Node, Skeleton, Skin};
use glam::{DQuat, Mat4, Quat, Vec3, Vec4};
use gltf::json::Node as JsonNode;
use gltf::json::accessor::Type;
use gltf::json::animation::Property;
use gltf::json::validation::Checked;
use std::collections::HashSet;

/// How far |q|² of a unit quaternion rounded to f32 is from 1: 2·Σ qᵢ²·2⁻²⁴ = 2⁻²³, doubled for the
/// rounding of the sum.
const UNIT_ROUNDING: f64 = 1.0 / (1 << 22) as f64;

/// The skeleton, and the way between it and the nodes of the file.
pub(super) struct Hierarchy {
    /// All nodes, parents before children.
    pub skeleton: Skeleton,
    /// Index in the file of each skeleton node.
    pub order: Vec<usize>,
    /// Index in the skeleton of each node of the file.
    pub place_of: Vec<usize>,
}

/// All nodes of the file: roots in file order, each followed by all below it.
pub(super) fn read(doc: &Document) -> Result<Hierarchy, ImportError> {
    let parents = parents(doc)?;
    let order = parents_first(doc, &parents)?;
    let mut place_of = vec![0; order.len()];
    for (place, node) in order.iter().enumerate() {
        place_of[*node] = place;
    }
    let animated = animated_nodes(doc);
    let nodes = order.iter().map(|index| {
        Ok(Node {
            name: name_or(
                doc.root.nodes[*index].name.as_ref(),
                &format!("node {index}"),
            ),
            gltf_node: *index,
            parent: parents[*index].map(|parent| place_of[parent]),
            rest: rest(doc, *index, animated.contains(index))?,
        })
    });
    let skeleton = Skeleton {
        nodes: nodes.collect::<Result<_, ImportError>>()?,
    };
    Ok(Hierarchy {
        skeleton,
        order,
        place_of,
    })
}

/// The children of a node.
pub(super) fn children(node: &JsonNode) -> impl DoubleEndedIterator<Item = usize> {
    node.children.iter().flatten().map(|child| child.value())
}

/// The parent of each node; a node has at most one.
fn parents(doc: &Document) -> Result<Vec<Option<usize>>, ImportError> {
    let mut parents = vec![None; doc.root.nodes.len()];
    for (index, node) in doc.root.nodes.iter().enumerate() {
        for child in children(node) {
            if let Some(other) = parents[child].replace(index) {
                let what = format!("it is a child of node {other} and of node {index}");
                return Err(doc.invalid(&format!("node {child}"), &what));
            }
        }
    }
    Ok(parents)
}

/// All nodes, each after its parent.
fn parents_first(doc: &Document, parents: &[Option<usize>]) -> Result<Vec<usize>, ImportError> {
    let mut order = Vec::with_capacity(parents.len());
    let mut open: Vec<_> = (0..parents.len())
        .rev()
        .filter(|n| parents[*n].is_none())
        .collect();
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(children(&doc.root.nodes[node]).rev());
    }
    if order.len() == parents.len() {
        return Ok(order);
    }
    // Every node has at most one parent, so what no root leads to is on a cycle or below one.
    let reached: HashSet<_> = order.into_iter().collect();
    let lost = (0..parents.len())
        .find(|node| !reached.contains(node))
        .unwrap_or(0);
    Err(doc.invalid(
        &format!("node {lost}"),
        "it is on or below a cycle of nodes",
    ))
}

/// Nodes whose translation, rotation or scale some clip moves.
fn animated_nodes(doc: &Document) -> HashSet<usize> {
    let channels = doc
        .root
        .animations
        .iter()
        .flat_map(|animation| &animation.channels);
    channels
        .filter(|channel| channel.target.path != Checked::Valid(Property::MorphTargetWeights))
        .map(|channel| channel.target.node.value())
        .collect()
}

/// The rest transform of a node.
fn rest(doc: &Document, index: usize, animated: bool) -> Result<Local, ImportError> {
    let node = &doc.root.nodes[index];
    let place = format!("node {index} ({})", name_or(node.name.as_ref(), "no name"));
    match node.matrix {
        Some(matrix) => matrix_rest(doc, &place, matrix, animated),
        None => trs_rest(node).map_err(|what| doc.invalid(&place, what)),
    }
}

/// A transform given as translation, rotation and scale.
fn trs_rest(node: &JsonNode) -> Result<Local, &'static str> {
    let translation = Vec3::from(node.translation.unwrap_or_default());
    let scale = node.scale.map_or(Vec3::ONE, Vec3::from);
    let rotation = node.rotation.unwrap_or_default().0;
    if !(translation.is_finite() && scale.is_finite()) {
        return Err("its translation or scale is not finite");
    }
    let rotation = unit(rotation).ok_or("its rotation is zero or not finite")?;
    Ok(Local::Trs {
        translation,
        rotation,
        scale,
    })
}

/// A quaternion as unit quaternion: as stored where it is one up to rounding, else normalised.
fn unit(stored: [f32; 4]) -> Option<Quat> {
    let exact = DQuat::from_array(stored.map(f64::from));
    let length = exact.length();
    if !(length.is_finite() && length > 0.0) {
        return None;
    }
    if (exact.length_squared() - 1.0).abs() <= UNIT_ROUNDING {
        return Some(Quat::from_array(stored));
    }
    Some((exact / length).as_quat())
}

/// A transform given as matrix, taken apart where a clip moves the node.
fn matrix_rest(
    doc: &Document,
    place: &str,
    matrix: [f32; 16],
    animated: bool,
) -> Result<Local, ImportError> {
    let matrix = affine(doc, place, Mat4::from_cols_array(&matrix))?;
    if !animated {
        return Ok(Local::Matrix(matrix));
    }
    if !(matrix.determinant() != 0.0) {
        return Err(doc.invalid(place, "it is animated, but its matrix has no inverse"));
    }
    doc.warn(&format!(
        "{place} is animated and given as matrix, which glTF does not allow; the matrix was taken \
         apart into translation, rotation and scale"
    ));
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = unit(rotation.to_array())
        .ok_or_else(|| doc.invalid(place, "its matrix cannot be taken apart"))?;
    Ok(Local::Trs {
        translation,
        rotation,
        scale,
    })
}

/// A finite matrix with the last row (0, 0, 0, 1), which glTF demands and palettes do not store.
fn affine(doc: &Document, place: &str, mut matrix: Mat4) -> Result<Mat4, ImportError> {
    if !matrix.is_finite() {
        return Err(doc.invalid(place, "its matrix is not finite"));
    }
    if matrix.row(3) != Vec4::W {
        doc.warn(&format!(
            "the last row of the matrix of {place} was set to 0, 0, 0, 1"
        ));
        matrix.x_axis.w = 0.0;
        matrix.y_axis.w = 0.0;
        matrix.z_axis.w = 0.0;
        matrix.w_axis.w = 1.0;
    }
    Ok(matrix)
}

/// Skin `index` of the file.
pub(super) fn read_skin(
    doc: &Document,
    index: usize,
    hierarchy: &Hierarchy,
) -> Result<Skin, ImportError> {
    let skin = &doc.root.skins[index];
    let name = name_or(skin.name.as_ref(), &format!("skin {index}"));
    let place = format!("skin {index} ({name})");
    let joints: Vec<_> = skin
        .joints
        .iter()
        .map(|node| hierarchy.place_of[node.value()])
        .collect();
    if joints.is_empty() {
        return Err(doc.invalid(&place, "it has no joints"));
    }
    let inverse_bind_matrices = match skin.inverse_bind_matrices {
        Some(accessor) => read_matrices(doc, accessor.value(), &place, joints.len())?,
        None => vec![Mat4::IDENTITY; joints.len()],
    };
    Ok(Skin {
        name,
        joints,
        inverse_bind_matrices,
    })
}

/// The first `count` inverse bind matrices.
fn read_matrices(
    doc: &Document,
    accessor: usize,
    place: &str,
    count: usize,
) -> Result<Vec<Mat4>, ImportError> {
    let role = format!("inverse bind matrices of {place}");
    let wanted = Wanted {
        role: &role,
        element: "matrix",
        shape: Type::Mat4,
        numbers: Numbers::Float,
        count: None,
    };
    let numbers = doc.floats(accessor, &wanted)?;
    let matrices = numbers.as_chunks::<16>().0;
    let Some(used) = matrices.get(..count) else {
        let what = format!("there are {} for {count} joints", matrices.len());
        return Err(doc.accessor_error(accessor, &role, &what));
    };
    let mut warned = false;
    let affine = |matrix: &[f32; 16]| {
        let mut columns = *matrix;
        warned |= [3, 7, 11, 15].map(|at| columns[at]) != [0.0, 0.0, 0.0, 1.0];
        [columns[3], columns[7], columns[11], columns[15]] = [0.0, 0.0, 0.0, 1.0];
        Mat4::from_cols_array(&columns)
    };
    let used = used.iter().map(affine).collect();
    if warned {
        doc.warn(&format!(
            "the last rows of the {role} were set to 0, 0, 0, 1"
        ));
    }
    Ok(used)
}
