//! Evaluating clips: keyframes to a pose, in f32, every frame.

use glam::{Quat, Vec3};

use super::{Channel, ChannelTarget, Clip, Interpolation, Local, Pose};
use crate::math::rotation::{normalise, slerp};

/// Where a time falls among the keys of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// On or outside the ends, or on a STEP channel: the value of this key alone.
    Hold(usize),
    /// Strictly after this key's start and before the next key.
    Between(usize),
}

impl Channel {
    /// Finds the keys around `time` by binary search; before the first and after the last key the
    /// nearest is held.
    pub fn span(&self, time: f32) -> Span {
        let after = self.times.partition_point(|&key| key <= time);
        if after == 0 {
            Span::Hold(0)
        } else if after == self.times.len()
            || self.interpolation == Interpolation::Step
            || self.times[after - 1] == time
        {
            Span::Hold(after - 1)
        } else {
            Span::Between(after - 1)
        }
    }

    /// The stored value of `key`, without its tangents.
    pub fn key(&self, key: usize) -> &[f32] {
        let start = match self.interpolation {
            Interpolation::CubicSpline => (3 * key + 1) * self.width,
            Interpolation::Linear | Interpolation::Step => key * self.width,
        };
        &self.values[start..start + self.width]
    }

    /// In-tangent of `key`; only for [`Interpolation::CubicSpline`].
    pub fn in_tangent(&self, key: usize) -> &[f32] {
        let start = 3 * key * self.width;
        &self.values[start..start + self.width]
    }

    /// Out-tangent of `key`; only for [`Interpolation::CubicSpline`].
    pub fn out_tangent(&self, key: usize) -> &[f32] {
        let start = (3 * key + 2) * self.width;
        &self.values[start..start + self.width]
    }

    /// Fraction of the way from `key` to the next.
    fn fraction(&self, key: usize, time: f32) -> f32 {
        (time - self.times[key]) / (self.times[key + 1] - self.times[key])
    }

    /// One number of a value that is not a rotation.
    fn number(&self, span: Span, time: f32, index: usize) -> f32 {
        let left = match span {
            Span::Hold(key) => return self.key(key)[index],
            Span::Between(left) => left,
        };
        let t = self.fraction(left, time);
        if self.interpolation == Interpolation::CubicSpline {
            return self.hermite(left, t)(index);
        }
        self.key(left)[index] * (1.0 - t) + self.key(left + 1)[index] * t
    }

    /// The cubic between `left` and the next key at the fraction `t` (glTF 2.0, appendix C.5).
    fn hermite(&self, left: usize, t: f32) -> impl Fn(usize) -> f32 {
        let step = self.times[left + 1] - self.times[left];
        let (t2, t3) = (t * t, t * t * t);
        let from = 2.0 * t3 - 3.0 * t2 + 1.0;
        let to = 3.0 * t2 - 2.0 * t3;
        let leaving = step * (t3 - 2.0 * t2 + t);
        let arriving = step * (t3 - t2);
        let (v0, m0) = (self.key(left), self.out_tangent(left));
        let (v1, m1) = (self.key(left + 1), self.in_tangent(left + 1));
        move |i| from * v0[i] + leaving * m0[i] + to * v1[i] + arriving * m1[i]
    }

    fn vector(&self, time: f32) -> Vec3 {
        let span = self.span(time);
        Vec3::from_array([0, 1, 2].map(|i| self.number(span, time, i)))
    }

    /// Stored keys need not be unit (normalised integers are not), so they are normalised first.
    fn rotation(&self, time: f32) -> Quat {
        let key = |k: usize| normalise(Quat::from_slice(self.key(k)));
        match self.span(time) {
            Span::Hold(k) => key(k),
            Span::Between(k) if self.interpolation == Interpolation::CubicSpline => {
                let value = self.hermite(k, self.fraction(k, time));
                normalise(Quat::from_array([0, 1, 2, 3].map(value)))
            }
            Span::Between(k) => slerp(key(k), key(k + 1), self.fraction(k, time)),
        }
    }

    fn apply(&self, time: f32, morph_ranges: &[(usize, usize)], out: &mut Pose) {
        match self.target {
            ChannelTarget::Translation(node) => {
                if let Local::Trs { translation, .. } = &mut out.locals[node] {
                    *translation = self.vector(time);
                }
            }
            ChannelTarget::Rotation(node) => {
                if let Local::Trs { rotation, .. } = &mut out.locals[node] {
                    *rotation = self.rotation(time);
                }
            }
            ChannelTarget::Scale(node) => {
                if let Local::Trs { scale, .. } = &mut out.locals[node] {
                    *scale = self.vector(time);
                }
            }
            ChannelTarget::Weights(node) => {
                let (first, count) = morph_ranges[node];
                let span = self.span(time);
                let weights = &mut out.morph_weights[first..first + count];
                for (i, weight) in weights.iter_mut().enumerate().take(self.width) {
                    *weight = self.number(span, time, i);
                }
            }
        }
    }
}

impl Clip {
    /// Evaluates the clip at `time` seconds into `out`; what it does not move stays as in `rest`.
    ///
    /// `morph_ranges` is [`Scene::morph_ranges`](super::Scene::morph_ranges). Nothing is allocated
    /// where `out` has held a pose of the same scene before. A channel on a node with a matrix has
    /// no effect.
    pub fn sample(&self, time: f32, rest: &Pose, morph_ranges: &[(usize, usize)], out: &mut Pose) {
        out.copy_from(rest);
        for channel in &self.channels {
            channel.apply(time, morph_ranges, out);
        }
    }
}

impl Pose {
    /// Takes over another pose's values, keeping the allocations.
    pub fn copy_from(&mut self, other: &Self) {
        self.locals.clone_from(&other.locals);
        self.morph_weights.clone_from(&other.morph_weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(target: ChannelTarget, interpolation: Interpolation, width: usize) -> Channel {
        let values = match (interpolation, width) {
            (Interpolation::CubicSpline, _) => [0., 0., 0., 1., 2., 3., 0., 0., 0.].repeat(2),
            (_, 4) => vec![0., 0., 0., 2., 0., 0., 3., 0.],
            _ => vec![1., 2., 3., 3., 2., 1.],
        };
        Channel {
            target,
            interpolation,
            times: vec![1.0, 3.0],
            values,
            width,
        }
    }

    fn pose() -> Pose {
        let rest = Local::Trs {
            translation: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
        };
        Pose {
            locals: vec![rest],
            morph_weights: vec![0.5, 0.25, 7.0],
        }
    }

    fn sampled(channel: Channel, time: f32) -> Pose {
        let clip = Clip {
            name: String::new(),
            duration: 3.0,
            channels: vec![channel],
        };
        let mut out = Pose::default();
        clip.sample(time, &pose(), &[(0, 3)], &mut out);
        out
    }

    fn translation(time: f32, interpolation: Interpolation) -> Vec3 {
        match sampled(
            channel(ChannelTarget::Translation(0), interpolation, 3),
            time,
        )
        .locals[0]
        {
            Local::Trs { translation, .. } => translation,
            Local::Matrix(_) => Vec3::NAN,
        }
    }

    #[test]
    fn clamps_outside_and_interpolates_inside() {
        let linear = |time| translation(time, Interpolation::Linear);
        assert_eq!(linear(0.0), Vec3::new(1., 2., 3.));
        assert_eq!(linear(1.0), Vec3::new(1., 2., 3.));
        assert_eq!(linear(2.0), Vec3::splat(2.0));
        assert_eq!(linear(9.0), Vec3::new(3., 2., 1.));
    }

    #[test]
    fn step_holds_the_last_key() {
        assert_eq!(
            translation(2.999, Interpolation::Step),
            Vec3::new(1., 2., 3.)
        );
        assert_eq!(translation(3.0, Interpolation::Step), Vec3::new(3., 2., 1.));
    }

    #[test]
    fn cubic_of_equal_keys_without_tangents_stands_still() {
        let mid = translation(1.7, Interpolation::CubicSpline);
        assert!((mid - Vec3::new(1., 2., 3.)).length() <= 2e-6);
    }

    #[test]
    fn cubic_follows_its_tangents() {
        // v0 = v1 = 0, out-tangent 4, in-tangent 0 over 2 s: at t = 1/2 the basis of the
        // out-tangent is 1/8, times the step of 2 s: 4 / 8 * 2 = 1, exactly representable.
        let mut c = channel(ChannelTarget::Translation(0), Interpolation::CubicSpline, 3);
        c.values = vec![
            0., 0., 0., 0., 0., 0., 4., 4., 4., 0., 0., 0., 0., 0., 0., 0., 0., 0.,
        ];
        assert_eq!(c.vector(2.0), Vec3::ONE);
    }

    #[test]
    fn unnormalised_rotation_keys_are_normalised() {
        let c = channel(ChannelTarget::Rotation(0), Interpolation::Linear, 4);
        assert_eq!(c.rotation(0.0), Quat::IDENTITY);
        assert_eq!(c.rotation(3.0), Quat::from_xyzw(0., 0., 1., 0.));
        let mid = c.rotation(2.0);
        let want = std::f32::consts::FRAC_1_SQRT_2;
        assert!((mid.z - want).abs() <= 4e-7 && (mid.w - want).abs() <= 4e-7);
    }

    #[test]
    fn weights_go_to_their_range_and_the_rest_stays() {
        let out = sampled(
            channel(ChannelTarget::Weights(0), Interpolation::Linear, 3),
            2.0,
        );
        assert_eq!(out.morph_weights, [2.0, 2.0, 2.0]);
        assert_eq!(out.locals, pose().locals);
    }

    #[test]
    fn one_key_is_held_for_ever() {
        let mut c = channel(ChannelTarget::Scale(0), Interpolation::Linear, 3);
        c.times = vec![1.0];
        assert_eq!(c.vector(0.0), c.vector(5.0));
    }
}
