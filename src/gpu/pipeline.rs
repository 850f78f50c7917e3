//! Compute and graphics pipelines.

use ash::vk;

use super::descriptors::{SetLayout, Stage};
use super::device::Device;
use super::error::GpuError;
use super::rendering::{PassFormats, create_render_pass};
use super::shader::{Shader, Specialization};
use super::vertex::{VertexAttribute, VertexInput};

/// A pipeline with its layout.
struct Pipeline {
    device: Device,
    raw: vk::Pipeline,
    layout: vk::PipelineLayout,
}

impl Pipeline {
    fn with_layout(
        device: &Device,
        name: &str,
        set: Option<&SetLayout>,
        stage: Stage,
        push_bytes: u32,
    ) -> Result<Self, GpuError> {
        let sets: Vec<_> = set.iter().map(|set| set.raw()).collect();
        // A range of no bytes is not allowed.
        let range = vk::PushConstantRange {
            stage_flags: stage.vk(),
            offset: 0,
            size: push_bytes,
        };
        let ranges: Vec<_> = (push_bytes > 0).then_some(range).into_iter().collect();
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&sets)
            .push_constant_ranges(&ranges);
        // SAFETY: the create-info is complete and the device is alive.
        let layout = unsafe { device.raw().create_pipeline_layout(&info, None) }
            .map_err(GpuError::vk("create pipeline layout", name))?;
        device.name(layout, name);
        Ok(Self {
            device: device.clone(),
            raw: vk::Pipeline::null(),
            layout,
        })
    }

    fn adopt(
        &mut self,
        name: &str,
        made: Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>,
    ) -> Result<(), GpuError> {
        let pipelines =
            made.map_err(|(_, result)| GpuError::vk("create pipeline", name)(result))?;
        self.raw = pipelines.first().copied().unwrap_or_default();
        self.device.name(self.raw, name);
        Ok(())
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        // SAFETY: users wait for the device before they drop what it uses; null is ignored.
        unsafe {
            self.device.raw().destroy_pipeline(self.raw, None);
            self.device.raw().destroy_pipeline_layout(self.layout, None);
        }
    }
}

/// Chained to pipelines that access buffers robustly. Fetches from images stay as the device has them:
/// robust access to images is a feature of its own.
fn robustness() -> vk::PipelineRobustnessCreateInfoEXT<'static> {
    let robust = vk::PipelineRobustnessBufferBehaviorEXT::ROBUST_BUFFER_ACCESS;
    vk::PipelineRobustnessCreateInfoEXT::default()
        .storage_buffers(robust)
        .uniform_buffers(robust)
        .vertex_inputs(robust)
}

/// Whether a pipeline must ask for robust access itself: not where the whole device has it.
fn chains_robustness(device: &Device, name: &str, robust: bool) -> Result<bool, GpuError> {
    if !robust || device.is_robust() {
        return Ok(false);
    }
    if device.used().pipeline_robustness {
        return Ok(true);
    }
    Err(GpuError::Unsupported(format!(
        "pipeline `{name}` is to access buffers robustly: VK_EXT_pipeline_robustness is missing or \
         not in use, and the device was opened without robustBufferAccess"
    )))
}

/// Everything a compute pipeline is made from.
pub struct ComputeRecipe<'a> {
    /// Debug name.
    pub name: &'a str,
    /// The shader, entered at `main`.
    pub shader: &'a Shader,
    /// Its constants.
    pub specialization: &'a Specialization,
    /// Descriptor set 0.
    pub set: &'a SetLayout,
    /// Bytes of its push constants, 0 for none.
    pub push_bytes: u32,
    /// Access buffers robustly: beyond what is bound, a read gives zero or something of the buffer, and
    /// a write reaches nothing but the buffer.
    pub robust: bool,
}

/// A compute pipeline.
pub struct ComputePipeline(Pipeline);

impl ComputePipeline {
    /// Makes a pipeline.
    ///
    /// # Errors
    /// Robust access on a device that does not offer it, or the driver's refusal; what was made is
    /// freed.
    pub fn new(device: &Device, recipe: &ComputeRecipe<'_>) -> Result<Self, GpuError> {
        let chained = chains_robustness(device, recipe.name, recipe.robust)?;
        let (name, set, push) = (recipe.name, Some(recipe.set), recipe.push_bytes);
        let mut pipeline = Pipeline::with_layout(device, name, set, Stage::Compute, push)?;
        let values = recipe.specialization;
        let (entries, data) = (values.entries(), values.data());
        let constants = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(&data);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(recipe.shader.raw)
            .name(c"main")
            .specialization_info(&constants);
        let mut robustness = robustness();
        let mut info = vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(pipeline.layout);
        if chained {
            info = info.push_next(&mut robustness);
        }
        // SAFETY: all pointers in `info` live until the call returns.
        let made = unsafe {
            device
                .raw()
                .create_compute_pipelines(vk::PipelineCache::null(), &[info], None)
        };
        pipeline.adopt(recipe.name, made)?;
        Ok(Self(pipeline))
    }

    pub(super) fn raw(&self) -> vk::Pipeline {
        self.0.raw
    }

    pub(super) fn layout(&self) -> vk::PipelineLayout {
        self.0.layout
    }
}

/// How vertices are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawTopology {
    /// Each vertex a point.
    Points,
    /// Each three indices a triangle.
    Triangles,
}

/// Everything a graphics pipeline is made from.
pub struct GraphicsRecipe<'a> {
    /// Debug name.
    pub name: &'a str,
    /// The vertex stage.
    pub vertex: &'a Shader,
    /// The fragment stage; none for depth alone.
    pub fragment: Option<&'a Shader>,
    /// Constants of the vertex stage.
    pub specialization: &'a Specialization,
    /// Constants of the fragment stage.
    pub fragment_specialization: &'a Specialization,
    /// Vertex attributes.
    pub attributes: &'a [VertexAttribute],
    /// Bytes from vertex to vertex in each vertex buffer.
    pub strides: &'a [u32],
    /// How vertices are joined.
    pub topology: DrawTopology,
    /// Formats of the attachments.
    pub formats: &'a PassFormats,
    /// Descriptor set 0, if the vertex stage has one.
    pub set: Option<&'a SetLayout>,
    /// Bytes of the vertex stage's push constants, 0 for none.
    pub push_bytes: u32,
    /// The vertex stage runs for what transform feedback captures alone: nothing is rasterised, and
    /// the attachments keep what they were cleared to.
    pub capture_only: bool,
    /// Access buffers and vertices robustly, as [`ComputeRecipe::robust`] says.
    pub robust: bool,
}

/// A graphics pipeline.
pub struct GraphicsPipeline(Pipeline);

impl GraphicsPipeline {
    /// Makes a pipeline: no culling (a mirrored character keeps its surface), depth less, no blending.
    ///
    /// # Errors
    /// A vertex format that not every device has, robust access on a device that does not offer it,
    /// or the driver's refusal; what was made is freed.
    pub fn new(device: &Device, recipe: &GraphicsRecipe<'_>) -> Result<Self, GpuError> {
        let chained = chains_robustness(device, recipe.name, recipe.robust)?;
        let input = VertexInput::new(recipe.name, recipe.strides, recipe.attributes)?;
        let mut pipeline = Pipeline::with_layout(
            device,
            recipe.name,
            recipe.set,
            Stage::Vertex,
            recipe.push_bytes,
        )?;
        // With dynamic rendering the formats are chained instead. A pipeline outlives the render
        // pass that it was made with.
        let render_pass = match device.rendering() {
            Some(_) => vk::RenderPass::null(),
            None => create_render_pass(device, recipe.name, recipe.formats)?,
        };
        let made = create_graphics(
            device,
            recipe,
            &input,
            chained,
            pipeline.layout,
            render_pass,
        );
        // SAFETY: made above and not used again; null is ignored.
        unsafe { device.raw().destroy_render_pass(render_pass, None) };
        pipeline.adopt(recipe.name, made)?;
        Ok(Self(pipeline))
    }

    pub(super) fn raw(&self) -> vk::Pipeline {
        self.0.raw
    }

    pub(super) fn layout(&self) -> vk::PipelineLayout {
        self.0.layout
    }
}

fn create_graphics(
    device: &Device,
    recipe: &GraphicsRecipe<'_>,
    input: &VertexInput,
    chains_robustness: bool,
    layout: vk::PipelineLayout,
    render_pass: vk::RenderPass,
) -> Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)> {
    let (entries, data) = (
        recipe.specialization.entries(),
        recipe.specialization.data(),
    );
    let constants = vk::SpecializationInfo::default()
        .map_entries(&entries)
        .data(&data);
    let (f_entries, f_data) = (
        recipe.fragment_specialization.entries(),
        recipe.fragment_specialization.data(),
    );
    let f_constants = vk::SpecializationInfo::default()
        .map_entries(&f_entries)
        .data(&f_data);
    let mut stages = vec![
        vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::VERTEX)
            .module(recipe.vertex.raw)
            .name(c"main")
            .specialization_info(&constants),
    ];
    stages.extend(recipe.fragment.map(|fragment| {
        vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::FRAGMENT)
            .module(fragment.raw)
            .name(c"main")
            .specialization_info(&f_constants)
    }));
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&input.bindings)
        .vertex_attribute_descriptions(&input.attributes);
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(match recipe.topology {
            DrawTopology::Points => vk::PrimitiveTopology::POINT_LIST,
            DrawTopology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
        });
    let viewport = vk::PipelineViewportStateCreateInfo::default()
        .viewport_count(1)
        .scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .rasterizer_discard_enable(recipe.capture_only)
        .polygon_mode(vk::PolygonMode::FILL)
        .cull_mode(vk::CullModeFlags::NONE)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(recipe.formats.depth)
        .depth_write_enable(recipe.formats.depth)
        .depth_compare_op(vk::CompareOp::LESS);
    let opaque = vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA);
    let blends = vec![opaque; recipe.formats.colors.len()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let dynamic = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&dynamic);
    let colors: Vec<_> = recipe
        .formats
        .colors
        .iter()
        .map(|format| format.vk())
        .collect();
    let mut rendering =
        vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&colors);
    if recipe.formats.depth {
        rendering = rendering.depth_attachment_format(super::image::Format::Depth32Float.vk());
    }
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(layout)
        .render_pass(render_pass);
    if device.rendering().is_some() {
        info = info.push_next(&mut rendering);
    }
    let mut robustness = robustness();
    if chains_robustness {
        info = info.push_next(&mut robustness);
    }
    // SAFETY: all pointers in `info` live until the call returns.
    unsafe {
        device
            .raw()
            .create_graphics_pipelines(vk::PipelineCache::null(), &[info], None)
    }
}
