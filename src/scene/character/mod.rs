//! The built-in character: a skinned, animated figure of any size, made from a seed.
//!
//! A trunk with a head, two arms and two legs, each a round tube along a chain of joints, closed
//! by a dome; the trunk ends below in a flat cap with a hard edge. Every tube has a seam (a doubled
//! column of vertices, where texture coordinates would wrap), and those on the right are mirrored
//! (negative handedness). Metres, +Y up, facing +Z.
//!
//! The same options give the same scene, bit for bit, on the same platform.

mod body;
mod morphs;
mod motion;
mod rig;
mod surface;
mod weights;

use glam::Mat4;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Item, Local, Mesh, Node, PaletteSource, Pose, Scene, Skeleton, Skin, Topology};
use body::{Part, body};
use rig::Rig;
use surface::Piece;

/// Vertex counts that can be asked for.
pub const VERTICES: std::ops::RangeInclusive<usize> = 500..=5_000_000;
/// Joint counts that can be asked for.
pub const JOINTS: std::ops::RangeInclusive<usize> = 1..=4096;
/// Influence counts that can be asked for.
pub const INFLUENCES: [usize; 5] = [1, 2, 4, 8, 12];

/// The most morph targets that can be asked for.
pub const MORPH_TARGETS: usize = 256;

/// What the built-in character is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Exact number of vertices, within [`VERTICES`].
    pub vertices: usize,
    /// Exact number of joints, within [`JOINTS`].
    pub joints: usize,
    /// Influence slots a vertex, one of [`INFLUENCES`]; all of them are used where there are as
    /// many joints.
    pub influences: usize,
    /// Morph targets, at most [`MORPH_TARGETS`]. The clip moves their weights, to both sides of zero.
    pub morph_targets: usize,
    /// Whether the clip scales a joint of each part, each axis differently.
    pub non_uniform_scale: bool,
    /// Varies proportions and motion.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            vertices: 5000,
            joints: 64,
            influences: 4,
            morph_targets: 0,
            non_uniform_scale: false,
            seed: 0,
        }
    }
}

/// An option that the built-in character cannot have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum CharacterError {
    /// Too few or too many vertices.
    #[error(
        "built-in character: {0} vertices asked for, but it can have {low} to {high}; choose a number in that range",
        low = VERTICES.start(), high = VERTICES.end()
    )]
    Vertices(usize),
    /// Too few or too many joints.
    #[error(
        "built-in character: {0} joints asked for, but it can have {low} to {high}; choose a number in that range",
        low = JOINTS.start(), high = JOINTS.end()
    )]
    Joints(usize),
    /// Not a number of influences that the shaders know.
    #[error(
        "built-in character: {0} influences asked for, but a vertex can have 1, 2, 4, 8 or 12; choose one of these"
    )]
    Influences(usize),
    /// Too many morph targets.
    #[error(
        "built-in character: {0} morph targets asked for, but it can have {MORPH_TARGETS}; choose no more"
    )]
    MorphTargets(usize),
}

/// Makes the character: one skinned mesh, one skin of exactly `joints` joints, one looping clip.
///
/// The triangles are about two a vertex (1.5 at 500 vertices, near two from 5,000 on), ordered for
/// the vertex cache, and the vertices in the order in which the triangles first use them.
///
/// # Errors
/// An option outside its range.
pub fn build(options: Options) -> Result<Scene, CharacterError> {
    check(&options)?;
    let mut random = Pcg64::seed_from_u64(options.seed);
    let parts = body(&options, &mut random);
    let rig = Rig::new(&parts);
    let mut mesh = mesh(&options, &parts, &rig);
    mesh.morph_targets = morphs::targets(&mesh, options.morph_targets);
    let skin = Skin {
        name: "skin 0".to_owned(),
        joints: (1..=options.joints).collect(),
        inverse_bind_matrices: rig.inverse_bind_matrices(),
    };
    let mut clip = motion::clip(&parts, &rig, &mut random);
    if options.non_uniform_scale {
        clip.channels.extend(motion::scales(&parts, &rig));
    }
    if options.morph_targets > 0 {
        clip.channels
            .push(motion::morph_weights(options.morph_targets));
    }
    Ok(assemble(mesh, skin, rig.nodes(&parts), clip))
}

fn check(options: &Options) -> Result<(), CharacterError> {
    if !VERTICES.contains(&options.vertices) {
        return Err(CharacterError::Vertices(options.vertices));
    }
    if !JOINTS.contains(&options.joints) {
        return Err(CharacterError::Joints(options.joints));
    }
    if !INFLUENCES.contains(&options.influences) {
        return Err(CharacterError::Influences(options.influences));
    }
    if options.morph_targets > MORPH_TARGETS {
        return Err(CharacterError::MorphTargets(options.morph_targets));
    }
    Ok(())
}

fn mesh(options: &Options, parts: &[Part], rig: &Rig) -> Mesh {
    let pieces: Vec<Piece> = (0..parts.len())
        .into_par_iter()
        .map(|part| surface::piece(parts, part, rig, options.influences).optimised())
        .collect();
    let mut mesh = Mesh {
        name: "character.0".to_owned(),
        gltf_mesh: 0,
        gltf_primitive: 0,
        topology: Topology::Triangles,
        positions: Vec::with_capacity(options.vertices),
        normals: Vec::with_capacity(options.vertices),
        tangents: Vec::with_capacity(options.vertices),
        indices: Vec::with_capacity(6 * options.vertices),
        influences: options.influences,
        joints: Vec::with_capacity(options.influences * options.vertices),
        weights: Vec::with_capacity(options.influences * options.vertices),
        morph_targets: Vec::new(),
    };
    for piece in pieces {
        piece.append_to(&mut mesh);
    }
    mesh
}

fn assemble(mesh: Mesh, skin: Skin, mut joints: Vec<Node>, clip: super::Clip) -> Scene {
    let root = Local::Matrix(Mat4::IDENTITY);
    let holder = Node {
        name: "character".to_owned(),
        gltf_node: 0,
        parent: None,
        rest: root,
    };
    let mut nodes = vec![holder];
    nodes.append(&mut joints);
    let targets = mesh.morph_targets.len();
    let rest = Pose {
        locals: nodes.iter().map(|node| node.rest).collect(),
        morph_weights: vec![0.0; targets],
    };
    let mut morph_ranges = vec![(0, 0); nodes.len()];
    morph_ranges[0] = (0, targets);
    Scene {
        source: "built-in".to_owned(),
        sha256: digest(&mesh, &skin, &clip),
        morph_ranges,
        skeleton: Skeleton { nodes },
        meshes: vec![mesh],
        skins: vec![skin],
        palettes: vec![PaletteSource::Skin(0)],
        items: vec![Item {
            node: 0,
            mesh: 0,
            palette: 0,
            first_morph_weight: 0,
        }],
        rest,
        clips: vec![clip],
        normalised_weights: 0,
        warnings: Vec::new(),
    }
}

/// SHA-256 of all generated arrays in hexadecimal.
fn digest(mesh: &Mesh, skin: &Skin, clip: &super::Clip) -> String {
    let mut hasher = Sha256::new();
    hasher.update(bytemuck::cast_slice::<_, u8>(&mesh.positions));
    hasher.update(bytemuck::cast_slice::<_, u8>(&mesh.normals));
    hasher.update(bytemuck::cast_slice::<_, u8>(&mesh.tangents));
    hasher.update(bytemuck::cast_slice::<_, u8>(&mesh.indices));
    hasher.update(bytemuck::cast_slice::<_, u8>(&mesh.joints));
    hasher.update(bytemuck::cast_slice::<_, u8>(&mesh.weights));
    for target in &mesh.morph_targets {
        hasher.update(bytemuck::cast_slice::<_, u8>(&target.positions));
    }
    for matrix in &skin.inverse_bind_matrices {
        hasher.update(bytemuck::cast_slice::<f32, u8>(&matrix.to_cols_array()));
    }
    for channel in &clip.channels {
        hasher.update(bytemuck::cast_slice::<_, u8>(&channel.values));
    }
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
