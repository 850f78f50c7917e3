//! Which characters must be deformed again: those whose palette is another than when they were last.
//!
//! Two keys are compared under the axis `cache`. `revision` is the palette buffer and a number that
//! grows whenever a character's pose changes, as Unreal has it: nothing is read, and a palette that
//! moved to another buffer counts as changed, whatever it holds. `hash` is a hash of the matrices
//! and morph weights: everything is read, and equal contents count as equal wherever they lie.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use crate::scene::playback::InstancePose;

/// What a character's palette is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkinKey {
    /// The buffer and the revision of what it holds.
    Revision {
        /// A number that no other buffer has.
        buffer: u64,
        /// Grows with each change.
        revision: u64,
    },
    /// A hash of matrices and morph weights.
    Hash(u64),
}

/// Hashes the joints' world matrices and the morph weights of a pose.
pub fn hash_pose(pose: &InstancePose) -> SkinKey {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(bytemuck::cast_slice(&pose.globals));
    hasher.write(bytemuck::cast_slice(&pose.pose.morph_weights));
    SkinKey::Hash(hasher.finish())
}

/// What each half of the deformed vertices was last made from.
#[derive(Clone, Debug)]
pub struct SkinCache {
    halves: [Vec<Option<SkinKey>>; 2],
}

impl SkinCache {
    /// A cache in which nothing was deformed yet.
    pub fn new(characters: usize) -> Self {
        Self {
            halves: [vec![None; characters], vec![None; characters]],
        }
    }

    /// The characters of which `half` holds something else than `keys` say, one key a character or a
    /// single one for all. They count as deformed from now on.
    pub fn stale(&mut self, half: usize, keys: &[SkinKey]) -> Vec<u32> {
        let mut stale = Vec::new();
        for (character, known) in self.halves[half].iter_mut().enumerate() {
            let key = match keys {
                [one] => Some(*one),
                all => all.get(character).copied(),
            };
            if key.is_none() || *known != key {
                *known = key;
                stale.push(character as u32);
            }
        }
        stale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Mat4;

    fn revisions(buffer: u64, revisions: &[u64]) -> Vec<SkinKey> {
        let key = |revision: &u64| SkinKey::Revision {
            buffer,
            revision: *revision,
        };
        revisions.iter().map(key).collect()
    }

    #[test]
    fn only_what_changed_is_stale_and_each_half_knows_its_own() {
        let mut cache = SkinCache::new(3);
        assert_eq!(cache.stale(0, &revisions(7, &[0, 0, 0])), [0, 1, 2]);
        assert_eq!(cache.stale(1, &revisions(7, &[0, 0, 0])), [0, 1, 2]);
        assert_eq!(cache.stale(0, &revisions(7, &[1, 0, 2])), [0, 2]);
        assert_eq!(cache.stale(1, &revisions(7, &[1, 0, 2])), [0, 2]);
        assert!(cache.stale(0, &revisions(7, &[1, 0, 2])).is_empty());
    }

    #[test]
    fn a_reallocated_palette_is_stale_by_revision_and_not_by_hash() {
        let pose = InstancePose {
            globals: vec![Mat4::IDENTITY; 3],
            ..InstancePose::default()
        };
        let (mut by_revision, mut by_hash) = (SkinCache::new(1), SkinCache::new(1));
        by_revision.stale(0, &revisions(1, &[5]));
        by_hash.stale(0, &[hash_pose(&pose)]);
        // The same contents in another buffer.
        assert_eq!(by_revision.stale(0, &revisions(2, &[5])), [0]);
        assert!(by_hash.stale(0, &[hash_pose(&pose.clone())]).is_empty());
        // Other contents in the same buffer, whose revision nobody raised: only the hash sees it.
        let moved = InstancePose {
            globals: vec![Mat4::from_scale(glam::Vec3::splat(1.0000001)); 3],
            ..pose
        };
        assert!(by_revision.stale(0, &revisions(2, &[5])).is_empty());
        assert_eq!(by_hash.stale(0, &[hash_pose(&moved)]), [0]);
    }

    #[test]
    fn one_key_serves_all_characters() {
        let mut cache = SkinCache::new(3);
        assert_eq!(cache.stale(0, &revisions(1, &[0])), [0, 1, 2]);
        assert!(cache.stale(0, &revisions(1, &[0])).is_empty());
        assert_eq!(cache.stale(0, &revisions(1, &[1])), [0, 1, 2]);
    }
}
