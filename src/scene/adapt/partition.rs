//! Cutting big skins into parts of few joints, as an engine does whose uniform array is small.

use std::collections::BTreeMap;

use super::order::picked;
use crate::scene::import::triangles;
use crate::scene::{Item, Mesh, PaletteSource, Scene, Skin, Topology};

/// Primitives that use few joints together.
#[derive(Default)]
struct Part {
    /// Joints of the skin, in the order of the part's own palette.
    joints: Vec<u16>,
    primitives: Vec<Vec<u32>>,
}

impl Part {
    fn missing(&self, joints: &[u16]) -> usize {
        joints.iter().filter(|j| !self.joints.contains(j)).count()
    }

    fn take(&mut self, primitive: Vec<u32>, joints: &[u16]) {
        for joint in joints {
            if !self.joints.contains(joint) {
                self.joints.push(*joint);
            }
        }
        self.primitives.push(primitive);
    }
}

/// The scene with every skin of more than `most` joints cut: its items become one a part, each with a
/// mesh, a skin and a palette of its own, in which vertices on a border appear more than once. Gives
/// for each vertex of the character where it is now (the first time). `None` where nothing is cut.
pub(super) fn partition(scene: &Scene, most: usize) -> Option<(Scene, Vec<u32>)> {
    let is_big = |item: &Item| scene.joint_count(item.palette) > most;
    if !scene.items.iter().any(is_big) {
        return None;
    }
    let mut out = scene.clone();
    (out.items, out.meshes, out.palettes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut origin, mut next) = (Vec::new(), 0u32);
    for item in &scene.items {
        let mesh = &scene.meshes[item.mesh];
        let parts = match (is_big(item), scene.palettes[item.palette]) {
            (true, PaletteSource::Skin(skin)) => cut(mesh, &scene.skins[skin], most),
            _ => vec![(mesh.clone(), None, (0..mesh.vertex_count()).collect())],
        };
        let mut placed: Vec<Option<u32>> = vec![None; mesh.vertex_count()];
        for (part, skin, order) in parts {
            for (at, vertex) in order.iter().enumerate() {
                placed[*vertex].get_or_insert(next + at as u32);
            }
            next += part.vertex_count() as u32;
            push(&mut out, scene, item, part, skin);
        }
        origin.extend(placed.into_iter().map(|at| at.unwrap_or(0)));
    }
    Some((out, origin))
}

fn push(out: &mut Scene, scene: &Scene, item: &Item, mesh: Mesh, skin: Option<Skin>) {
    out.meshes.push(mesh);
    let source = match skin {
        Some(skin) => {
            out.skins.push(skin);
            PaletteSource::Skin(out.skins.len() - 1)
        }
        None => scene.palettes[item.palette],
    };
    out.palettes.push(source);
    out.items.push(Item {
        mesh: out.meshes.len() - 1,
        palette: out.palettes.len() - 1,
        ..item.clone()
    });
}

/// The parts of a mesh: each with its skin and the vertices it took.
fn cut(mesh: &Mesh, skin: &Skin, most: usize) -> Vec<(Mesh, Option<Skin>, Vec<usize>)> {
    let mut parts: Vec<Part> = Vec::new();
    for primitive in primitives(mesh) {
        let joints = joints_of(mesh, &primitive);
        // The first part with room, so that few are begun.
        let room = |part: &Part| part.joints.len() + part.missing(&joints) <= most;
        let found = parts.iter().position(room).unwrap_or_else(|| {
            parts.push(Part::default());
            parts.len() - 1
        });
        parts[found].take(primitive, &joints);
    }
    parts
        .iter()
        .map(|part| assemble(mesh, skin, part))
        .collect()
}

/// Triangles, and every vertex that is in none by itself.
fn primitives(mesh: &Mesh) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = match mesh.topology.has_surface() {
        true => triangles(mesh.topology, &mesh.indices)
            .into_iter()
            .map(Vec::from)
            .collect(),
        false => Vec::new(),
    };
    let mut seen = vec![false; mesh.vertex_count()];
    for vertex in all.iter().flatten() {
        seen[*vertex as usize] = true;
    }
    let alone = (0..mesh.vertex_count() as u32).filter(|vertex| !seen[*vertex as usize]);
    all.extend(alone.map(|vertex| vec![vertex]));
    all
}

/// The distinct joints that move a primitive. A slot of weight zero has joint 0, which counts: a
/// kernel reads it.
fn joints_of(mesh: &Mesh, primitive: &[u32]) -> Vec<u16> {
    let n = mesh.influences;
    let of = |vertex: &u32| mesh.joints[*vertex as usize * n..(*vertex as usize + 1) * n].iter();
    let mut all: Vec<u16> = primitive.iter().flat_map(of).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn assemble(mesh: &Mesh, skin: &Skin, part: &Part) -> (Mesh, Option<Skin>, Vec<usize>) {
    let mut order: Vec<usize> = Vec::new();
    let mut known: BTreeMap<u32, u32> = BTreeMap::new();
    let mut place = |vertex: u32| {
        *known.entry(vertex).or_insert_with(|| {
            order.push(vertex as usize);
            order.len() as u32 - 1
        })
    };
    let mut indices = Vec::new();
    for primitive in &part.primitives {
        let placed = primitive.iter().map(|vertex| place(*vertex));
        match primitive.len() {
            3 => indices.extend(placed),
            _ => placed.for_each(drop),
        }
    }
    let mut out = picked(mesh, &order);
    if mesh.topology.has_surface() {
        (out.indices, out.topology) = (indices, Topology::Triangles);
    } else {
        (out.indices, out.topology) = ((0..order.len() as u32).collect(), Topology::Points);
    }
    for joint in &mut out.joints {
        let own = part.joints.iter().position(|known| known == joint);
        *joint = own.unwrap_or(0) as u16;
    }
    let joints = part.joints.iter().map(|joint| usize::from(*joint));
    let small = Skin {
        name: skin.name.clone(),
        joints: joints.clone().map(|joint| skin.joints[joint]).collect(),
        inverse_bind_matrices: joints
            .map(|joint| skin.inverse_bind_matrices[joint])
            .collect(),
    };
    (out, Some(small), order)
}
