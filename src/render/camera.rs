//! Where characters stand, and from where they are seen.

use glam::camera::rh::proj::vulkan;
use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec2, Vec3};

/// From where a pass looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewpoint {
    /// The camera.
    Main,
    /// The light. 0 sees all characters; cascade n sees 2⁻ⁿ of that width around the first.
    Light(u32),
}

/// Characters in rows along +X, row after row along +Z, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Characters in a row.
    pub columns: u32,
    /// From one character to the next along x and z.
    pub step: Vec2,
    /// How many there are.
    pub instances: u32,
}

impl Grid {
    /// A grid as square as it can be, a quarter of a character's box between them.
    pub fn new(instances: u32, low: Vec3, high: Vec3) -> Self {
        let columns = (1..=instances).find(|c| c * c >= instances).unwrap_or(1);
        let size = (high - low).max(Vec3::splat(1e-3)) * 1.25;
        Self {
            columns,
            step: Vec2::new(size.x, size.z),
            instances,
        }
    }

    /// What instance `index` is moved by: the shaders compute the same.
    pub fn placement(&self, index: u32) -> Vec3 {
        let (column, row) = (index % self.columns, index / self.columns);
        Vec3::new(self.step.x * column as f32, 0.0, self.step.y * row as f32)
    }

    fn rows(&self) -> u32 {
        self.instances.div_ceil(self.columns)
    }
}

/// World-to-clip matrices of a frame. Depth runs from 0 (near) to 1, y points down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Views {
    center: Vec3,
    /// Centre of the first character.
    focus: Vec3,
    radius: f32,
    aspect: f32,
}

impl Views {
    /// Views that hold all characters of `grid`, each in the box from `low` to `high`.
    pub fn new(grid: &Grid, low: Vec3, high: Vec3, extent: (u32, u32)) -> Self {
        let last = Vec3::new(
            grid.step.x * (grid.columns - 1) as f32,
            0.0,
            grid.step.y * (grid.rows() - 1) as f32,
        );
        let focus = (low + high) / 2.0;
        let high = high + last;
        Self {
            center: (low + high) / 2.0,
            focus,
            radius: ((high - low).length() / 2.0).max(1e-3),
            aspect: extent.0 as f32 / extent.1 as f32,
        }
    }

    /// The matrix of a viewpoint.
    pub fn matrix(&self, viewpoint: Viewpoint) -> Mat4 {
        match viewpoint {
            Viewpoint::Main => self.main(),
            Viewpoint::Light(cascade) => self.light(cascade),
        }
    }

    fn main(&self) -> Mat4 {
        let half_angle = 20f32.to_radians();
        // The narrower side of the picture must hold the sphere.
        let narrow = (half_angle.tan() * self.aspect.min(1.0)).atan();
        let distance = self.radius / narrow.sin();
        let eye = self.center + Vec3::new(0.35, 0.3, 1.0).normalize() * distance;
        let near = (distance - self.radius * 1.01).max(distance * 1e-3);
        let projection = vulkan::perspective(
            2.0 * half_angle,
            self.aspect,
            near,
            distance + self.radius * 1.01,
        );
        projection * look_at_mat4(eye, self.center, Vec3::Y)
    }

    fn light(&self, cascade: u32) -> Mat4 {
        let at = if cascade == 0 {
            self.center
        } else {
            self.focus
        };
        let eye = at + Vec3::new(0.3, 1.0, 0.2).normalize() * self.radius * 2.0;
        let half = self.radius / (1u32 << cascade) as f32;
        let projection = vulkan::orthographic(
            -half,
            half,
            -half,
            half,
            self.radius * 0.5,
            self.radius * 3.5,
        );
        projection * look_at_mat4(eye, at, Vec3::Y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_square_and_holds_all() {
        for (instances, columns) in [(1, 1), (2, 2), (4, 2), (5, 3), (16, 4), (17, 5)] {
            let grid = Grid::new(instances, Vec3::ZERO, Vec3::ONE);
            assert_eq!(grid.columns, columns);
            assert!(grid.columns * grid.rows() >= instances);
        }
    }

    #[test]
    fn every_corner_of_every_character_is_in_the_picture() {
        let (low, high) = (Vec3::new(-1.0, 0.0, -0.5), Vec3::new(2.0, 3.0, 1.0));
        for (instances, extent) in [(1, (256, 256)), (16, (512, 128)), (7, (64, 256))] {
            let grid = Grid::new(instances, low, high);
            let views = Views::new(&grid, low, high, extent);
            for viewpoint in [Viewpoint::Main, Viewpoint::Light(0)] {
                for (instance, corner) in (0..instances).flat_map(|i| (0..8u8).map(move |c| (i, c)))
                {
                    let pick = |bit: u8, l: f32, h: f32| if corner & bit == 0 { l } else { h };
                    let at = Vec3::new(
                        pick(1, low.x, high.x),
                        pick(2, low.y, high.y),
                        pick(4, low.z, high.z),
                    );
                    let clip = views
                        .matrix(viewpoint)
                        .project_point3(at + grid.placement(instance));
                    assert!(
                        clip.x.abs() <= 1.0 && clip.y.abs() <= 1.0,
                        "{viewpoint:?} {clip}"
                    );
                    assert!((0.0..=1.0).contains(&clip.z), "{viewpoint:?} {clip}");
                }
            }
        }
    }

    #[test]
    fn up_is_up_in_the_picture() {
        let grid = Grid::new(1, Vec3::ZERO, Vec3::ONE);
        let views = Views::new(&grid, Vec3::ZERO, Vec3::ONE, (64, 64));
        let y = |p: Vec3| views.matrix(Viewpoint::Main).project_point3(p).y;
        assert!(y(Vec3::new(0.5, 1.0, 0.5)) < y(Vec3::new(0.5, 0.0, 0.5)));
    }
}
