//! Vertex attributes and their formats.

use ash::vk;

use super::error::GpuError;

/// The format of a vertex attribute, with its number of components.
///
/// Vulkan requires every one of them for vertex buffers (specification, tables of mandatory format
/// support, `VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT`): 8- and 16-bit components come by one, two or four,
/// those of 32 bits by one to four. A packed word that the shader takes apart is `Uint32(1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexFormat {
    /// One to four floats.
    Float(u8),
    /// One, two or four unsigned 8-bit integers.
    Uint8(u8),
    /// One, two or four unsigned 16-bit integers.
    Uint16(u8),
    /// One to four unsigned 32-bit integers.
    Uint32(u8),
    /// One, two or four unsigned 8-bit integers, 0 to 1 in the shader.
    Unorm8(u8),
    /// One, two or four unsigned 16-bit integers, 0 to 1 in the shader.
    Unorm16(u8),
    /// One, two or four signed 8-bit integers, −1 to 1 in the shader.
    Snorm8(u8),
    /// One, two or four signed 16-bit integers, −1 to 1 in the shader.
    Snorm16(u8),
}

impl VertexFormat {
    /// Components of a vertex.
    pub fn components(self) -> u8 {
        match self {
            Self::Float(n)
            | Self::Uint8(n)
            | Self::Uint16(n)
            | Self::Uint32(n)
            | Self::Unorm8(n)
            | Self::Unorm16(n)
            | Self::Snorm8(n)
            | Self::Snorm16(n) => n,
        }
    }

    /// Bytes of a vertex.
    pub fn bytes(self) -> u32 {
        let component = match self {
            Self::Uint8(_) | Self::Unorm8(_) | Self::Snorm8(_) => 1,
            Self::Uint16(_) | Self::Unorm16(_) | Self::Snorm16(_) => 2,
            Self::Float(_) | Self::Uint32(_) => 4,
        };
        component * u32::from(self.components())
    }

    /// Vulkan's value; `None` for a number of components that Vulkan does not require.
    pub(super) fn vk(self) -> Option<vk::Format> {
        use vk::Format as F;
        // By one, two, three, four components.
        let row = match self {
            Self::Float(_) => [
                F::R32_SFLOAT,
                F::R32G32_SFLOAT,
                F::R32G32B32_SFLOAT,
                F::R32G32B32A32_SFLOAT,
            ],
            Self::Uint32(_) => [
                F::R32_UINT,
                F::R32G32_UINT,
                F::R32G32B32_UINT,
                F::R32G32B32A32_UINT,
            ],
            Self::Uint8(_) => without_three([F::R8_UINT, F::R8G8_UINT, F::R8G8B8A8_UINT]),
            Self::Uint16(_) => without_three([F::R16_UINT, F::R16G16_UINT, F::R16G16B16A16_UINT]),
            Self::Unorm8(_) => without_three([F::R8_UNORM, F::R8G8_UNORM, F::R8G8B8A8_UNORM]),
            Self::Unorm16(_) => {
                without_three([F::R16_UNORM, F::R16G16_UNORM, F::R16G16B16A16_UNORM])
            }
            Self::Snorm8(_) => without_three([F::R8_SNORM, F::R8G8_SNORM, F::R8G8B8A8_SNORM]),
            Self::Snorm16(_) => {
                without_three([F::R16_SNORM, F::R16G16_SNORM, F::R16G16B16A16_SNORM])
            }
        };
        let at = usize::from(self.components()).checked_sub(1)?;
        let format = row.get(at).copied()?;
        (format != F::UNDEFINED).then_some(format)
    }
}

/// A row of formats in which three components are not required.
fn without_three([one, two, four]: [vk::Format; 3]) -> [vk::Format; 4] {
    [one, two, vk::Format::UNDEFINED, four]
}

/// One vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexAttribute {
    /// `location` in the shader.
    pub location: u32,
    /// Which vertex buffer.
    pub binding: u32,
    /// Format.
    pub format: VertexFormat,
    /// Byte offset in the vertex.
    pub offset: u32,
}

/// What Vulkan is told of the vertex buffers.
pub(super) struct VertexInput {
    pub bindings: Vec<vk::VertexInputBindingDescription>,
    pub attributes: Vec<vk::VertexInputAttributeDescription>,
}

impl VertexInput {
    /// Describes vertex buffers of some strides and the attributes in them, for `pipeline`.
    pub fn new(
        pipeline: &str,
        strides: &[u32],
        attributes: &[VertexAttribute],
    ) -> Result<Self, GpuError> {
        let bindings = strides
            .iter()
            .zip(0..)
            .map(|(stride, binding)| vk::VertexInputBindingDescription {
                binding,
                stride: *stride,
                input_rate: vk::VertexInputRate::VERTEX,
            })
            .collect();
        let attributes = attributes
            .iter()
            .map(|attribute| attribute.describe(pipeline))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            bindings,
            attributes,
        })
    }
}

impl VertexAttribute {
    fn describe(&self, pipeline: &str) -> Result<vk::VertexInputAttributeDescription, GpuError> {
        let format = self.format.vk().ok_or_else(|| {
            GpuError::Unsupported(format!(
                "pipeline `{pipeline}`, attribute {}: no device need take {:?} from a vertex buffer",
                self.location, self.format
            ))
        })?;
        Ok(vk::VertexInputAttributeDescription {
            location: self.location,
            binding: self.binding,
            format,
            offset: self.offset,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [fn(u8) -> VertexFormat; 8] = [
        VertexFormat::Float,
        VertexFormat::Uint8,
        VertexFormat::Uint16,
        VertexFormat::Uint32,
        VertexFormat::Unorm8,
        VertexFormat::Unorm16,
        VertexFormat::Snorm8,
        VertexFormat::Snorm16,
    ];

    #[test]
    fn three_small_components_are_no_required_format() {
        for kind in KINDS {
            let wide = kind(1).bytes() == 4;
            for n in [1, 2, 4] {
                assert!(kind(n).vk().is_some(), "{:?}", kind(n));
            }
            assert_eq!(kind(3).vk().is_some(), wide, "{:?}", kind(3));
            assert!(kind(0).vk().is_none() && kind(5).vk().is_none());
        }
    }

    #[test]
    fn every_format_is_another_and_as_wide_as_its_name_says() {
        let mut seen = Vec::new();
        for kind in KINDS {
            for format in (1..=4).map(kind) {
                let Some(raw) = format.vk() else { continue };
                assert!(!seen.contains(&raw), "{raw:?}");
                seen.push(raw);
                assert_eq!(name_bits(raw), 8 * format.bytes(), "{format:?} is {raw:?}");
            }
        }
        assert_eq!(seen.len(), 2 * 4 + 6 * 3);
    }

    /// The bits in a name such as `R16G16_UNORM`.
    fn name_bits(format: vk::Format) -> u32 {
        let name = format!("{format:?}");
        let channels = name.split('_').next().unwrap_or_default();
        let sizes = channels.split(|c: char| c.is_ascii_uppercase());
        sizes.filter_map(|size| size.parse::<u32>().ok()).sum()
    }

    #[test]
    fn a_format_that_no_device_need_have_is_refused_by_name() {
        let attribute = VertexAttribute {
            location: 6,
            binding: 0,
            format: VertexFormat::Unorm8(3),
            offset: 0,
        };
        let refused = VertexInput::new("skin", &[12], &[attribute]).err();
        let message = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(
            message.contains("`skin`, attribute 6") && message.contains("Unorm8(3)"),
            "{message}"
        );
    }
}
