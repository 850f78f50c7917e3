//! How bind-pose vertices lie in a buffer: interleaved words that the compute kernel reads as such
//! and the vertex stage as attributes.

use crate::deform::output::Attributes;
use crate::gpu::{VertexAttribute, VertexFormat};
use crate::plan::{JointIndex, WeightFormat};
use crate::scene::Mesh;
use crate::scene::adapt::most;

use super::Setup;

/// The layout of one source vertex: position, normal, tangent as floats; then joints, then weights,
/// each filled up to whole words. All offsets are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLayout {
    /// Which attributes.
    pub attributes: Attributes,
    /// Influence slots: 1, 2, 4, 8 or 12. A rigid mesh has one, joint 0 with weight 1.
    pub influences: usize,
    /// Width of a joint index.
    pub joint_index: JointIndex,
    /// Format of a weight.
    pub weights: WeightFormat,
}

impl SourceLayout {
    /// The layout of a mesh.
    pub fn of(mesh: &Mesh, setup: &Setup<'_>) -> Self {
        Self {
            attributes: setup.variant.attributes,
            influences: mesh.influences.max(1),
            joint_index: setup.case.joint_index(),
            weights: setup.variant.weights,
        }
    }

    /// Bytes of a joint index.
    pub fn joint_bytes(&self) -> u32 {
        match self.joint_index {
            JointIndex::U8 => 1,
            JointIndex::U16 => 2,
            JointIndex::U32 => 4,
        }
    }

    /// Bytes of a weight.
    pub fn weight_bytes(&self) -> u32 {
        match self.weights {
            WeightFormat::F32 => 4,
            WeightFormat::Unorm16 => 2,
            WeightFormat::Unorm8 => 1,
        }
    }

    /// Byte offset of the joints.
    pub fn joints_offset(&self) -> u32 {
        4 * self.attributes.floats() as u32
    }

    /// Byte offset of the weights.
    pub fn weights_offset(&self) -> u32 {
        self.joints_offset() + (self.influences as u32 * self.joint_bytes()).next_multiple_of(4)
    }

    /// Bytes from vertex to vertex.
    pub fn stride(&self) -> u32 {
        self.weights_offset() + (self.influences as u32 * self.weight_bytes()).next_multiple_of(4)
    }

    /// The words of all vertices of `mesh`.
    pub fn pack(&self, mesh: &Mesh) -> Vec<u32> {
        let mut words = Vec::with_capacity(mesh.vertex_count() * self.stride() as usize / 4);
        for vertex in 0..mesh.vertex_count() {
            pack_bind(self.attributes, mesh, vertex, &mut words);
            self.pack_influences(mesh, vertex, &mut words);
        }
        words
    }

    fn pack_influences(&self, mesh: &Mesh, vertex: usize, words: &mut Vec<u32>) {
        let slots = vertex * mesh.influences..(vertex + 1) * mesh.influences;
        let rigid = mesh.influences == 0;
        let joints = if rigid {
            &[0][..]
        } else {
            &mesh.joints[slots.clone()]
        };
        let weights = if rigid {
            &[1.0][..]
        } else {
            &mesh.weights[slots]
        };
        let joints = joints.iter().map(|joint| u32::from(*joint));
        pack_numbers(joints, self.joint_bytes(), words);
        // The scene holds what the integers stand for: this finds them again.
        let number = |weight: &f32| match most(self.weights) {
            Some(most) => (weight * most as f32).round() as u32,
            None => weight.to_bits(),
        };
        pack_numbers(weights.iter().map(number), self.weight_bytes(), words);
    }

    /// Attributes of `skinned.glsl` from binding 0. Those that a variant does not read point at the
    /// position, so that every location of the shader has one.
    pub fn skinned_attributes(&self) -> Vec<VertexAttribute> {
        let mut all = direction_attributes(self.attributes);
        for set in 0..3u32 {
            let slots = self.influences.saturating_sub(4 * set as usize).min(4) as u8;
            let at = |offset: u32, size: u32| match slots {
                0 => 0,
                _ => offset + 4 * set * size,
            };
            let some = if slots == 0 { 1 } else { slots };
            let joints = VertexAttribute {
                location: 3 + set,
                binding: 0,
                format: match self.joint_index {
                    JointIndex::U8 => VertexFormat::Uint8(some),
                    JointIndex::U16 => VertexFormat::Uint16(some),
                    JointIndex::U32 => VertexFormat::Uint32(some),
                },
                offset: at(self.joints_offset(), self.joint_bytes()),
            };
            let weights = VertexAttribute {
                location: 6 + set,
                binding: 0,
                format: match self.weights {
                    WeightFormat::F32 => VertexFormat::Float(some),
                    WeightFormat::Unorm16 => VertexFormat::Unorm16(some),
                    WeightFormat::Unorm8 => VertexFormat::Unorm8(some),
                },
                offset: at(self.weights_offset(), self.weight_bytes()),
            };
            all.extend([joints, weights]);
        }
        all
    }
}

/// The floats of a bind-pose vertex; zeros where the mesh has none.
pub(super) fn pack_bind(attributes: Attributes, mesh: &Mesh, vertex: usize, words: &mut Vec<u32>) {
    let floats = |words: &mut Vec<u32>, all: &[f32]| words.extend(all.iter().map(|f| f.to_bits()));
    floats(words, &mesh.positions[vertex]);
    if attributes != Attributes::P {
        floats(words, mesh.normals.get(vertex).unwrap_or(&[0.0; 3]));
    }
    if attributes == Attributes::Pnt {
        floats(words, mesh.tangents.get(vertex).unwrap_or(&[0.0; 4]));
    }
}

/// Numbers of `bytes` bytes, the first in the lowest ones, filled up to whole words.
fn pack_numbers(numbers: impl Iterator<Item = u32>, bytes: u32, words: &mut Vec<u32>) {
    let mut shift = 32;
    for number in numbers {
        if shift == 32 {
            words.push(0);
            shift = 0;
        }
        if let Some(last) = words.last_mut() {
            *last |= number << shift;
        }
        shift += 8 * bytes;
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

    fn layouts() -> impl Iterator<Item = SourceLayout> {
        let attributes = [Attributes::P, Attributes::Pn, Attributes::Pnt];
        attributes.into_iter().flat_map(|attributes| {
            [1, 2, 4, 8, 12].into_iter().flat_map(move |influences| {
                JointIndex::ALL.iter().flat_map(move |joint_index| {
                    WeightFormat::ALL.iter().map(move |weights| SourceLayout {
                        attributes,
                        influences,
                        joint_index: *joint_index,
                        weights: *weights,
                    })
                })
            })
        })
    }

    #[test]
    fn strides_are_those_of_the_kernel() {
        let stride = |attributes, influences, joint_index, weights| {
            SourceLayout {
                attributes,
                influences,
                joint_index,
                weights,
            }
            .stride()
        };
        let (u16s, f32s) = (JointIndex::U16, WeightFormat::F32);
        assert_eq!(stride(Attributes::P, 1, u16s, f32s), 12 + 4 + 4);
        assert_eq!(stride(Attributes::Pn, 4, u16s, f32s), 24 + 8 + 16);
        assert_eq!(stride(Attributes::Pnt, 12, u16s, f32s), 40 + 24 + 48);
        assert_eq!(
            stride(Attributes::Pn, 2, JointIndex::U8, WeightFormat::Unorm8),
            24 + 4 + 4
        );
        assert_eq!(
            stride(Attributes::Pn, 12, JointIndex::U32, WeightFormat::Unorm16),
            24 + 48 + 24
        );
    }

    #[test]
    fn every_location_of_the_shader_has_an_attribute_inside_the_vertex() {
        for layout in layouts() {
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

    #[test]
    fn numbers_fill_words_from_the_lowest_byte() {
        let mut words = Vec::new();
        pack_numbers([1, 2, 3, 4, 5].into_iter(), 1, &mut words);
        pack_numbers([6, 7].into_iter(), 2, &mut words);
        assert_eq!(words, [0x0403_0201, 5, 0x0007_0006]);
    }
}
