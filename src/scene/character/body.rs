//! The parts of the body: where they are, and how many joints and vertices each gets.

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::Options;

/// One tube of the body.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// For node names.
    pub name: &'static str,
    /// Where its axis starts, metres.
    pub base: DVec3,
    /// Where its dome ends.
    pub tip: DVec3,
    /// Radius at the base, metres.
    pub radius: f64,
    /// By what fraction the radius shrinks up to the dome.
    pub taper: f64,
    /// Where along the trunk it is attached, 0 to 1; `None` for the trunk.
    pub attached: Option<f64>,
    /// Whether texture coordinates run the other way round.
    pub mirrored: bool,
    /// How far the whole chain bends, radians.
    pub bend: f64,
    /// Joints of its chain, possibly none.
    pub joints: usize,
    /// Vertices of its surface.
    pub vertices: usize,
}

impl Part {
    /// Length of the axis, metres.
    pub fn length(&self) -> f64 {
        self.base.distance(self.tip)
    }

    /// Direction of the axis.
    pub fn direction(&self) -> DVec3 {
        (self.tip - self.base).normalize()
    }
}

/// Shares of joints and of vertices, in the order of the parts; each list sums to one.
const JOINT_SHARES: [f64; 6] = [0.20, 0.08, 0.18, 0.18, 0.18, 0.18];
const VERTEX_SHARES: [f64; 6] = [0.30, 0.10, 0.13, 0.13, 0.17, 0.17];

/// The parts, trunk first, with the options' joints and vertices shared out exactly.
pub(super) fn body(options: &Options, random: &mut Pcg64) -> Vec<Part> {
    let joints = share_out(options.joints, JOINT_SHARES);
    let vertices = share_out(options.vertices, VERTEX_SHARES);
    let mut parts = vec![
        part(
            "trunk",
            [0.0, 0.90, 0.0],
            [0.0, 1.52, 0.0],
            [0.17, 0.25, 0.3],
            None,
        ),
        part(
            "head",
            [0.0, 1.46, 0.0],
            [0.0, 1.80, 0.02],
            [0.09, 0.05, 0.3],
            Some(1.0),
        ),
        part(
            "left arm",
            [0.13, 1.40, 0.0],
            [0.75, 1.28, 0.0],
            [0.055, 0.4, 1.1],
            Some(0.85),
        ),
        part(
            "right arm",
            [-0.13, 1.40, 0.0],
            [-0.75, 1.28, 0.0],
            [0.055, 0.4, 1.1],
            Some(0.85),
        ),
        part(
            "left leg",
            [0.09, 0.95, 0.0],
            [0.12, 0.0, 0.0],
            [0.085, 0.45, 0.9],
            Some(0.0),
        ),
        part(
            "right leg",
            [-0.09, 0.95, 0.0],
            [-0.12, 0.0, 0.0],
            [0.085, 0.45, 0.9],
            Some(0.0),
        ),
    ];
    for ((part, joints), vertices) in parts.iter_mut().zip(joints).zip(vertices) {
        vary(part, random);
        part.joints = joints;
        part.vertices = vertices;
    }
    parts
}

/// `shape` is radius, taper and bend.
fn part(
    name: &'static str,
    base: [f64; 3],
    tip: [f64; 3],
    shape: [f64; 3],
    attached: Option<f64>,
) -> Part {
    let [radius, taper, bend] = shape;
    Part {
        name,
        base: base.into(),
        tip: tip.into(),
        radius,
        taper,
        attached,
        mirrored: name.starts_with("right"),
        bend,
        joints: 0,
        vertices: 0,
    }
}

/// Changes length, radius and bend by up to 5 %.
fn vary(part: &mut Part, random: &mut Pcg64) {
    let mut about_one = || random.random_range(0.95..1.05);
    part.tip = part.base + (part.tip - part.base) * about_one();
    part.radius *= about_one();
    part.bend *= about_one();
}

/// Splits `total` by the shares, rounded down; the trunk, which comes first, gets what is left.
fn share_out(total: usize, shares: [f64; 6]) -> [usize; 6] {
    let mut out = shares.map(|share| (share * total as f64) as usize);
    out[0] = total - out[1..].iter().sum::<usize>();
    out
}
