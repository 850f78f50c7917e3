use half::f16;

use super::super::palette::{Extra, ROWS_PER_JOINT};
use super::super::reference::pose::{PaletteError, check_poses, evaluate, palette};
use super::*;
use crate::plan::{NormalMode, PaletteLayout};

#[test]
fn uploaded_palettes_agree_with_the_reference() {
    for seed in 0..4 {
        let scene = mixed_scene(4, seed);
        for number in [0, 7, 31, 100, 119, 7201] {
            let f = frame(&scene, number, 5, 16);
            check_poses(&scene, &f.layout, Some(0), &f.times, &f.data).unwrap();
        }
    }
}

/// All formats of palettes that there are, with what the normal mode adds.
fn formats() -> Vec<PaletteFormat> {
    let layouts = [
        PaletteLayout::Mat4,
        PaletteLayout::Rows3x4,
        PaletteLayout::Rows3x4Half,
        PaletteLayout::DualQuat,
        PaletteLayout::DualQuatScale,
    ];
    let modes = [
        NormalMode::Cofactor,
        NormalMode::PerJoint,
        NormalMode::Flagged,
    ];
    let pairs = layouts.into_iter().flat_map(|l| modes.map(|m| (l, m)));
    pairs.map(|(l, m)| PaletteFormat::new(l, m)).collect()
}

/// A scene that a format can hold: rigid joints alone for dual quaternions without scale.
fn scene_for(format: PaletteFormat, seed: u64) -> Scene {
    if format.layout != PaletteLayout::DualQuat {
        return mixed_scene(4, seed);
    }
    let options = Options {
        vertices: 500,
        joints: 40,
        influences: 4,
        seed,
        ..Options::default()
    };
    build(options).unwrap()
}

#[test]
fn every_format_agrees_with_the_reference() {
    for format in formats() {
        for seed in 0..3 {
            let scene = scene_for(format, seed);
            for number in [0, 7, 31, 100, 7201] {
                let f = frame_in(format, &scene, number, 5, 16);
                check_poses(&scene, &f.layout, Some(0), &f.times, &f.data).unwrap();
            }
        }
    }
}

/// A number of the palette of instance 1, spoilt.
fn spoilt(
    format: PaletteFormat,
    scene: &Scene,
    spoil: impl Fn(&mut [f32]),
) -> Option<PaletteError> {
    let mut f = frame_in(format, scene, 27, 2, 1);
    let joints = f.layout.joint_count(0);
    let start = f.layout.stride + f.layout.palette_offsets[0];
    let palette = &mut f.data[start..start + format.vec4s(joints)];
    spoil(palette.as_flattened_mut());
    check_poses(scene, &f.layout, Some(0), &f.times, &f.data).err()
}

/// Numbers of four bytes that joint 6 of a palette takes, and where its extra part lies.
fn joint_6(format: PaletteFormat, joints: usize) -> (std::ops::Range<usize>, usize) {
    let size = match format.layout {
        PaletteLayout::Mat4 => 16,
        PaletteLayout::Rows3x4 => 12,
        PaletteLayout::Rows3x4Half => 6,
        PaletteLayout::DualQuat => 8,
        PaletteLayout::DualQuatScale => 20,
    };
    let behind = 4 * format.joint_vec4s(joints);
    let extra = match (format.extra, format.is_half()) {
        (Extra::None, _) => 0,
        (Extra::NormalRows, false) => behind + 12 * 6,
        (Extra::NormalRows, true) => behind + 6 * 6,
        (Extra::Flags, false) => behind + 6,
        (Extra::Flags, true) => behind + 3,
    };
    (size * 6..size * 7, extra)
}

/// Adds some hundredths to the number at `at`, in a palette of halves to one of the two there.
fn off(format: PaletteFormat, numbers: &mut [f32], at: usize, high: bool) {
    if !format.is_half() {
        numbers[at] = numbers[at] * 1.02 + 0.02;
        return;
    }
    let bits = numbers[at].to_bits();
    let shift = if high { 16 } else { 0 };
    let half = f16::from_bits((bits >> shift) as u16).to_f32() * 1.02 + 0.02;
    let new = u32::from(f16::from_f32(half).to_bits()) << shift;
    numbers[at] = f32::from_bits(bits & !(0xffff << shift) | new);
}

#[test]
fn every_number_of_every_format_is_looked_at() {
    for format in formats() {
        let scene = scene_for(format, 1);
        let (own, extra) = joint_6(format, scene.joint_count(0));
        let normals = match (format.extra, format.is_half()) {
            (Extra::NormalRows, false) => extra..extra + 12,
            (Extra::NormalRows, true) => extra..extra + 6,
            _ => 0..0,
        };
        let halves: &[bool] = if format.is_half() {
            &[false, true]
        } else {
            &[false]
        };
        for at in own.chain(normals) {
            for &high in halves {
                let error = spoilt(format, &scene, |numbers| off(format, numbers, at, high));
                let Some(PaletteError::Entry {
                    instance,
                    palette,
                    joint,
                    ..
                }) = error
                else {
                    panic!("{format:?}, number {at}: {error:?}");
                };
                assert_eq!([instance, palette, joint], [1, 0, 6], "{format:?} {at}");
            }
        }
        assert_eq!(spoilt(format, &scene, |_| ()), None);
    }
}

#[test]
fn a_flag_is_0_or_1_and_true() {
    for format in formats().into_iter().filter(|f| f.extra == Extra::Flags) {
        let scene = scene_for(format, 1);
        let (_, at) = joint_6(format, scene.joint_count(0));
        for value in [1.0f32, 0.0, 0.5, 2.0, f32::NAN] {
            let put = |numbers: &mut [f32]| {
                numbers[at] = if format.is_half() {
                    let high = numbers[at].to_bits() & 0xffff_0000;
                    f32::from_bits(high | u32::from(f16::from_f32(value).to_bits()))
                } else {
                    value
                };
            };
            let error = spoilt(format, &scene, put);
            // Joint 6 of the mixed scene lies behind one of unequal scales; no rigid one does.
            let truth = f32::from(u8::from(format.layout != PaletteLayout::DualQuat));
            assert_eq!(
                error.is_none(),
                value == truth,
                "{format:?} {value} {error:?}"
            );
        }
    }
}

#[test]
fn the_rest_pose_agrees_too() {
    let scene = mixed_scene(4, 1);
    let layout = PoseLayout::new(&scene, PaletteFormat::default(), 1);
    let mut blocks = vec![[0.0; 4]; layout.vec4s(2)];
    let mut poses = Poses::new(&scene, 2);
    write_poses(&scene, &layout, &poses, &mut blocks);
    check_poses(&scene, &layout, None, &[0.0; 2], &blocks).unwrap();
    evaluate_poses(&scene, None, &[0.0; 2], &mut poses);
    write_poses(&scene, &layout, &poses, &mut blocks);
    check_poses(&scene, &layout, None, &[0.0; 2], &blocks).unwrap();
}

#[test]
fn the_tolerances_are_no_blank_cheque() {
    let scene = build(Options {
        joints: 200,
        ..Options::default()
    })
    .unwrap();
    let pose = evaluate(&scene, Some(0), 0.3);
    for matrix in palette(&scene, &pose, 0) {
        // A chain of some 70 joints; a joint's rotation is off by up to some 8·75u as a matrix.
        let bound = 70.0 * 8.0 * 75.0 / 16_777_216.0;
        assert!(matrix.linear_error.max_element() < bound, "{matrix:?}");
        assert!(
            matrix.offset_error.max_element() < 2.0 * bound,
            "{matrix:?}"
        );
    }
}

#[test]
fn a_wrong_entry_is_named() {
    let scene = mixed_scene(4, 2);
    let mut f = frame(&scene, 20, 3, 4);
    let row = 2 * f.layout.stride + f.layout.palette_offsets[0] + ROWS_PER_JOINT * 6 + 1;
    f.data[row][3] += 0.01;
    let error = check_poses(&scene, &f.layout, Some(0), &f.times, &f.data).unwrap_err();
    let PaletteError::Entry {
        instance,
        palette,
        joint,
        row,
        col,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!([instance, palette, joint, row, col], [2, 0, 6, 1, 3]);
}

#[test]
fn nan_wrong_weights_and_short_buffers_are_errors() {
    let scene = mixed_scene(4, 2);
    let good = frame(&scene, 20, 2, 4);
    let check =
        |blocks: &[[f32; 4]]| check_poses(&scene, &good.layout, Some(0), &good.times, blocks);
    let mut blocks = good.data.clone();
    blocks[0][0] = f32::NAN;
    assert!(matches!(
        check(&blocks),
        Err(PaletteError::Entry { instance: 0, .. })
    ));
    let mut blocks = good.data.clone();
    blocks[good.layout.morphs_start(2) + good.layout.morph_stride + 1][0] += 0.001;
    let wrong = check(&blocks);
    assert!(matches!(
        wrong,
        Err(PaletteError::MorphWeight {
            instance: 1,
            item: 0,
            target: 4,
            ..
        })
    ));
    let short = check(&good.data[1..]);
    assert!(matches!(short, Err(PaletteError::TooShort { .. })));
}

#[test]
fn a_late_time_and_the_wrong_clip_are_noticed() {
    let scene = mixed_scene(4, 2);
    let f = frame(&scene, 20, 2, 4);
    let late: Vec<f32> = f.times.iter().map(|time| time + 0.001).collect();
    assert!(check_poses(&scene, &f.layout, Some(0), &late, &f.data).is_err());
    assert!(check_poses(&scene, &f.layout, None, &f.times, &f.data).is_err());
}

#[test]
fn palettes_and_blocks_are_aligned_and_padding_is_left_alone() {
    let scene = mixed_scene(4, 0);
    for alignment in [1, 4, 16] {
        let f = frame(&scene, 3, 3, alignment);
        let layout = &f.layout;
        assert_eq!(layout.stride % alignment, 0);
        assert!(
            layout
                .palette_offsets
                .iter()
                .all(|offset| offset % alignment == 0)
        );
        // 23 joints, one rigid node twice, 5 weights.
        assert_eq!(layout.unpadded_bytes(), (23 + 2) * 48 + 5 * 4);
        // Whatever is neither a row nor a weight was never written.
        let untouched = f.data.iter().filter(|v| v[0].is_nan()).count();
        assert_eq!(untouched, 3 * (layout.stride - 25 * 3));
    }
}

#[test]
fn alignment_of_one_packs_without_gaps() {
    let scene = build(Options::default()).unwrap();
    let layout = PoseLayout::new(&scene, PaletteFormat::default(), 1);
    assert_eq!(layout.stride, 64 * 3);
    assert_eq!(layout.unpadded_bytes(), 64 * 48);
    assert_eq!(layout.morph_offsets, [0]);
}
