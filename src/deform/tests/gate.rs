use glam::{DVec3, Vec4};

use super::super::output::Attributes;
use super::super::palette::PaletteReader;
use super::super::reference::method::{MethodNormalError, method_normal_error};
use super::super::reference::verify::{Part, Verification, compare};
use super::super::reference::vertex::vertex;
use super::super::skin::{Deformed, Source, deform_vertex};
use super::*;
use crate::plan::{MorphOrder, NormalMode, PaletteLayout};

/// What the gate says when vertex 137 comes out as `spoil` makes it.
fn spoiled(spoil: impl Fn(&mut Deformed) + Sync) -> Verification {
    let scene = mixed_scene(4, 1);
    let f = frame(&scene, 10, 2, 1);
    let source = Source::of(&scene, Variant::default(), &f.layout, &f.data, 1, 0);
    compare(&source, Attributes::Pnt, 1, 0, |index| {
        let mut out = deform_vertex(&source, index);
        if index == 137 {
            spoil(&mut out);
        }
        out
    })
}

fn part_that_fails(spoil: impl Fn(&mut Deformed) + Sync) -> Part {
    let verification = spoiled(spoil);
    assert_eq!(verification.failures, 1);
    let failure = verification.first_failure.unwrap();
    assert_eq!(
        [failure.item, failure.instance, failure.vertex],
        [0, 1, 137]
    );
    failure.part
}

#[test]
fn one_wrong_vertex_is_found_and_named() {
    assert!(spoiled(|_| ()).passed());
    assert_eq!(part_that_fails(|v| v.position.y += 1e-4), Part::Position);
    assert_eq!(part_that_fails(|v| v.normal = -v.normal), Part::Normal);
    assert_eq!(part_that_fails(|v| v.normal *= 1.0001), Part::Normal);
    assert_eq!(part_that_fails(|v| v.tangent.x += 0.001), Part::Tangent);
    assert_eq!(
        part_that_fails(|v| v.tangent.w = -v.tangent.w),
        Part::Handedness
    );
}

#[test]
fn nan_fails_wherever_it_stands() {
    let nan = f32::NAN;
    assert_eq!(part_that_fails(|v| v.position.x = nan), Part::Position);
    assert_eq!(part_that_fails(|v| v.normal.z = nan), Part::Normal);
    assert_eq!(part_that_fails(|v| v.tangent.y = nan), Part::Tangent);
    assert_eq!(part_that_fails(|v| v.tangent.w = nan), Part::Handedness);
    assert_eq!(
        spoiled(|v| v.position.x = nan).max_position_error,
        f64::INFINITY
    );
    assert_eq!(
        spoiled(|v| v.normal.x = nan).max_normal_error_deg,
        Some(180.0)
    );
}

#[test]
fn infinity_and_zero_directions_fail() {
    assert_eq!(part_that_fails(|v| v.normal = Vec3::ZERO), Part::Normal);
    assert_eq!(part_that_fails(|v| v.normal = Vec3::INFINITY), Part::Normal);
    assert_eq!(
        part_that_fails(|v| v.position = Vec3::INFINITY),
        Part::Position
    );
}

#[test]
fn the_position_error_is_a_fraction_of_the_items_own_box() {
    let scene = build(Options {
        vertices: 500,
        ..Options::default()
    })
    .unwrap();
    let f = frame(&scene, 0, 1, 1);
    let source = Source::of(&scene, Variant::default(), &f.layout, &f.data, 0, 0);
    let position = |index| vertex(&source, Attributes::P, index).position;
    let low = (0..500).map(position).fold(DVec3::INFINITY, DVec3::min);
    let high = (0..500).map(position).fold(DVec3::NEG_INFINITY, DVec3::max);
    let verification = compare(&source, Attributes::P, 0, 0, |index| {
        let mut out = deform_vertex(&source, index);
        out.position.x += if index == 3 { 0.25 } else { 0.0 };
        out
    });
    let want = 0.25 / (high - low).length();
    // The twin's own rounding stays below 1e-6 of the size.
    assert!((verification.max_position_error - want).abs() <= 1e-6);
}

/// A palette of one joint in rows.
fn reader(rows: &[[f32; 4]; 3]) -> PaletteReader<'_> {
    PaletteReader {
        format: PaletteFormat::default(),
        joints: 1,
        data: rows,
    }
}

/// One rigid vertex under a matrix with the given rows.
fn one_vertex(rows: [[f32; 4]; 3], normal: [f32; 3]) -> (Deformed, Verification) {
    let mut mesh = mixed_scene(1, 0).meshes.remove(1);
    mesh.positions = vec![[1.0, 2.0, 3.0]];
    mesh.normals = vec![normal];
    mesh.tangents = vec![[0.0, 0.0, 1.0, 1.0]];
    let source = Source {
        mesh: &mesh,
        variant: Variant::default(),
        palette: reader(&rows),
        morph_weights: &[],
    };
    let out = deform_vertex(&source, 0);
    (out, compare(&source, Attributes::Pnt, 0, 0, |_| out))
}

const MIRROR: [[f32; 4]; 3] = [[-1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.]];
const FLAT: [[f32; 4]; 3] = [[1., 0., 0., 5.], [0., 1., 0., 0.], [0., 0., 0., 0.]];

#[test]
fn a_mirror_turns_handedness_and_keeps_normals_outside() {
    let (out, verification) = one_vertex(MIRROR, [1.0, 0.0, 0.0]);
    assert!(verification.passed(), "{verification:?}");
    assert_eq!(out.normal, Vec3::NEG_X);
    assert_eq!(out.tangent, Vec4::new(0.0, 0.0, 1.0, -1.0));
    // The bitangent w·(n × t) is the image of the bind pose's n × t = -y, which the mirror keeps.
    let bitangent = out.tangent.w * out.normal.cross(out.tangent.truncate());
    assert_eq!(bitangent, Vec3::NEG_Y);
}

#[test]
fn a_point_has_an_error_of_zero_or_a_fraction_of_its_size() {
    let (out, exact) = one_vertex(MIRROR, [1.0, 0.0, 0.0]);
    assert_eq!(exact.max_position_error, 0.0);
    let mut mesh = mixed_scene(1, 0).meshes.remove(1);
    mesh.positions = vec![[1.0, 2.0, 3.0]];
    let source = Source {
        mesh: &mesh,
        variant: Variant::default(),
        palette: reader(&MIRROR),
        morph_weights: &[],
    };
    let moved = Deformed {
        position: out.position + Vec3::X,
        ..out
    };
    let error = compare(&source, Attributes::P, 0, 0, |_| moved).max_position_error;
    // |M||p| = (1, 2, 3), of length √14.
    assert!((error - 1.0 / 14f64.sqrt()).abs() <= 1e-12, "{error}");
}

#[test]
fn a_flat_matrix_keeps_what_it_cannot_turn() {
    // The cofactor of a matrix that flattens z is zero but for its z entry.
    let (out, verification) = one_vertex(FLAT, [1.0, 0.0, 0.0]);
    assert!(
        verification.passed(),
        "{}",
        verification.first_failure.unwrap()
    );
    assert_eq!(out.normal, Vec3::X, "no direction: the bind-pose normal");
    assert_eq!(
        out.tangent.truncate(),
        Vec3::Z,
        "flattened away: the bind-pose tangent"
    );
    let (out, verification) = one_vertex(FLAT, [0.6, 0.0, 0.8]);
    assert!(
        verification.passed(),
        "{}",
        verification.first_failure.unwrap()
    );
    assert_eq!(out.normal, Vec3::Z);
}

#[test]
fn a_kept_normal_has_one_side_alone() {
    // The determinant is zero, so its sign is open; the bind-pose normal that is kept has none.
    let mut mesh = mixed_scene(1, 0).meshes.remove(1);
    (mesh.positions, mesh.normals) = (vec![[1.0, 2.0, 3.0]], vec![[1.0, 0.0, 0.0]]);
    mesh.tangents.clear();
    let source = Source {
        mesh: &mesh,
        variant: Variant::default(),
        palette: reader(&FLAT),
        morph_weights: &[],
    };
    let turned = Deformed {
        normal: Vec3::NEG_X,
        ..deform_vertex(&source, 0)
    };
    let got = compare(&source, Attributes::Pn, 0, 0, |_| turned);
    assert_eq!(got.failures, 1);
}

#[test]
fn nan_in_a_palette_is_never_right() {
    let mut rows = MIRROR;
    rows[1][1] = f32::NAN;
    let (_, verification) = one_vertex(rows, [1.0, 0.0, 0.0]);
    assert_eq!(verification.failures, 1);
}

/// Method errors of the mixed scene, a normal mode each.
fn method(variant: Variant) -> MethodNormalError {
    let scene = mixed_scene(4, 3);
    let f = frame_in(format_of(&variant), &scene, 10, 1, 1);
    method_normal_error(&Source::of(&scene, variant, &f.layout, &f.data, 0, 0))
}

#[test]
fn methods_are_held_against_the_inverse_transpose() {
    for (palette, morph_order) in [
        (PaletteLayout::Rows3x4, MorphOrder::Before),
        (PaletteLayout::Mat4, MorphOrder::After),
        (PaletteLayout::DualQuatScale, MorphOrder::Before),
    ] {
        let of = |normals| {
            method(Variant {
                palette,
                normals,
                morph_order,
                ..Variant::default()
            })
        };
        for normals in [NormalMode::Cofactor, NormalMode::InverseTranspose] {
            let exact = of(normals);
            assert_eq!(exact.vertices, 700);
            assert!(exact.max <= 1e-9, "{exact:?}");
        }
        for normals in [NormalMode::Direct, NormalMode::DirectRaw] {
            let direct = of(normals);
            assert!(
                direct.max > 5.0 && direct.mean > 0.1 && direct.mean < direct.max,
                "{palette:?} {direct:?}"
            );
        }
        // Exact where a joint scales; elsewhere off by what blending rotations shears.
        let (flagged, direct) = (of(NormalMode::Flagged), of(NormalMode::Direct));
        assert!(flagged.mean < direct.mean, "{flagged:?} {direct:?}");
    }
    let per_joint = method(Variant {
        normals: NormalMode::PerJoint,
        ..Variant::default()
    });
    assert!(
        per_joint.max > 1.0 && per_joint.mean > 1e-3,
        "{per_joint:?}"
    );
}

#[test]
fn a_rotation_leaves_normals_exact_in_every_mode() {
    let scene = build(Options {
        vertices: 500,
        joints: 7,
        influences: 1,
        seed: 1,
        ..Options::default()
    })
    .unwrap();
    for normals in [
        NormalMode::Direct,
        NormalMode::PerJoint,
        NormalMode::Flagged,
    ] {
        let variant = Variant {
            normals,
            ..Variant::default()
        };
        let f = frame_in(format_of(&variant), &scene, 10, 1, 1);
        let source = Source::of(&scene, variant, &f.layout, &f.data, 0, 0);
        // A chain of joints leaves their matrices orthonormal within 1e-5.
        let error = method_normal_error(&source);
        assert!(error.vertices == 500 && error.max < 1e-3, "{error:?}");
    }
}

#[test]
fn a_blend_that_rounding_decides_is_counted_and_only_has_to_be_finite() {
    // Two half turns apart by a right angle of quaternions, and equal weights: any of two outcomes.
    let mut mesh = mixed_scene(1, 0).meshes.remove(1);
    mesh.positions = vec![[1.0, 2.0, 3.0]];
    mesh.normals = vec![[1.0, 0.0, 0.0]];
    mesh.tangents = vec![[0.0, 1.0, 0.0, 1.0]];
    (mesh.influences, mesh.joints, mesh.weights) = (2, vec![0, 1], vec![0.5, 0.5]);
    let variant = Variant {
        palette: PaletteLayout::DualQuat,
        ..Variant::with_attributes(Attributes::Pnt)
    };
    let data = [
        [0.0, 0.0, 0.0, 1.0],
        [0.0; 4],
        [0.0, 0.0, 1.0, 1e-7],
        [0.0; 4],
    ];
    let source = Source {
        mesh: &mesh,
        variant,
        palette: PaletteReader {
            format: format_of(&variant),
            joints: 2,
            data: &data,
        },
        morph_weights: &[],
    };
    let out = deform_vertex(&source, 0);
    let other = Deformed {
        position: Vec3::ONE,
        ..out
    };
    for right in [out, other] {
        let got = compare(&source, Attributes::Pnt, 0, 0, |_| right);
        assert!(got.passed() && got.ambiguous == 1, "{got:?}");
        assert_eq!(
            (got.max_position_error, got.max_normal_error_deg),
            (0.0, None)
        );
    }
    let mut wrong = out;
    wrong.tangent.z = f32::INFINITY;
    let got = compare(&source, Attributes::Pnt, 0, 0, |_| wrong);
    assert_eq!(got.first_failure.unwrap().part, Part::Tangent);
}
