//! How bind-pose vertices lie in a buffer: interleaved words that the compute kernel reads as such
//! and the vertex stage as attributes.

use crate::deform::output::Attributes;
use crate::gpu::{VertexAttribute, VertexFormat};
use crate::scene::Mesh;

/// The layout of one source vertex: position, normal, tangent as floats; joints, two `u16` a word;
/// weights as floats. All offsets are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLayout {
    /// Which attributes.
    pub attributes: Attributes,
    /// Influence slots: 1, 2, 4, 8 or 12. A rigid mesh has one, joint 0 with weight 1.
    pub influences: usize,
}

impl SourceLayout {
    /// The layout of a mesh.
    pub fn of(mesh: &Mesh, attributes: Attributes) -> Self {
        Self {
            attributes,
            influences: mesh.influences.max(1),
        }
    }

    /// Byte offset of the joints.
    pub fn joints_offset(&self) -> u32 {
        4 * self.attributes.floats() as u32
    }

    /// Byte offset of the weights.
    pub fn weights_offset(&self) -> u32 {
        self.joints_offset() + 4 * self.influences.div_ceil(2) as u32
    }

    /// Bytes from vertex to vertex.
    pub fn stride(&self) -> u32 {
        self.weights_offset() + 4 * self.influences as u32
    }

    /// The words of all vertices of `mesh`.
    pub fn pack(&self, mesh: &Mesh) -> Vec<u32> {
        let mut words = Vec::with_capacity(mesh.vertex_count() * self.stride() as usize / 4);
        for vertex in 0..mesh.vertex_count() {
            self.pack_vertex(mesh, vertex, &mut words);
        }
        words
    }

    fn pack_vertex(&self, mesh: &Mesh, vertex: usize, words: &mut Vec<u32>) {
        let floats =
            |words: &mut Vec<u32>, all: &[f32]| words.extend(all.iter().map(|f| f.to_bits()));
        floats(words, &mesh.positions[vertex]);
        if self.attributes != Attributes::P {
            floats(words, mesh.normals.get(vertex).unwrap_or(&[0.0; 3]));
        }
        if self.attributes == Attributes::Pnt {
            floats(words, mesh.tangents.get(vertex).unwrap_or(&[0.0; 4]));
        }
        if mesh.influences == 0 {
            words.extend([0, 1f32.to_bits()]);
            return;
        }
        let slots = vertex * mesh.influences..(vertex + 1) * mesh.influences;
        for pair in mesh.joints[slots.clone()].chunks(2) {
            let high = pair.get(1).copied().unwrap_or(0);
            words.push(u32::from(pair[0]) | u32::from(high) << 16);
        }
        floats(words, &mesh.weights[slots]);
    }

    /// Attributes of `skinned.vert` from binding 0. Those that a variant does not read point at the
    /// position, so that every location of the shader has one.
    pub fn skinned_attributes(&self) -> Vec<VertexAttribute> {
        let mut all = direction_attributes(self.attributes);
        for set in 0..3u32 {
            let slots = self.influences.saturating_sub(4 * set as usize).min(4) as u8;
            let at = |offset: u32, size: u32| {
                if slots == 0 {
                    0
                } else {
                    offset + 4 * set * size
                }
            };
            // Two joints a word.
            let joints = VertexAttribute {
                location: 3 + set,
                binding: 0,
                format: VertexFormat::Uint16(if slots == 0 { 4 } else { slots }),
                offset: at(self.joints_offset(), 2),
            };
            let weights = VertexAttribute {
                location: 6 + set,
                binding: 0,
                format: VertexFormat::Float(if slots == 0 { 3 } else { slots }),
                offset: at(self.weights_offset(), 4),
            };
            all.extend([joints, weights]);
        }
        all
    }
}

/// Position, normal and tangent at locations 0 to 2 of binding 0, as [`Attributes`] has them; a
/// missing one points at the position.
pub fn direction_attributes(attributes: Attributes) -> Vec<VertexAttribute> {
    let attribute = |location, format, offset| VertexAttribute {
        location,
        binding: 0,
        format,
        offset,
    };
    let normal = if attributes == Attributes::P { 0 } else { 12 };
    let tangent = if attributes == Attributes::Pnt {
        (VertexFormat::Float(4), 24)
    } else {
        (VertexFormat::Float(3), 0)
    };
    vec![
        attribute(0, VertexFormat::Float(3), 0),
        attribute(1, VertexFormat::Float(3), normal),
        attribute(2, tangent.0, tangent.1),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_those_of_the_kernel() {
        let stride = |attributes, influences| {
            SourceLayout {
                attributes,
                influences,
            }
            .stride()
        };
        assert_eq!(stride(Attributes::P, 1), 12 + 4 + 4);
        assert_eq!(stride(Attributes::Pn, 4), 24 + 8 + 16);
        assert_eq!(stride(Attributes::Pnt, 12), 40 + 24 + 48);
    }

    #[test]
    fn every_location_of_the_shader_has_an_attribute_inside_the_vertex() {
        for attributes in [Attributes::P, Attributes::Pn, Attributes::Pnt] {
            for influences in [1, 2, 4, 8, 12] {
                let layout = SourceLayout {
                    attributes,
                    influences,
                };
                let all = layout.skinned_attributes();
                let mut locations: Vec<_> = all.iter().map(|a| a.location).collect();
                locations.sort_unstable();
                assert_eq!(locations, (0..9).collect::<Vec<_>>());
                for a in &all {
                    assert!(
                        a.offset + a.format.bytes() <= layout.stride(),
                        "{layout:?} {a:?}"
                    );
                }
            }
        }
    }
}
