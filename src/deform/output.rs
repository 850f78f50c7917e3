//! How deformed vertices lie in memory.

use std::ops::Range;

use glam::{Vec3, Vec4};

use super::skin::Deformed;
use crate::math::octahedral::{self, Rounding};
use crate::math::snorm;
use crate::plan::OutputFormat;
use crate::scene::Scene;

/// What is deformed and written for each vertex; the axis `attributes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attributes {
    /// `p`: positions.
    P,
    /// `pn`: positions and normals.
    Pn,
    /// `pnt`: positions, normals and tangents with handedness.
    Pnt,
}

impl Attributes {
    /// Numbers a vertex: `[px py pz] [nx ny nz] [tx ty tz tw]`, as far as they go.
    pub fn floats(self) -> usize {
        match self {
            Self::P => 3,
            Self::Pn => 6,
            Self::Pnt => 10,
        }
    }
}

/// Where each item's deformed vertices lie: instance after instance, in each item after item, in
/// each the vertices in accessor order, interleaved.
///
/// A position is three floats. Normal and tangent follow as floats, or as one word each. Items whose
/// mesh has no normals or tangents hold zeros there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLayout {
    /// What each vertex holds.
    pub attributes: Attributes,
    /// How normals and tangents are stored.
    pub format: OutputFormat,
    /// First vertex of each item within its instance.
    pub first_vertices: Vec<usize>,
    /// Vertices of one instance, all items together.
    pub vertices_per_instance: usize,
}

impl OutputLayout {
    /// The layout of `scene`'s items.
    pub fn new(scene: &Scene, attributes: Attributes, format: OutputFormat) -> Self {
        let mut next = 0;
        let first_vertices = scene
            .items
            .iter()
            .map(|item| {
                let first = next;
                next += scene.meshes[item.mesh].vertex_count();
                first
            })
            .collect();
        Self {
            attributes,
            format,
            first_vertices,
            vertices_per_instance: next,
        }
    }

    /// Numbers that `instances` instances take once they are decoded.
    pub fn floats(&self, instances: usize) -> usize {
        instances * self.vertices_per_instance * self.attributes.floats()
    }

    /// Words of one vertex as it is stored.
    pub fn words(&self) -> usize {
        match (self.format, self.attributes) {
            (OutputFormat::F32, attributes) => attributes.floats(),
            (_, Attributes::P) => 3,
            (_, Attributes::Pn) => 4,
            (_, Attributes::Pnt) => 5,
        }
    }

    /// Bytes that `instances` instances take as they are stored.
    pub fn bytes(&self, instances: usize) -> usize {
        4 * instances * self.vertices_per_instance * self.words()
    }

    /// The vertices of one item in one instance, counted from the first of all.
    pub fn vertices(&self, instance: usize, item: usize) -> Range<usize> {
        let next = self.first_vertices.get(item + 1).copied();
        let start = instance * self.vertices_per_instance;
        start + self.first_vertices[item]..start + next.unwrap_or(self.vertices_per_instance)
    }

    /// The words of one vertex: the CPU twin of the kernels' `store_vertex`.
    pub fn encode(&self, vertex: &Deformed, out: &mut [u32]) {
        let floats = |out: &mut [u32], all: &[f32]| {
            for (word, float) in out.iter_mut().zip(all) {
                *word = float.to_bits();
            }
        };
        floats(out, &vertex.position.to_array());
        let packed = self.format != OutputFormat::F32;
        if self.attributes != Attributes::P {
            match packed {
                false => floats(&mut out[3..], &vertex.normal.to_array()),
                true => out[3] = pack_normal(self.format, vertex.normal),
            }
        }
        if self.attributes == Attributes::Pnt {
            match packed {
                false => floats(&mut out[6..], &vertex.tangent.to_array()),
                true => out[4] = pack_tangent(self.format, vertex.tangent),
            }
        }
    }

    /// Stored words as floats, [`Attributes::floats`] a vertex.
    pub fn decode(&self, words: &[u32]) -> Vec<f32> {
        if self.format == OutputFormat::F32 {
            return words.iter().map(|word| f32::from_bits(*word)).collect();
        }
        let mut all = Vec::with_capacity(words.len() / self.words() * self.attributes.floats());
        for vertex in words.chunks_exact(self.words()) {
            all.extend(vertex[..3].iter().map(|word| f32::from_bits(*word)));
            if self.attributes != Attributes::P {
                all.extend(unpack_normal(self.format, vertex[3]).to_array());
            }
            if self.attributes == Attributes::Pnt {
                all.extend(unpack_tangent(self.format, vertex[4]).to_array());
            }
        }
        all
    }
}

fn rounding(format: OutputFormat) -> Rounding {
    match format {
        OutputFormat::Oct16Truncated => Rounding::Truncated,
        _ => Rounding::Nearest,
    }
}

fn pack_normal(format: OutputFormat, normal: Vec3) -> u32 {
    match format {
        OutputFormat::Snorm8 => snorm::encode(normal.to_array(), 0.0),
        _ => octahedral::encode(normal.to_array(), rounding(format)),
    }
}

fn pack_tangent(format: OutputFormat, tangent: Vec4) -> u32 {
    let direction = tangent.truncate().to_array();
    match format {
        OutputFormat::Snorm8 => snorm::encode(direction, tangent.w),
        _ => octahedral::encode_tangent(direction, tangent.w, rounding(format)),
    }
}

fn unpack_normal(format: OutputFormat, word: u32) -> Vec3 {
    match format {
        OutputFormat::Snorm8 => Vec4::from_array(snorm::decode(word)).truncate(),
        _ => Vec3::from_array(octahedral::decode(word)),
    }
}

fn unpack_tangent(format: OutputFormat, word: u32) -> Vec4 {
    match format {
        OutputFormat::Snorm8 => Vec4::from_array(snorm::decode(word)),
        _ => {
            let (direction, handedness) = octahedral::decode_tangent(word);
            Vec3::from_array(direction).extend(handedness)
        }
    }
}
