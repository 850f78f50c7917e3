//! One glTF primitive as a [`Mesh`].

use super::accessors::{Numbers, Wanted};
use super::document::{Document, name_or};
use super::error::ImportError;
use super::influences::{self, Highest, Influences};
use super::normals::{area_weighted, mend};
use super::tangents::{self, Surface};
use super::{morph, triangles};
use crate::scene::{Mesh, Topology};
use gltf::json::accessor::Type;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use std::fmt;

/// A primitive of the file, with a name for messages.
pub(super) struct Place<'a> {
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in its mesh.
    pub index: usize,
    /// The primitive.
    pub primitive: &'a Primitive,
    /// Name of the mesh.
    pub mesh_name: String,
}

/// A mesh as read, with what the assembly of the scene needs to know besides.
pub(super) struct Imported {
    /// The mesh.
    pub mesh: Mesh,
    /// Vertices whose weights were normalised.
    pub normalised: usize,
    /// The highest joint index of nonzero weight.
    pub highest: Option<Highest>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "mesh {} ({}) primitive {}",
            self.mesh, self.mesh_name, self.index
        )
    }
}

impl<'a> Place<'a> {
    /// The primitive `index` of mesh `mesh`.
    pub fn new(doc: &Document, mesh: usize, index: usize, primitive: &'a Primitive) -> Self {
        let name = doc
            .root
            .meshes
            .get(mesh)
            .and_then(|mesh| mesh.name.as_ref());
        Self {
            mesh,
            index,
            primitive,
            mesh_name: name_or(name, &format!("mesh {mesh}")),
        }
    }

    /// The accessor of an attribute.
    pub fn attribute(&self, semantic: &Semantic) -> Option<usize> {
        let key = Checked::Valid(semantic.clone());
        self.primitive
            .attributes
            .get(&key)
            .map(|accessor| accessor.value())
    }

    /// All attributes with a known name.
    pub fn semantics(&self) -> impl Iterator<Item = &Semantic> {
        self.primitive
            .attributes
            .keys()
            .filter_map(|semantic| match semantic {
                Checked::Valid(semantic) => Some(semantic),
                Checked::Invalid => None,
            })
    }

    /// Whether the primitive has joints.
    pub fn has_joints(&self) -> bool {
        self.attribute(&Semantic::Joints(0)).is_some()
    }
}

/// Reads a primitive; its influences only where it is used with a skin. `None`, with a warning,
/// where it has no positions.
pub(super) fn read(
    doc: &Document,
    place: &Place,
    skinned: bool,
) -> Result<Option<Imported>, ImportError> {
    let Some(at_positions) = place.attribute(&Semantic::Positions) else {
        doc.warn(&format!("{place} has no POSITION and was left out"));
        return Ok(None);
    };
    let positions = vectors(doc, place, at_positions, "POSITION", None)?;
    let count = positions.len();
    let topology = topology(doc, place)?;
    let indices = read_indices(doc, place, count)?;
    let (normals, tangents) = directions(doc, place, topology, &positions, &indices)?;
    let influences = match skinned {
        true => influences::read(doc, place, count)?.unwrap_or_default(),
        false => Influences::default(),
    };
    warn_of_weights(doc, place, &influences, count);
    let name = format!("{}.{}", place.mesh_name, place.index);
    let mesh = Mesh {
        name: if place.has_joints() && !skinned {
            format!("{name} rigid")
        } else {
            name
        },
        gltf_mesh: place.mesh,
        gltf_primitive: place.index,
        topology,
        morph_targets: morph::read_targets(doc, place, count)?,
        positions,
        normals,
        tangents,
        indices,
        influences: influences.slots,
        joints: influences.joints,
        weights: influences.weights,
    };
    Ok(Some(Imported {
        mesh,
        normalised: influences.normalised,
        highest: influences.highest,
    }))
}

/// Three numbers a vertex.
pub(super) fn vectors(
    doc: &Document,
    place: &Place,
    accessor: usize,
    what: &str,
    count: Option<usize>,
) -> Result<Vec<[f32; 3]>, ImportError> {
    let role = format!("{what} of {place}");
    let numbers = doc.floats(accessor, &attribute(&role, Type::Vec3, count))?;
    Ok(numbers.as_chunks::<3>().0.to_vec())
}

/// What a vertex attribute of f32 (or quantised) numbers is read as.
fn attribute(role: &str, shape: Type, count: Option<usize>) -> Wanted<'_> {
    Wanted {
        role,
        element: "vertex",
        shape,
        numbers: Numbers::Attribute,
        count,
    }
}

/// How vertices are joined.
fn topology(doc: &Document, place: &Place) -> Result<Topology, ImportError> {
    match place.primitive.mode {
        Checked::Valid(Mode::Points) => Ok(Topology::Points),
        Checked::Valid(Mode::Lines) => Ok(Topology::Lines),
        Checked::Valid(Mode::LineLoop) => Ok(Topology::LineLoop),
        Checked::Valid(Mode::LineStrip) => Ok(Topology::LineStrip),
        Checked::Valid(Mode::Triangles) => Ok(Topology::Triangles),
        Checked::Valid(Mode::TriangleStrip) => Ok(Topology::TriangleStrip),
        Checked::Valid(Mode::TriangleFan) => Ok(Topology::TriangleFan),
        Checked::Invalid => Err(doc.invalid(&place.to_string(), "its mode is unknown")),
    }
}

/// The indices of the file, or 0..count. All are below `count`.
fn read_indices(doc: &Document, place: &Place, count: usize) -> Result<Vec<u32>, ImportError> {
    let Some(accessor) = place.primitive.indices else {
        return (0..count)
            .map(u32::try_from)
            .collect::<Result<_, _>>()
            .map_err(|_| {
                doc.invalid(
                    &place.to_string(),
                    &format!("{count} vertices are too many for 32 bits"),
                )
            });
    };
    let role = format!("indices of {place}");
    let wanted = Wanted {
        role: &role,
        element: "index",
        shape: Type::Scalar,
        numbers: Numbers::Indices,
        count: None,
    };
    let indices = doc.integers(accessor.value(), &wanted)?;
    match indices.iter().position(|index| *index as usize >= count) {
        Some(at) => {
            let restart = [0xff, 0xffff, u32::MAX].contains(&indices[at]);
            let hint = if restart {
                " (glTF has no primitive restart)"
            } else {
                ""
            };
            let what = format!(
                "index {at} is {}, but there are {count} vertices{hint}",
                indices[at]
            );
            Err(doc.accessor_error(accessor.value(), &role, &what))
        }
        None => Ok(indices),
    }
}

/// Normals and tangents, three and four numbers a vertex.
type Directions = (Vec<[f32; 3]>, Vec<[f32; 4]>);

/// The normals and tangents of the file, or made ones where there is a surface.
///
/// Stored tangents without stored normals are ignored, as glTF 2.0 section 3.7.2.1 says.
fn directions(
    doc: &Document,
    place: &Place,
    topology: Topology,
    positions: &[[f32; 3]],
    indices: &[u32],
) -> Result<Directions, ImportError> {
    let faces = triangles(topology, indices);
    let stored_normals = stored_normals(doc, place, positions, &faces)?;
    let stored_tangents = match &stored_normals {
        Some(normals) => stored_tangents(doc, place, normals)?,
        None => None,
    };
    if !topology.has_surface() {
        return Ok((
            stored_normals.unwrap_or_default(),
            stored_tangents.unwrap_or_default(),
        ));
    }
    let normals = stored_normals.unwrap_or_else(|| area_weighted(positions, &faces));
    let tangents = match stored_tangents {
        Some(tangents) => tangents,
        None => {
            let uvs = read_uvs(doc, place, positions.len())?;
            let uvs = uvs.as_deref();
            tangents::make(&Surface {
                positions,
                normals: &normals,
                triangles: &faces,
                uvs,
            })
        }
    };
    Ok((normals, tangents))
}

/// The normals of the file, those of wrong length mended.
fn stored_normals(
    doc: &Document,
    place: &Place,
    positions: &[[f32; 3]],
    faces: &[[u32; 3]],
) -> Result<Option<Vec<[f32; 3]>>, ImportError> {
    let Some(accessor) = place.attribute(&Semantic::Normals) else {
        return Ok(None);
    };
    let mut normals = vectors(doc, place, accessor, "NORMAL", Some(positions.len()))?;
    let made = std::cell::LazyCell::new(|| area_weighted(positions, faces));
    let mended = mend(&mut normals, |vertex| made[vertex]);
    if mended > 0 {
        doc.warn(&format!(
            "{mended} of {} normals of {place} were not of unit length; they were normalised, or \
             made from the triangles where they were zero",
            normals.len()
        ));
    }
    Ok(Some(normals))
}

/// The tangents of the file, those of wrong length or handedness mended.
fn stored_tangents(
    doc: &Document,
    place: &Place,
    normals: &[[f32; 3]],
) -> Result<Option<Vec<[f32; 4]>>, ImportError> {
    let Some(accessor) = place.attribute(&Semantic::Tangents) else {
        return Ok(None);
    };
    let role = format!("TANGENT of {place}");
    let numbers = doc.floats(accessor, &attribute(&role, Type::Vec4, Some(normals.len())))?;
    let stored = numbers.as_chunks::<4>().0;
    let mut directions: Vec<_> = stored.iter().map(|[x, y, z, _]| [*x, *y, *z]).collect();
    let mut mended = mend(&mut directions, |vertex| {
        tangents::perpendicular(normals[vertex])
    });
    let mut tangents = Vec::with_capacity(stored.len());
    for ([x, y, z], [_, _, _, w]) in directions.into_iter().zip(stored) {
        let sign = if *w < 0.0 { -1.0 } else { 1.0 };
        mended += usize::from(*w != sign);
        tangents.push([x, y, z, sign]);
    }
    if mended > 0 {
        doc.warn(&format!(
            "{mended} tangents of {place} were not of unit length or not of handedness 1 or -1; \
             they were mended"
        ));
    }
    Ok(Some(tangents))
}

/// TEXCOORD_0, if there is one.
fn read_uvs(
    doc: &Document,
    place: &Place,
    count: usize,
) -> Result<Option<Vec<[f32; 2]>>, ImportError> {
    let Some(accessor) = place.attribute(&Semantic::TexCoords(0)) else {
        return Ok(None);
    };
    let role = format!("TEXCOORD_0 of {place}");
    let numbers = if doc.quantized {
        Numbers::Attribute
    } else {
        Numbers::UnsignedNormalised
    };
    let wanted = Wanted {
        role: &role,
        element: "vertex",
        shape: Type::Vec2,
        numbers,
        count: Some(count),
    };
    Ok(Some(
        doc.floats(accessor, &wanted)?.as_chunks::<2>().0.to_vec(),
    ))
}

/// Says how many vertices had weights that the import changed.
fn warn_of_weights(doc: &Document, place: &Place, influences: &Influences, count: usize) {
    if influences.normalised > 0 {
        doc.warn(&format!(
            "{} of {count} vertices of {place} had weights that did not sum to one; they were \
             normalised",
            influences.normalised
        ));
    }
    if influences.unweighted > 0 {
        doc.warn(&format!(
            "{} of {count} vertices of {place} had no weight at all; they follow joint 0",
            influences.unweighted
        ));
    }
}
