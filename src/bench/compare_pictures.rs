//! Whether two places drew the same picture, and if not, whether their vertices explain it.

use glam::Vec3;

use super::gate::GateOutcome;
use super::station::Station;
use crate::render::TriangleMask;
use crate::scene::import::triangles;

/// How the pictures of two places agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureVerdict {
    /// Every byte is equal.
    Identical,
    /// Every differing pixel lies in a triangle with a differing vertex.
    Explained,
    /// One does not: something else than the vertices differs.
    Unexplained(String),
}

/// Compares what `station` drew with what `other` drew from the same axes point.
pub fn compare(station: &Station, ours: &GateOutcome, other: &GateOutcome) -> PictureVerdict {
    let mut verdict = PictureVerdict::Identical;
    for ((target, viewpoint, a), (_, _, b)) in ours.pictures.iter().zip(&other.pictures) {
        let differences = a.differences(b);
        if differences.pixels.is_empty() {
            continue;
        }
        let mut mask = TriangleMask::new(a.extent);
        allow_differing(
            station,
            ours,
            other,
            &mut mask,
            &station.views.matrix(*viewpoint),
        );
        if let Some(pixel) = mask.first_outside(&differences) {
            let (x, y) = (pixel as u32 % a.extent.0, pixel as u32 / a.extent.0);
            return PictureVerdict::Unexplained(format!(
                "the {target:?} picture differs from the first place's in {} pixels, first at {x},{y}, where no vertex differs",
                differences.pixels.len()
            ));
        }
        verdict = PictureVerdict::Explained;
    }
    verdict
}

fn allow_differing(
    station: &Station,
    ours: &GateOutcome,
    other: &GateOutcome,
    mask: &mut TriangleMask,
    view: &glam::Mat4,
) {
    let floats = station.original_output.attributes.floats();
    let bits_differ = |a: &[f32], b: &[f32], vertex: usize| {
        let range = vertex * floats..(vertex + 1) * floats;
        let bits = |list: &[f32]| {
            list.get(range.clone())
                .map(|part| part.iter().map(|f| f.to_bits()).collect::<Vec<_>>())
        };
        bits(a) != bits(b)
    };
    let differs = |vertex: usize| {
        bits_differ(&ours.vertices, &other.vertices, vertex)
            || match (&ours.previous, &other.previous) {
                (Some(a), Some(b)) => bits_differ(a, b, vertex),
                _ => false,
            }
    };
    for instance in 0..station.instances {
        let offset = station.grid.placement(instance);
        for (index, item) in station.adapted.original.items.iter().enumerate() {
            let mesh = &station.adapted.original.meshes[item.mesh];
            let first = station
                .original_output
                .vertices(instance as usize, index)
                .start;
            for triangle in triangles(mesh.topology, &mesh.indices) {
                let corners = triangle.map(|corner| first + corner as usize);
                if !corners.into_iter().any(differs) {
                    continue;
                }
                for outcome in [ours, other] {
                    let at = |vertex: usize| {
                        let position = outcome.vertices.get(vertex * floats..vertex * floats + 3);
                        position.map_or(Vec3::NAN, Vec3::from_slice) + offset
                    };
                    mask.allow(view, corners.map(at));
                }
            }
        }
    }
}
