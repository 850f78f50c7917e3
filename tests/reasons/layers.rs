//! Palette textures: a row too long or layers too many refuse; rows beyond the device's go into layers.

use std::sync::Arc;

use skinbench::gpu::{Capabilities, DeviceOptions};
use skinbench::scene::Scene;

use super::support::{assert_silent, case, devices, lab};
use super::{limit, of, refused, runs, said};

const PLACES: [&str; 2] = ["strategy=vertex-texture", "strategy=transform-feedback"];

/// Both places with a palette texture, as far as the device has them.
fn each(
    narrow: fn(&mut Capabilities),
    axes: &[&str],
    body: impl Fn(&mut skinbench::bench::Lab, &skinbench::plan::Case),
) {
    for (instance, summary) in devices() {
        let options = DeviceOptions {
            narrow: Some(narrow),
            ..DeviceOptions::default()
        };
        let mut lab = lab(&instance, &summary, options);
        for place in PLACES {
            let has = lab.device.capabilities().has.transform_feedback;
            if place == PLACES[1] && !has {
                println!("{}: no transform feedback", summary.name);
                continue;
            }
            let axes: Vec<&str> = [place].iter().chain(axes).copied().collect();
            body(&mut lab, &case(&axes));
        }
        assert_silent(&instance, &summary.name);
    }
}

fn run_with(narrow: fn(&mut Capabilities), scene: &Arc<Scene>, axes: &[&str]) {
    each(narrow, axes, |lab, case| runs(lab, scene, case));
}

fn refuse_with(
    narrow: fn(&mut Capabilities),
    scene: &Arc<Scene>,
    axes: &[&str],
    (name, need, have): (&str, u64, u64),
) {
    each(narrow, axes, |lab, case| {
        let reason = said(refused(lab, scene, case).unwrap());
        assert_eq!(reason, limit(name, need, have), "{case}");
    });
}

/// Twelve joints in rows are 36 texels: a square of 8. Three of them are 24 rows.
const SQUARES: [&str; 2] = ["palette-texture=square", "instances=3"];

#[test]
fn a_row_too_long_and_layers_too_many_are_refused() {
    let scene = of(12, 0);
    let side = ("maxImageDimension2D", 8, 7);
    refuse_with(|c| c.max_image_dimension_2d = 7, &scene, &SQUARES, side);
    let wide = ["palette-texture=256"];
    let side = ("maxImageDimension2D", 256, 255);
    refuse_with(|c| c.max_image_dimension_2d = 255, &scene, &wide, side);
    let two: fn(&mut Capabilities) =
        |c| (c.max_image_dimension_2d, c.max_image_array_layers) = (8, 2);
    refuse_with(two, &scene, &SQUARES, ("maxImageArrayLayers", 3, 2));
    let three: fn(&mut Capabilities) =
        |c| (c.max_image_dimension_2d, c.max_image_array_layers) = (8, 3);
    run_with(three, &scene, &SQUARES);
}

/// 24 rows in layers of 11 and 2 more: palettes begin in one layer and end in the next.
#[test]
fn squares_go_into_layers() {
    run_with(|c| c.max_image_dimension_2d = 11, &of(12, 0), &SQUARES);
}

/// In halves too: two joints take six texels of 8 bytes, twelve 36 again.
#[test]
fn squares_of_halves_go_into_layers() {
    let axes = [&SQUARES[..], &["palette=rows3x4-half"]].concat();
    run_with(|c| c.max_image_dimension_2d = 11, &of(12, 0), &axes);
}

/// A layer of the least device that holds a row of 256: 65,536 texels. Five characters of 4,096 joints
/// in rows are 61,440 texels, six 73,728, twelve 147,456: three layers, the third not full.
#[test]
fn rows_of_256_texels_go_into_layers() {
    let axes = ["palette-texture=256", "instances=12"];
    let narrow: fn(&mut Capabilities) = |c| c.max_image_dimension_2d = 256;
    let scene = of(4096, 0);
    run_with(narrow, &scene, &axes);
    let limited: fn(&mut Capabilities) =
        |c| (c.max_image_dimension_2d, c.max_image_array_layers) = (256, 2);
    refuse_with(limited, &scene, &axes, ("maxImageArrayLayers", 3, 2));
}

#[test]
fn rows_of_256_texels_of_halves_go_into_layers() {
    let axes = [
        "palette-texture=256",
        "instances=12",
        "palette=rows3x4-half",
    ];
    run_with(|c| c.max_image_dimension_2d = 256, &of(4096, 0), &axes);
}
