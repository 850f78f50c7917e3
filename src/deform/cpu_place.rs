//! The place `cpu`: all vertices of all items and instances, on all cores, four lanes wide.
//!
//! The formulas are those of [`super::skin::deform_vertex`]. Rows are blended vertex by vertex, a row
//! a vector; then four vertices are transposed, and everything else is done for the four at once,
//! one a lane.

use std::ops::Range;

use glam::{Mat4, Vec3, Vec4};
use rayon::prelude::*;

use super::output::{Attributes, OutputLayout};
use super::palette::{PoseLayout, ROWS_PER_JOINT};
use super::skin::{SMALLEST_LENGTH_SQUARED, Source, morph_vertex};
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
            let rows = [0, 1, 2].map(|r| Vec4::from_array(source.rows[r]));
            run::<FLOATS>(source, range, out, |_| rows);
        }
        1 => run::<FLOATS>(source, range, out, |v| blend::<1>(source, v)),
        2 => run::<FLOATS>(source, range, out, |v| blend::<2>(source, v)),
        4 => run::<FLOATS>(source, range, out, |v| blend::<4>(source, v)),
        8 => run::<FLOATS>(source, range, out, |v| blend::<8>(source, v)),
        12 => run::<FLOATS>(source, range, out, |v| blend::<12>(source, v)),
        n => run::<FLOATS>(source, range, out, |v| {
            let slots = v * n..(v + 1) * n;
            let mesh = source.mesh;
            blend_slots(
                source.rows,
                &mesh.joints[slots.clone()],
                &mesh.weights[slots],
            )
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
    let [mut r0, mut r1, mut r2] = [Vec4::ZERO; 3];
    for (&joint, &weight) in joints.iter().zip(weights) {
        let start = ROWS_PER_JOINT * usize::from(joint);
        let [a, b, c] = rows[start..start + ROWS_PER_JOINT] else {
            continue;
        };
        r0 += weight * Vec4::from_array(a);
        r1 += weight * Vec4::from_array(b);
        r2 += weight * Vec4::from_array(c);
    }
    [r0, r1, r2]
}

/// Deforms four vertices at a time; the last group repeats its last vertex.
#[inline(always)]
fn run<const FLOATS: usize>(
    source: &Source<'_>,
    range: Range<usize>,
    out: &mut [f32],
    rows_of: impl Fn(usize) -> [Vec4; 3],
) {
    let (groups, rest) = out.as_chunks_mut::<FLOATS>().0.as_chunks_mut::<4>();
    let mut next = range.start;
    for group in groups {
        group_of_four(
            source,
            [next, next + 1, next + 2, next + 3],
            group,
            &rows_of,
        );
        next += 4;
    }
    if !rest.is_empty() {
        let last = range.end - 1;
        let mut group = [[0.0; FLOATS]; 4];
        let indices = [next, next + 1, next + 2, next + 3].map(|index| index.min(last));
        group_of_four(source, indices, &mut group, &rows_of);
        rest.copy_from_slice(&group[..rest.len()]);
    }
}

#[inline(always)]
fn group_of_four<const FLOATS: usize>(
    source: &Source<'_>,
    indices: [usize; 4],
    out: &mut [[f32; FLOATS]; 4],
    rows_of: impl Fn(usize) -> [Vec4; 3],
) {
    let mesh = source.mesh;
    let matrices = Matrices::new(indices.map(rows_of));
    let morphed = (!source.morph_weights.is_empty())
        .then(|| indices.map(|index| morph_vertex(source, index)));
    let position = morphed.map_or_else(
        || vectors(&mesh.positions, indices),
        |four| four.map(|v| v.position),
    );
    let p = matrices.position(Lanes::new(position));
    if FLOATS < 6 {
        return p.store(out);
    }
    let (cofactors, sign) = matrices.cofactors();
    let bind = vectors(&mesh.normals, indices);
    let normal = morphed.map_or(bind, |four| four.map(|v| v.normal));
    let turned = transform(&cofactors, Lanes::new(normal)).times(sign);
    let n = turned.normalised_or(Lanes::new(bind));
    if FLOATS < 10 {
        return store_normals(out, p, n);
    }
    let (bind, handedness) = tangents(&mesh.tangents, indices);
    let tangent = morphed.map_or(bind, |four| four.map(|v| v.tangent.truncate()));
    let turned = transform(&matrices.linear, Lanes::new(tangent));
    let t = turned.normalised_or(Lanes::new(bind));
    store_tangents(out, p, n, t, sign * handedness);
}

/// Four vectors of a list; zeros where the mesh has none.
#[inline(always)]
fn vectors(list: &[[f32; 3]], indices: [usize; 4]) -> [Vec3; 4] {
    if list.is_empty() {
        return [Vec3::ZERO; 4];
    }
    indices.map(|index| Vec3::from_array(list[index]))
}

/// Four tangents of a list and their handedness; zeros where the mesh has none.
#[inline(always)]
fn tangents(list: &[[f32; 4]], indices: [usize; 4]) -> ([Vec3; 4], Vec4) {
    if list.is_empty() {
        return ([Vec3::ZERO; 4], Vec4::ZERO);
    }
    let four = indices.map(|index| Vec4::from_array(list[index]));
    (
        four.map(Vec4::truncate),
        Vec4::from_array(four.map(|v| v.w)),
    )
}

/// A vector of each of four vertices, one a lane.
#[derive(Clone, Copy)]
struct Lanes {
    x: Vec4,
    y: Vec4,
    z: Vec4,
}

impl Lanes {
    #[inline(always)]
    fn new(v: [Vec3; 4]) -> Self {
        let [a, b, c, d] = v;
        Self {
            x: Vec4::new(a.x, b.x, c.x, d.x),
            y: Vec4::new(a.y, b.y, c.y, d.y),
            z: Vec4::new(a.z, b.z, c.z, d.z),
        }
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    fn times(self, factor: Vec4) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    #[inline(always)]
    fn normalised_or(self, kept: Self) -> Self {
        let squared = self.dot(self);
        let long_enough = squared.cmpgt(Vec4::splat(SMALLEST_LENGTH_SQUARED));
        let scaled = self.times(Vec4::ONE / squared.sqrt());
        Self {
            x: Vec4::select(long_enough, scaled.x, kept.x),
            y: Vec4::select(long_enough, scaled.y, kept.y),
            z: Vec4::select(long_enough, scaled.z, kept.z),
        }
    }

    /// Writes four positions.
    #[inline(always)]
    fn store<const FLOATS: usize>(self, out: &mut [[f32; FLOATS]; 4]) {
        for (out, [x, y, z, _]) in out
            .iter_mut()
            .zip(by_vertex(self.x, self.y, self.z, self.z))
        {
            out[0] = x;
            out[1] = y;
            out[2] = z;
        }
    }
}

/// The blended matrices of four vertices: rows of the linear part, and translations.
struct Matrices {
    linear: [Lanes; 3],
    offset: Lanes,
}

impl Matrices {
    #[inline(always)]
    fn new(rows: [[Vec4; 3]; 4]) -> Self {
        let [a, b, c, d] = rows;
        let row = |r: usize| Mat4::from_cols(a[r], b[r], c[r], d[r]).transpose();
        let (r0, r1, r2) = (row(0), row(1), row(2));
        let linear = |row: Mat4| Lanes {
            x: row.x_axis,
            y: row.y_axis,
            z: row.z_axis,
        };
        Self {
            linear: [linear(r0), linear(r1), linear(r2)],
            offset: Lanes {
                x: r0.w_axis,
                y: r1.w_axis,
                z: r2.w_axis,
            },
        }
    }

    #[inline(always)]
    fn position(&self, p: Lanes) -> Lanes {
        let turned = transform(&self.linear, p);
        Lanes {
            x: turned.x + self.offset.x,
            y: turned.y + self.offset.y,
            z: turned.z + self.offset.z,
        }
    }

    /// Rows of the cofactor matrices, and 1 or -1 with the sign of the determinants.
    #[inline(always)]
    fn cofactors(&self) -> ([Lanes; 3], Vec4) {
        let [r0, r1, r2] = self.linear;
        let cofactors = [r1.cross(r2), r2.cross(r0), r0.cross(r1)];
        let negative = r0.dot(cofactors[0]).cmplt(Vec4::ZERO);
        (cofactors, Vec4::select(negative, Vec4::NEG_ONE, Vec4::ONE))
    }
}

#[inline(always)]
fn transform(rows: &[Lanes; 3], v: Lanes) -> Lanes {
    Lanes {
        x: rows[0].dot(v),
        y: rows[1].dot(v),
        z: rows[2].dot(v),
    }
}

/// Four numbers a vertex from four lanes a number.
#[inline(always)]
fn by_vertex(a: Vec4, b: Vec4, c: Vec4, d: Vec4) -> [[f32; 4]; 4] {
    let m = Mat4::from_cols(a, b, c, d).transpose();
    [
        m.x_axis.to_array(),
        m.y_axis.to_array(),
        m.z_axis.to_array(),
        m.w_axis.to_array(),
    ]
}

#[inline(always)]
fn store_normals<const FLOATS: usize>(out: &mut [[f32; FLOATS]; 4], p: Lanes, n: Lanes) {
    let first = by_vertex(p.x, p.y, p.z, n.x);
    let second = by_vertex(n.y, n.z, n.y, n.z);
    for ((out, first), [y, z, ..]) in out.iter_mut().zip(first).zip(second) {
        out[..4].copy_from_slice(&first);
        out[4] = y;
        out[5] = z;
    }
}

#[inline(always)]
fn store_tangents<const FLOATS: usize>(
    out: &mut [[f32; FLOATS]; 4],
    p: Lanes,
    n: Lanes,
    t: Lanes,
    handedness: Vec4,
) {
    let first = by_vertex(p.x, p.y, p.z, n.x);
    let second = by_vertex(n.y, n.z, t.x, t.y);
    let third = by_vertex(t.z, handedness, t.z, handedness);
    for (((out, first), second), [z, w, ..]) in out.iter_mut().zip(first).zip(second).zip(third) {
        out[..4].copy_from_slice(&first);
        out[4..8].copy_from_slice(&second);
        out[8] = z;
        out[9] = w;
    }
}
