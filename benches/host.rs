//! What the host's stages cost: poses and palettes by the number of characters, and the `cpu`
//! place's inner loop beside the scalar twin, by influences.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skinbench::deform::cpu_place::deform_all;
use skinbench::deform::output::{Attributes, OutputLayout};
use skinbench::deform::palette::{PaletteFormat, PoseLayout, write_poses};
use skinbench::deform::skin::{Source, deform_vertex};
use skinbench::deform::variant::Variant;
use skinbench::plan::OutputFormat;
use skinbench::scene::character::{Options, build};
use skinbench::scene::playback::{Poses, evaluate_poses, times};
use skinbench::strategy::{SkinCache, SkinKey, hash_pose};

fn poses(criterion: &mut Criterion) {
    let scene = build(Options::default()).unwrap();
    let layout = PoseLayout::new(&scene, PaletteFormat::default(), 1);
    let duration = scene.clips[0].duration;
    for instances in [1, 100, 1000] {
        let mut group = criterion.benchmark_group(format!("{instances} characters of 64 joints"));
        group.throughput(Throughput::Elements(instances as u64 * 64));
        let mut poses = Poses::new(&scene, instances);
        let mut blocks = vec![[0.0; 4]; layout.vec4s(instances)];
        let times = times(7, instances, true, duration);
        group.bench_function("pose", |b| {
            b.iter(|| evaluate_poses(&scene, Some(0), black_box(&times), &mut poses));
        });
        group.bench_function("palette", |b| {
            b.iter(|| write_poses(&scene, &layout, black_box(&poses), &mut blocks));
        });
    }
}

fn skinning(criterion: &mut Criterion) {
    for influences in [1, 4, 12] {
        let options = Options {
            vertices: 50_000,
            influences,
            ..Options::default()
        };
        let scene = build(options).unwrap();
        let layout = PoseLayout::new(&scene, PaletteFormat::default(), 1);
        let variant = Variant::default();
        let output = OutputLayout::new(&scene, Attributes::Pn, OutputFormat::F32);
        let mut poses = Poses::new(&scene, 1);
        evaluate_poses(&scene, Some(0), &[0.5], &mut poses);
        let mut blocks = vec![[0.0; 4]; layout.vec4s(1)];
        write_poses(&scene, &layout, &poses, &mut blocks);
        let mut vertices = vec![0; output.floats(1)];
        let mut group =
            criterion.benchmark_group(format!("50000 vertices, {influences} influences"));
        group.throughput(Throughput::Elements(50_000));
        group.bench_function("cpu place", |b| {
            b.iter(|| {
                deform_all(
                    &scene,
                    variant,
                    &layout,
                    black_box(&blocks),
                    &output,
                    0..1,
                    &mut vertices,
                )
            });
        });
        let source = Source::of(&scene, variant, &layout, &blocks, 0, 0);
        group.bench_function("scalar twin, one core", |b| {
            b.iter(|| {
                (0..50_000)
                    .map(|v| deform_vertex(black_box(&source), v).position.x)
                    .sum::<f32>()
            });
        });
    }
}

/// Both keys of the skin cache, a tenth of the characters having moved: by revision nothing is read,
/// by hash every matrix.
fn skin_cache(criterion: &mut Criterion) {
    let scene = build(Options::default()).unwrap();
    for instances in [1, 10, 100, 1000, 4000] {
        let mut group = criterion.benchmark_group(format!("skin cache, {instances} characters"));
        group.throughput(Throughput::Elements(instances as u64));
        let mut poses = Poses::new(&scene, instances);
        let times = times(7, instances, true, scene.clips[0].duration);
        evaluate_poses(&scene, Some(0), &times, &mut poses);
        let mut cache = SkinCache::new(instances);
        let mut revision = 0;
        group.bench_function("revision", |b| {
            b.iter(|| {
                revision += 1;
                let key = |at: usize| SkinKey::Revision {
                    buffer: 1,
                    revision: if at.is_multiple_of(10) { revision } else { 0 },
                };
                let keys: Vec<SkinKey> = (0..instances).map(key).collect();
                cache.stale(0, black_box(&keys))
            });
        });
        let mut cache = SkinCache::new(instances);
        group.bench_function("hash", |b| {
            b.iter(|| {
                revision += 1;
                for moved in poses.instances.iter_mut().step_by(10) {
                    moved.globals[0].w_axis.x = revision as f32;
                }
                let keys: Vec<SkinKey> = poses.instances.iter().map(hash_pose).collect();
                cache.stale(0, black_box(&keys))
            });
        });
    }
}

criterion_group!(benches, poses, skinning, skin_cache);
criterion_main!(benches);
