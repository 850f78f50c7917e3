//! The surface of one part: a round tube with a dome, for the trunk also a flat cap.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};

use super::body::Part;
use super::rig::Rig;
use super::weights::weights;
use crate::scene::Mesh;

/// Where the dome stops and a fan to its pole closes the tube.
const DOME_END: f64 = 75.0 * TAU / 360.0;
/// Fewest columns of quads around a tube.
const FEWEST_COLUMNS: usize = 6;

/// Vertices and triangles of one part.
#[derive(Default)]
pub(super) struct Piece {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    joints: Vec<u16>,
    weights: Vec<f32>,
    influences: usize,
    indices: Vec<u32>,
}

/// A point of the profile that turns around the axis.
#[derive(Clone, Copy)]
struct Profile {
    /// Distance from the base along the axis, metres.
    along: f64,
    /// Distance from the axis.
    radius: f64,
    /// The normal's parts away from and along the axis.
    normal: (f64, f64),
}

/// How a part's vertices are spent.
#[derive(Clone, Copy)]
struct Grid {
    rings: usize,
    /// Quads around; a ring has one vertex more, the seam.
    columns: usize,
    /// Quads that get a vertex in their middle, so that the total comes out exactly.
    centres: usize,
    capped: bool,
}

/// Makes the surface of `part`, with exactly its number of vertices.
pub(super) fn piece(parts: &[Part], index: usize, rig: &Rig, influences: usize) -> Piece {
    let part = &parts[index];
    let grid = Grid::new(part);
    let mut maker = Maker {
        part,
        grid,
        frame: frame(part.direction()),
        piece: Piece {
            influences,
            ..Piece::default()
        },
        weights_at: Box::new(move |along| weights(rig, parts, index, along, influences)),
    };
    maker.rings();
    maker.quads();
    maker.dome_pole();
    if grid.capped {
        maker.cap();
    }
    maker.piece
}

impl Grid {
    fn new(part: &Part) -> Self {
        let capped = part.attached.is_none();
        let roundness = TAU * part.radius / part.length();
        let columns = (part.vertices as f64 * roundness).sqrt().round() as usize;
        let columns = columns.max(FEWEST_COLUMNS);
        // The pole; the cap's own ring and middle.
        let extra = 1 + if capped { columns + 2 } else { 0 };
        let rings = (part.vertices - extra) / (columns + 1);
        let centres = part.vertices - extra - rings * (columns + 1);
        Self {
            rings,
            columns,
            centres,
            capped,
        }
    }

    fn vertex(&self, ring: usize, column: usize) -> u32 {
        (ring * (self.columns + 1) + column) as u32
    }
}

/// Two directions that form a right-handed system with `axis`.
fn frame(axis: DVec3) -> [DVec3; 3] {
    let [e1, e2] = <[DVec3; 2]>::from(axis.any_orthonormal_pair());
    if e1.cross(e2).dot(axis) < 0.0 {
        [e2, e1, axis]
    } else {
        [e1, e2, axis]
    }
}

/// Joints and weights at a fraction of the axis.
type WeightsAt<'a> = Box<dyn Fn(f64) -> (Vec<u16>, Vec<f32>) + 'a>;

struct Maker<'a> {
    part: &'a Part,
    grid: Grid,
    frame: [DVec3; 3],
    piece: Piece,
    weights_at: WeightsAt<'a>,
}

impl Maker<'_> {
    /// The profile at a ring, or between two for a fraction.
    fn profile(&self, ring: f64) -> Profile {
        let Part { radius, taper, .. } = *self.part;
        let dome = radius * (1.0 - taper);
        let side = self.part.length() - dome;
        let arc = ring / (self.grid.rings - 1) as f64 * (side + dome * DOME_END);
        if arc <= side {
            let slope = radius * taper / side;
            let length = slope.hypot(1.0);
            let normal = (1.0 / length, slope / length);
            Profile {
                along: arc,
                radius: radius - slope * arc,
                normal,
            }
        } else {
            let (sine, cosine) = ((arc - side) / dome).sin_cos();
            Profile {
                along: side + dome * sine,
                radius: dome * cosine,
                normal: (cosine, sine),
            }
        }
    }

    fn outward(&self, turn: f64) -> DVec3 {
        let (sine, cosine) = (TAU * turn).sin_cos();
        self.frame[0] * cosine + self.frame[1] * sine
    }

    fn fraction(&self, along: f64) -> f64 {
        (along / self.part.length()).clamp(0.0, 1.0)
    }

    /// A vertex on the side or dome, at a fraction of a turn.
    fn side_vertex(&mut self, profile: &Profile, turn: f64, weights: &(Vec<u16>, Vec<f32>)) {
        let axis = self.frame[2];
        let outward = self.outward(turn);
        let position = self.part.base + axis * profile.along + outward * profile.radius;
        let normal = outward * profile.normal.0 + axis * profile.normal.1;
        self.piece
            .push(position, normal, self.along_u(axis.cross(outward)), weights);
    }

    /// Tangent and handedness for texture coordinates that run with `around`, or against it on a
    /// mirrored part.
    fn along_u(&self, around: DVec3) -> (DVec3, f32) {
        if self.part.mirrored {
            (-around, -1.0)
        } else {
            (around, 1.0)
        }
    }

    fn rings(&mut self) {
        let columns = self.grid.columns;
        for ring in 0..self.grid.rings {
            let profile = self.profile(ring as f64);
            let weights = (self.weights_at)(self.fraction(profile.along));
            for column in 0..=columns {
                // The seam's two columns are the same point to the last bit.
                let turn = (column % columns) as f64 / columns as f64;
                self.side_vertex(&profile, turn, &weights);
            }
        }
    }

    fn quads(&mut self) {
        let Grid {
            rings,
            columns,
            centres,
            ..
        } = self.grid;
        let quads = columns * (rings - 1);
        let mut middle_of_ring = (usize::MAX, Default::default());
        for quad in 0..quads {
            let (ring, column) = (quad / columns, quad % columns);
            // Spreads the middles evenly: true for exactly `centres` of the quads.
            if (quad + 1) * centres / quads > quad * centres / quads {
                let profile = self.profile(ring as f64 + 0.5);
                if middle_of_ring.0 != ring {
                    middle_of_ring = (ring, (self.weights_at)(self.fraction(profile.along)));
                }
                self.star(&profile, ring, column, &middle_of_ring.1);
            } else {
                let [a, b, c, d] = self.corners(ring, column);
                self.piece.indices.extend([a, b, c, a, c, d]);
            }
        }
    }

    fn corners(&self, ring: usize, column: usize) -> [u32; 4] {
        let at = |ring, column| self.grid.vertex(ring, column);
        [
            at(ring, column),
            at(ring, column + 1),
            at(ring + 1, column + 1),
            at(ring + 1, column),
        ]
    }

    /// Four triangles around a vertex in the middle of a quad.
    fn star(
        &mut self,
        profile: &Profile,
        ring: usize,
        column: usize,
        weights: &(Vec<u16>, Vec<f32>),
    ) {
        let middle = self.piece.next();
        self.side_vertex(
            profile,
            (column as f64 + 0.5) / self.grid.columns as f64,
            weights,
        );
        let [a, b, c, d] = self.corners(ring, column);
        let fan = [a, b, middle, b, c, middle, c, d, middle, d, a, middle];
        self.piece.indices.extend(fan);
    }

    fn dome_pole(&mut self) {
        let pole = self.piece.next();
        let tangent = self.along_u(self.frame[0]);
        self.piece.push(
            self.part.tip,
            self.frame[2],
            tangent,
            &(self.weights_at)(1.0),
        );
        let last = self.grid.rings - 1;
        for column in 0..self.grid.columns {
            let [a, b] = [column, column + 1].map(|column| self.grid.vertex(last, column));
            self.piece.indices.extend([a, b, pole]);
        }
    }

    /// A disc that closes the base, its edge hard: the first ring again, with other normals.
    fn cap(&mut self) {
        let (first, columns) = (self.piece.next(), self.grid.columns as u32);
        let down = -self.frame[2];
        let tangent = self.along_u(self.frame[0]);
        let weights = (self.weights_at)(0.0);
        for column in 0..=columns {
            let turn = f64::from(column % columns) / f64::from(columns);
            let position = self.part.base + self.outward(turn) * self.profile(0.0).radius;
            self.piece.push(position, down, tangent, &weights);
        }
        let middle = self.piece.next();
        self.piece.push(self.part.base, down, tangent, &weights);
        for column in first..first + columns {
            self.piece.indices.extend([middle, column + 1, column]);
        }
    }
}

impl Piece {
    /// Index that the next vertex gets.
    fn next(&self) -> u32 {
        self.positions.len() as u32
    }

    fn push(
        &mut self,
        position: DVec3,
        normal: DVec3,
        (tangent, handedness): (DVec3, f32),
        (joints, weights): &(Vec<u16>, Vec<f32>),
    ) {
        self.positions.push(position.as_vec3().to_array());
        self.normals.push(normal.normalize().as_vec3().to_array());
        let tangent: Vec3 = tangent.normalize().as_vec3();
        self.tangents.push(tangent.extend(handedness).to_array());
        self.joints.extend_from_slice(joints);
        self.weights.extend_from_slice(weights);
    }

    /// The same surface, triangles ordered for the vertex cache and vertices by first use.
    pub fn optimised(self) -> Self {
        let count = self.positions.len();
        let indices = meshopt::optimize_vertex_cache(&self.indices, count);
        // Maps an old index to a new one; every vertex is used.
        let remap = meshopt::optimize_vertex_fetch_remap(&indices, count);
        let mut old_of_new = vec![0usize; count];
        for (old, &new) in remap.iter().enumerate() {
            old_of_new[new as usize] = old;
        }
        let n = self.influences;
        Self {
            positions: gather(&self.positions, &old_of_new),
            normals: gather(&self.normals, &old_of_new),
            tangents: gather(&self.tangents, &old_of_new),
            joints: gather_slots(&self.joints, &old_of_new, n),
            weights: gather_slots(&self.weights, &old_of_new, n),
            influences: n,
            indices: indices.iter().map(|&old| remap[old as usize]).collect(),
        }
    }

    /// Adds the piece to the mesh of the whole character.
    pub fn append_to(self, mesh: &mut Mesh) {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(self.positions);
        mesh.normals.extend(self.normals);
        mesh.tangents.extend(self.tangents);
        mesh.joints.extend(self.joints);
        mesh.weights.extend(self.weights);
        mesh.indices
            .extend(self.indices.iter().map(|index| first + index));
    }
}

fn gather<T: Copy>(list: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|&index| list[index]).collect()
}

fn gather_slots<T: Copy>(list: &[T], order: &[usize], slots: usize) -> Vec<T> {
    order
        .iter()
        .flat_map(|&index| &list[slots * index..slots * (index + 1)])
        .copied()
        .collect()
}
