//! Small glTF files, made in code and spoilt by the tests.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use skinbench::scene::Scene;
use skinbench::scene::import::{ImportError, from_slice};

pub const U8: u32 = 5121;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// A glTF file in the making: its JSON, and one buffer.
#[derive(Clone)]
pub struct Builder {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// Indices into the accessors of [`Builder::character`].
pub mod at {
    pub const POSITION: usize = 0;
    pub const NORMAL: usize = 1;
    pub const JOINTS: usize = 3;
    pub const WEIGHTS: usize = 4;
    pub const INDICES: usize = 5;
    pub const TARGET: usize = 6;
    pub const MATRICES: usize = 7;
    pub const TIMES: usize = 8;
    pub const ROTATIONS: usize = 9;
}

impl Builder {
    /// A file with one buffer and nothing in it.
    pub fn empty() -> Self {
        let json = json!({
            "asset": {"version": "2.0"},
            "accessors": [], "bufferViews": [], "nodes": [], "meshes": [], "scenes": [],
        });
        Self {
            json,
            bin: Vec::new(),
        }
    }

    /// A quad of four vertices on two joints (nodes 0 and 1), held by node 2, with a morph target
    /// and a clip of two keys that turns joint 1.
    pub fn character() -> Self {
        let mut file = Self::empty();
        file.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 2., 0., 1., 2., 0.]);
        file.floats("VEC3", &[0., 0., 1., 0., 0., 1., 0., 0., 1., 0., 0., 1.]);
        file.floats("VEC2", &[0., 1., 1., 1., 0., 0., 1., 0.]);
        file.accessor(
            "VEC4",
            U8,
            &[0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0],
        );
        file.floats(
            "VEC4",
            &[
                1., 0., 0., 0., 0.5, 0.5, 0., 0., 0.25, 0.75, 0., 0., 1., 0., 0., 0.,
            ],
        );
        file.accessor("SCALAR", U16, &words(&[0, 1, 2, 1, 3, 2]));
        file.floats("VEC3", &[0., 0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 2.]);
        let identity = [
            1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.,
        ];
        file.floats("MAT4", &[identity, identity].concat());
        file.floats("SCALAR", &[0., 1.5]);
        file.floats("VEC4", &[0., 0., 0., 1., 0., 0., 1., 0.]);
        file.json["nodes"] = json!([
            {"name": "hip", "children": [1]},
            {"name": "knee", "translation": [0, 1, 0]},
            {"name": "body", "mesh": 0, "skin": 0, "translation": [5, 5, 5]},
        ]);
        file.json["scenes"] = json!([{"nodes": [0, 2]}]);
        file.json["meshes"] = json!([{"name": "quad", "primitives": [{
            "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4},
            "indices": 5, "targets": [{"POSITION": 6}],
        }]}]);
        file.json["skins"] = json!([{"joints": [0, 1], "inverseBindMatrices": 7}]);
        file.json["animations"] = json!([{"name": "kick",
            "samplers": [{"input": 8, "output": 9}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
        }]);
        file
    }

    /// A file with a single node and mesh of these positions, not skinned, in `mode`.
    pub fn rigid(mode: u32, positions: &[f32]) -> Self {
        let mut file = Self::empty();
        file.floats("VEC3", positions);
        file.json["nodes"] = json!([{"mesh": 0}]);
        file.json["meshes"] =
            json!([{"primitives": [{"mode": mode, "attributes": {"POSITION": 0}}]}]);
        file
    }

    /// Appends bytes to the buffer; the index of their new buffer view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend(bytes);
        self.push("bufferViews", view)
    }

    /// A tightly packed accessor; its index.
    pub fn accessor(&mut self, shape: &str, component: u32, bytes: &[u8]) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let size = match component {
            5120 | U8 => 1,
            5122 | U16 => 2,
            _ => 4,
        };
        let view = self.view(bytes);
        let count = bytes.len() / (width * size);
        let accessor =
            json!({"bufferView": view, "componentType": component, "type": shape, "count": count});
        self.push("accessors", accessor)
    }

    /// An accessor of f32.
    pub fn floats(&mut self, shape: &str, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        self.accessor(shape, F32, &bytes)
    }

    /// Appends to a list of the JSON; the index of the new entry.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// The attributes of the first primitive.
    pub fn attributes(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]["attributes"]
    }

    /// Writes f32 over those of an accessor, from number `first` on.
    pub fn overwrite(&mut self, accessor: usize, first: usize, numbers: &[f32]) {
        let view = self.json["accessors"][accessor]["bufferView"]
            .as_u64()
            .unwrap();
        let start = self.json["bufferViews"][view as usize]["byteOffset"]
            .as_u64()
            .unwrap();
        for (k, number) in numbers.iter().enumerate() {
            let at = start as usize + 4 * (first + k);
            self.bin[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
    }

    /// The JSON with its buffer as data URI.
    pub fn gltf(&self) -> Vec<u8> {
        let uri = format!(
            "data:application/octet-stream;base64,{}",
            STANDARD.encode(&self.bin)
        );
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        serde_json::to_vec(&json).unwrap()
    }

    /// The file as GLB.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        glb(&serde_json::to_vec(&json).unwrap(), &self.bin)
    }

    /// Imports the file.
    pub fn import(&self) -> Result<Scene, ImportError> {
        from_slice("test.glb", &self.glb(), None)
    }

    /// Imports the file, which must be sound.
    pub fn scene(&self) -> Scene {
        self.import().unwrap()
    }

    /// Imports the file, which must be refused in one line with all of `parts`.
    pub fn refused(&self, parts: &[&str]) {
        assert_refused(self.import(), parts);
    }
}

/// The import must have been refused in one line that names the file and all of `parts`.
pub fn assert_refused(result: Result<Scene, ImportError>, parts: &[&str]) {
    let message = result.map(|scene| scene.warnings).unwrap_err().to_string();
    assert!(
        !message.contains(char::is_control),
        "not one line: {message:?}"
    );
    for part in parts.iter().chain(&["test"]) {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
}

/// A GLB of two chunks.
pub fn glb(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let padded = |bytes: &[u8], with: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), with);
        bytes
    };
    let (json, bin) = (padded(json, b' '), padded(bin, 0));
    let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    file.extend([length(&json).as_slice(), b"JSON", &json].concat());
    file.extend([length(&bin).as_slice(), b"BIN\0", &bin].concat());
    file
}

/// u16 as little-endian bytes.
pub fn words(numbers: &[u16]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
