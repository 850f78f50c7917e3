//! The place `cpu`: all vertices of all items and instances, on all cores, four lanes wide.
//!
//! The formulas are those of [`super::skin::deform_vertex`], applied column by column: the blended
//! rows are transposed once, so that every multiplication fills a vector register. Sums are in
//! another order than the twin's; the reference's tolerances hold for both.

use std::ops::Range;

use glam::{Mat4, Vec3A, Vec4};
use rayon::prelude::*;

use super::output::{Attributes, OutputLayout};
use super::palette::{PoseLayout, ROWS_PER_JOINT};
use super::skin::{Deformed, SMALLEST_LENGTH_SQUARED, Source, bind_vertex, morph_vertex};
use crate::scene::Scene;

/// Vertices that one task deforms: some 0.1 ms, far above what handing out a task costs, and
/// small enough that two cores end together.
const VERTICES_PER_TASK: usize = 4096;

/// Deforms every vertex of `instances` instances into `out`, arranged by `output`.
///
/// `blocks` are palettes and weights in host memory that is fast to read, one block an instance
/// or a single one that all share. `out` holds at least [`OutputLayout::floats`] numbers and may be
/// write-combined memory: each vertex is written once, in order, and never read.
pub fn deform_all(
    scene: &Scene,
    layout: &PoseLayout,
    blocks: &[[f32; 4]],
    output: &OutputLayout,
    instances: usize,
    out: &mut [f32],
) {
    let floats = output.attributes.floats();
    out[..output.floats(instances)]
        .par_chunks_mut(VERTICES_PER_TASK * floats)
        .enumerate()
        .for_each(|(task, out)| {
            deform_run(scene, layout, blocks, output, task * VERTICES_PER_TASK, out);
        });
}

/// Deforms the vertices from `next` (counted over all instances and items) that fill `out`.
fn deform_run(
    scene: &Scene,
    layout: &PoseLayout,
    blocks: &[[f32; 4]],
    output: &OutputLayout,
    mut next: usize,
    mut out: &mut [f32],
) {
    let floats = output.attributes.floats();
    while !out.is_empty() {
        let instance = next / output.vertices_per_instance;
        let within = next % output.vertices_per_instance;
        // The last item that starts here or before; items without vertices are passed over.
        let item = output
            .first_vertices
            .partition_point(|&first| first <= within)
            - 1;
        let vertices = output.vertices(instance, item);
        let count = (vertices.end - next).min(out.len() / floats);
        let (now, later) = out.split_at_mut(count * floats);
        let source = Source::of(scene, layout, blocks, instance, item);
        let first = next - vertices.start;
        deform_range(&source, output.attributes, first..first + count, now);
        next += count;
        out = later;
    }
}

/// Deforms some vertices of one item in one instance into `out`, interleaved, on this thread.
pub fn deform_range(
    source: &Source<'_>,
    attributes: Attributes,
    range: Range<usize>,
    out: &mut [f32],
) {
    match attributes {
        Attributes::P => by_influences::<3>(source, range, out),
        Attributes::Pn => by_influences::<6>(source, range, out),
        Attributes::Pnt => by_influences::<10>(source, range, out),
    }
}

fn by_influences<const FLOATS: usize>(source: &Source<'_>, range: Range<usize>, out: &mut [f32]) {
    match source.mesh.influences {
        0 => {
            let columns = columns([0, 1, 2].map(|r| Vec4::from_array(source.rows[r])));
            run::<FLOATS>(source, range, out, |_| columns);
        }
        1 => run::<FLOATS>(source, range, out, |v| columns(blend::<1>(source, v))),
        2 => run::<FLOATS>(source, range, out, |v| columns(blend::<2>(source, v))),
        4 => run::<FLOATS>(source, range, out, |v| columns(blend::<4>(source, v))),
        8 => run::<FLOATS>(source, range, out, |v| columns(blend::<8>(source, v))),
        12 => run::<FLOATS>(source, range, out, |v| columns(blend::<12>(source, v))),
        n => run::<FLOATS>(source, range, out, |v| {
            let slots = v * n..(v + 1) * n;
            let mesh = source.mesh;
            columns(blend_slots(
                source.rows,
                &mesh.joints[slots.clone()],
                &mesh.weights[slots],
            ))
        }),
    }
}

/// Blended rows of a vertex with `N` slots, a count the compiler unrolls.
#[inline(always)]
fn blend<const N: usize>(source: &Source<'_>, vertex: usize) -> [Vec4; 3] {
    let slots = vertex * N..(vertex + 1) * N;
    let mesh = source.mesh;
    blend_slots(
        source.rows,
        &mesh.joints[slots.clone()],
        &mesh.weights[slots],
    )
}

#[inline(always)]
fn blend_slots(rows: &[[f32; 4]], joints: &[u16], weights: &[f32]) -> [Vec4; 3] {
    let mut out = [Vec4::ZERO; 3];
    for (&joint, &weight) in joints.iter().zip(weights) {
        let start = ROWS_PER_JOINT * usize::from(joint);
        let rows = &rows[start..start + ROWS_PER_JOINT];
        for (blended, row) in out.iter_mut().zip(rows) {
            *blended += weight * Vec4::from_array(*row);
        }
    }
    out
}

/// Columns of the blended matrix: its linear part and the translation.
#[inline(always)]
fn columns(rows: [Vec4; 3]) -> [Vec3A; 4] {
    let transposed = Mat4::from_cols(rows[0], rows[1], rows[2], Vec4::W).transpose();
    [0, 1, 2, 3].map(|column| Vec3A::from_vec4(transposed.col(column)))
}

#[inline(always)]
fn run<const FLOATS: usize>(
    source: &Source<'_>,
    range: Range<usize>,
    out: &mut [f32],
    columns_of: impl Fn(usize) -> [Vec3A; 4],
) {
    let morphs = !source.morph_weights.is_empty();
    for (index, out) in range.zip(out.chunks_exact_mut(FLOATS)) {
        let bind = bind_vertex(source.mesh, index);
        let morphed = if morphs {
            morph_vertex(source, index)
        } else {
            bind
        };
        let vertex = transform::<FLOATS>(&columns_of(index), &morphed, &bind);
        out.copy_from_slice(&vertex);
    }
}

/// One interleaved vertex.
#[inline(always)]
fn transform<const FLOATS: usize>(
    columns: &[Vec3A; 4],
    morphed: &Deformed,
    bind: &Deformed,
) -> [f32; FLOATS] {
    let [c0, c1, c2, offset] = *columns;
    let mut out = [0.0; FLOATS];
    let p = morphed.position;
    let position = c0 * p.x + c1 * p.y + c2 * p.z + offset;
    out[..3].copy_from_slice(&position.to_array());
    if FLOATS >= 6 {
        let cofactors = [c1.cross(c2), c2.cross(c0), c0.cross(c1)];
        let sign = if c0.dot(cofactors[0]) < 0.0 {
            -1.0
        } else {
            1.0
        };
        let n = morphed.normal;
        let normal = (cofactors[0] * n.x + cofactors[1] * n.y + cofactors[2] * n.z) * sign;
        out[3..6].copy_from_slice(&normalise_or(normal, bind.normal.into()).to_array());
        if FLOATS >= 10 {
            let t = morphed.tangent;
            let tangent = c0 * t.x + c1 * t.y + c2 * t.z;
            let kept = Vec3A::from_vec4(bind.tangent);
            out[6..9].copy_from_slice(&normalise_or(tangent, kept).to_array());
            out[9] = sign * t.w;
        }
    }
    out
}

#[inline(always)]
fn normalise_or(v: Vec3A, fallback: Vec3A) -> Vec3A {
    let squared = v.dot(v);
    if squared > SMALLEST_LENGTH_SQUARED {
        v * (1.0 / squared.sqrt())
    } else {
        fallback
    }
}
