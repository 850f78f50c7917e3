//! Evaluating a scene at one time, in f32 and in f64.

use glam::DVec3;
use skinbench::deform::output::Attributes;
use skinbench::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use skinbench::deform::reference::pose::{check_poses, evaluate, palette};
use skinbench::deform::reference::vertex::vertex;
use skinbench::deform::skin::{Source, deform_vertex};
use skinbench::scene::Scene;
use skinbench::scene::playback::{Poses, evaluate_poses};

/// What one evaluation says of one item.
pub struct Evaluated {
    pub positions: Vec<DVec3>,
    pub normals: Vec<Option<DVec3>>,
}

/// A scene evaluated at one time: uploaded f32 block, and the f64 pose's rounded to f32.
pub struct Frame {
    pub layout: PoseLayout,
    pub uploaded: Vec<[f32; 4]>,
    pub exact: Vec<[f32; 4]>,
}

pub fn frame(scene: &Scene, time: f32) -> Frame {
    let clip = (!scene.clips.is_empty()).then_some(0);
    let layout = PoseLayout::new(scene, PaletteFormat::default(), 4);
    let mut poses = Poses::new(scene, 1);
    evaluate_poses(scene, clip, &[time], &mut poses);
    let mut uploaded = vec![[0.0; 4]; layout.vec4s(1)];
    write_poses(scene, &layout, &poses, &mut uploaded);
    check_poses(scene, &layout, clip, &[time], &uploaded)
        .unwrap_or_else(|error| panic!("{}: {error}", scene.source));
    let exact = exact_block(scene, &layout, clip, time);
    Frame {
        layout,
        uploaded,
        exact,
    }
}

/// The f64 pose's palettes and weights in a block of their own.
fn exact_block(
    scene: &Scene,
    layout: &PoseLayout,
    clip: Option<usize>,
    time: f32,
) -> Vec<[f32; 4]> {
    let mut out = vec![[0.0; 4]; layout.vec4s(1)];
    let pose = evaluate(scene, clip, time);
    for (index, &offset) in layout.palette_offsets.iter().enumerate() {
        for (joint, matrix) in palette(scene, &pose, index).iter().enumerate() {
            for row in 0..3 {
                let entry = |column| matrix.entry(row, column).value as f32;
                out[offset + 3 * joint + row] = [0, 1, 2, 3].map(entry);
            }
        }
    }
    for (item, &offset) in layout.morph_offsets.iter().enumerate() {
        let offset = layout.morphs_start(1) + offset;
        let targets = scene.meshes[scene.items[item].mesh].morph_targets.len();
        for target in 0..targets {
            let weight = pose.morph_weights[scene.items[item].first_morph_weight + target];
            out[offset + target / 4][target % 4] = weight.value as f32;
        }
    }
    out
}

/// By the f32 palette and the scalar twin.
pub fn by_twin(source: &Source<'_>) -> Evaluated {
    let all = (0..source.mesh.vertex_count()).map(|index| deform_vertex(source, index));
    let has_normals = !source.mesh.normals.is_empty();
    let (positions, normals) = all
        .map(|v| {
            (
                v.position.as_dvec3(),
                has_normals.then_some(v.normal.as_dvec3()),
            )
        })
        .unzip();
    Evaluated { positions, normals }
}

/// By the f64 pose and the f64 vertices.
pub fn by_reference(source: &Source<'_>) -> Evaluated {
    let all = (0..source.mesh.vertex_count()).map(|index| vertex(source, Attributes::Pn, index));
    let (positions, normals) = all
        .map(|v| (v.position, v.normal.map(|n| n.vector)))
        .unzip();
    Evaluated { positions, normals }
}
