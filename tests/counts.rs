//! Counts of vertices around the sizes of workgroups and of 16-bit numbers: what lies beside is left as
//! it was.
//!
//! A character has three meshes, the last with the count that is tried; of two characters only the first
//! moves (`dirty=50`). In the frame that the gate checks only the first is deformed, so what it writes
//! behind its last mesh stays in the second one's first vertices, where the gate compares them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use skinbench::bench::{Lab, Playback, Station, drawing_of, gate};
use skinbench::gpu::{Capabilities, DeviceOptions};
use skinbench::scene::{Mesh, MorphTarget, Scene, Topology, character};

use support::{assert_silent, case, devices, kinds, lab};

/// The first `count` vertices of a mesh, and the triangles between them; points where none is left.
fn cut(mesh: &Mesh, count: usize) -> Mesh {
    let mut cut = mesh.clone();
    cut.name = format!("the first {count}");
    cut.positions.truncate(count);
    cut.normals.truncate(count);
    cut.tangents.truncate(count);
    cut.joints.truncate(count * mesh.influences);
    cut.weights.truncate(count * mesh.influences);
    for target in &mut cut.morph_targets {
        target.positions.truncate(count);
        target.normals.truncate(count);
        target.tangents.truncate(count);
    }
    let inside = |triangle: &&[u32; 3]| triangle.iter().all(|index| (*index as usize) < count);
    let triangles = mesh.indices.as_chunks::<3>().0.iter().filter(inside);
    cut.indices = triangles.flatten().copied().collect();
    if cut.indices.is_empty() {
        cut.topology = Topology::Points;
        cut.indices = (0..count as u32).collect();
    }
    cut
}

/// A target that moves every vertex, so that a list of its entries is as long as the mesh.
fn everywhere(mesh: &Mesh, shift: usize) -> MorphTarget {
    let wave = |at: usize| ((at * 7 + shift) % 29 + 1) as f32 / 600.0;
    let list = |from: usize| {
        let of = |vertex| [wave(vertex + from), -wave(vertex), wave(2 * vertex + from)];
        (0..mesh.vertex_count()).map(of).collect()
    };
    MorphTarget {
        positions: list(0),
        normals: list(3),
        tangents: list(5),
    }
}

/// A character of `vertices`, of which meshes are cut.
fn whole(vertices: usize, targets: usize) -> Scene {
    let options = character::Options {
        vertices,
        joints: 12,
        morph_targets: targets,
        ..character::Options::default()
    };
    let mut scene = character::build(options).unwrap();
    let mesh = &mut scene.meshes[0];
    mesh.morph_targets = (0..targets).map(|at| everywhere(mesh, 11 * at)).collect();
    scene
}

/// Meshes of these counts, one after the other.
fn meshes(scene: &Scene, counts: &[usize]) -> Arc<Scene> {
    let mut made = scene.clone();
    made.meshes = counts
        .iter()
        .map(|count| cut(&scene.meshes[0], *count))
        .collect();
    let item = |mesh| skinbench::scene::Item {
        mesh,
        ..scene.items[0].clone()
    };
    made.items = (0..counts.len()).map(item).collect();
    Arc::new(made)
}

/// Two characters, the first moving, through the gate.
fn hold(lab: &mut Lab, scene: &Arc<Scene>, axes: &[&str]) {
    let beside = ["strategy=compute", "instances=2", "dirty=50"];
    let case = case(&[axes, &beside].concat());
    let drawing = drawing_of(&case);
    let kinds = kinds(&drawing);
    let playback = Playback::Running;
    let counts: Vec<_> = scene.meshes.iter().map(Mesh::vertex_count).collect();
    let made = Station::new(lab, scene, Some(0), &case, &kinds, playback);
    let mut station = made.unwrap_or_else(|error| panic!("{counts:?} {case}: {error}"));
    let outcome = gate(lab, &mut station, &drawing).unwrap();
    assert_eq!(outcome.failure(&station), None, "{counts:?} {case}");
    assert_eq!(outcome.verification.vertices, station.vertices());
    let (most, limits) = (lab.recorded(0).most_groups, lab.device.capabilities());
    assert!(
        most[0] > 0 && most[0] <= limits.max_compute_work_group_count,
        "{most:?}"
    );
    assert!(most[1] <= limits.max_compute_work_group_count_y, "{most:?}");
}

const WORKGROUPS: [&str; 4] = [
    "workgroup=32",
    "workgroup=64",
    "workgroup=128",
    "workgroup=256",
];
const GROUPINGS: [&str; 2] = ["grouping=per-mesh", "grouping=batched"];

fn each_device(narrow: Option<fn(&mut Capabilities)>, body: impl Fn(&mut Lab)) {
    for (instance, summary) in devices() {
        let options = DeviceOptions {
            narrow,
            ..DeviceOptions::default()
        };
        let mut lab = lab(&instance, &summary, options);
        body(&mut lab);
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn counts_around_a_workgroup() {
    let scene = whole(500, 0);
    each_device(None, |lab| {
        for (count, workgroup) in [0, 1, 63, 64, 65]
            .iter()
            .flat_map(|count| WORKGROUPS.map(|workgroup| (*count, workgroup)))
        {
            for grouping in GROUPINGS {
                hold(
                    lab,
                    &meshes(&scene, &[70, 1, count]),
                    &[workgroup, grouping],
                );
            }
        }
    });
}

/// With morph targets listed as entries, before and after skinning. One vertex of a position alone is
/// shorter than any buffer.
fn sparse_counts(order: &str) {
    let scene = whole(500, 2);
    each_device(None, |lab| {
        for count in [0, 1, 63, 64, 65] {
            let scene = meshes(&scene, &[70, count]);
            for attributes in ["attributes=p", "attributes=pn"] {
                hold(lab, &scene, &["morph=sparse", order, attributes]);
            }
        }
    });
}

#[test]
fn counts_around_a_workgroup_with_targets_before() {
    sparse_counts("morph-order=before");
}

#[test]
fn counts_around_a_workgroup_with_targets_after() {
    sparse_counts("morph-order=after");
}

fn large_counts(targets: usize, axes: &[&[&str]]) {
    let scene = whole(66_000, targets);
    each_device(None, |lab| {
        for count in [65_535, 65_536, 65_537] {
            let scene = meshes(&scene, &[70, count]);
            for axes in axes {
                hold(lab, &scene, axes);
            }
        }
    });
}

#[test]
fn counts_around_16_bits() {
    large_counts(0, &[&["workgroup=64"], &["workgroup=256", GROUPINGS[1]]]);
}

#[test]
fn counts_around_16_bits_with_targets_before() {
    large_counts(1, &[&["morph=sparse", "morph-order=before"]]);
}

#[test]
fn counts_around_16_bits_with_targets_after() {
    large_counts(1, &[&["morph=sparse", "morph-order=after"]]);
}

/// A device that runs three workgroups at once, or two characters.
fn few(capabilities: &mut Capabilities) {
    capabilities.max_compute_work_group_count = 3;
    capabilities.max_compute_work_group_count_y = 1;
}

/// 96 vertices or entries a dispatch: 700 of them take eight.
#[test]
fn few_workgroups_at_once() {
    let plain = meshes(&whole(700, 0), &[700, 97]);
    let morphed = meshes(&whole(700, 3), &[700, 97]);
    each_device(Some(few), |lab| {
        for grouping in GROUPINGS {
            hold(lab, &plain, &["workgroup=32", grouping]);
        }
        for order in ["morph-order=before", "morph-order=after"] {
            for attributes in ["attributes=p", "attributes=pnt"] {
                let axes = ["workgroup=32", "morph=sparse", order, attributes];
                hold(lab, &morphed, &axes);
            }
        }
    });
}
