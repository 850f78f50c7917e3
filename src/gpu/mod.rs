//! Vulkan: the only floor with `unsafe`. It knows nothing of skinning.
//!
//! Objects hold an [`Device`] handle and free themselves; the last one to go destroys the device.
//! Every object has a debug name, and every failure names the object and keeps its `VkResult`.
#![allow(unsafe_code)]

mod access;
mod barrier;
mod buffer;
mod capabilities;
mod descriptors;
mod device;
mod encoder;
mod error;
mod image;
mod instance;
mod optional;
mod physical;
mod pipeline;
mod queries;
mod queue;
mod render_encoder;
mod rendering;
mod shader;
mod validation;
mod vertex;

pub use access::{Access, AccessInfo, access_info};
pub use barrier::{BarrierRecord, Resource, Transition};
pub use buffer::{Buffer, BufferUse, MemoryPlace};
pub use capabilities::{Capabilities, DriverInfo};
pub use descriptors::{Binding, BindingKind, BoundResource, DescriptorSet, SetLayout, Stage};
pub use device::{Device, DeviceOptions};
pub use encoder::{Encoder, RecordOptions, Recorded};
pub use error::GpuError;
pub use image::{Format, Image, ImageRegion};
pub use instance::{Instance, InstanceOptions};
pub use optional::Optional;
pub use physical::{DeviceKind, DeviceSummary, Selection, choose_device};
pub use pipeline::{
    ComputePipeline, ComputeRecipe, DrawTopology, GraphicsPipeline, GraphicsRecipe,
};
pub use queries::{StampPool, StampSpan, Statistics, StatisticsPool, ticks_between};
pub use queue::{FrameSlot, FrameStamps};
pub use render_encoder::{IndexedDraw, RenderEncoder};
pub use rendering::{Attachments, PassFormats};
pub use shader::{Shader, Specialization};
pub use validation::ValidationLog;
pub use vertex::{VertexAttribute, VertexFormat};
