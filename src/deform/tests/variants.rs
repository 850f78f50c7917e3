//! Every variant: the twin against the reference, and what the reference makes of wrong values.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec4};

use super::super::cpu_place::deform_all;
use super::super::output::{Attributes, OutputLayout};
use super::super::reference::Direction;
use super::super::reference::verify::{Part, Verification, compare, compare_all, unpack};
use super::super::reference::vertex::{Vertex, vertex};
use super::super::skin::{Deformed, Source, deform_vertex};
use super::*;
use crate::plan::{
    IndexOrder, InfluenceLoop, MorphOrder, NormalMode, OutputFormat, PaletteLayout, WeightFormat,
    WeightNormalise,
};
use crate::scene::adapt::{Adaptation, adapt};

const PALETTES: [PaletteLayout; 5] = [
    PaletteLayout::Mat4,
    PaletteLayout::Rows3x4,
    PaletteLayout::Rows3x4Half,
    PaletteLayout::DualQuat,
    PaletteLayout::DualQuatScale,
];
const NORMALS: [NormalMode; 6] = [
    NormalMode::Cofactor,
    NormalMode::Direct,
    NormalMode::DirectRaw,
    NormalMode::InverseTranspose,
    NormalMode::PerJoint,
    NormalMode::Flagged,
];
pub(super) const ORDERS: [MorphOrder; 2] = [MorphOrder::Before, MorphOrder::After];
const OUTPUTS: [OutputFormat; 4] = [
    OutputFormat::F32,
    OutputFormat::Snorm8,
    OutputFormat::Oct16,
    OutputFormat::Oct16Truncated,
];
const WEIGHTS: [WeightFormat; 3] = [
    WeightFormat::F32,
    WeightFormat::Unorm16,
    WeightFormat::Unorm8,
];
const INFLUENCES: [usize; 5] = [1, 2, 4, 8, 12];

/// Every combination of palette, normals and order of morphs that there is, with floats in and out.
fn kernels() -> Vec<Variant> {
    let mut all = Vec::new();
    for palette in PALETTES {
        for normals in NORMALS {
            let variant = Variant {
                attributes: Attributes::Pnt,
                palette,
                normals,
                ..Variant::default()
            };
            let none = normals == NormalMode::PerJoint && variant.is_dual_quat();
            if !none {
                all.extend(ORDERS.map(|morph_order| Variant {
                    morph_order,
                    ..variant
                }));
            }
        }
    }
    all
}

/// The mixed scene with its weights in a format, sorted where kernels stop early.
fn scene_of(influences: usize, weights: WeightFormat, sorted: bool) -> Arc<Scene> {
    let wanted = Adaptation {
        weights,
        influence_loop: if sorted {
            InfluenceLoop::EarlyOut
        } else {
            InfluenceLoop::Fixed
        },
        index_order: IndexOrder::Optimised,
        most_joints: None,
    };
    adapt(&Arc::new(mixed_scene(influences, 2)), &wanted).scene
}

/// What the twin stores of a vertex, read again.
pub(super) fn stored(source: &Source<'_>, output: &OutputLayout, index: usize) -> Deformed {
    let mut words = [0; 10];
    let words = &mut words[..output.words()];
    output.encode(&deform_vertex(source, index), words);
    unpack(output.attributes, &output.decode(words), 0)
}

/// The twin's vertices of every item of one frame against the reference.
fn twin(scene: &Scene, variant: Variant) -> Verification {
    let f = frame_in(format_of(&variant), scene, 27, 2, 1);
    let output = OutputLayout::new(scene, variant.attributes, variant.output);
    let mut all = Verification::default();
    for item in 0..scene.items.len() {
        let source = Source::of(scene, variant, &f.layout, &f.data, 1, item);
        let fetch = |index| stored(&source, &output, index);
        all = all.merge(compare(&source, variant.attributes, 1, item, fetch));
    }
    all
}

/// Largest angle that a format leaves, degrees: of the directions that are determined, f32 loses most
/// where a joint is nearly flat (1e-4 of its height: some 1e-3 rad).
fn most_degrees(format: OutputFormat) -> f64 {
    match format {
        OutputFormat::F32 => 0.1,
        OutputFormat::Snorm8 => 0.5,
        OutputFormat::Oct16 | OutputFormat::Oct16Truncated => 0.12,
    }
}

fn good(verification: &Verification, variant: &Variant, influences: usize) {
    let failure = verification
        .first_failure
        .map(|failure| failure.to_string());
    let place = format!("{influences} influences, {variant:?}: {verification:?}");
    assert!(
        verification.passed(),
        "{} {place}",
        failure.unwrap_or_default()
    );
    assert!(verification.vertices >= 1400, "{place}");
    assert!(verification.max_position_error < 1e-5, "{place}");
    // Of 2,800 directions and 2,100 vertices some hang on the joint that is nearly flat, or between
    // two halves of a turn.
    assert!(verification.undetermined <= 200, "{place}");
    assert!(verification.ambiguous <= 20, "{place}");
    let raw = variant.normals == NormalMode::DirectRaw && variant.output == OutputFormat::Snorm8;
    if !raw {
        let error = verification.max_normal_error_deg.unwrap();
        assert!(error < most_degrees(variant.output), "{place}");
    }
}

#[test]
fn the_twin_agrees_with_the_reference_in_every_variant() {
    for influences in INFLUENCES {
        for weights in WEIGHTS {
            let scene = scene_of(influences, weights, false);
            for kernel in kernels() {
                for output in OUTPUTS {
                    let variant = Variant {
                        weights,
                        output,
                        ..kernel
                    };
                    good(&twin(&scene, variant), &variant, influences);
                }
            }
        }
    }
}

#[test]
fn normalised_weights_and_early_ends_agree_too() {
    for influences in [1, 2, 4, 12] {
        for weights in WEIGHTS {
            let scene = scene_of(influences, weights, true);
            for kernel in kernels() {
                for normalise in [WeightNormalise::Two, WeightNormalise::On] {
                    let variant = Variant {
                        weights,
                        normalise,
                        early_out: true,
                        ..kernel
                    };
                    good(&twin(&scene, variant), &variant, influences);
                }
            }
        }
    }
}

#[test]
fn both_evaluations_of_the_plain_variant_agree() {
    // Dividing by a sum of weights that is 1 within rounding makes the reference carry bounds along.
    let scene = mixed_scene(4, 3);
    let f = frame(&scene, 27, 1, 1);
    let plain = Variant::with_attributes(Attributes::Pnt);
    let divided = Variant {
        normalise: WeightNormalise::On,
        ..plain
    };
    for index in 0..700 {
        let [a, b] = [plain, divided].map(|variant| {
            let source = Source::of(&scene, variant, &f.layout, &f.data, 0, 0);
            vertex(&source, Attributes::Pnt, index)
        });
        // Four weights that sum to 1 within 4u move a vertex by as much of its size.
        let apart = (a.position - b.position).abs().max_element();
        assert!(
            apart <= 4.0 * 2f64.powi(-24) * a.position_scale,
            "{apart:e}"
        );
        let [a, b] = [a, b].map(|v| v.position_tolerance.max_element());
        assert!(a < 4.0 * b && b < 4.0 * a, "{a:e} {b:e}");
    }
}

/// A vertex of the first item of which everything is determined.
fn determined(source: &Source<'_>) -> (usize, Vertex) {
    let narrow =
        |d: Option<Direction>| d.is_some_and(|d| d.angle_tolerance < 0.1 && !d.either_side);
    (40..700)
        .map(|index| (index, vertex(source, Attributes::Pnt, index)))
        .find(|(_, v)| {
            !v.ambiguous && !v.either_handedness && narrow(v.normal) && narrow(v.tangent)
        })
        .unwrap()
}

/// `d` turned by `times` its tolerance.
fn turned(d: Direction, times: f64) -> Vec3 {
    let axis = d.vector.normalize().any_orthonormal_vector();
    (DQuat::from_axis_angle(axis, times * d.angle_tolerance) * d.vector).as_vec3()
}

/// Each part of the reference's own vertex, moved by `times` its tolerance.
fn moved(want: &Vertex, times: f64) -> [(Part, Deformed); 6] {
    let [normal, tangent] = [want.normal, want.tangent].map(|d| d.unwrap());
    let exact = Deformed {
        position: want.position.as_vec3(),
        normal: normal.vector.as_vec3(),
        tangent: tangent.vector.as_vec3().extend(want.handedness as f32),
    };
    let aside = want.position + DVec3::Y * times * want.position_tolerance.y;
    let longer = |d: Direction| {
        let length = d.vector.length();
        (d.vector * ((length + times * d.length_tolerance) / length)).as_vec3()
    };
    let w = exact.tangent.w;
    let of = |part, change: &dyn Fn(&mut Deformed)| {
        let mut out = exact;
        change(&mut out);
        (part, out)
    };
    [
        of(Part::Position, &|v| v.position = aside.as_vec3()),
        of(Part::Normal, &|v| v.normal = turned(normal, times)),
        of(Part::Normal, &|v| v.normal = longer(normal)),
        of(Part::Tangent, &|v| {
            v.tangent = turned(tangent, times).extend(w)
        }),
        of(Part::Tangent, &|v| v.tangent = longer(tangent).extend(w)),
        of(Part::Handedness, &|v| {
            v.tangent.w = if times > 1.0 { -w } else { w }
        }),
    ]
}

fn judged(source: &Source<'_>, at: usize, output: &OutputLayout, value: Deformed) -> Verification {
    compare(source, Attributes::Pnt, 1, 0, |index| {
        if index == at {
            value
        } else {
            stored(source, output, index)
        }
    })
}

#[test]
fn a_wrong_value_is_caught_in_every_variant_and_a_near_one_is_not() {
    for (influences, weights) in [(4, WeightFormat::F32), (2, WeightFormat::Unorm8)] {
        let scene = scene_of(influences, weights, false);
        for (kernel, output) in kernels().into_iter().flat_map(|k| OUTPUTS.map(|o| (k, o))) {
            let variant = Variant {
                weights,
                output,
                ..kernel
            };
            let f = frame_in(format_of(&variant), &scene, 27, 2, 1);
            let layout = OutputLayout::new(&scene, Attributes::Pnt, output);
            let source = Source::of(&scene, variant, &f.layout, &f.data, 1, 0);
            let (at, want) = determined(&source);
            // Half the tolerance: the rounding of the values given here must fit as well.
            for (part, value) in moved(&want, 0.5) {
                let got = judged(&source, at, &layout, value);
                assert!(got.passed(), "{part:?} {variant:?} {:?}", got.first_failure);
            }
            for (part, value) in moved(&want, 4.0) {
                let failure = judged(&source, at, &layout, value).first_failure;
                let failure = failure.unwrap_or_else(|| panic!("{part:?} {variant:?} {want:?}"));
                assert_eq!((failure.part, failure.vertex), (part, at), "{variant:?}");
            }
        }
    }
}

#[test]
fn nan_fails_in_every_variant() {
    let scene = mixed_scene(4, 2);
    for variant in kernels() {
        let f = frame_in(format_of(&variant), &scene, 27, 2, 1);
        let layout = OutputLayout::new(&scene, Attributes::Pnt, OutputFormat::F32);
        let source = Source::of(&scene, variant, &f.layout, &f.data, 1, 0);
        let spoils: [fn(&mut Deformed); 4] = [
            |v| v.position.z = f32::NAN,
            |v| v.normal.y = f32::NAN,
            |v| v.tangent.x = f32::NAN,
            |v| v.tangent.w = f32::NAN,
        ];
        // Every vertex, so that undetermined and ambiguous ones are among them.
        for spoil in spoils {
            let got = compare(&source, Attributes::Pnt, 1, 0, |index| {
                let mut out = stored(&source, &layout, index);
                spoil(&mut out);
                out
            });
            assert_eq!(got.failures, 700, "{variant:?}");
        }
    }
}

#[test]
fn a_palette_of_nan_makes_every_vertex_fail() {
    let scene = mixed_scene(4, 2);
    for variant in kernels() {
        let mut f = frame_in(format_of(&variant), &scene, 27, 1, 1);
        f.data
            .iter_mut()
            .for_each(|vec4| *vec4 = [f32::from_bits(u32::MAX); 4]);
        let layout = OutputLayout::new(&scene, Attributes::Pnt, OutputFormat::F32);
        let source = Source::of(&scene, variant, &f.layout, &f.data, 0, 1);
        let got = compare(&source, Attributes::Pnt, 0, 1, |index| {
            stored(&source, &layout, index)
        });
        assert_eq!(got.failures, 700, "{variant:?}");
        let zeros = compare(&source, Attributes::Pnt, 0, 1, |_| Deformed {
            position: Vec3::ZERO,
            normal: Vec3::X,
            tangent: Vec4::ONE,
        });
        assert_eq!(zeros.failures, 700, "{variant:?}");
    }
}

#[test]
fn the_cpu_place_does_every_variant_as_the_twin_does() {
    let scene = scene_of(4, WeightFormat::F32, true);
    let mut all: Vec<Variant> = kernels();
    all.extend(OUTPUTS.map(|output| Variant {
        output,
        early_out: true,
        normalise: WeightNormalise::On,
        ..Variant::with_attributes(Attributes::Pnt)
    }));
    all.extend([Attributes::P, Attributes::Pn].map(|attributes| Variant {
        output: OutputFormat::Oct16,
        ..Variant::with_attributes(attributes)
    }));
    for variant in all {
        let f = frame_in(format_of(&variant), &scene, 27, 2, 4);
        let output = OutputLayout::new(&scene, variant.attributes, variant.output);
        let mut out = room(&output, 2);
        deform_all(&scene, variant, &f.layout, &f.data, &output, 0..2, &mut out);
        let decoded = output.decode(&out);
        let got = compare_all(&scene, variant, &f.layout, &f.data, &output, 2, &decoded);
        let failure = got.first_failure.map(|failure| failure.to_string());
        assert!(got.passed(), "{variant:?} {}", failure.unwrap_or_default());
        assert_eq!(got.vertices, 2 * 3 * 700);
    }
}
