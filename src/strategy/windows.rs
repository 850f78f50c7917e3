//! Splitting what is too big: dispatches by workgroup count, buffers by storage range. Pure.

use std::ops::Range;

/// A part of a buffer that one descriptor shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Byte offset, aligned.
    pub offset: u64,
    /// Bytes.
    pub range: u64,
}

/// Windows over a buffer of `total` bytes, each at most `max_range` bytes, such that every run of
/// `chunk` bytes that starts anywhere lies whole in one of them.
///
/// Window n starts at n times the step, so the window of a byte is its quotient by the step. `None` where
/// `chunk` does not fit.
pub fn windows(
    total: u64,
    chunk: u64,
    max_range: u64,
    alignment: u64,
) -> Option<(Vec<Window>, u64)> {
    if total <= max_range {
        return Some((
            vec![Window {
                offset: 0,
                range: total.max(4),
            }],
            u64::MAX,
        ));
    }
    let alignment = alignment.max(1);
    let step = max_range.checked_sub(chunk)? / alignment * alignment;
    if step == 0 {
        return None;
    }
    let all = (0..total.div_ceil(step))
        .map(|n| Window {
            offset: n * step,
            range: max_range.min(total - n * step),
        })
        .collect();
    Some((all, step))
}

/// Which window holds the chunk that starts at `byte`, and where in the window it starts.
pub fn window_of(byte: u64, step: u64) -> (usize, u64) {
    ((byte / step) as usize, byte % step)
}

/// One dispatch over consecutive vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// The vertices.
    pub vertices: Range<u64>,
    /// Workgroups along x: never 0, never above the limit.
    pub groups: u32,
}

/// Dispatches that run each of `vertices` once, in workgroups of `workgroup`, at most `max_groups`
/// of them and at most `max_vertices` vertices each. None for no vertices.
pub fn dispatches(
    vertices: u64,
    workgroup: u32,
    max_groups: u32,
    max_vertices: u64,
) -> Vec<Dispatch> {
    let whole_groups = u64::from(workgroup) * u64::from(max_groups.max(1));
    let most = whole_groups.min(max_vertices).max(1);
    let mut all = Vec::new();
    let mut next = 0;
    while next < vertices {
        let end = vertices.min(next + most);
        let groups = (end - next).div_ceil(u64::from(workgroup)) as u32;
        all.push(Dispatch {
            vertices: next..end,
            groups,
        });
        next = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_is_in_exactly_one_dispatch() {
        for (vertices, workgroup, limit) in [
            (0, 64, 65_535),
            (1, 64, 65_535),
            (63, 64, 2),
            (64, 64, 2),
            (65, 64, 2),
            (129, 64, 2),
            (5_184_000, 64, 65_535),
        ] {
            let all = dispatches(vertices, workgroup, limit, u64::MAX);
            let mut next = 0;
            for dispatch in &all {
                assert_eq!(dispatch.vertices.start, next);
                next = dispatch.vertices.end;
                assert!(dispatch.groups >= 1 && dispatch.groups <= limit);
                let covered = u64::from(dispatch.groups) * u64::from(workgroup);
                let count = dispatch.vertices.end - next.min(dispatch.vertices.start);
                assert!(covered >= count && covered < count + u64::from(workgroup));
            }
            assert_eq!(next, vertices);
        }
        assert_eq!(dispatches(4_194_240, 64, 65_535, u64::MAX).len(), 1);
        assert_eq!(dispatches(4_194_241, 64, 65_535, u64::MAX).len(), 2);
        assert_eq!(dispatches(100, 64, 65_535, 40).len(), 3);
    }

    #[test]
    fn a_small_buffer_has_one_window() {
        let (all, step) = windows(1000, 100, 1000, 256).unwrap_or_default();
        assert_eq!(
            all,
            [Window {
                offset: 0,
                range: 1000
            }]
        );
        assert_eq!(window_of(999, step), (0, 999));
    }

    #[test]
    fn every_chunk_of_a_big_buffer_lies_in_its_window() {
        let (total, chunk, max, alignment) = (10_000u64, 300, 1_024, 256);
        let (all, step) = windows(total, chunk, max, alignment).unwrap_or_default();
        assert!(
            all.iter()
                .all(|w| w.offset % alignment == 0 && w.range <= max)
        );
        for byte in 0..=total - chunk {
            let (index, within) = window_of(byte, step);
            assert_eq!(all[index].offset + within, byte);
            assert!(within + chunk <= all[index].range, "{byte}");
        }
        assert_eq!(windows(10_000, 1_000, 1_024, 256), None);
    }
}
