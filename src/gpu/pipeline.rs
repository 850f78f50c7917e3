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
        let ranges = [vk::PushConstantRange {
            stage_flags: stage.vk(),
            offset: 0,
            size: push_bytes,
        }];
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

/// A compute pipeline.
pub struct ComputePipeline(Pipeline);

impl ComputePipeline {
    /// Makes a pipeline from `main` of a shader.
    ///
    /// # Errors
    /// The driver's refusal; what was made is freed.
    pub fn new(
        device: &Device,
        name: &str,
        shader: &Shader,
        specialization: &Specialization,
        set: &SetLayout,
        push_bytes: u32,
    ) -> Result<Self, GpuError> {
        let mut pipeline =
            Pipeline::with_layout(device, name, Some(set), Stage::Compute, push_bytes)?;
        let (entries, data) = (specialization.entries(), specialization.data());
        let constants = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(&data);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(shader.raw)
            .name(c"main")
            .specialization_info(&constants);
        let info = [vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(pipeline.layout)];
        // SAFETY: all pointers in `info` live until the call returns.
        let made = unsafe {
            device
                .raw()
                .create_compute_pipelines(vk::PipelineCache::null(), &info, None)
        };
        pipeline.adopt(name, made)?;
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
    /// Bytes of the vertex stage's push constants.
    pub push_bytes: u32,
}

/// A graphics pipeline.
pub struct GraphicsPipeline(Pipeline);

impl GraphicsPipeline {
    /// Makes a pipeline: no culling (a mirrored character keeps its surface), depth less, no blending.
    ///
    /// # Errors
    /// The driver's refusal; what was made is freed.
    pub fn new(device: &Device, recipe: &GraphicsRecipe<'_>) -> Result<Self, GpuError> {
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
        let made = create_graphics(device, recipe, &input, pipeline.layout, render_pass);
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
    // SAFETY: all pointers in `info` live until the call returns.
    unsafe {
        device
            .raw()
            .create_graphics_pipelines(vk::PipelineCache::null(), &[info], None)
    }
}
