//! What the host's stages cost: poses and palettes by the number of characters, and the `cpu`
//! place's inner loop beside the scalar twin, by influences.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skinbench::deform::cpu_place::deform_all;
use skinbench::deform::output::{Attributes, OutputLayout};
use skinbench::deform::palette::{PoseLayout, write_poses};
use skinbench::deform::skin::{Source, deform_vertex};
use skinbench::scene::character::{Options, build};
use skinbench::scene::playback::{Poses, evaluate_poses, times};

fn poses(criterion: &mut Criterion) {
    let scene = build(Options::default()).unwrap();
    let layout = PoseLayout::new(&scene, 1);
    let duration = scene.clips[0].duration;
    for instances in [1, 100, 1000] {
        let mut group = criterion.benchmark_group(format!("{instances} characters of 64 joints"));
        group.throughput(Throughput::Elements(instances as u64 * 64));
        let mut poses = Poses::new(&scene, instances);
        let mut blocks = vec![[0.0; 4]; instances * layout.stride];
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
        let layout = PoseLayout::new(&scene, 1);
        let output = OutputLayout::new(&scene, Attributes::Pn);
        let mut poses = Poses::new(&scene, 1);
        evaluate_poses(&scene, Some(0), &[0.5], &mut poses);
        let mut blocks = vec![[0.0; 4]; layout.stride];
        write_poses(&scene, &layout, &poses, &mut blocks);
        let mut vertices = vec![0.0; output.floats(1)];
        let mut group =
            criterion.benchmark_group(format!("50000 vertices, {influences} influences"));
        group.throughput(Throughput::Elements(50_000));
        group.bench_function("cpu place", |b| {
            b.iter(|| {
                deform_all(
                    &scene,
                    &layout,
                    black_box(&blocks),
                    &output,
                    1,
                    &mut vertices,
                )
            });
        });
        let source = Source::of(&scene, &layout, &blocks, 0, 0);
        group.bench_function("scalar twin, one core", |b| {
            b.iter(|| {
                (0..50_000)
                    .map(|v| deform_vertex(black_box(&source), v).position.x)
                    .sum::<f32>()
            });
        });
    }
}

criterion_group!(benches, poses, skinning);
criterion_main!(benches);
