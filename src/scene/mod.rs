//! The scene in glTF's words: meshes, skins, a skeleton, clips and poses.
//!
//! Everything here is plain data in `f32` as files store it. Positions are in the units of the
//! file, right-handed, +Y up. *World* space is the root of the scene; *joint* space is that of one
//! skeleton node. Nothing in this module knows Vulkan.

pub mod adapt;
pub mod character;
pub mod clip;
pub mod import;
pub mod playback;
pub mod skeleton;

use glam::{Mat4, Quat, Vec3};

/// How the vertices of a [`Mesh`] are joined, as in glTF `primitive.mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// `mode` 0.
    Points,
    /// `mode` 1.
    Lines,
    /// `mode` 2.
    LineLoop,
    /// `mode` 3.
    LineStrip,
    /// `mode` 4.
    Triangles,
    /// `mode` 5.
    TriangleStrip,
    /// `mode` 6.
    TriangleFan,
}

impl Topology {
    /// Whether the primitive has a surface, and so normals and a place in the timed passes.
    pub fn has_surface(self) -> bool {
        matches!(
            self,
            Self::Triangles | Self::TriangleStrip | Self::TriangleFan
        )
    }
}

/// One morph target: displacements in object space, added before skinning.
///
/// Each list is empty (the file gives none) or as long as the mesh has vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Position displacements.
    pub positions: Vec<[f32; 3]>,
    /// Normal displacements.
    pub normals: Vec<[f32; 3]>,
    /// Tangent displacements (xyz; the handedness never morphs).
    pub tangents: Vec<[f32; 3]>,
}

/// The bind-pose vertices of one glTF primitive, in accessor order and count.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// A name for messages and GPU objects, such as `Cesium_Man.0`.
    pub name: String,
    /// Index of the glTF mesh in its file.
    pub gltf_mesh: usize,
    /// Index of the primitive in its glTF mesh.
    pub gltf_primitive: usize,
    /// How vertices are joined.
    pub topology: Topology,
    /// Object-space positions; their number is the vertex count.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one a vertex; empty where the topology has no surface and the file gives none.
    pub normals: Vec<[f32; 3]>,
    /// Unit tangents with handedness in w; empty under the same rule as normals.
    pub tangents: Vec<[f32; 4]>,
    /// Indices as the file has them, or `0..n` where it has none.
    pub indices: Vec<u32>,
    /// Influence slots a vertex: 0 unskinned, else 1 to 12 (4, 8 or 12 from a file).
    pub influences: usize,
    /// Joint indices into the skin, `influences` a vertex. A slot of weight 0 holds joint 0.
    pub joints: Vec<u16>,
    /// Weights, `influences` a vertex, summing to one.
    pub weights: Vec<f32>,
    /// Morph targets, in file order.
    pub morph_targets: Vec<MorphTarget>,
}

impl Mesh {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }
}

/// A local transform as glTF stores it on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Local {
    /// Translation, rotation (unit quaternion) and scale: M = T·R·S.
    Trs {
        /// Translation in parent space.
        translation: Vec3,
        /// Rotation, a unit quaternion.
        rotation: Quat,
        /// Scale along the node's own axes.
        scale: Vec3,
    },
    /// Any matrix; such a node is never animated.
    Matrix(Mat4),
}

/// One node of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Name in the file, or `node N`.
    pub name: String,
    /// Index of the node in its file.
    pub gltf_node: usize,
    /// Parent in [`Skeleton::nodes`], always at a lower index.
    pub parent: Option<usize>,
    /// Rest transform.
    pub rest: Local,
}

/// All nodes of a file, parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    /// The nodes, parents before children.
    pub nodes: Vec<Node>,
}

/// A skin: which nodes are joints, and the inverse of each joint's bind transform.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Name in the file, or `skin N`.
    pub name: String,
    /// Indices into [`Skeleton::nodes`].
    pub joints: Vec<usize>,
    /// M⁻¹ of each joint: world (bind) to joint space. Identity where the file has none.
    pub inverse_bind_matrices: Vec<Mat4>,
}

/// How keyframes are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight, or spherical along the shorter arc for rotations.
    Linear,
    /// The value of the last key.
    Step,
    /// Hermite, with in-tangent, value and out-tangent stored for each key.
    CubicSpline,
}

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelTarget {
    /// Translation of a skeleton node: 3 values a key.
    Translation(usize),
    /// Rotation of a skeleton node: 4 values a key, (x, y, z, w).
    Rotation(usize),
    /// Scale of a skeleton node: 3 values a key.
    Scale(usize),
    /// Morph weights of a skeleton node: as many values a key as the node has targets.
    Weights(usize),
}

/// Keyframes of one property of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// What is moved.
    pub target: ChannelTarget,
    /// How keys are joined.
    pub interpolation: Interpolation,
    /// Key times in seconds, strictly increasing, at least one.
    pub times: Vec<f32>,
    /// Values, `width` a key; three times that for [`Interpolation::CubicSpline`].
    pub values: Vec<f32>,
    /// Numbers in one value: 3, 4, or the number of morph targets.
    pub width: usize,
}

/// One animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Name in the file, or `clip N`.
    pub name: String,
    /// The largest key time of all channels, seconds.
    pub duration: f32,
    /// Its channels. Channels may end before the clip does; they hold their last value.
    pub channels: Vec<Channel>,
}

/// Where a palette of skin matrices comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaletteSource {
    /// The joints of a skin, B·M⁻¹ each.
    Skin(usize),
    /// One rigid node: its world matrix alone.
    Node(usize),
}

/// One deform item: a node × primitive × skin of the default scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Index into [`Skeleton::nodes`] of the node that holds the mesh.
    pub node: usize,
    /// Index into [`Scene::meshes`].
    pub mesh: usize,
    /// Index into [`Scene::palettes`].
    pub palette: usize,
    /// First weight of this item's node in [`Pose::morph_weights`].
    pub first_morph_weight: usize,
}

/// The transforms of all nodes, and all morph weights, at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Local transform of each skeleton node.
    pub locals: Vec<Local>,
    /// Morph weights, node after node (see [`Item::first_morph_weight`]).
    pub morph_weights: Vec<f32>,
}

/// One character: the default scene of a file, or the built-in one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Path of the file as given, or `built-in`.
    pub source: String,
    /// SHA-256 of the file (with its external buffers, in file order) in hexadecimal; of the
    /// generated arrays for the built-in character.
    pub sha256: String,
    /// All nodes.
    pub skeleton: Skeleton,
    /// Distinct primitives that the default scene uses.
    pub meshes: Vec<Mesh>,
    /// All skins that the default scene uses.
    pub skins: Vec<Skin>,
    /// Distinct palettes that the items use; items of one skin share one.
    pub palettes: Vec<PaletteSource>,
    /// What is deformed, in scene order.
    pub items: Vec<Item>,
    /// The pose without animation: rest transforms and default morph weights.
    pub rest: Pose,
    /// First morph weight and number of weights of each skeleton node, (0, 0) for none.
    pub morph_ranges: Vec<(usize, usize)>,
    /// Animations, in file order.
    pub clips: Vec<Clip>,
    /// Vertices whose weights had to be normalised.
    pub normalised_weights: usize,
    /// What a reader of the result must know, one sentence each.
    pub warnings: Vec<String>,
}

impl Scene {
    /// Number of joints of a palette.
    pub fn joint_count(&self, palette: usize) -> usize {
        match self.palettes[palette] {
            PaletteSource::Skin(skin) => self.skins[skin].joints.len(),
            PaletteSource::Node(_) => 1,
        }
    }
}
