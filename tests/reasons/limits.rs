//! Limits: one less than is needed refuses, just enough runs.

use std::sync::Arc;

use skinbench::gpu::{Capabilities, DeviceOptions};
use skinbench::plan::Place;
use skinbench::scene::Scene;
use skinbench::strategy;

use super::support::{assert_silent, case, devices, lab};
use super::{limit, missing, of, refused, runs, said};

/// A case that needs `need` of a limit.
struct Flip {
    axes: &'static [&'static str],
    name: &'static str,
    need: u64,
    below: fn(&mut Capabilities),
    enough: fn(&mut Capabilities),
}

/// A limit of one less, and one of just enough.
macro_rules! flip {
    ($field:ident, $name:literal, $need:literal, [$($axis:literal),+]) => {
        Flip {
            axes: &[$($axis),+],
            name: $name,
            need: $need,
            below: |c| c.$field = $need - 1,
            enough: |c| c.$field = $need,
        }
    };
}

fn narrowed(narrow: fn(&mut Capabilities)) -> DeviceOptions {
    DeviceOptions {
        narrow: Some(narrow),
        ..DeviceOptions::default()
    }
}

fn hold(scene: &Arc<Scene>, flips: &[Flip]) {
    for (instance, summary) in devices() {
        for flip in flips {
            let case = case(flip.axes);
            let lacking = lab(&instance, &summary, narrowed(flip.below));
            let reason = said(refused(&lacking, scene, &case).unwrap());
            let has = lacking.device.capabilities().has;
            if case.place() == Place::TransformFeedback && !has.transform_feedback {
                // What is missing first; its limits are seen on a device that has it.
                assert_eq!(reason, missing("VK_EXT_transform_feedback"));
                continue;
            }
            assert_eq!(reason, limit(flip.name, flip.need, flip.need - 1), "{case}");
            drop(lacking);
            let mut lab = lab(&instance, &summary, narrowed(flip.enough));
            runs(&mut lab, scene, &case);
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn what_a_stage_may_be_given() {
    hold(
        &of(12, 0),
        &[
            flip!(
                max_per_stage_descriptor_storage_buffers,
                "maxPerStageDescriptorStorageBuffers",
                4,
                ["strategy=compute"]
            ),
            flip!(
                max_per_stage_descriptor_storage_buffers,
                "maxPerStageDescriptorStorageBuffers",
                2,
                ["strategy=vertex-storage"]
            ),
            flip!(
                max_per_stage_descriptor_storage_buffers,
                "maxPerStageDescriptorStorageBuffers",
                2,
                ["strategy=vertex-uniform"]
            ),
            flip!(
                max_per_stage_descriptor_storage_buffers,
                "maxPerStageDescriptorStorageBuffers",
                2,
                ["strategy=vertex-texture"]
            ),
            flip!(
                max_per_stage_descriptor_storage_buffers,
                "maxPerStageDescriptorStorageBuffers",
                2,
                ["strategy=transform-feedback"]
            ),
            flip!(
                max_per_stage_descriptor_sampled_images,
                "maxPerStageDescriptorSampledImages",
                2,
                ["strategy=vertex-texture"]
            ),
            flip!(
                max_per_stage_descriptor_sampled_images,
                "maxPerStageDescriptorSampledImages",
                2,
                ["strategy=transform-feedback"]
            ),
        ],
    );
}

#[test]
fn attributes_and_workgroups() {
    hold(
        &of(12, 0),
        &[
            flip!(
                max_vertex_input_attributes,
                "maxVertexInputAttributes",
                9,
                ["strategy=vertex-storage"]
            ),
            flip!(
                max_vertex_input_attributes,
                "maxVertexInputAttributes",
                9,
                ["strategy=vertex-uniform"]
            ),
            flip!(
                max_vertex_input_attributes,
                "maxVertexInputAttributes",
                9,
                ["strategy=vertex-texture"]
            ),
            flip!(
                max_vertex_input_attributes,
                "maxVertexInputAttributes",
                9,
                ["strategy=transform-feedback"]
            ),
            flip!(
                max_compute_work_group_invocations,
                "maxComputeWorkGroupInvocations",
                32,
                ["strategy=compute", "workgroup=32"]
            ),
            flip!(
                max_compute_work_group_invocations,
                "maxComputeWorkGroupInvocations",
                256,
                ["strategy=compute", "workgroup=256"]
            ),
        ],
    );
}

/// Twelve joints in rows take 36 `vec4`s, in both halves 1,152 bytes a character; the uniform place
/// begins each at a multiple of the device's alignment, 256 bytes at most: 1,280 there at most.
#[test]
fn poses_that_one_range_shows() {
    hold(
        &of(12, 0),
        &[
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                6_912,
                ["strategy=compute", "instances=6"]
            ),
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                3_456,
                ["strategy=vertex-storage", "instances=3"]
            ),
        ],
    );
    for (instance, summary) in devices() {
        let lab = lab(
            &instance,
            &summary,
            narrowed(|c| c.max_storage_buffer_range = 3_455),
        );
        let alignment = lab
            .device
            .capabilities()
            .min_uniform_buffer_offset_alignment;
        let need = 3 * 2 * 576u64.next_multiple_of(alignment);
        let case = case(&["strategy=vertex-uniform", "instances=3"]);
        let reason = said(refused(&lab, &of(12, 0), &case).unwrap());
        assert_eq!(reason, limit("maxStorageBufferRange", need, 3_455));
    }
}

#[test]
fn uniform_poses_that_one_range_shows() {
    for (instance, summary) in devices() {
        // Three times 1,152 where offsets are aligned to 16 (as 576 is), three times 1,536 at 256.
        let options = narrowed(|c| {
            c.max_storage_buffer_range =
                6 * 576u64.next_multiple_of(c.min_uniform_buffer_offset_alignment);
        });
        let mut lab = lab(&instance, &summary, options);
        let case = case(&["strategy=vertex-uniform", "instances=3"]);
        runs(&mut lab, &of(12, 0), &case);
        assert_silent(&instance, &summary.name);
    }
}

/// Two targets of 700 vertices, position and normal: 33,600 bytes gathered, and 39,200 as entries that
/// name their vertex.
#[test]
fn morph_targets_that_one_range_shows() {
    hold(
        &of(12, 2),
        &[
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                33_600,
                ["strategy=vertex-storage"]
            ),
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                33_600,
                ["strategy=vertex-texture"]
            ),
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                33_600,
                ["strategy=transform-feedback"]
            ),
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                33_600,
                ["strategy=compute"]
            ),
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                39_200,
                ["strategy=compute", "morph=sparse"]
            ),
        ],
    );
}

/// A window must hold two workgroups of source vertices of 48 bytes; a batch needs all 16,800 bytes
/// of each character.
#[test]
fn vertices_that_one_range_shows() {
    hold(
        &of(12, 0),
        &[
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                6_144,
                ["strategy=compute"]
            ),
            flip!(
                max_storage_buffer_range,
                "maxStorageBufferRange",
                33_600,
                ["strategy=compute", "grouping=batched", "instances=2"]
            ),
        ],
    );
}

#[test]
fn uniform_arrays() {
    hold(
        &of(12, 0),
        &[flip!(
            max_uniform_buffer_range,
            "maxUniformBufferRange",
            3_072,
            ["strategy=vertex-uniform"]
        )],
    );
    hold(
        &of(65, 0),
        &[flip!(
            max_uniform_buffer_range,
            "maxUniformBufferRange",
            15_360,
            ["strategy=vertex-uniform"]
        )],
    );
}

/// The largest arrays, in joints, and one joint more; cut into parts it runs.
#[test]
fn skins_beyond_the_largest_uniform_array() {
    for (instance, summary) in devices() {
        let mut lab = lab(&instance, &summary, DeviceOptions::default());
        for (palette, most) in [
            ("palette=rows3x4", 320),
            ("palette=mat4", 256),
            ("palette=dual-quat-scale", 204),
        ] {
            let axes = ["strategy=vertex-uniform", palette];
            let beyond = of(most + 1, 0);
            let reason = said(refused(&lab, &beyond, &case(&axes)).unwrap());
            let most = most as u64;
            assert_eq!(reason, limit("uniform array joints", most + 1, most));
            runs(&mut lab, &of(most as usize, 0), &case(&axes));
            let cut = case(&["strategy=vertex-uniform", palette, "partition=on"]);
            runs(&mut lab, &beyond, &cut);
        }
        assert_silent(&instance, &summary.name);
    }
}

#[test]
fn captures() {
    hold(
        &of(12, 0),
        &[
            flip!(
                max_transform_feedback_buffer_data_size,
                "maxTransformFeedbackBufferDataSize",
                40,
                ["strategy=transform-feedback"]
            ),
            flip!(
                max_transform_feedback_buffer_data_stride,
                "maxTransformFeedbackBufferDataStride",
                40,
                ["strategy=transform-feedback"]
            ),
            flip!(
                max_transform_feedback_buffer_size,
                "maxTransformFeedbackBufferSize",
                16_800,
                ["strategy=transform-feedback"]
            ),
        ],
    );
}

/// The offset of a draw is a signed 32-bit number, which no device narrows: the count of characters
/// does. Nothing is run at 2³¹ vertices, for want of 52 GB.
#[test]
fn vertices_that_an_offset_reaches() {
    for (instance, summary) in devices() {
        let lab = lab(&instance, &summary, DeviceOptions::default());
        let scene = of(12, 0);
        for place in ["compute", "transform-feedback", "cpu"] {
            let case = case(&[&format!("strategy={place}")]);
            let kinds = [skinbench::shader_types::PassKind::GBuffer];
            if place == "transform-feedback" && !lab.device.capabilities().has.transform_feedback {
                continue;
            }
            let with = |instances| {
                let mut setup =
                    skinbench::bench::Station::setup(&lab, &scene, Some(0), &case, &kinds);
                (setup.instances, setup.shared_pose) = (instances, true);
                strategy::refuse(&setup, &case)
            };
            let most = i32::MAX as u64;
            assert_eq!(with((most / 700) as u32), None, "{place}");
            let reason = said(with((most / 700) as u32 + 1).unwrap());
            assert_eq!(
                reason,
                limit("vertexOffset", 2_147_483_800, most),
                "{place}"
            );
        }
    }
}
