//! The order of morph and skin.

use glam::Vec3;

use super::super::output::{Attributes, OutputLayout};
use super::super::reference::verify::compare;
use super::super::reference::vertex::vertex;
use super::super::skin::{Deformed, Source, deform_vertex};
use super::variants::{ORDERS, stored};
use super::*;
use crate::plan::{MorphOrder, OutputFormat};

#[test]
fn each_order_of_morph_and_skin_matches_its_own_reference_alone() {
    let scene = mixed_scene(4, 2);
    let [before, after] = ORDERS.map(|morph_order| Variant {
        attributes: Attributes::Pnt,
        morph_order,
        ..Variant::default()
    });
    let f = frame(&scene, 27, 2, 1);
    let output = OutputLayout::new(&scene, Attributes::Pnt, OutputFormat::F32);
    for (own, other) in [(before, after), (after, before)] {
        let [own, other] = [own, other].map(|v| Source::of(&scene, v, &f.layout, &f.data, 1, 0));
        let fetch = |index| stored(&own, &output, index);
        assert!(compare(&own, Attributes::Pnt, 1, 0, fetch).passed());
        let wrong = compare(&other, Attributes::Pnt, 1, 0, fetch);
        assert!(wrong.failures > 600, "{wrong:?}");
    }
    // Without targets there is no order.
    let [before, after] = [before, after].map(|v| Source::of(&scene, v, &f.layout, &f.data, 1, 1));
    for index in 0..700 {
        assert_eq!(deform_vertex(&before, index), deform_vertex(&after, index));
    }
}

/// Skinned vertices to which targets are added one after the other, in place, where they move
/// anything, and which are then all normalised: the sparse way of morphing after skinning.
fn scattered(source: &Source<'_>, skinned: &Source<'_>, index: usize) -> Deformed {
    let mut out = deform_vertex(skinned, index);
    let unit = |v: Vec3| v * (1.0 / v.dot(v).sqrt());
    for (target, weight) in source.mesh.morph_targets.iter().zip(source.morph_weights) {
        let of = |list: &[[f32; 3]]| list.get(index).map_or(Vec3::ZERO, |d| Vec3::from(*d));
        let moves = [&target.positions, &target.normals, &target.tangents].map(|l| of(l));
        if moves.iter().all(|d| *d == Vec3::ZERO) {
            continue;
        }
        out.position += *weight * moves[0];
        out.normal += *weight * moves[1];
        out.tangent += (*weight * moves[2]).extend(0.0);
    }
    out.normal = unit(out.normal);
    out.tangent = unit(out.tangent.truncate()).extend(out.tangent.w);
    out
}

#[test]
fn one_target_after_the_other_is_the_same_sum_and_moves_no_other_vertex() {
    let mut scene = mixed_scene(4, 2);
    // Half of the vertices are moved by no target.
    for target in &mut scene.meshes[0].morph_targets {
        for list in [
            &mut target.positions,
            &mut target.normals,
            &mut target.tangents,
        ] {
            list.iter_mut().skip(350).for_each(|d| *d = [0.0; 3]);
        }
    }
    let mut plain = scene.meshes[0].clone();
    plain.morph_targets.clear();
    let variant = Variant {
        morph_order: MorphOrder::After,
        ..Variant::with_attributes(Attributes::Pnt)
    };
    let f = frame(&scene, 27, 1, 1);
    let source = Source::of(&scene, variant, &f.layout, &f.data, 0, 0);
    let skinned = Source {
        mesh: &plain,
        morph_weights: &[],
        ..source
    };
    let fetch = |index| scattered(&source, &skinned, index);
    let got = compare(&source, Attributes::Pnt, 0, 0, fetch);
    assert!(got.passed() && got.vertices == 700, "{got:?}");
    // A vertex that nothing moves stays within the tolerance of skinning alone.
    for index in 350..700 {
        let want = vertex(&skinned, Attributes::Pnt, index).normal.unwrap();
        let length = f64::from(fetch(index).normal.length());
        assert!((length - 1.0).abs() <= want.length_tolerance, "{length}");
    }
}
