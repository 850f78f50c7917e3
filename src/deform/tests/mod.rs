//! Tests of the deforming floor on a scene with every kind of item.
#![allow(clippy::unwrap_used)]

mod articles;
mod gate;
mod morphs;
mod palettes;
mod places;
mod variants;

use glam::{Mat4, Quat, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::output::OutputLayout;
use super::palette::{PaletteFormat, PoseLayout, write_poses};
use super::variant::Variant;
use crate::scene::character::{Options, build};
use crate::scene::playback::{Poses, evaluate_poses, times};
use crate::scene::{
    Channel, ChannelTarget, Clip, Interpolation, Item, Local, Mesh, MorphTarget, PaletteSource,
    Scene, Topology,
};

/// Number of morph targets of the skinned item.
const TARGETS: usize = 5;

/// The built-in character with morph targets, joints that are scaled unevenly, mirrored or nearly
/// flat, a rigid item that shares its motion, and a cloud of points.
fn mixed_scene(influences: usize, seed: u64) -> Scene {
    let options = Options {
        vertices: 700,
        joints: 23,
        influences,
        seed,
        ..Options::default()
    };
    let mut scene = build(options).unwrap();
    let mut random = Pcg64::seed_from_u64(seed);
    add_morph_targets(&mut scene, &mut random);
    let scales = [
        [1.5, 0.5, 1.0],
        [-1.0, 1.0, 1.0],
        [1.0, 1e-4, 2.0],
        [-1.0, -2.0, -0.7],
    ];
    for (node, scale) in [3, 8, 12, 19].into_iter().zip(scales) {
        rescale(&mut scene, node, scale.into());
    }
    scene.skeleton.nodes[5].rest = Local::Matrix(Mat4::from_scale_rotation_translation(
        Vec3::new(0.9, 1.2, -1.1),
        Quat::from_rotation_x(0.7),
        Vec3::new(0.01, 0.2, 0.0),
    ));
    scene.rest.locals[5] = scene.skeleton.nodes[5].rest;
    add_rigid_items(&mut scene);
    add_channels(&mut scene, &mut random);
    scene
}

fn rescale(scene: &mut Scene, node: usize, new: Vec3) {
    if let Local::Trs { scale, .. } = &mut scene.skeleton.nodes[node].rest {
        *scale = new;
    }
    scene.rest.locals[node] = scene.skeleton.nodes[node].rest;
}

fn add_morph_targets(scene: &mut Scene, random: &mut Pcg64) {
    let count = scene.meshes[0].vertex_count();
    let mut list = |size: f32| -> Vec<[f32; 3]> {
        let mut one = || [0; 3].map(|_| random.random_range(-size..size));
        (0..count).map(|_| one()).collect()
    };
    let full = |list: &mut dyn FnMut(f32) -> Vec<[f32; 3]>| MorphTarget {
        positions: list(0.1),
        normals: list(0.5),
        tangents: list(0.5),
    };
    let mut targets: Vec<_> = (0..TARGETS - 1).map(|_| full(&mut list)).collect();
    targets.push(MorphTarget {
        positions: list(0.2),
        ..MorphTarget::default()
    });
    scene.meshes[0].morph_targets = targets;
    scene.morph_ranges[0] = (0, TARGETS);
    scene.rest.morph_weights = vec![0.0, 0.3, -0.4, 1.7, 0.01];
}

fn add_rigid_items(scene: &mut Scene) {
    let rigid = Mesh {
        influences: 0,
        joints: vec![],
        weights: vec![],
        morph_targets: vec![],
        ..scene.meshes[0].clone()
    };
    let points = Mesh {
        topology: Topology::Points,
        normals: vec![],
        tangents: vec![],
        ..rigid.clone()
    };
    for (node, mesh) in [(8, rigid), (0, points)] {
        let palette = scene.palettes.len();
        scene.palettes.push(PaletteSource::Node(node));
        scene.items.push(Item {
            node,
            mesh: scene.meshes.len(),
            palette,
            first_morph_weight: 0,
        });
        scene.meshes.push(mesh);
    }
}

fn add_channels(scene: &mut Scene, random: &mut Pcg64) {
    let times = vec![0.25, 0.5, 1.75];
    let mut channel = |target, interpolation, width: usize| {
        let per_key = if interpolation == Interpolation::CubicSpline {
            3 * width
        } else {
            width
        };
        let values = (0..3 * per_key)
            .map(|_| random.random_range(-1.0..1.0))
            .collect();
        Channel {
            target,
            interpolation,
            times: times.clone(),
            values,
            width,
        }
    };
    let channels = [
        channel(ChannelTarget::Weights(0), Interpolation::Linear, TARGETS),
        channel(ChannelTarget::Rotation(4), Interpolation::CubicSpline, 4),
        channel(ChannelTarget::Translation(7), Interpolation::CubicSpline, 3),
        channel(ChannelTarget::Rotation(9), Interpolation::Step, 4),
        channel(ChannelTarget::Scale(10), Interpolation::Linear, 3),
        channel(ChannelTarget::Rotation(5), Interpolation::Linear, 4),
    ];
    scene.clips[0].channels.extend(channels);
}

/// The uploaded palettes and weights of some instances at a frame, and their times.
struct Frame {
    layout: PoseLayout,
    times: Vec<f32>,
    data: Vec<[f32; 4]>,
}

/// The format of the palettes of a variant.
fn format_of(variant: &Variant) -> PaletteFormat {
    PaletteFormat::new(variant.palette, variant.normals)
}

/// A frame in the default format.
fn frame(scene: &Scene, number: u64, instances: usize, alignment: usize) -> Frame {
    frame_in(
        PaletteFormat::default(),
        scene,
        number,
        instances,
        alignment,
    )
}

fn frame_in(
    format: PaletteFormat,
    scene: &Scene,
    number: u64,
    instances: usize,
    alignment: usize,
) -> Frame {
    let layout = PoseLayout::new(scene, format, alignment);
    let duration = scene.clips.first().map_or(0.0, |clip: &Clip| clip.duration);
    let times = times(number, instances, true, duration);
    let mut poses = Poses::new(scene, instances);
    evaluate_poses(scene, Some(0), &times, &mut poses);
    let mut data = vec![[f32::NAN; 4]; layout.vec4s(instances)];
    write_poses(scene, &layout, &poses, &mut data);
    Frame {
        layout,
        times,
        data,
    }
}

/// A buffer for the vertices of some instances, of NaN.
fn room(output: &OutputLayout, instances: usize) -> Vec<u32> {
    vec![f32::NAN.to_bits(); output.bytes(instances) / 4]
}
