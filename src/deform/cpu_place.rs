//! The place `cpu`: all vertices of all items and instances, on all cores.
//!
//! Plain linear blending of rows in f32, with cofactor normals in floats (`in_lanes`), is done four
//! lanes wide. The formulas are those of [`deform_vertex`]. Rows are blended vertex by vertex, a row
//! a vector; then four vertices are transposed, and everything else is done for the four at once,
//! one a lane. Every other variant is [`deform_vertex`] itself, vertex by vertex.

mod lanes;

use std::ops::Range;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::output::{Attributes, OutputLayout};
use super::palette::{PoseLayout, ROWS_PER_JOINT};
use super::skin::{Source, bind_vertex, deform_vertex, morph_vertex};
use super::variant::Variant;
use crate::plan::{MorphOrder, NormalMode, OutputFormat, PaletteLayout, WeightNormalise};
use crate::scene::Scene;
use lanes::{Lanes, Matrices, store_normals, store_tangents, transform};

/// Vertices that one task deforms: some 0.1 ms, far above what handing out a task costs, and
/// small enough that two cores end together.
const VERTICES_PER_TASK: usize = 4096;

/// Deforms every vertex of some characters into `out`, arranged by `output` from the first of them on.
///
/// `data` are palettes and weights in host memory that is fast to read, one block an instance
/// or a single one that all share. `out` holds at least their [`OutputLayout::bytes`] in words and may be
/// write-combined memory: each vertex is written once, in order, and never read.
pub fn deform_all(
    scene: &Scene,
    variant: Variant,
    layout: &PoseLayout,
    data: &[[f32; 4]],
    output: &OutputLayout,
    characters: Range<usize>,
    out: &mut [u32],
) {
    let words = output.words();
    let place = Place {
        scene,
        variant,
        layout,
        data,
        output,
    };
    let first = characters.start * output.vertices_per_instance;
    out[..characters.len() * output.vertices_per_instance * words]
        .par_chunks_mut(VERTICES_PER_TASK * words)
        .enumerate()
        .for_each(|(task, out)| place.deform_run(first + task * VERTICES_PER_TASK, out));
}

/// What every task needs.
struct Place<'a> {
    scene: &'a Scene,
    variant: Variant,
    layout: &'a PoseLayout,
    data: &'a [[f32; 4]],
    output: &'a OutputLayout,
}

impl Place<'_> {
    /// Deforms the vertices from `next` (counted over all instances and items) that fill `out`.
    fn deform_run(&self, mut next: usize, mut out: &mut [u32]) {
        let output = self.output;
        while !out.is_empty() {
            let instance = next / output.vertices_per_instance;
            let within = next % output.vertices_per_instance;
            // The last item that starts here or before; items without vertices are passed over.
            let item = output
                .first_vertices
                .partition_point(|&first| first <= within)
                - 1;
            let vertices = output.vertices(instance, item);
            let count = (vertices.end - next).min(out.len() / output.words());
            let (now, later) = out.split_at_mut(count * output.words());
            let (scene, variant) = (self.scene, self.variant);
            let source = Source::of(scene, variant, self.layout, self.data, instance, item);
            let first = next - vertices.start;
            deform_range(&source, output, first..first + count, now);
            next += count;
            out = later;
        }
    }
}

/// Deforms some vertices of one item in one instance into `out`, interleaved, on this thread.
pub fn deform_range(
    source: &Source<'_>,
    output: &OutputLayout,
    range: Range<usize>,
    out: &mut [u32],
) {
    if is_wide(&source.variant) {
        let out = bytemuck::cast_slice_mut(out);
        return match output.attributes {
            Attributes::P => by_influences::<3>(source, range, out),
            Attributes::Pn => by_influences::<6>(source, range, out),
            Attributes::Pnt => by_influences::<10>(source, range, out),
        };
    }
    for (index, out) in range.zip(out.chunks_exact_mut(output.words())) {
        output.encode(&deform_vertex(source, index), out);
    }
}

/// Whether a variant is deformed four lanes wide; else by the scalar twin.
pub fn is_wide(variant: &Variant) -> bool {
    variant.palette == PaletteLayout::Rows3x4
        && variant.normalise == WeightNormalise::Off
        && !variant.early_out
        && variant.normals == NormalMode::Cofactor
        && variant.morph_order == MorphOrder::Before
        && variant.output == OutputFormat::F32
}

fn by_influences<const FLOATS: usize>(source: &Source<'_>, range: Range<usize>, out: &mut [f32]) {
    match source.mesh.influences {
        0 => {
            let rows = [0, 1, 2].map(|r| Vec4::from_array(source.palette.data[r]));
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
                source.palette.data,
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
        source.palette.data,
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
        .then(|| indices.map(|index| morph_vertex(source, index, bind_vertex(mesh, index))));
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
