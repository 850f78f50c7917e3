//! Numbers published elsewhere, through the twin and the reference: what linear blending loses, what
//! dual quaternions keep, and how far the matrix itself is from the one that carries normals.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DVec3;

use super::super::output::Attributes;
use super::super::palette::{PaletteReader, write_palette};
use super::super::reference::method::method_normal_error;
use super::super::reference::verify::compare;
use super::super::reference::vertex::vertex;
use super::super::skin::{Deformed, Source, deform_vertex};
use super::*;
use crate::math::normal::{angle, blended_length};
use crate::plan::{NormalMode, PaletteLayout};

/// One vertex at (1, 0, 0), or at the tip of its normal, and what moves it.
struct Rig {
    mesh: Mesh,
    variant: Variant,
    joints: usize,
    data: Vec<[f32; 4]>,
}

impl Rig {
    fn new(variant: Variant, weights: &[f32], joints: &[Mat4]) -> Self {
        let format = format_of(&variant);
        let mut data = vec![[0.0; 4]; format.vec4s(joints.len())];
        write_palette(format, joints.iter().copied(), data.as_flattened_mut());
        let template = mixed_scene(1, 0).meshes.remove(1);
        let mesh = Mesh {
            positions: vec![[1.0, 0.0, 0.0]],
            normals: vec![[0.0, 1.0, 0.0]],
            tangents: vec![[0.0, 0.0, 1.0, 1.0]],
            influences: joints.len(),
            joints: (0..joints.len() as u16).collect(),
            weights: weights.to_vec(),
            ..template
        };
        Self {
            mesh,
            variant,
            joints: joints.len(),
            data,
        }
    }

    fn source(&self) -> Source<'_> {
        Source {
            mesh: &self.mesh,
            variant: self.variant,
            palette: PaletteReader {
                format: format_of(&self.variant),
                joints: self.joints,
                data: &self.data,
            },
            morph_weights: &[],
        }
    }

    /// What the twin makes of the vertex, held against the reference, and whether that is open.
    fn judged(&self) -> (Deformed, bool) {
        let source = self.source();
        let out = deform_vertex(&source, 0);
        let got = compare(&source, Attributes::Pnt, 0, 0, |_| out);
        assert!(got.passed(), "{got:?}");
        (out, got.ambiguous > 0)
    }

    /// [`Rig::judged`], where nothing is open.
    fn deformed(&self) -> Deformed {
        let (out, open) = self.judged();
        assert!(!open);
        out
    }
}

fn of(palette: PaletteLayout) -> Variant {
    Variant {
        palette,
        ..Variant::with_attributes(Attributes::Pnt)
    }
}

fn about_z(degrees: f32) -> Mat4 {
    Mat4::from_rotation_z(degrees.to_radians())
}

/// Half a unit of the last decimal that was published.
fn as_published(got: f64, want: f64, decimals: i32) {
    let half = 0.5 * 10f64.powi(-decimals);
    assert!((got - want).abs() <= half, "{got}, not {want}");
}

#[test]
fn linear_blending_loses_the_radius_that_is_published() {
    for palette in [PaletteLayout::Mat4, PaletteLayout::Rows3x4] {
        for (degrees, want) in [(90.0f32, FRAC_1_SQRT_2), (120.0, 0.5), (170.0, 0.087_156)] {
            let rig = Rig::new(of(palette), &[0.5, 0.5], &[about_z(0.0), about_z(degrees)]);
            let radius = f64::from(rig.deformed().position.length());
            as_published(radius, want, 6);
            as_published(
                vertex(&rig.source(), Attributes::P, 0).position.length(),
                want,
                6,
            );
        }
    }
    for (weight, degrees) in [(0.25f32, 90.0f32), (0.7, 33.0), (0.5, 179.0)] {
        let joints = [about_z(0.0), about_z(degrees)];
        let rig = Rig::new(of(PaletteLayout::Rows3x4), &[1.0 - weight, weight], &joints);
        let want = blended_length(weight.into(), f64::from(degrees).to_radians());
        as_published(rig.deformed().position.length().into(), want, 6);
    }
}

/// The angle about z of the image of (1, 0, 0), degrees, and its distance from the axis.
fn turned(p: Vec3) -> (f64, f64) {
    let p = p.as_dvec3();
    assert!(p.z.abs() <= 1e-6);
    (p.y.atan2(p.x).to_degrees(), p.length())
}

/// A published angle of four decimals, and a few roundings of 2⁻²⁴ rad.
fn as_published_angle(got: f64, want: f64) {
    assert!((got - want).abs() <= 0.5e-4 + 2e-5, "{got}, not {want}");
}

const DUAL: [PaletteLayout; 2] = [PaletteLayout::DualQuat, PaletteLayout::DualQuatScale];

#[test]
fn dual_quaternions_keep_the_radius_and_turn_as_published() {
    for palette in DUAL {
        for (degrees, want) in [(90.0, 21.5982), (120.0, 27.7958), (180.0, 36.8699)] {
            let joints = [about_z(0.0), about_z(degrees)];
            let (out, open) = Rig::new(of(palette), &[0.75, 0.25], &joints).judged();
            let (got, radius) = turned(out.position);
            // A half turn goes either way round, and is not compared.
            assert_eq!(open, degrees == 180.0);
            as_published_angle(if open { got.abs() } else { got }, want);
            as_published(radius, 1.0, 6);
        }
        for weight in [0.1f32, 0.5, 0.8] {
            for degrees in [90.0, 120.0, 170.0] {
                let joints = [about_z(0.0), about_z(degrees)];
                let rig = Rig::new(of(palette), &[1.0 - weight, weight], &joints);
                let (_, radius) = turned(rig.deformed().position);
                as_published(radius, 1.0, 6);
            }
        }
    }
}

#[test]
fn three_joints_turn_alike_in_every_order_and_with_every_sign() {
    let all = [(0.0f32, 0.35f32), (120.0, 0.4), (240.0, 0.25)];
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for palette in DUAL {
        for order in orders {
            let joints = order.map(|i| about_z(all[i].0));
            let mut rig = Rig::new(of(palette), &order.map(|i| all[i].1), &joints);
            let stride = rig.data.len() / 3;
            for minus in 0..8usize {
                let mut negated = rig.data.clone();
                for joint in (0..3).filter(|joint| minus >> joint & 1 == 1) {
                    for part in &mut negated[joint * stride..joint * stride + 2] {
                        *part = part.map(|x| -x);
                    }
                }
                std::mem::swap(&mut rig.data, &mut negated);
                as_published_angle(turned(rig.deformed().position).0, 105.8946);
                rig.data = negated;
            }
        }
    }
}

/// The joint of a vertex that lies on a plane at 45° to what is stretched.
fn stretched(normals: NormalMode, scale: f32) -> Rig {
    let joint = Mat4::from_scale(Vec3::new(1.0, scale, 1.0));
    let variant = Variant {
        normals,
        ..of(PaletteLayout::Rows3x4)
    };
    let mut rig = Rig::new(variant, &[1.0], &[joint]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    rig.mesh.normals = vec![[half, half, 0.0]];
    rig
}

#[test]
fn the_matrix_itself_turns_normals_away_as_published() {
    for (scale, want) in [(1.5f32, 22.62), (2.0, 36.87), (4.0, 61.93)] {
        let exact = DVec3::new(1.0, 1.0 / f64::from(scale), 0.0);
        let off = |normals| {
            let rig = stretched(normals, scale);
            let got = rig.deformed().normal.as_dvec3();
            let method = method_normal_error(&rig.source());
            assert_eq!((method.vertices, method.mean), (1, method.max));
            (angle(got, exact).to_degrees(), method.max)
        };
        for normals in [NormalMode::Direct, NormalMode::DirectRaw] {
            let (got, method) = off(normals);
            as_published(got, want, 2);
            as_published(method, want, 2);
        }
        for normals in [
            NormalMode::Cofactor,
            NormalMode::InverseTranspose,
            NormalMode::PerJoint,
            NormalMode::Flagged,
        ] {
            let (got, method) = off(normals);
            assert!(got <= 1e-5 && method <= 1e-5, "{normals:?}: {got} {method}");
        }
    }
}

#[test]
fn blended_inverse_transposes_are_not_the_inverse_transpose_of_the_blend() {
    let joints = [Mat4::IDENTITY, Mat4::from_scale(Vec3::new(1.0, 4.0, 1.0))];
    let variant = Variant {
        normals: NormalMode::PerJoint,
        ..of(PaletteLayout::Rows3x4)
    };
    let mut rig = Rig::new(variant, &[0.5, 0.5], &joints);
    rig.mesh.normals = vec![[0.6, 0.8, 0.0]];
    // Blended: scale 2.5, so (0.6, 0.32); per joint: (0.6, 0.8·0.625 = 0.5).
    let want = (0.5f64 / 0.6).atan() - (0.32f64 / 0.6).atan();
    let got = method_normal_error(&rig.source()).max;
    as_published(got, want.to_degrees(), 5);
    rig.deformed();
}
