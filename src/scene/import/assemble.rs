//! Puts the default scene together: which mesh is deformed by which palette.

use super::document::Document;
use super::error::ImportError;
use super::nodes::{self, Hierarchy};
use super::primitive::{self, Imported, Place};
use super::{clips, morph};
use crate::scene::{Item, PaletteSource, Pose, Scene, Skin};
use std::collections::HashMap;

/// The default scene of a parsed file.
pub(super) fn assemble(doc: &Document) -> Result<Scene, ImportError> {
    let hierarchy = nodes::read(doc)?;
    let weights = morph::read_weights(doc, &hierarchy.order)?;
    let drawn = Drawn::collect(doc, &hierarchy, &weights.ranges)?;
    let nodes = clips::Nodes {
        place_of: &hierarchy.place_of,
        morph_ranges: &weights.ranges,
    };
    let clips = clips::read(doc, &nodes)?;
    let locals = hierarchy
        .skeleton
        .nodes
        .iter()
        .map(|node| node.rest)
        .collect();
    Ok(Scene {
        source: doc.file.to_owned(),
        sha256: doc.sha256.clone(),
        normalised_weights: drawn.meshes.iter().map(|mesh| mesh.normalised).sum(),
        meshes: drawn
            .meshes
            .into_iter()
            .map(|imported| imported.mesh)
            .collect(),
        skins: drawn.skins,
        palettes: drawn.palettes,
        items: drawn.items,
        skeleton: hierarchy.skeleton,
        rest: Pose {
            locals,
            morph_weights: weights.defaults,
        },
        morph_ranges: weights.ranges,
        clips,
        warnings: doc.take_warnings(),
    })
}

/// A primitive of a mesh, with its influences or without.
type MeshKey = (usize, usize, bool);

/// What the default scene draws, each thing once.
struct Drawn<'a> {
    doc: &'a Document<'a>,
    hierarchy: &'a Hierarchy,
    meshes: Vec<Imported>,
    mesh_places: HashMap<MeshKey, Option<usize>>,
    skins: Vec<Skin>,
    skin_places: HashMap<usize, usize>,
    palettes: Vec<PaletteSource>,
    palette_places: HashMap<PaletteSource, usize>,
    items: Vec<Item>,
}

impl<'a> Drawn<'a> {
    /// Walks the default scene and reads what it draws.
    fn collect(
        doc: &'a Document<'a>,
        hierarchy: &'a Hierarchy,
        morph_ranges: &[(usize, usize)],
    ) -> Result<Self, ImportError> {
        let mut drawn = Self {
            doc,
            hierarchy,
            meshes: Vec::new(),
            mesh_places: HashMap::new(),
            skins: Vec::new(),
            skin_places: HashMap::new(),
            palettes: Vec::new(),
            palette_places: HashMap::new(),
            items: Vec::new(),
        };
        for node in scene_nodes(doc) {
            drawn.add_node(node, morph_ranges)?;
        }
        if drawn.items.is_empty() {
            return Err(ImportError::NothingToDeform {
                file: super::error::one_line(doc.file),
                what: "its default scene draws no mesh".into(),
            });
        }
        Ok(drawn)
    }

    /// Adds the items of one node of the file.
    fn add_node(
        &mut self,
        node: usize,
        morph_ranges: &[(usize, usize)],
    ) -> Result<(), ImportError> {
        let doc = self.doc;
        let json = &doc.root.nodes[node];
        let Some(mesh) = json.mesh.map(|mesh| mesh.value()) else {
            return Ok(());
        };
        let skin = json.skin.map(|skin| skin.value());
        let place = self.hierarchy.place_of[node];
        for (index, primitive) in doc.root.meshes[mesh].primitives.iter().enumerate() {
            let at = Place::new(doc, mesh, index, primitive);
            let used_skin = skin.filter(|_| at.has_joints());
            let Some(mesh) = self.mesh(&at, used_skin.is_some())? else {
                continue;
            };
            if skin != used_skin {
                doc.warn(&format!(
                    "node {node} has a skin, but {at} has no JOINTS_0; it follows the node rigidly"
                ));
            }
            let palette = match used_skin {
                Some(skin) => PaletteSource::Skin(self.skin(skin, mesh, &at)?),
                None => PaletteSource::Node(place),
            };
            let palette = self.palette(palette);
            let first_morph_weight = morph_ranges[place].0;
            self.items.push(Item {
                node: place,
                mesh,
                palette,
                first_morph_weight,
            });
        }
        Ok(())
    }

    /// The place of a mesh, read when it is first used.
    fn mesh(&mut self, at: &Place, skinned: bool) -> Result<Option<usize>, ImportError> {
        let key = (at.mesh, at.index, skinned);
        if let Some(place) = self.mesh_places.get(&key) {
            return Ok(*place);
        }
        let place = primitive::read(self.doc, at, skinned)?.map(|imported| {
            self.meshes.push(imported);
            self.meshes.len() - 1
        });
        self.mesh_places.insert(key, place);
        Ok(place)
    }

    /// The place of a skin, read when it is first used; the mesh must not reach beyond its joints.
    fn skin(&mut self, skin: usize, mesh: usize, at: &Place) -> Result<usize, ImportError> {
        let place = match self.skin_places.get(&skin) {
            Some(place) => *place,
            None => {
                self.skins
                    .push(nodes::read_skin(self.doc, skin, self.hierarchy)?);
                self.skin_places.insert(skin, self.skins.len() - 1);
                self.skins.len() - 1
            }
        };
        let joints = self.skins[place].joints.len();
        match self.meshes[mesh].highest {
            Some(highest) if usize::from(highest.joint) >= joints => {
                let what = format!(
                    "vertex {} refers to joint {} of skin {skin} ({}), which has {joints} joints",
                    highest.vertex, highest.joint, self.skins[place].name
                );
                Err(self
                    .doc
                    .accessor_error(highest.accessor, &format!("joints of {at}"), &what))
            }
            _ => Ok(place),
        }
    }

    /// The place of a palette.
    fn palette(&mut self, source: PaletteSource) -> usize {
        *self.palette_places.entry(source).or_insert_with(|| {
            self.palettes.push(source);
            self.palettes.len() - 1
        })
    }
}

/// The nodes of the default scene (else of the first one, else all nodes), parents first, each once.
fn scene_nodes(doc: &Document) -> Vec<usize> {
    let root = &doc.root;
    let scene = root.scene.map_or(0, |scene| scene.value());
    let roots: Vec<_> = match root.scenes.get(scene) {
        Some(scene) => scene.nodes.iter().map(|node| node.value()).collect(),
        None => root_nodes(doc),
    };
    let mut open: Vec<_> = roots.into_iter().rev().collect();
    let mut seen = vec![false; root.nodes.len()];
    let mut order = Vec::new();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            order.push(node);
            open.extend(nodes::children(&root.nodes[node]).rev());
        }
    }
    order
}

/// Nodes without a parent.
fn root_nodes(doc: &Document) -> Vec<usize> {
    let mut is_root = vec![true; doc.root.nodes.len()];
    for node in &doc.root.nodes {
        nodes::children(node).for_each(|child| is_root[child] = false);
    }
    (0..is_root.len()).filter(|node| is_root[*node]).collect()
}
