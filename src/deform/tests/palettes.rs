use super::super::palette::ROWS_PER_JOINT;
use super::super::reference::pose::{PaletteError, check_poses, evaluate, palette};
use super::*;

#[test]
fn uploaded_palettes_agree_with_the_reference() {
    for seed in 0..4 {
        let scene = mixed_scene(4, seed);
        for number in [0, 7, 31, 100, 119, 7201] {
            let f = frame(&scene, number, 5, 16);
            check_poses(&scene, &f.layout, Some(0), &f.times, &f.blocks).unwrap();
        }
    }
}

#[test]
fn the_rest_pose_agrees_too() {
    let scene = mixed_scene(4, 1);
    let layout = PoseLayout::new(&scene, 1);
    let mut blocks = vec![[0.0; 4]; 2 * layout.stride];
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
    f.blocks[row][3] += 0.01;
    let error = check_poses(&scene, &f.layout, Some(0), &f.times, &f.blocks).unwrap_err();
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
    let mut blocks = good.blocks.clone();
    blocks[0][0] = f32::NAN;
    assert!(matches!(
        check(&blocks),
        Err(PaletteError::Entry { instance: 0, .. })
    ));
    let mut blocks = good.blocks.clone();
    blocks[good.layout.stride + good.layout.morph_offsets[0] + 1][0] += 0.001;
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
    let short = check(&good.blocks[1..]);
    assert!(matches!(short, Err(PaletteError::TooShort { .. })));
}

#[test]
fn a_late_time_and_the_wrong_clip_are_noticed() {
    let scene = mixed_scene(4, 2);
    let f = frame(&scene, 20, 2, 4);
    let late: Vec<f32> = f.times.iter().map(|time| time + 0.001).collect();
    assert!(check_poses(&scene, &f.layout, Some(0), &late, &f.blocks).is_err());
    assert!(check_poses(&scene, &f.layout, None, &f.times, &f.blocks).is_err());
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
        // 2 vec4s of weights; whatever else is not a row was never written.
        let untouched = f.blocks.iter().filter(|v| v[0].is_nan()).count();
        assert_eq!(untouched, 3 * (layout.stride - 25 * 3 - 2));
    }
}

#[test]
fn alignment_of_one_packs_without_gaps() {
    let scene = build(Options::default()).unwrap();
    let layout = PoseLayout::new(&scene, 1);
    assert_eq!(layout.stride, 64 * 3);
    assert_eq!(layout.unpadded_bytes(), 64 * 48);
    assert_eq!(layout.morph_offsets, [0]);
}
