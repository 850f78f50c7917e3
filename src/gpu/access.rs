//! The one table from what is done to a resource to stage, access and layout.
//!
//! Callers state what they did and what comes next; nobody else writes flag bits. The idea is that
//! of vk-sync; the table is our own and speaks both synchronization2 and Vulkan 1.0.

use ash::vk;

/// One way to touch a buffer or an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Nothing yet: the contents do not matter.
    Undefined,
    /// Source of a copy.
    TransferRead,
    /// Target of a copy, fill or update.
    TransferWrite,
    /// `readonly` storage buffer in a compute shader.
    ComputeRead,
    /// Storage buffer written by a compute shader.
    ComputeWrite,
    /// `readonly` storage buffer in a vertex shader.
    VertexStorageRead,
    /// Uniform block in a vertex shader.
    VertexUniformRead,
    /// Image fetched from in a vertex shader.
    VertexSampledRead,
    /// Vertex attributes.
    VertexAttributeRead,
    /// Vertex indices.
    IndexRead,
    /// Draw parameters of an indirect draw.
    IndirectRead,
    /// Buffer that transform feedback captures into. Its stage exists only where
    /// `VK_EXT_transform_feedback` is in use, as nothing else can have written this way.
    TransformFeedbackWrite,
    /// Colour attachment, loaded or stored.
    ColorAttachment,
    /// Depth attachment, tested and written.
    DepthAttachment,
    /// Read by the host after a fence.
    HostRead,
}

impl Access {
    /// All of them, for tests of the table.
    pub const ALL: [Self; 15] = [
        Self::Undefined,
        Self::TransferRead,
        Self::TransferWrite,
        Self::ComputeRead,
        Self::ComputeWrite,
        Self::VertexStorageRead,
        Self::VertexUniformRead,
        Self::VertexSampledRead,
        Self::VertexAttributeRead,
        Self::IndexRead,
        Self::IndirectRead,
        Self::TransformFeedbackWrite,
        Self::ColorAttachment,
        Self::DepthAttachment,
        Self::HostRead,
    ];

    /// Whether it changes the resource.
    pub fn writes(self) -> bool {
        matches!(
            self,
            Self::TransferWrite
                | Self::ComputeWrite
                | Self::TransformFeedbackWrite
                | Self::ColorAttachment
                | Self::DepthAttachment
        )
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessInfo {
    /// Stages for synchronization2.
    pub stage2: vk::PipelineStageFlags2,
    /// Access bits for synchronization2.
    pub access2: vk::AccessFlags2,
    /// The same stages in Vulkan 1.0.
    pub stage: vk::PipelineStageFlags,
    /// The same access bits in Vulkan 1.0.
    pub access: vk::AccessFlags,
    /// Layout of an image under this access.
    pub layout: vk::ImageLayout,
}

/// Looks an access up.
pub fn access_info(access: Access) -> AccessInfo {
    use vk::{
        AccessFlags as A, AccessFlags2 as A2, PipelineStageFlags as S, PipelineStageFlags2 as S2,
    };
    let row = |stage2, access2, stage, access, layout| AccessInfo {
        stage2,
        access2,
        stage,
        access,
        layout,
    };
    let none = vk::ImageLayout::UNDEFINED;
    match access {
        Access::Undefined => row(S2::NONE, A2::NONE, S::TOP_OF_PIPE, A::empty(), none),
        // In synchronization2 COPY alone would do; ALL_TRANSFER also covers fill and update.
        Access::TransferRead => row(
            S2::ALL_TRANSFER,
            A2::TRANSFER_READ,
            S::TRANSFER,
            A::TRANSFER_READ,
            vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
        ),
        Access::TransferWrite => row(
            S2::ALL_TRANSFER,
            A2::TRANSFER_WRITE,
            S::TRANSFER,
            A::TRANSFER_WRITE,
            vk::ImageLayout::TRANSFER_DST_OPTIMAL,
        ),
        Access::ComputeRead => row(
            S2::COMPUTE_SHADER,
            A2::SHADER_STORAGE_READ,
            S::COMPUTE_SHADER,
            A::SHADER_READ,
            none,
        ),
        Access::ComputeWrite => row(
            S2::COMPUTE_SHADER,
            A2::SHADER_STORAGE_WRITE,
            S::COMPUTE_SHADER,
            A::SHADER_WRITE,
            none,
        ),
        Access::VertexStorageRead => row(
            S2::VERTEX_SHADER,
            A2::SHADER_STORAGE_READ,
            S::VERTEX_SHADER,
            A::SHADER_READ,
            none,
        ),
        Access::VertexUniformRead => row(
            S2::VERTEX_SHADER,
            A2::UNIFORM_READ,
            S::VERTEX_SHADER,
            A::UNIFORM_READ,
            none,
        ),
        Access::VertexSampledRead => row(
            S2::VERTEX_SHADER,
            A2::SHADER_SAMPLED_READ,
            S::VERTEX_SHADER,
            A::SHADER_READ,
            vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
        ),
        Access::VertexAttributeRead => row(
            S2::VERTEX_ATTRIBUTE_INPUT,
            A2::VERTEX_ATTRIBUTE_READ,
            S::VERTEX_INPUT,
            A::VERTEX_ATTRIBUTE_READ,
            none,
        ),
        Access::IndexRead => row(
            S2::INDEX_INPUT,
            A2::INDEX_READ,
            S::VERTEX_INPUT,
            A::INDEX_READ,
            none,
        ),
        Access::IndirectRead => row(
            S2::DRAW_INDIRECT,
            A2::INDIRECT_COMMAND_READ,
            S::DRAW_INDIRECT,
            A::INDIRECT_COMMAND_READ,
            none,
        ),
        Access::TransformFeedbackWrite => row(
            S2::TRANSFORM_FEEDBACK_EXT,
            A2::TRANSFORM_FEEDBACK_WRITE_EXT,
            S::TRANSFORM_FEEDBACK_EXT,
            A::TRANSFORM_FEEDBACK_WRITE_EXT,
            none,
        ),
        Access::ColorAttachment => row(
            S2::COLOR_ATTACHMENT_OUTPUT,
            A2::from_raw(A2::COLOR_ATTACHMENT_READ.as_raw() | A2::COLOR_ATTACHMENT_WRITE.as_raw()),
            S::COLOR_ATTACHMENT_OUTPUT,
            A::from_raw(A::COLOR_ATTACHMENT_READ.as_raw() | A::COLOR_ATTACHMENT_WRITE.as_raw()),
            vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        ),
        Access::DepthAttachment => row(
            S2::from_raw(S2::EARLY_FRAGMENT_TESTS.as_raw() | S2::LATE_FRAGMENT_TESTS.as_raw()),
            A2::from_raw(
                A2::DEPTH_STENCIL_ATTACHMENT_READ.as_raw()
                    | A2::DEPTH_STENCIL_ATTACHMENT_WRITE.as_raw(),
            ),
            S::from_raw(S::EARLY_FRAGMENT_TESTS.as_raw() | S::LATE_FRAGMENT_TESTS.as_raw()),
            A::from_raw(
                A::DEPTH_STENCIL_ATTACHMENT_READ.as_raw()
                    | A::DEPTH_STENCIL_ATTACHMENT_WRITE.as_raw(),
            ),
            vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        ),
        Access::HostRead => row(S2::HOST, A2::HOST_READ, S::HOST, A::HOST_READ, none),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_vocabularies_name_the_same_bits() {
        // The low 32 bits of synchronization2 are Vulkan 1.0's, but for the bits it split.
        for access in Access::ALL {
            let info = access_info(access);
            assert_eq!(
                info.stage2.is_empty(),
                access == Access::Undefined,
                "{access:?}"
            );
            assert_eq!(
                info.access.is_empty(),
                access == Access::Undefined,
                "{access:?}"
            );
            let split_access = vk::AccessFlags2::SHADER_STORAGE_READ
                | vk::AccessFlags2::SHADER_STORAGE_WRITE
                | vk::AccessFlags2::SHADER_SAMPLED_READ;
            if !info.access2.intersects(split_access) {
                assert_eq!(
                    info.access2.as_raw(),
                    u64::from(info.access.as_raw()),
                    "{access:?}"
                );
            }
            let split_stage = vk::PipelineStageFlags2::VERTEX_ATTRIBUTE_INPUT
                | vk::PipelineStageFlags2::INDEX_INPUT;
            if !info.stage2.intersects(split_stage) && access != Access::Undefined {
                assert_eq!(
                    info.stage2.as_raw(),
                    u64::from(info.stage.as_raw()),
                    "{access:?}"
                );
            }
        }
    }

    #[test]
    fn split_bits_are_those_of_their_stage_in_vulkan_1_0() {
        let rows = [
            (Access::ComputeRead, vk::AccessFlags::SHADER_READ),
            (Access::ComputeWrite, vk::AccessFlags::SHADER_WRITE),
            (Access::VertexStorageRead, vk::AccessFlags::SHADER_READ),
            (Access::VertexSampledRead, vk::AccessFlags::SHADER_READ),
        ];
        for (access, expected) in rows {
            assert_eq!(access_info(access).access, expected, "{access:?}");
        }
    }

    #[test]
    fn the_stage_of_an_extension_is_named_by_its_own_access_alone() {
        for access in Access::ALL {
            let info = access_info(access);
            assert_eq!(
                info.stage2
                    .contains(vk::PipelineStageFlags2::TRANSFORM_FEEDBACK_EXT)
                    || info
                        .stage
                        .contains(vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT),
                access == Access::TransformFeedbackWrite,
                "{access:?}"
            );
        }
    }
}
