#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use glam::{DVec3, Vec3};

use super::*;
use crate::deform::output::Attributes;
use crate::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use crate::deform::skin::{Source, deform_vertex};
use crate::deform::variant::Variant;
use crate::scene::ChannelTarget;
use crate::scene::playback::{Poses, evaluate_poses};

/// Options over the range, each pair of extremes among them.
fn range() -> Vec<Options> {
    let mut out = Vec::new();
    for vertices in [500, 501, 733, 5000, 20_011] {
        for (joints, influences) in [
            (1, 4),
            (2, 2),
            (3, 4),
            (5, 12),
            (7, 1),
            (19, 8),
            (64, 4),
            (64, 12),
            (1024, 8),
        ] {
            out.push(Options {
                vertices,
                joints,
                influences,
                seed: (vertices + joints) as u64,
                ..Options::default()
            });
        }
    }
    out
}

fn mesh_of(options: Options) -> Mesh {
    build(options).unwrap().meshes.remove(0)
}

fn each(check: impl Fn(Options, Scene)) {
    for options in range() {
        check(options, build(options).unwrap());
    }
}

#[test]
fn counts_come_out_exactly() {
    each(|options, scene| {
        let mesh = &scene.meshes[0];
        assert_eq!(mesh.vertex_count(), options.vertices);
        assert_eq!(mesh.normals.len(), options.vertices);
        assert_eq!(mesh.tangents.len(), options.vertices);
        assert_eq!(mesh.joints.len(), options.vertices * options.influences);
        assert_eq!(mesh.weights.len(), options.vertices * options.influences);
        assert_eq!(scene.joint_count(0), options.joints);
        assert_eq!(scene.skins[0].inverse_bind_matrices.len(), options.joints);
    });
}

#[test]
fn options_outside_the_range_are_errors() {
    let with = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        build(options).unwrap_err()
    };
    assert_eq!(with(|o| o.vertices = 499), CharacterError::Vertices(499));
    assert_eq!(
        with(|o| o.vertices = 5_000_001),
        CharacterError::Vertices(5_000_001)
    );
    assert_eq!(with(|o| o.joints = 0), CharacterError::Joints(0));
    assert_eq!(with(|o| o.joints = 4097), CharacterError::Joints(4097));
    assert_eq!(with(|o| o.influences = 3), CharacterError::Influences(3));
    assert!(
        with(|o| o.vertices = 0)
            .to_string()
            .contains("500 to 5000000")
    );
}

#[test]
fn triangles_are_about_two_a_vertex_and_none_is_degenerate() {
    each(|options, scene| {
        let mesh = &scene.meshes[0];
        let ratio = mesh.indices.len() as f64 / 3.0 / options.vertices as f64;
        let least = if options.vertices >= 5000 { 1.8 } else { 1.4 };
        assert!((least..=2.0).contains(&ratio), "{options:?}: {ratio}");
        let mut used = vec![false; options.vertices];
        for triangle in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| point(mesh, triangle[i]));
            let area = (b - a).cross(c - a).length();
            let longest = (b - a).length().max((c - b).length()).max((a - c).length());
            // Height over the longest side: far above the 1e-7 of rounded coordinates.
            assert!(
                area > 1e-2 * longest * longest,
                "{options:?}: {triangle:?} {area:e}"
            );
            triangle
                .iter()
                .for_each(|&index| used[index as usize] = true);
        }
        assert!(
            used.iter().all(|&used| used),
            "{options:?}: an unused vertex"
        );
    });
}

fn point(mesh: &Mesh, index: u32) -> DVec3 {
    Vec3::from(mesh.positions[index as usize]).as_dvec3()
}

#[test]
fn triangles_face_the_way_their_normals_do() {
    each(|options, scene| {
        let mesh = &scene.meshes[0];
        for triangle in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| point(mesh, triangle[i]));
            let face = (b - a).cross(c - a);
            for &index in triangle {
                let normal = Vec3::from(mesh.normals[index as usize]).as_dvec3();
                assert!(face.dot(normal) > 0.0, "{options:?}: {triangle:?}");
            }
        }
    });
}

#[test]
fn normals_and_tangents_are_unit_and_perpendicular() {
    each(|options, scene| {
        let mesh = &scene.meshes[0];
        for (normal, tangent) in mesh.normals.iter().zip(&mesh.tangents) {
            let [x, y, z, w] = *tangent;
            let (n, t) = (
                Vec3::from(*normal).as_dvec3(),
                Vec3::new(x, y, z).as_dvec3(),
            );
            // Each component is rounded once: half an ulp, 2⁻²⁵ below one, so 1.1e-7 in all.
            assert!((n.length() - 1.0).abs() <= 1.2e-7, "{options:?}: {n}");
            assert!((t.length() - 1.0).abs() <= 1.2e-7, "{options:?}: {t}");
            assert!(n.dot(t).abs() <= 2.4e-7 && w.abs() == 1.0, "{options:?}");
        }
        assert!(mesh.tangents.iter().any(|t| t[3] < 0.0), "mirrored parts");
        assert!(mesh.tangents.iter().any(|t| t[3] > 0.0));
    });
}

#[test]
fn most_vertices_have_as_many_real_weights_as_asked_for() {
    each(|options, scene| {
        let mesh = &scene.meshes[0];
        let n = options.influences;
        let want = n.min(options.joints);
        let mut full = 0;
        for (joints, weights) in mesh
            .joints
            .chunks_exact(n)
            .zip(mesh.weights.chunks_exact(n))
        {
            let real: Vec<u16> = joints
                .iter()
                .zip(weights)
                .filter(|(_, w)| **w > 0.002)
                .map(|(j, _)| *j)
                .collect();
            let mut distinct = real.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), real.len(), "{options:?}: a joint twice");
            assert!(
                real.iter()
                    .all(|&joint| usize::from(joint) < options.joints)
            );
            full += usize::from(real.len() == want);
            // glTF's validator allows 2e-7 for each nonzero weight.
            let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
            assert!(
                (sum - 1.0).abs() <= 2e-7 * real.len() as f64,
                "{options:?}: {sum}"
            );
            let idle = joints.iter().zip(weights).filter(|(_, w)| **w == 0.0);
            assert!(idle.clone().all(|(&joint, _)| joint == 0));
        }
        assert!(full * 10 >= options.vertices * 6, "{options:?}: {full}");
    });
}

#[test]
fn seams_double_vertices_and_one_edge_is_hard() {
    each(|options, scene| {
        let mesh = &scene.meshes[0];
        let mut at: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        for (index, position) in mesh.positions.iter().enumerate() {
            at.entry(position.map(f32::to_bits))
                .or_default()
                .push(index);
        }
        let pairs = at
            .values()
            .flat_map(|same| same.windows(2).map(|two| [two[0], two[1]]));
        let (smooth, hard): (Vec<_>, Vec<_>) =
            pairs.partition(|[a, b]| mesh.normals[*a] == mesh.normals[*b]);
        // Six parts, each with some rings; the cap has six columns at least.
        assert!(smooth.len() >= 18, "{options:?}: {}", smooth.len());
        assert!(hard.len() >= 6, "{options:?}: {}", hard.len());
    });
}

#[test]
fn triangles_are_ordered_for_the_cache_and_vertices_by_first_use() {
    let mesh = mesh_of(Options {
        vertices: 20_000,
        ..Options::default()
    });
    let statistics = meshopt::analyze_vertex_cache(&mesh.indices, 20_000, 16, 0, 0);
    // Average transformed vertices a triangle; a plain grid order gives 1, the ideal is 0.5.
    assert!(statistics.acmr < 0.75, "{}", statistics.acmr);
    let mut next = 0;
    for &index in &mesh.indices {
        assert!(index <= next, "vertex {index} is used before {next}");
        next = next.max(index + 1);
    }
}

#[test]
fn the_skeleton_branches_and_parents_come_first() {
    each(|options, scene| {
        let nodes = &scene.skeleton.nodes;
        let mut children = vec![0; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                assert!(parent < index);
                children[parent] += 1;
            }
        }
        let branches = children.iter().filter(|&&count| count > 1).count();
        assert!(options.joints < 19 || branches >= 2, "{options:?}");
    });
}

#[test]
fn the_bind_pose_leaves_the_mesh_where_it_is() {
    let scene = build(Options {
        joints: 200,
        ..Options::default()
    })
    .unwrap();
    let layout = PoseLayout::new(&scene, PaletteFormat::default(), 1);
    let mut blocks = vec![[0.0; 4]; layout.vec4s(1)];
    write_poses(&scene, &layout, &Poses::new(&scene, 1), &mut blocks);
    let source = Source::of(&scene, Variant::default(), &layout, &blocks, 0, 0);
    for index in 0..5000 {
        let moved =
            deform_vertex(&source, index).position - Vec3::from(scene.meshes[0].positions[index]);
        // A chain of some 70 f32 transforms, each off by a few 1e-7 of a metre.
        assert!(moved.length() <= 2e-5, "{moved}");
    }
}

#[test]
fn the_clip_moves_every_joint_within_bounds_and_loops() {
    for joints in [1, 3, 64, 1024] {
        let scene = build(Options {
            vertices: 600,
            joints,
            influences: 4,
            seed: 9,
            ..Options::default()
        })
        .unwrap();
        let clip = &scene.clips[0];
        assert_eq!(clip.duration, 2.0);
        let mut moved = vec![false; joints];
        for channel in &clip.channels {
            let keys: Vec<_> = channel.values.chunks_exact(channel.width).collect();
            assert_eq!(keys.first(), keys.last(), "it loops");
            if let ChannelTarget::Rotation(node) = channel.target {
                moved[node - 1] = keys.iter().any(|key| key != &keys[0]);
            }
        }
        assert!(moved.iter().all(|&moved| moved), "{joints} joints");
        let farthest = farthest(&scene);
        assert!(
            (0.01..1.0).contains(&farthest),
            "{joints} joints: {farthest} m"
        );
    }
}

/// How far any vertex gets from its bind pose, metres.
fn farthest(scene: &Scene) -> f32 {
    let layout = PoseLayout::new(scene, PaletteFormat::default(), 1);
    let times: Vec<f32> = (0..40u8).map(|i| f32::from(i) / 20.0).collect();
    let mut poses = Poses::new(scene, times.len());
    evaluate_poses(scene, Some(0), &times, &mut poses);
    let mut blocks = vec![[0.0; 4]; layout.vec4s(times.len())];
    write_poses(scene, &layout, &poses, &mut blocks);
    let mut out = 0.0f32;
    for instance in 0..times.len() {
        let source = Source::of(scene, Variant::default(), &layout, &blocks, instance, 0);
        for (index, bind) in scene.meshes[0].positions.iter().enumerate() {
            out = out.max(
                deform_vertex(&source, index)
                    .position
                    .distance(Vec3::from(*bind)),
            );
        }
    }
    out
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_others() {
    let options = Options::default();
    let (a, b) = (build(options).unwrap(), build(options).unwrap());
    assert!(a == b);
    assert_eq!(a.sha256.len(), 64);
    let other = build(Options { seed: 1, ..options }).unwrap();
    assert_ne!(a.sha256, other.sha256);
    assert_ne!(a.meshes[0].positions, other.meshes[0].positions);
}

#[test]
fn every_attribute_is_there_to_be_deformed() {
    let mesh = mesh_of(Options::default());
    assert_eq!(
        Attributes::Pnt.floats(),
        3 + mesh.normals[0].len() + mesh.tangents[0].len()
    );
}
