#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use crate::deform::skin::{Deformed, Source, deform_vertex};
use crate::deform::variant::Variant;
use crate::scene::MorphTarget;
use crate::scene::character::{Options, build};
use crate::scene::import::triangles;
use crate::scene::playback::{Poses, evaluate_poses};

const NOTHING: Adaptation = Adaptation {
    weights: WeightFormat::F32,
    influence_loop: InfluenceLoop::Fixed,
    index_order: IndexOrder::Optimised,
    most_joints: None,
};

/// A character of many joints with a morph target, every seventh vertex of which has fewer
/// influences, and the same mesh once more.
fn character(joints: usize, influences: usize) -> Arc<Scene> {
    let options = Options {
        vertices: 3000,
        joints,
        influences,
        seed: 4,
        ..Options::default()
    };
    let mut scene = build(options).unwrap();
    let mesh = &mut scene.meshes[0];
    for vertex in (0..3000).step_by(7) {
        let kept = vertex / 7 % influences;
        let slots = vertex * influences..(vertex + 1) * influences;
        for (slot, at) in slots.enumerate() {
            mesh.weights[at] = if slot == kept { 1.0 } else { 0.0 };
            mesh.joints[at] = if slot == kept { mesh.joints[at] } else { 0 };
        }
    }
    let moved = mesh
        .positions
        .iter()
        .map(|[x, y, z]| [y * 0.1, z * 0.1, x * 0.1]);
    mesh.morph_targets = vec![MorphTarget {
        positions: moved.collect(),
        ..MorphTarget::default()
    }];
    scene.morph_ranges[0] = (0, 1);
    scene.rest.morph_weights = vec![0.4];
    scene.items.push(scene.items[0].clone());
    Arc::new(scene)
}

/// Every deformed vertex of the character at some time, item after item.
fn deformed(scene: &Scene) -> Vec<Deformed> {
    let layout = PoseLayout::new(scene, PaletteFormat::default(), 1);
    let mut poses = Poses::new(scene, 1);
    evaluate_poses(scene, Some(0), &[0.7], &mut poses);
    let mut data = vec![[0.0; 4]; layout.vec4s(1)];
    write_poses(scene, &layout, &poses, &mut data);
    let of_item = |item: usize| {
        let source = Source::of(scene, Variant::default(), &layout, &data, 0, item);
        let all: Vec<_> = (0..source.mesh.vertex_count())
            .map(|index| deform_vertex(&source, index))
            .collect();
        all
    };
    (0..scene.items.len()).flat_map(of_item).collect()
}

/// Every triangle by its deformed corners, with how often it is there. Corners start with the
/// lowest, in the same sense.
fn surface(scene: &Scene) -> BTreeMap<[[u32; 3]; 3], usize> {
    let vertices = deformed(scene);
    let mut all = BTreeMap::new();
    let mut first = 0;
    for item in &scene.items {
        let mesh = &scene.meshes[item.mesh];
        for triangle in triangles(mesh.topology, &mesh.indices) {
            let mut corners = triangle.map(|index| {
                let vertex = vertices[first + index as usize];
                vertex.position.to_array().map(f32::to_bits)
            });
            let lowest = (0..3).min_by_key(|at| corners[*at]).unwrap();
            corners.rotate_left(lowest);
            *all.entry(corners).or_default() += 1;
        }
        first += mesh.vertex_count();
    }
    all
}

fn bits(vertex: &Deformed) -> [u32; 10] {
    let (p, n, t) = (vertex.position, vertex.normal, vertex.tangent);
    let all = [p.x, p.y, p.z, n.x, n.y, n.z, t.x, t.y, t.z, t.w];
    all.map(f32::to_bits)
}

/// Whether every vertex is where `origin` says, and deformed alike, bit for bit.
fn assert_same(before: &Scene, adapted: &Adapted) {
    let (was, is) = (deformed(before), deformed(&adapted.scene));
    let origin = adapted.origin.as_ref().unwrap();
    assert_eq!(origin.len(), was.len());
    for (vertex, to) in was.iter().zip(origin.iter()) {
        assert_eq!(bits(vertex), bits(&is[*to as usize]));
    }
    assert!(surface(before) == surface(&adapted.scene));
}

#[test]
fn nothing_to_do_gives_the_same_scene() {
    let scene = character(64, 4);
    let same = adapt(&scene, &NOTHING);
    assert!(Arc::ptr_eq(&same.scene, &scene) && same.origin.is_none());
}

fn weights() -> impl Strategy<Value = Vec<f32>> {
    let one = prop_oneof![4 => 0.0f32..1.0, 1 => Just(0.0), 1 => 0.0f32..0.004];
    prop::collection::vec(one, 1..=12).prop_filter_map("some weight", |mut all| {
        let sum: f32 = all.iter().sum();
        all.iter_mut().for_each(|w| *w /= sum);
        (sum > 0.01).then_some(all)
    })
}

proptest! {
    #[test]
    fn quantised_weights_sum_to_one_and_stay_near(weights in weights()) {
        for format in [WeightFormat::Unorm16, WeightFormat::Unorm8] {
            let most = most(format).unwrap();
            let got = quantise(&weights, most);
            prop_assert_eq!(got.iter().sum::<u32>(), most);
            let largest = weights.iter().copied().fold(0.0, f32::max);
            let first = weights.iter().position(|w| *w == largest).unwrap();
            for (at, (number, weight)) in got.iter().zip(&weights).enumerate() {
                let apart = (f64::from(*number) - f64::from(*weight) * f64::from(most)).abs();
                // Half a step, and the rounding of f32: the sum of twelve weights is 1 within 12u, the
                // scale and the product round once each. The largest takes what all others leave.
                let rounding = 15.0 * 2f64.powi(-24) * f64::from(most);
                let steps = if at == first { weights.len() as f64 } else { 1.0 };
                prop_assert!(apart <= (0.5 + rounding) * steps, "{} {:?} {:?}", at, weights, got);
            }
        }
    }
}

#[test]
fn a_mesh_holds_what_its_integers_stand_for() {
    for (format, most) in [
        (WeightFormat::Unorm16, 65_535.0),
        (WeightFormat::Unorm8, 255.0),
    ] {
        for influences in [1, 2, 4, 8, 12] {
            let wanted = Adaptation {
                weights: format,
                ..NOTHING
            };
            let adapted = adapt(&character(64, influences), &wanted);
            assert!(adapted.origin.is_none());
            let mesh = &adapted.scene.meshes[0];
            let weights = mesh.weights.chunks_exact(influences);
            for (weights, joints) in weights.zip(mesh.joints.chunks_exact(influences)) {
                let numbers: Vec<f64> = weights.iter().map(|w| f64::from(*w) * most).collect();
                for ((number, weight), joint) in numbers.iter().zip(weights).zip(joints) {
                    let nearest = (number.round() / most) as f32;
                    assert_eq!(*weight, nearest);
                    assert!(*weight > 0.0 || *joint == 0);
                }
                let sum: f64 = numbers.iter().map(|n| n.round()).sum();
                assert_eq!(sum, most);
            }
        }
    }
}

#[test]
fn parts_keep_every_vertex_and_triangle_and_have_few_joints() {
    for (joints, influences, most) in [(512, 4, 64), (200, 2, 64), (100, 8, 32)] {
        let scene = character(joints, influences);
        let wanted = Adaptation {
            most_joints: Some(most),
            ..NOTHING
        };
        let adapted = adapt(&scene, &wanted);
        let parts = &adapted.scene;
        assert!(parts.items.len() > 2 * joints / most as usize - 2);
        for item in &parts.items {
            assert!(parts.joint_count(item.palette) <= most as usize);
        }
        assert_same(&scene, &adapted);
    }
}

#[test]
fn a_skin_that_fits_is_left_alone() {
    let scene = character(64, 4);
    let wanted = Adaptation {
        most_joints: Some(64),
        ..NOTHING
    };
    let adapted = adapt(&scene, &wanted);
    assert_eq!(adapted.origin, None);
    assert_eq!(*adapted.scene, *scene);
}

#[test]
fn classes_of_influences_are_runs_and_move_no_vertex() {
    for influences in [1, 2, 4, 8, 12] {
        let scene = sorted(&character(64, influences));
        let wanted = Adaptation {
            influence_loop: InfluenceLoop::Partitioned,
            ..NOTHING
        };
        let adapted = adapt(&scene, &wanted);
        assert_same(&scene, &adapted);
        let mesh = &adapted.scene.meshes[0];
        let classes = influence_classes(mesh);
        let sizes: Vec<usize> = classes.iter().map(|class| class.influences).collect();
        assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
        assert!(sizes.len() > 1 || influences == 1);
        let mut next = 0;
        for class in classes {
            assert_eq!(class.vertices.start, next);
            next = class.vertices.end;
            for vertex in class.vertices {
                let first = vertex as usize * influences;
                let unused = &mesh.weights[first + class.influences..first + influences];
                assert!(unused.iter().all(|weight| *weight == 0.0));
            }
        }
        assert_eq!(next, 3000);
    }
}

/// The scene with its slots sorted: adding up in another order rounds otherwise.
fn sorted(scene: &Arc<Scene>) -> Arc<Scene> {
    let wanted = Adaptation {
        influence_loop: InfluenceLoop::EarlyOut,
        ..NOTHING
    };
    adapt(scene, &wanted).scene
}

#[test]
fn sorted_slots_fall_and_keep_their_joints() {
    let before = character(64, 8);
    let after = sorted(&before);
    let pairs = |scene: &Scene, vertex: usize| {
        let slots = vertex * 8..(vertex + 1) * 8;
        let mesh = &scene.meshes[0];
        let joints = mesh.joints[slots.clone()].iter().copied();
        let all: Vec<(u16, u32)> = joints
            .zip(mesh.weights[slots].iter().map(|w| w.to_bits()))
            .collect();
        all
    };
    for vertex in 0..3000 {
        let (mut was, mut is) = (pairs(&before, vertex), pairs(&after, vertex));
        // Bits of numbers that are not negative rise with them.
        assert!(is.is_sorted_by_key(|(_, weight)| std::cmp::Reverse(*weight)));
        was.sort_unstable();
        is.sort_unstable();
        assert_eq!(was, is);
    }
}

#[test]
fn shuffling_keeps_the_set_of_triangles_and_is_the_same_each_time() {
    let scene = character(64, 4);
    let wanted = Adaptation {
        index_order: IndexOrder::Shuffled,
        ..NOTHING
    };
    let [one, two] = [(); 2].map(|()| adapt(&scene, &wanted));
    assert!(one.origin.is_none());
    assert_eq!(one.scene.meshes[0].indices, two.scene.meshes[0].indices);
    assert_ne!(one.scene.meshes[0].indices, scene.meshes[0].indices);
    assert_eq!(deformed(&one.scene), deformed(&scene));
    assert!(surface(&one.scene) == surface(&scene));
}

#[test]
fn everything_together_still_finds_every_vertex() {
    let scene = character(512, 4);
    let all = Adaptation {
        weights: WeightFormat::Unorm8,
        influence_loop: InfluenceLoop::Partitioned,
        index_order: IndexOrder::Shuffled,
        most_joints: Some(64),
    };
    let quantised = Adaptation {
        weights: WeightFormat::Unorm8,
        influence_loop: InfluenceLoop::EarlyOut,
        ..NOTHING
    };
    let plain = adapt(&scene, &quantised).scene;
    assert_same(&plain, &adapt(&scene, &all));
}
