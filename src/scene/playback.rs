//! Playing a clip over frames and instances, and evaluating the poses of all of them.

use glam::Mat4;
use rayon::prelude::*;

use super::{Pose, Scene};

/// Frames a second of playback; frame f is at f/60 s.
pub const FRAMES_PER_SECOND: f64 = 60.0;

/// Time in the clip of every instance at `frame`, in seconds.
///
/// Frame f plays at f/60 s. With `own` poses instance i is shifted by i·duration/instances, else
/// all share one time. Times wrap modulo `duration`; a duration of 0 gives 0. Computed in f64 and
/// rounded once: the f32 time is the input that every evaluation, the reference's too, starts from.
pub fn times(frame: u64, instances: usize, own: bool, duration: f32) -> Vec<f32> {
    let mut out = Vec::new();
    write_times(frame, instances, own, duration, &mut out);
    out
}

/// [`times`] into a vector that is reused from frame to frame.
pub fn write_times(frame: u64, instances: usize, own: bool, duration: f32, out: &mut Vec<f32>) {
    let duration = f64::from(duration);
    let now = frame as f64 / FRAMES_PER_SECOND;
    out.clear();
    out.extend((0..instances).map(|instance| {
        let share = if own {
            instance as f64 / instances as f64
        } else {
            0.0
        };
        wrapped(now + share * duration, duration)
    }));
}

fn wrapped(time: f64, duration: f64) -> f32 {
    if duration > 0.0 {
        time.rem_euclid(duration) as f32
    } else {
        0.0
    }
}

/// Pose and world transforms of one instance.
#[derive(Clone, Debug, Default)]
pub struct InstancePose {
    /// Local transforms and morph weights.
    pub pose: Pose,
    /// World transform of each skeleton node.
    pub globals: Vec<Mat4>,
}

/// Storage for the poses of all instances, kept from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Poses {
    /// One entry an instance.
    pub instances: Vec<InstancePose>,
}

impl Poses {
    /// Storage for `instances` copies of `scene`, holding the rest pose.
    pub fn new(scene: &Scene, instances: usize) -> Self {
        let mut rest = InstancePose {
            pose: scene.rest.clone(),
            globals: Vec::new(),
        };
        scene.skeleton.globals(&scene.rest, &mut rest.globals);
        Self {
            instances: vec![rest; instances],
        }
    }
}

/// The stage `pose`: samples the clip and forms the world transforms of every instance.
///
/// `clip` indexes [`Scene::clips`] (`None`, or one that is not there: the rest pose). Instance i is
/// at `times[i]`; instances beyond `times` keep their pose. Runs on all threads of rayon's pool and
/// allocates nothing.
pub fn evaluate_poses(scene: &Scene, clip: Option<usize>, times: &[f32], poses: &mut Poses) {
    let clip = clip.and_then(|index| scene.clips.get(index));
    let evaluate = |(instance, &time): (&mut InstancePose, &f32)| {
        match clip {
            Some(clip) => {
                clip.sample(time, &scene.rest, &scene.morph_ranges, &mut instance.pose);
            }
            None => instance.pose.copy_from(&scene.rest),
        }
        scene
            .skeleton
            .globals(&instance.pose, &mut instance.globals);
    };
    if let ([instance], [time]) = (poses.instances.as_mut_slice(), times) {
        // Waking the pool for one character costs more than its pose.
        evaluate((instance, time));
    } else {
        poses.instances.par_iter_mut().zip(times).for_each(evaluate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_spread_over_the_clip_and_wrap() {
        assert_eq!(times(0, 4, true, 2.0), [0.0, 0.5, 1.0, 1.5]);
        assert_eq!(times(60, 4, true, 2.0), [1.0, 1.5, 0.0, 0.5]);
        assert_eq!(times(90, 3, false, 2.0), [1.5; 3]);
        assert_eq!(times(7, 2, true, 0.0), [0.0; 2]);
    }

    #[test]
    fn a_time_is_rounded_once() {
        // 1/60 s rounded to f32, not a sum of rounded steps.
        assert_eq!(times(1, 1, true, 2.0), [(1.0f64 / 60.0) as f32]);
        assert_eq!(times(121, 1, true, 2.0), [((121.0f64 / 60.0) % 2.0) as f32]);
    }

    #[test]
    fn a_late_frame_still_lies_in_the_clip() {
        for time in times(u64::from(u32::MAX), 1000, true, 1.1) {
            assert!((0.0..=1.1).contains(&time));
        }
    }
}
