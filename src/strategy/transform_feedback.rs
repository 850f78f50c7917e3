//! `transform-feedback`: a vertex stage deforms each vertex once a frame, as points, and what it says is
//! captured into a vertex buffer, which the passes read. The palette lies in a texture, as the OpenGL
//! ES path of Godot has it.

use std::time::Instant;

use crate::deform::output::Attributes;
use crate::gpu::{
    Access, Attachments, BufferUse, Capabilities, DescriptorSet, DrawTopology, Encoder, Format,
    GpuError, GraphicsPipeline, GraphicsRecipe, PassFormats, SetLayout, Shader, Specialization,
    Stage, Transition,
};
use crate::plan::{Case, OutputFormat, Place, Robust};
use crate::result::Reason;
use crate::shader_types::{DrawConstants, Module};

use super::constants::deforming;
use super::meshes::{ItemInfo, MeshBuffers};
use super::predeformed::{DeformedVertices, When, halves};
use super::skinned::{PaletteBinding, resources};
use super::source::SourceLayout;
use super::texture::{self, TextureShape};
use super::vertex_place::{self, VertexPlaceTraits};
use super::written::{Deform, Written, WrittenPlace};
use super::{Frame, Need, Prepared, Setup, Strategy, StrategyError, refusal, spoil};

pub(super) struct TransformFeedback;

const TRAITS: VertexPlaceTraits = VertexPlaceTraits {
    place: Place::TransformFeedback,
    binding: PaletteBinding::Texture,
    tail_bytes: 0,
};

/// Bytes of the widest vertex that is captured: position, normal and tangent as floats.
const WIDEST: u64 = 40;

impl Strategy for TransformFeedback {
    fn place(&self) -> Place {
        Place::TransformFeedback
    }

    fn refuse(&self, setup: &Setup<'_>, _case: &Case) -> Option<Reason> {
        let limits = setup.device.capabilities();
        // One capture takes the vertices of one item.
        let stride = 4 * setup.output().words() as u64;
        let meshes = setup.scene.meshes.iter();
        let largest = meshes.map(|mesh| mesh.vertex_count() as u64).max();
        let capture = stride * largest.unwrap_or(0);
        refusal::unmet(&self.needs(limits))
            .or_else(|| texture::too_large(setup))
            .or_else(|| refusal::buffers_too_large(setup, None))
            .or_else(|| refusal::vertex_offset_too_large(setup))
            .or_else(|| {
                let have = limits.max_transform_feedback_buffer_size;
                refusal::beyond("maxTransformFeedbackBufferSize", capture, have)
            })
    }

    fn needs(&self, c: &Capabilities) -> Vec<Need> {
        let data = c.max_transform_feedback_buffer_data_size.into();
        let stride = c.max_transform_feedback_buffer_data_stride.into();
        vec![
            Need::feature("VK_EXT_transform_feedback", c.has.transform_feedback),
            Need::limit("maxTransformFeedbackBufferDataSize", WIDEST, data),
            Need::limit("maxTransformFeedbackBufferDataStride", WIDEST, stride),
            refusal::sampled_images(2, c),
            refusal::storage_buffers(2, c),
            refusal::attributes(c),
        ]
    }

    fn estimate(&self, setup: &Setup<'_>) -> u64 {
        let texture = 2 * TextureShape::of(setup).1.padding_bytes();
        vertex_place::estimate(setup, 1) + texture + halves(setup) * setup.output_bytes()
    }

    fn prepare(&self, setup: &Setup<'_>) -> Result<Box<dyn Prepared>, StrategyError> {
        Ok(Box::new(prepare(setup)?))
    }
}

/// What an item is captured with.
struct ItemCapture {
    /// By the parity of the frame whose palette deforms.
    sets: [DescriptorSet; 2],
    /// One a part of the mesh.
    pipelines: Vec<usize>,
}

struct ByFeedback {
    /// Nothing is drawn to it, but without it a driver here stamps the draws far too short.
    target: Attachments,
    pipelines: Vec<((SourceLayout, usize), GraphicsPipeline)>,
    items: Vec<ItemCapture>,
}

fn target_formats() -> PassFormats {
    PassFormats {
        colors: vec![Format::Rgba8],
        depth: false,
    }
}

fn prepare(setup: &Setup<'_>) -> Result<WrittenPlace<ByFeedback>, StrategyError> {
    let name = TRAITS.place.name();
    let scene = spoil::scene_for(TRAITS.place, &setup.scene);
    let (poses, shape) = vertex_place::poses(setup, &TRAITS, 1)?;
    let items = ItemInfo::all(&scene, &setup.output(), poses.layout());
    let meshes = MeshBuffers::new(setup, name, &scene, true)?;
    let bindings = TRAITS.binding.bindings();
    let layout = SetLayout::new(setup.device, name, Stage::Vertex, &bindings)?;
    let used = BufferUse {
        transform_feedback: true,
        ..BufferUse::default()
    };
    let start = Instant::now();
    let mut how = ByFeedback {
        target: Attachments::new(setup.device, name, &target_formats(), (1, 1))?,
        pipelines: Vec::new(),
        items: Vec::new(),
    };
    let shader = module(setup);
    let shader = Shader::new(setup.device, shader.name(), &shader.spirv())?;
    for item in &items {
        let mesh = &meshes.meshes[item.mesh];
        let mut pipelines = Vec::new();
        for part in &mesh.parts {
            let key = (mesh.layout, part.influences);
            pipelines.push(how.pipeline(setup, &shader, &layout, key, shape)?);
        }
        let set = |parity| {
            let bound = resources(TRAITS.binding, &meshes, item, &poses, 0, parity)?;
            DescriptorSet::new(setup.device, name, &layout, &bound)
        };
        let sets = [set(0)?, set(1)?];
        how.items.push(ItemCapture { sets, pipelines });
    }
    let vertices = DeformedVertices::new(setup, name, used, &items, &meshes)?;
    let pipeline_ns = start.elapsed().as_nanos() as f64;
    let cached = setup.case.dirty() < 100;
    Ok(WrittenPlace {
        place: Written::new(poses, meshes, items, vertices, pipeline_ns, cached),
        how,
    })
}

/// The module whose captured vertex is the case's.
fn module(setup: &Setup<'_>) -> Module {
    let packed = setup.variant.output != OutputFormat::F32;
    match (setup.variant.attributes, packed) {
        (Attributes::P, _) => Module::FeedbackPVert,
        (Attributes::Pn, false) => Module::FeedbackPnVert,
        (Attributes::Pnt, false) => Module::FeedbackPntVert,
        (Attributes::Pn, true) => Module::FeedbackPnPackedVert,
        (Attributes::Pnt, true) => Module::FeedbackPntPackedVert,
    }
}

impl ByFeedback {
    /// The index of the pipeline of a source layout and count of influences, made unless there is one.
    fn pipeline(
        &mut self,
        setup: &Setup<'_>,
        shader: &Shader,
        set: &SetLayout,
        key: (SourceLayout, usize),
        shape: Option<TextureShape>,
    ) -> Result<usize, GpuError> {
        if let Some(at) = self.pipelines.iter().position(|(known, _)| *known == key) {
            return Ok(at);
        }
        let mut constants = deforming(setup, &key.0, key.1);
        constants.extend(shape.iter().flat_map(TextureShape::constants));
        let specialization = Specialization(constants);
        let made = GraphicsPipeline::new(
            setup.device,
            &GraphicsRecipe {
                name: &format!("transform-feedback: {} influences", key.1),
                vertex: shader,
                fragment: None,
                specialization: &specialization,
                fragment_specialization: &specialization,
                attributes: &key.0.skinned_attributes(),
                strides: &[key.0.stride()],
                topology: DrawTopology::Points,
                formats: &target_formats(),
                set: Some(set),
                push_bytes: size_of::<DrawConstants>() as u32,
                capture_only: true,
                robust: setup.case.robust() == Robust::On,
            },
        )?;
        self.pipelines.push((key, made));
        Ok(self.pipelines.len() - 1)
    }

    /// Captures one item of one character, part after part.
    fn capture(
        &self,
        place: &Written,
        pass: &mut crate::gpu::RenderEncoder<'_>,
        frame: &Frame,
        (when, character): (When, u32),
        index: usize,
    ) -> Result<(), GpuError> {
        let (item, capture) = (&place.items[index], &self.items[index]);
        let mesh = &place.meshes.meshes[item.mesh];
        let (vertices, parity) = (&place.vertices, place.pose_parity(frame, when));
        let constants = constants(place, item, parity);
        let stride = u64::from(vertices.stride());
        let first = u64::from(character) * vertices.output.vertices_per_instance as u64
            + u64::from(item.first_vertex);
        let half = vertices.half_offset(frame.parity, when);
        for (part, pipeline) in mesh.parts.iter().zip(&capture.pipelines) {
            let (start, count) = (part.vertices.start, part.vertices.len() as u32);
            if count == 0 {
                continue;
            }
            pass.bind_pipeline(&self.pipelines[*pipeline].1);
            pass.bind_set(&capture.sets[parity], &[]);
            pass.push_constants(bytemuck::bytes_of(&constants));
            if let Some(source) = &mesh.source {
                pass.bind_vertices(&[(source, 0)]);
            }
            let to = half + (first + u64::from(start)) * stride;
            let bytes = u64::from(count) * stride;
            pass.transform_feedback(&vertices.buffer, to, bytes, |pass| {
                pass.draw(start, count, character);
                Ok::<_, GpuError>(())
            })?;
        }
        Ok(())
    }
}

fn constants(place: &Written, item: &ItemInfo, parity: usize) -> DrawConstants {
    let (poses, instances) = (&place.poses, place.vertices.instances);
    DrawConstants {
        grid_columns: 1,
        palette_base: poses.palette_base(parity, item.palette_offset),
        pose_stride: poses.stride(instances),
        joints: item.joints,
        morph_base: poses.morph_base(parity, item.morph_offset),
        morph_stride: poses.morph_stride(instances),
        morph_targets: item.morph_targets,
        vertex_count: item.vertex_count,
        ..DrawConstants::default()
    }
}

impl Deform for ByFeedback {
    const WRITE: Access = Access::TransformFeedbackWrite;
    const BARRIER: &'static str = "deform -> passes";
    const ON_DEVICE: bool = true;

    fn upload(
        &self,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) -> Result<(), GpuError> {
        let readers = TRAITS.binding.readers();
        place.poses.upload(encoder, frame, readers);
        Ok(())
    }

    fn deform(
        &self,
        place: &Written,
        encoder: &mut Encoder<'_>,
        frame: &Frame,
    ) -> Result<(), GpuError> {
        place.vertices.before_write(encoder, Self::WRITE);
        let targets = place.vertices.targets();
        if targets.iter().all(|when| place.selected(*when).is_empty()) {
            return Ok(());
        }
        let drawn = [Access::ColorAttachment];
        let clear: Vec<_> = self
            .target
            .images()
            .iter()
            .map(|image| Transition::discard(image, &drawn, &drawn))
            .collect();
        encoder.barrier("attachments", &clear);
        encoder.render(&self.target, |pass| {
            for &when in place.vertices.targets() {
                for &character in place.selected(when) {
                    for index in 0..place.items.len() {
                        self.capture(place, pass, frame, (when, character), index)?;
                    }
                }
            }
            Ok(())
        })
    }
}
