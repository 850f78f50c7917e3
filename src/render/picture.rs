//! Comparing the pictures of two places.

use glam::{Mat4, Vec3, Vec4Swizzles};

/// What the passes of a frame left in one target: each attachment tightly packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height in pixels.
    pub extent: (u32, u32),
    /// Bytes a pixel and the bytes themselves, one entry an attachment.
    pub planes: Vec<(usize, Vec<u8>)>,
}

/// Pixels in which two pictures differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Indices of pixels, row by row.
    pub pixels: Vec<usize>,
}

impl Picture {
    /// Where `self` and `other` differ in any attachment. Pictures of different shape differ everywhere.
    pub fn differences(&self, other: &Self) -> Differences {
        let count = self.extent.0 as usize * self.extent.1 as usize;
        if self.extent != other.extent || self.planes.len() != other.planes.len() {
            return Differences {
                pixels: (0..count).collect(),
            };
        }
        let differs = |pixel: &usize| {
            self.planes
                .iter()
                .zip(&other.planes)
                .any(|((size, a), (_, b))| {
                    let range = pixel * size..(pixel + 1) * size;
                    a.get(range.clone()) != b.get(range)
                })
        };
        Differences {
            pixels: (0..count).filter(differs).collect(),
        }
    }

    /// Pixels whose depth (the last attachment, 32-bit float) is not the cleared 1.
    pub fn covered_pixels(&self) -> u64 {
        let Some((4, depth)) = self.planes.last() else {
            return 0;
        };
        depth
            .chunks_exact(4)
            .filter(|bytes| *bytes != 1.0f32.to_le_bytes())
            .count() as u64
    }
}

/// Pixels that triangles with a differing vertex may touch.
pub struct TriangleMask {
    extent: (u32, u32),
    allowed: Vec<bool>,
}

impl TriangleMask {
    /// Allows nothing.
    pub fn new(extent: (u32, u32)) -> Self {
        Self {
            extent,
            allowed: vec![false; extent.0 as usize * extent.1 as usize],
        }
    }

    /// Allows the pixels of a triangle, and one pixel around it, since both places' versions of
    /// the triangle may cover them. A triangle that reaches behind the viewer allows everything.
    pub fn allow(&mut self, view: &Mat4, corners: [Vec3; 3]) {
        let clips = corners.map(|corner| *view * corner.extend(1.0));
        if clips.iter().any(|clip| clip.w.is_nan() || clip.w <= 0.0) {
            self.allowed.fill(true);
            return;
        }
        let size = Vec3::new(self.extent.0 as f32, self.extent.1 as f32, 1.0);
        let points = clips.map(|clip| (clip.xyz() / clip.w * 0.5 + 0.5) * size);
        let low = points[0].min(points[1]).min(points[2]) - 1.5;
        let high = points[0].max(points[1]).max(points[2]) + 1.5;
        let span = |low: f32, high: f32, end: u32| {
            (low.max(0.0) as usize)..((high.ceil().max(0.0) as usize).min(end as usize))
        };
        for y in span(low.y, high.y, self.extent.1) {
            for x in span(low.x, high.x, self.extent.0) {
                let center = Vec3::new(x as f32 + 0.5, y as f32 + 0.5, 0.0);
                if near_triangle(points, center) {
                    self.allowed[y * self.extent.0 as usize + x] = true;
                }
            }
        }
    }

    /// The first of `differences` outside every allowed triangle.
    pub fn first_outside(&self, differences: &Differences) -> Option<usize> {
        differences
            .pixels
            .iter()
            .copied()
            .find(|pixel| !self.allowed.get(*pixel).copied().unwrap_or(false))
    }
}

/// Whether `p` lies in the triangle or within 1.5 pixels of it, in the plane of the picture.
fn near_triangle(points: [Vec3; 3], p: Vec3) -> bool {
    let edge = |a: Vec3, b: Vec3| {
        let (d, to) = ((b - a).truncate(), (p - a).truncate());
        let length = d.length().max(1e-6);
        (d.x * to.y - d.y * to.x) / length
    };
    let distances = [
        edge(points[0], points[1]),
        edge(points[1], points[2]),
        edge(points[2], points[0]),
    ];
    distances.iter().all(|d| *d >= -1.5) || distances.iter().all(|d| *d <= 1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: &[u8]) -> Picture {
        Picture {
            extent: (2, 2),
            planes: vec![(1, bytes.to_vec())],
        }
    }

    #[test]
    fn pixels_that_differ_are_listed() {
        let (a, b) = (picture(&[1, 2, 3, 4]), picture(&[1, 9, 3, 8]));
        assert!(a.differences(&a).pixels.is_empty());
        assert_eq!(a.differences(&b).pixels, [1, 3]);
        let other = Picture {
            extent: (2, 2),
            planes: vec![],
        };
        assert_eq!(a.differences(&other).pixels.len(), 4);
    }

    #[test]
    fn a_difference_outside_the_allowed_triangle_is_found() {
        let mut mask = TriangleMask::new((16, 16));
        // In normalised coordinates the identity view keeps x and y: the left lower quarter.
        let corners = [
            Vec3::new(-1.0, -1.0, 0.5),
            Vec3::new(-0.5, -1.0, 0.5),
            Vec3::new(-1.0, -0.5, 0.5),
        ];
        mask.allow(&Mat4::IDENTITY, corners);
        assert_eq!(
            mask.first_outside(&Differences {
                pixels: vec![0, 17]
            }),
            None
        );
        assert_eq!(
            mask.first_outside(&Differences {
                pixels: vec![0, 255]
            }),
            Some(255)
        );
        assert_eq!(
            TriangleMask::new((16, 16)).first_outside(&Differences { pixels: vec![0] }),
            Some(0)
        );
    }

    #[test]
    fn covered_pixels_are_those_whose_depth_was_written() {
        let depth: Vec<u8> = [1.0f32, 0.5, 1.0, 0.0]
            .iter()
            .flat_map(|d| d.to_le_bytes())
            .collect();
        let picture = Picture {
            extent: (2, 2),
            planes: vec![(4, depth)],
        };
        assert_eq!(picture.covered_pixels(), 2);
    }
}
