//! Every axis: its values, where it means something, and what it changes.

use super::super::{
    Allowed, Axis, AxisRequest, CacheKey, Case, Engine, Grouping, IndexOrder, InfluenceLoop,
    JointIndex, JointScale, MorphMethod, MorphOrder, NormalMode, OutputFormat, PaletteLayout,
    PaletteTexture, Place, Plan, Preset, Previous, Robust, RunRequest, WeightFormat,
    WeightNormalise, axes,
};
use super::{case, plan};

fn values(axis: &Axis) -> Vec<String> {
    match axis.allowed {
        Allowed::Range(min, max) => vec![min.to_string(), max.to_string()],
        Allowed::Steps(steps) => steps.iter().map(u32::to_string).collect(),
        Allowed::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
    }
}

fn asked(axis: &str, value: &str) -> Result<Plan, String> {
    let request = RunRequest {
        axes: vec![AxisRequest::axis(&format!("{axis}={value}")).unwrap()],
        preset: Preset::Full,
        kernel: (value == "own").then(|| "mine.spv".into()),
        ..RunRequest::default()
    };
    Plan::build(request, 7).map_err(|error| error.to_string())
}

#[test]
fn every_value_of_every_axis_makes_cases() {
    for axis in axes::ALL {
        for value in values(axis) {
            let plan = asked(axis.name, &value).unwrap();
            let has = |case: &Case| case.value(axis.name).unwrap().to_string() == value;
            let meant = |case: &&Case| (axis.applies)(case.place());
            assert!(
                plan.cases.iter().filter(meant).all(has),
                "{}={value}",
                axis.name
            );
            assert!(plan.cases.iter().any(has), "{}={value}", axis.name);
        }
    }
}

#[test]
fn every_axis_refuses_what_is_no_value_in_one_line() {
    for axis in axes::ALL {
        for value in ["", "no such", "Default", "-1", "4294967296", "f32 ", "ÜX\n"] {
            let Err(said) = asked(axis.name, value) else {
                assert_eq!(value.trim(), "f32", "{}", axis.name);
                continue;
            };
            assert!(said.contains(axis.name) && !said.contains('\n'), "{said:?}");
            assert!(said.contains(&axis.allowed.to_string()), "{said}");
        }
    }
}

/// The places in which an axis is not `n/a`.
fn places_of(axis: &str) -> Vec<&'static str> {
    let axis = axes::find(&axes::ALL, axis).unwrap();
    let applies = |place: &&Place| (axis.applies)(**place);
    Place::ALL
        .iter()
        .filter(applies)
        .map(|place| place.name())
        .collect()
}

#[test]
fn an_axis_is_not_applicable_where_it_means_nothing() {
    let gpu = &Place::NAMES[..5];
    let writes = ["compute", "transform-feedback", "cpu"];
    for axis in ["influence-loop", "joint-index", "weights", "robust"] {
        assert_eq!(places_of(axis), gpu, "{axis}");
    }
    for axis in ["output", "dirty", "cache"] {
        assert_eq!(places_of(axis), writes, "{axis}");
    }
    for axis in ["morph", "workgroup", "grouping", "kernel"] {
        assert_eq!(places_of(axis), ["compute"], "{axis}");
    }
    assert_eq!(
        places_of("palette-texture"),
        ["vertex-texture", "transform-feedback"]
    );
    assert_eq!(places_of("partition"), ["vertex-uniform"]);
    let everywhere = [
        "palette",
        "weight-normalise",
        "joint-scale",
        "normals",
        "morph-order",
        "morph-targets",
        "visible",
        "previous",
        "index-order",
        "engine",
    ];
    for axis in everywhere {
        assert_eq!(places_of(axis), Place::NAMES, "{axis}");
    }
    let plan = plan(&["workgroup=32,128", "instances=1", "passes=1"]);
    let cpu: Vec<_> = plan
        .cases
        .iter()
        .filter(|case| case.place() == Place::Cpu)
        .collect();
    assert_eq!(cpu.len(), 1);
    assert_eq!(
        (cpu[0].axes()["workgroup"].clone(), cpu[0].workgroup()),
        ("n/a".into(), 64)
    );
}

#[test]
fn typed_access_gives_the_values_of_the_axes_of_engines() {
    let on = case(&[
        "strategy=compute",
        "influence-loop=partitioned",
        "palette=dual-quat-scale",
        "joint-index=u32",
        "weights=unorm8",
        "weight-normalise=two",
        "output=oct16-truncated",
        "joint-scale=non-uniform",
        "normals=flagged",
        "morph-order=after",
        "morph=sparse",
        "morph-targets=256",
        "workgroup=128",
        "grouping=batched",
        "dirty=10",
        "cache=hash",
        "visible=0",
        "previous=palette",
        "index-order=shuffled",
        "robust=on",
    ]);
    assert_eq!(on.influence_loop(), InfluenceLoop::Partitioned);
    assert_eq!(
        (on.palette(), on.joint_index()),
        (PaletteLayout::DualQuatScale, JointIndex::U32)
    );
    assert_eq!(
        (on.weight_format(), on.weight_normalise()),
        (WeightFormat::Unorm8, WeightNormalise::Two)
    );
    assert_eq!(
        (on.output_format(), on.normal_mode()),
        (OutputFormat::Oct16Truncated, NormalMode::Flagged)
    );
    assert_eq!(
        (on.joint_scale(), on.morph_order()),
        (JointScale::NonUniform, MorphOrder::After)
    );
    assert_eq!(
        (on.morph_method(), on.morph_targets()),
        (MorphMethod::Sparse, Some(256))
    );
    assert_eq!((on.workgroup(), on.grouping()), (128, Grouping::Batched));
    assert_eq!(
        (on.dirty(), on.cache_key(), on.visible()),
        (10, CacheKey::Hash, 0)
    );
    assert_eq!(
        (on.previous(), on.index_order()),
        (Previous::Palette, IndexOrder::Shuffled)
    );
    assert_eq!((on.robust(), on.engine()), (Robust::On, Engine::Default));
    assert!(on.palette().is_dual_quat() && !PaletteLayout::Rows3x4Half.is_dual_quat());
    let uniform = case(&["strategy=vertex-uniform", "partition=on"]);
    assert!(uniform.partition() && !on.partition());
    let texture = case(&["strategy=vertex-texture", "palette-texture=square"]);
    assert_eq!(texture.palette_texture(), PaletteTexture::Square);
    assert_eq!(
        (on.palette_texture(), texture.dirty()),
        (PaletteTexture::Wide, 100)
    );
}

/// The places and reasons of what no device could run, of one frame at these axes.
fn impossible(axes: &[&str]) -> Vec<(Place, String)> {
    let plan = plan(&[axes, &["passes=1", "instances=1"]].concat());
    let why = |case: &Case| Some((case.place(), case.impossible()?.to_string()));
    plan.cases.iter().filter_map(why).collect()
}

#[test]
fn what_no_device_could_run_is_known() {
    // cpu has no index: only compute cannot run.
    let need = "joint-index needs at most 256 joints for u8, not 257 joints".to_owned();
    assert_eq!(
        impossible(&["joint-index=u8", "joints=257", "strategy=compute,cpu"]),
        [(Place::Compute, need)]
    );
    assert!(impossible(&["joint-index=u8", "joints=256"]).is_empty());
    assert!(impossible(&["joint-index=u16", "joints=257"]).is_empty());
    let scaled = ["joint-scale=none,non-uniform", "strategy=cpu"];
    let need = "palette needs joints without scale for dual-quat, not joint-scale non-uniform";
    assert_eq!(
        impossible(&[&scaled[..], &["palette=dual-quat"]].concat()),
        [(Place::Cpu, need.to_owned())]
    );
    let others = ["palette=mat4,rows3x4,rows3x4-half,dual-quat-scale"];
    assert!(impossible(&[&scaled[..], &others].concat()).is_empty());
    let blended = ["normals=per-joint", "strategy=vertex-storage"];
    let need = |palette| {
        let why =
            format!("normals needs a palette of matrices for per-joint, not palette {palette}");
        (Place::VertexStorage, why)
    };
    assert_eq!(
        impossible(
            &[
                &blended[..],
                &["palette=mat4,rows3x4-half,dual-quat,dual-quat-scale"]
            ]
            .concat()
        ),
        [need("dual-quat"), need("dual-quat-scale")]
    );
}

#[test]
fn what_is_drawn_depends_on_what_changes_the_picture() {
    let how = [
        "influence-loop=early-out",
        "joint-index=u32",
        "workgroup=32",
        "grouping=batched",
        "cache=hash",
        "previous=palette",
        "robust=on",
        "morph=sparse",
        "draws=indirect",
    ];
    let plain = case(&["strategy=compute"]).comparison_key();
    for axis in how {
        assert_eq!(
            case(&["strategy=compute", axis]).comparison_key(),
            plain,
            "{axis}"
        );
    }
    let partition = case(&["strategy=vertex-uniform", "partition=on"]);
    let texture = case(&["strategy=vertex-texture", "palette-texture=square"]);
    assert_eq!(
        (partition.comparison_key(), texture.comparison_key()),
        (plain.clone(), plain.clone())
    );
    let what = [
        // It leaves a pass out.
        "previous=none",
        "passes=2",
        "instances=2",
        "attributes=pnt",
        "palette=mat4",
        "weights=unorm16",
        "weight-normalise=on",
        "output=snorm8",
        "joint-scale=non-uniform",
        "normals=direct",
        "morph-order=after",
        "morph-targets=1",
        "dirty=50",
        "visible=50",
        "index-order=shuffled",
        "poses=shared",
    ];
    for axis in what {
        assert_ne!(
            case(&["strategy=compute", axis]).comparison_key(),
            plain,
            "{axis}"
        );
    }
    // What a place has no choice in counts as the default.
    for place in Place::NAMES {
        let key = case(&[&format!("strategy={place}")]).comparison_key();
        assert_eq!(key, plain, "{place}");
    }
    let named = case(&["strategy=compute", "weights=unorm8"]).comparison_key();
    assert_ne!(
        case(&["strategy=cpu", "weights=unorm8"]).comparison_key(),
        named
    );
}

#[test]
fn places_that_write_vertices_are_known() {
    let writing: Vec<_> = Place::ALL
        .iter()
        .filter(|place| place.writes_vertices())
        .collect();
    assert_eq!(
        writing,
        [&Place::Compute, &Place::TransformFeedback, &Place::Cpu]
    );
}
