//! Poses and palettes in f64, and the check of what was uploaded.

use rayon::prelude::*;
use thiserror::Error;

use super::affine::BoundedAffine;
use super::joint::{self, Part};
use super::sampler;
use crate::deform::palette::{PaletteReader, PoseLayout};
use crate::math::bounded::Bounded;
use crate::scene::{Channel, ChannelTarget, Local, PaletteSource, Pose, Scene};

/// World transforms and morph weights of one instance at one time.
#[derive(Clone, Debug)]
pub struct ReferencePose {
    /// World transform of each skeleton node.
    pub globals: Vec<BoundedAffine>,
    /// Morph weights, laid out as in [`Pose::morph_weights`].
    pub morph_weights: Vec<Bounded>,
}

/// An uploaded palette or weight that the f64 pose evaluation does not bear out.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PaletteError {
    /// An entry of a joint is off.
    #[error(
        "instance {instance}, palette {palette}, joint {joint}, {part}, row {row}, column {col}: uploaded {got}, but the f64 pose gives {want} ± {tolerance:e}; no vertex can be judged, so report this with the model"
    )]
    Entry {
        /// Instance of the character.
        instance: usize,
        /// Index into [`Scene::palettes`].
        palette: usize,
        /// Joint within the palette.
        joint: usize,
        /// Which of its parts.
        part: Part,
        /// Row, 0 to 2; 3 is the last row of a 4×4 matrix.
        row: usize,
        /// Column, 0 to 3; 3 is the translation.
        col: usize,
        /// What was uploaded, or what that stands for.
        got: f64,
        /// What the reference has.
        want: f64,
        /// By how much an f32 evaluation may differ.
        tolerance: f64,
    },
    /// A morph weight is off.
    #[error(
        "instance {instance}, item {item}, morph target {target}: uploaded weight {got}, but the f64 pose gives {want} ± {tolerance:e}; no vertex can be judged, so report this with the model"
    )]
    MorphWeight {
        /// Instance of the character.
        instance: usize,
        /// Index into [`Scene::items`].
        item: usize,
        /// Morph target of the item's mesh.
        target: usize,
        /// What was uploaded.
        got: f32,
        /// What the reference has.
        want: f64,
        /// By how much an f32 evaluation may differ.
        tolerance: f64,
    },
    /// The buffer cannot hold the blocks of all instances.
    #[error(
        "the uploaded palettes hold {have} vec4s, but {need} are needed: upload every instance's block before the check"
    )]
    TooShort {
        /// `vec4`s given.
        have: usize,
        /// `vec4`s needed.
        need: usize,
    },
}

/// A node's transform in parts that channels can replace.
#[derive(Clone, Copy)]
enum BoundedLocal {
    Trs {
        t: [Bounded; 3],
        q: [Bounded; 4],
        s: [Bounded; 3],
    },
    Matrix(BoundedAffine),
}

impl BoundedLocal {
    fn rest(local: &Local) -> Self {
        match *local {
            Local::Trs {
                translation,
                rotation,
                scale,
            } => Self::Trs {
                t: translation.to_array().map(Bounded::exact),
                q: rotation.to_array().map(Bounded::exact),
                s: scale.to_array().map(Bounded::exact),
            },
            Local::Matrix(matrix) => Self::Matrix(BoundedAffine::exact(matrix)),
        }
    }

    fn affine(&self) -> BoundedAffine {
        match *self {
            Self::Trs { t, q, s } => BoundedAffine::from_trs(t, q, s),
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// Evaluates `clip` (an index into [`Scene::clips`]; `None`: the rest pose) at `time` seconds.
pub fn evaluate(scene: &Scene, clip: Option<usize>, time: f32) -> ReferencePose {
    let Pose {
        locals,
        morph_weights,
    } = &scene.rest;
    let mut locals: Vec<_> = locals.iter().map(BoundedLocal::rest).collect();
    let mut morph_weights: Vec<_> = morph_weights.iter().copied().map(Bounded::exact).collect();
    if let Some(clip) = clip.and_then(|index| scene.clips.get(index)) {
        for channel in &clip.channels {
            apply(
                channel,
                time,
                &scene.morph_ranges,
                &mut locals,
                &mut morph_weights,
            );
        }
    }
    ReferencePose {
        globals: globals(scene, &locals),
        morph_weights,
    }
}

fn apply(
    channel: &Channel,
    time: f32,
    morph_ranges: &[(usize, usize)],
    locals: &mut [BoundedLocal],
    morph_weights: &mut [Bounded],
) {
    let number = |index| sampler::number(channel, time, index);
    match channel.target {
        ChannelTarget::Weights(node) => {
            let (first, count) = morph_ranges[node];
            for target in 0..count.min(channel.width) {
                morph_weights[first + target] = number(target);
            }
        }
        ChannelTarget::Translation(node) => {
            if let BoundedLocal::Trs { t, .. } = &mut locals[node] {
                *t = [0, 1, 2].map(number);
            }
        }
        ChannelTarget::Rotation(node) => {
            if let BoundedLocal::Trs { q, .. } = &mut locals[node] {
                *q = sampler::rotation(channel, time);
            }
        }
        ChannelTarget::Scale(node) => {
            if let BoundedLocal::Trs { s, .. } = &mut locals[node] {
                *s = [0, 1, 2].map(number);
            }
        }
    }
}

fn globals(scene: &Scene, locals: &[BoundedLocal]) -> Vec<BoundedAffine> {
    let mut out: Vec<BoundedAffine> = Vec::with_capacity(locals.len());
    for (node, local) in scene.skeleton.nodes.iter().zip(locals) {
        let local = local.affine();
        out.push(
            node.parent
                .map_or(local, |parent| out[parent].times(&local)),
        );
    }
    out
}

/// The matrices of one of [`Scene::palettes`], one a joint.
pub fn palette(scene: &Scene, pose: &ReferencePose, palette: usize) -> Vec<BoundedAffine> {
    match scene.palettes[palette] {
        PaletteSource::Node(node) => vec![pose.globals[node]],
        PaletteSource::Skin(skin) => {
            let skin = &scene.skins[skin];
            let bind = skin.joints.iter().zip(&skin.inverse_bind_matrices);
            bind.map(|(&joint, &inverse_bind)| {
                pose.globals[joint].times(&BoundedAffine::exact(inverse_bind))
            })
            .collect()
        }
    }
}

/// Holds an uploaded palette of one instance against the reference.
///
/// # Errors
/// The first entry that is off; NaN is.
pub fn check_palette(
    scene: &Scene,
    pose: &ReferencePose,
    instance: usize,
    palette_index: usize,
    uploaded: &PaletteReader<'_>,
) -> Result<(), PaletteError> {
    let matrices = palette(scene, pose, palette_index);
    for (joint, matrix) in matrices.iter().enumerate() {
        joint::check_joint(matrix, uploaded, joint).map_err(|wrong| PaletteError::Entry {
            instance,
            palette: palette_index,
            joint,
            part: wrong.part,
            row: wrong.row,
            col: wrong.col,
            got: wrong.got,
            want: wrong.want.value,
            tolerance: wrong.want.error,
        })?;
    }
    Ok(())
}

fn check_morph_weights(
    scene: &Scene,
    pose: &ReferencePose,
    instance: usize,
    item: usize,
    uploaded: &[f32],
) -> Result<(), PaletteError> {
    let want = &pose.morph_weights[scene.items[item].first_morph_weight..];
    for (target, (&got, want)) in uploaded.iter().zip(want).enumerate() {
        if !want.admits(got) {
            let (want, tolerance) = (want.value, want.error);
            return Err(PaletteError::MorphWeight {
                instance,
                item,
                target,
                got,
                want,
                tolerance,
            });
        }
    }
    Ok(())
}

/// Holds everything that was uploaded for one frame against the f64 pose evaluation: instance i at
/// `times[i]`, one block an instance, arranged by `layout`. One core an instance.
///
/// # Errors
/// The first entry or weight that is off, by instance; or a buffer that is too short.
pub fn check_poses(
    scene: &Scene,
    layout: &PoseLayout,
    clip: Option<usize>,
    times: &[f32],
    uploaded: &[[f32; 4]],
) -> Result<(), PaletteError> {
    let (have, need) = (uploaded.len(), layout.vec4s(times.len()));
    if have < need {
        return Err(PaletteError::TooShort { have, need });
    }
    let data = &uploaded[..need];
    let outcomes: Vec<_> = times
        .par_iter()
        .enumerate()
        .map(|(instance, &time)| {
            let pose = evaluate(scene, clip, time);
            check_instance(scene, layout, &pose, instance, data)
        })
        .collect();
    outcomes.into_iter().collect()
}

fn check_instance(
    scene: &Scene,
    layout: &PoseLayout,
    pose: &ReferencePose,
    instance: usize,
    data: &[[f32; 4]],
) -> Result<(), PaletteError> {
    for palette in 0..scene.palettes.len() {
        let uploaded = PaletteReader {
            format: layout.format,
            joints: layout.joint_count(palette),
            data: layout.palette(data, instance, palette),
        };
        check_palette(scene, pose, instance, palette, &uploaded)?;
    }
    (0..scene.items.len()).try_for_each(|item| {
        let uploaded = layout.morph_weights(data, instance, item);
        check_morph_weights(scene, pose, instance, item, uploaded)
    })
}
