//! Vectors and matrices of four vertices, one a lane.

use glam::{Mat4, Vec3, Vec4};

use crate::deform::skin::{LARGEST_LENGTH_SQUARED, SMALLEST_LENGTH_SQUARED};

/// A vector of each of four vertices, one a lane.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    pub(super) x: Vec4,
    pub(super) y: Vec4,
    pub(super) z: Vec4,
}

impl Lanes {
    #[inline(always)]
    pub(super) fn new(v: [Vec3; 4]) -> Self {
        let [a, b, c, d] = v;
        Self {
            x: Vec4::new(a.x, b.x, c.x, d.x),
            y: Vec4::new(a.y, b.y, c.y, d.y),
            z: Vec4::new(a.z, b.z, c.z, d.z),
        }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub(super) fn times(self, factor: Vec4) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    #[inline(always)]
    pub(super) fn normalised_or(self, kept: Self) -> Self {
        let squared = self.dot(self);
        let fits = squared.cmpgt(Vec4::splat(SMALLEST_LENGTH_SQUARED))
            & squared.cmplt(Vec4::splat(LARGEST_LENGTH_SQUARED));
        let scaled = self.times(Vec4::ONE / squared.sqrt());
        Self {
            x: Vec4::select(fits, scaled.x, kept.x),
            y: Vec4::select(fits, scaled.y, kept.y),
            z: Vec4::select(fits, scaled.z, kept.z),
        }
    }

    /// Writes four positions.
    #[inline(always)]
    pub(super) fn store<const FLOATS: usize>(self, out: &mut [[f32; FLOATS]; 4]) {
        for (out, [x, y, z, _]) in out
            .iter_mut()
            .zip(by_vertex(self.x, self.y, self.z, self.z))
        {
            out[0] = x;
            out[1] = y;
            out[2] = z;
        }
    }
}

/// The blended matrices of four vertices: rows of the linear part, and translations.
pub(super) struct Matrices {
    pub(super) linear: [Lanes; 3],
    pub(super) offset: Lanes,
}

impl Matrices {
    #[inline(always)]
    pub(super) fn new(rows: [[Vec4; 3]; 4]) -> Self {
        let [a, b, c, d] = rows;
        let row = |r: usize| Mat4::from_cols(a[r], b[r], c[r], d[r]).transpose();
        let (r0, r1, r2) = (row(0), row(1), row(2));
        let linear = |row: Mat4| Lanes {
            x: row.x_axis,
            y: row.y_axis,
            z: row.z_axis,
        };
        Self {
            linear: [linear(r0), linear(r1), linear(r2)],
            offset: Lanes {
                x: r0.w_axis,
                y: r1.w_axis,
                z: r2.w_axis,
            },
        }
    }

    #[inline(always)]
    pub(super) fn position(&self, p: Lanes) -> Lanes {
        let turned = transform(&self.linear, p);
        Lanes {
            x: turned.x + self.offset.x,
            y: turned.y + self.offset.y,
            z: turned.z + self.offset.z,
        }
    }

    /// Rows of the cofactor matrices, and 1 or -1 with the sign of the determinants.
    #[inline(always)]
    pub(super) fn cofactors(&self) -> ([Lanes; 3], Vec4) {
        let [r0, r1, r2] = self.linear;
        let cofactors = [r1.cross(r2), r2.cross(r0), r0.cross(r1)];
        let negative = r0.dot(cofactors[0]).cmplt(Vec4::ZERO);
        (cofactors, Vec4::select(negative, Vec4::NEG_ONE, Vec4::ONE))
    }
}

#[inline(always)]
pub(super) fn transform(rows: &[Lanes; 3], v: Lanes) -> Lanes {
    Lanes {
        x: rows[0].dot(v),
        y: rows[1].dot(v),
        z: rows[2].dot(v),
    }
}

/// Four numbers a vertex from four lanes a number.
#[inline(always)]
fn by_vertex(a: Vec4, b: Vec4, c: Vec4, d: Vec4) -> [[f32; 4]; 4] {
    let m = Mat4::from_cols(a, b, c, d).transpose();
    [
        m.x_axis.to_array(),
        m.y_axis.to_array(),
        m.z_axis.to_array(),
        m.w_axis.to_array(),
    ]
}

#[inline(always)]
pub(super) fn store_normals<const FLOATS: usize>(out: &mut [[f32; FLOATS]; 4], p: Lanes, n: Lanes) {
    let first = by_vertex(p.x, p.y, p.z, n.x);
    let second = by_vertex(n.y, n.z, n.y, n.z);
    for ((out, first), [y, z, ..]) in out.iter_mut().zip(first).zip(second) {
        out[..4].copy_from_slice(&first);
        out[4] = y;
        out[5] = z;
    }
}

#[inline(always)]
pub(super) fn store_tangents<const FLOATS: usize>(
    out: &mut [[f32; FLOATS]; 4],
    p: Lanes,
    n: Lanes,
    t: Lanes,
    handedness: Vec4,
) {
    let first = by_vertex(p.x, p.y, p.z, n.x);
    let second = by_vertex(n.y, n.z, t.x, t.y);
    let third = by_vertex(t.z, handedness, t.z, handedness);
    for (((out, first), second), [z, w, ..]) in out.iter_mut().zip(first).zip(second).zip(third) {
        out[..4].copy_from_slice(&first);
        out[4..8].copy_from_slice(&second);
        out[8] = z;
        out[9] = w;
    }
}
