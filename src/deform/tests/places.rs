use super::super::cpu_place::{deform_all, deform_range};
use super::super::output::{Attributes, OutputLayout};
use super::super::reference::verify::{Verification, compare, compare_all};
use super::super::skin::{Source, deform_vertex};
use super::*;
use crate::plan::OutputFormat;

const ALL: [Attributes; 3] = [Attributes::P, Attributes::Pn, Attributes::Pnt];

fn good(verification: &Verification, vertices: usize) {
    assert!(
        verification.passed(),
        "{}",
        verification.first_failure.unwrap()
    );
    assert_eq!(verification.vertices, vertices as u64);
    // Positions are sums of some ten terms of the size of the model.
    assert!(verification.max_position_error < 1e-5, "{verification:?}");
}

#[test]
fn the_twin_agrees_with_the_reference() {
    for influences in [1, 2, 4, 8, 12] {
        for seed in 0..3 {
            let scene = mixed_scene(influences, seed);
            let f = frame(&scene, 23 + seed, 3, 1);
            for (instance, item) in (0..3).flat_map(|i| (0..scene.items.len()).map(move |n| (i, n)))
            {
                let source = Source::of(
                    &scene,
                    Variant::default(),
                    &f.layout,
                    &f.data,
                    instance,
                    item,
                );
                let twin = |vertex| deform_vertex(&source, vertex);
                let verification = compare(&source, Attributes::Pnt, instance, item, twin);
                good(&verification, 700);
                assert_eq!(verification.max_normal_error_deg.is_some(), item < 2);
            }
        }
    }
}

#[test]
fn the_cpu_place_agrees_with_the_reference() {
    for (influences, attributes) in [1, 2, 4, 8, 12]
        .into_iter()
        .flat_map(|n| ALL.map(|a| (n, a)))
    {
        let scene = mixed_scene(influences, 5);
        let f = frame(&scene, 40, 3, 4);
        let output = OutputLayout::new(&scene, attributes, OutputFormat::F32);
        let mut out = room(&output, 3);
        deform_all(
            &scene,
            Variant::default(),
            &f.layout,
            &f.data,
            &output,
            0..3,
            &mut out,
        );
        let verification = compare_all(
            &scene,
            Variant::default(),
            &f.layout,
            &f.data,
            &output,
            3,
            &output.decode(&out),
        );
        good(&verification, 3 * 3 * 700);
        assert_eq!(
            verification.max_normal_error_deg.is_some(),
            attributes != Attributes::P
        );
        assert_eq!(
            verification.max_tangent_error_deg.is_some(),
            attributes == Attributes::Pnt
        );
    }
}

#[test]
fn an_odd_number_of_influences_is_deformed_as_well() {
    let mut scene = build(Options {
        vertices: 500,
        influences: 4,
        ..Options::default()
    })
    .unwrap();
    let mesh = &mut scene.meshes[0];
    mesh.influences = 3;
    mesh.joints = (0..1500u16).map(|slot| slot % 64).collect();
    mesh.weights = [0.5, 0.25, 0.25].repeat(500);
    let f = frame(&scene, 9, 2, 1);
    let output = OutputLayout::new(&scene, Attributes::Pnt, OutputFormat::F32);
    let mut out = room(&output, 2);
    deform_all(
        &scene,
        Variant::default(),
        &f.layout,
        &f.data,
        &output,
        0..2,
        &mut out,
    );
    good(
        &compare_all(
            &scene,
            Variant::default(),
            &f.layout,
            &f.data,
            &output,
            2,
            &output.decode(&out),
        ),
        1000,
    );
}

/// Tasks end in the middle of items and instances; the outcome must not show it.
#[test]
fn how_the_work_is_split_makes_no_difference() {
    let mut scene = build(Options {
        vertices: 5003,
        joints: 40,
        influences: 4,
        seed: 3,
        ..Options::default()
    })
    .unwrap();
    scene.items.push(scene.items[0].clone());
    let f = frame(&scene, 9, 3, 1);
    let output = OutputLayout::new(&scene, Attributes::Pn, OutputFormat::F32);
    let mut out = room(&output, 3);
    out.extend([7; 5]);
    deform_all(
        &scene,
        Variant::default(),
        &f.layout,
        &f.data,
        &output,
        0..3,
        &mut out,
    );
    assert!(
        out[output.floats(3)..].iter().all(|word| *word == 7),
        "wrote beyond the end"
    );
    for (instance, item) in (0..3).flat_map(|i| [(i, 0), (i, 1)]) {
        let source = Source::of(
            &scene,
            Variant::default(),
            &f.layout,
            &f.data,
            instance,
            item,
        );
        let mut whole = vec![0; 5003 * 6];
        deform_range(&source, &output, 0..5003, &mut whole);
        let vertices = output.vertices(instance, item);
        assert_eq!(out[vertices.start * 6..vertices.end * 6], whole);
    }
}

#[test]
fn one_block_is_shared_by_all_instances() {
    let scene = build(Options {
        vertices: 500,
        ..Options::default()
    })
    .unwrap();
    let f = frame(&scene, 9, 1, 1);
    let output = OutputLayout::new(&scene, Attributes::P, OutputFormat::F32);
    let mut out = room(&output, 2);
    deform_all(
        &scene,
        Variant::default(),
        &f.layout,
        &f.data,
        &output,
        0..2,
        &mut out,
    );
    assert_eq!(out[..1500], out[1500..]);
    good(
        &compare_all(
            &scene,
            Variant::default(),
            &f.layout,
            &f.data,
            &output,
            2,
            &output.decode(&out),
        ),
        1000,
    );
}

#[test]
fn items_without_normals_hold_zeros() {
    let scene = mixed_scene(4, 5);
    let f = frame(&scene, 40, 1, 1);
    let output = OutputLayout::new(&scene, Attributes::Pnt, OutputFormat::F32);
    let mut out = room(&output, 1);
    deform_all(
        &scene,
        Variant::default(),
        &f.layout,
        &f.data,
        &output,
        0..1,
        &mut out,
    );
    for vertex in output.vertices(0, 2) {
        assert!(
            out[vertex * 10 + 3..vertex * 10 + 10]
                .iter()
                .all(|&x| x == 0)
        );
    }
}
