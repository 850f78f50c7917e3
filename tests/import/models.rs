//! Real models: loaded, or refused exactly where their list says so.

use serde_json::Value;
use skinbench::scene::Scene;
use skinbench::scene::import::{from_slice, load};
use std::path::{Path, PathBuf};

/// The folder of models, or `None` with a word about it.
fn models() -> Option<PathBuf> {
    let folder = std::env::var_os("SKINBENCH_MODELS")
        .map(PathBuf::from)
        .filter(|f| f.is_dir());
    if folder.is_none() {
        println!("skipped: no models");
    }
    folder
}

/// All glTF files below a folder.
fn gltf_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(gltf_files(&path));
        } else if path.extension().is_some_and(|e| e == "gltf" || e == "glb") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn cases_are_refused_or_warned_of_as_listed() {
    let Some(models) = models() else { return };
    for case in json(&models.join("cases/expected/LIST.json"))
        .as_array()
        .unwrap()
    {
        let file = case["file"].as_str().unwrap();
        let result = load(&models.join("cases").join(file));
        match case["outcome"].as_str().unwrap() {
            "error" => {
                let message = result.map(|scene| scene.warnings).unwrap_err().to_string();
                println!("{message}");
                assert!(
                    message.contains(file) && !message.contains('\n'),
                    "{message}"
                );
            }
            "warn" => assert!(!result.unwrap().warnings.is_empty(), "{file}"),
            _ => drop(result.unwrap_or_else(|error| panic!("{error}"))),
        }
    }
}

#[test]
fn messages_name_what_the_cases_are_about() {
    let Some(models) = models() else { return };
    let refused = |file: &str| {
        load(&models.join("cases").join(file))
            .unwrap_err()
            .to_string()
    };
    let joint = refused("c03_joint_out_of_range.gltf");
    for part in ["accessor", "vertex 40", "joint 2", "2 joints"] {
        assert!(joint.contains(part), "{joint}");
    }
    let draco = refused("c12_requires_draco.gltf");
    assert!(draco.contains("required extension KHR_draco_mesh_compression is not supported"));
    let far = load(&models.join("cases/c02_weights_098_far.gltf")).unwrap();
    assert_eq!(far.normalised_weights, 18);
    let morph = load(&models.join("cases/c07_morph_zero_and_sparse.gltf")).unwrap();
    let targets = &morph.meshes[0].morph_targets;
    assert_eq!(targets.len(), 3);
    let moved = |target: usize| -> Vec<usize> {
        let positions = targets[target].positions.iter().enumerate();
        positions
            .filter(|(_, p)| **p != [0.0; 3])
            .map(|(vertex, _)| vertex)
            .collect()
    };
    assert!(moved(1).is_empty());
    assert_eq!(moved(2), [3, 17, 40, 41, 70]);
    for (file, influences) in [
        ("c10_influences_8.gltf", 8),
        ("c10b_influences_12.gltf", 12),
    ] {
        let scene = load(&models.join("cases").join(file)).unwrap();
        assert_eq!(scene.meshes[0].influences, influences);
    }
}

#[test]
fn every_model_loads_and_is_sound() {
    let Some(models) = models() else { return };
    let files = gltf_files(&models);
    assert!(files.len() > 50, "only {} files", files.len());
    for file in files
        .iter()
        .filter(|file| !file.starts_with(models.join("cases")))
    {
        let scene = load(file).unwrap_or_else(|error| panic!("{error}"));
        if !scene.warnings.is_empty() {
            println!("{}: {:?}", file.display(), scene.warnings);
        }
        check_sound(&scene);
    }
}

/// What every scene promises.
fn check_sound(scene: &Scene) {
    let name = &scene.source;
    for (index, node) in scene.skeleton.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < index), "{name}");
    }
    for mesh in &scene.meshes {
        let count = mesh.vertex_count();
        let expected = if mesh.topology.has_surface() {
            count
        } else {
            0
        };
        assert_eq!(mesh.tangents.len(), expected, "{name}");
        assert!(
            mesh.normals.len() == expected || mesh.normals.len() == count,
            "{name}"
        );
        assert!(
            mesh.indices.iter().all(|index| (*index as usize) < count),
            "{name}"
        );
        assert_eq!(mesh.joints.len(), mesh.influences * count, "{name}");
        assert_eq!(mesh.weights.len(), mesh.influences * count, "{name}");
        // Lengths of stored vectors: glTF-Validator's limit. Of made ones: rounding, far below.
        for normal in &mesh.normals {
            assert!(
                (glam::Vec3::from(*normal).length() - 1.0).abs() <= 0.00675,
                "{name}"
            );
        }
        for [x, y, z, w] in &mesh.tangents {
            assert!(
                (glam::Vec3::new(*x, *y, *z).length() - 1.0).abs() <= 0.00675,
                "{name}"
            );
            assert!(w.abs() == 1.0, "{name}");
        }
    }
}

#[test]
fn items_and_counts_are_those_of_the_references() {
    let Some(models) = models() else { return };
    let mut compared = 0;
    for entry in std::fs::read_dir(models.join("reference")).unwrap() {
        let reference = json_of_reference(&entry.unwrap().path());
        let Some(reference) = reference else { continue };
        let scene = load(&models.join(reference["file"].as_str().unwrap())).unwrap();
        let entries = reference["entries"].as_array().unwrap();
        let first = entries[0]["time"].as_f64();
        let mut expected: Vec<_> = entries
            .iter()
            .filter(|entry| entry["time"].as_f64() == first)
            .map(|e| ["node", "mesh", "primitive", "count"].map(|key| e[key].as_u64().unwrap()))
            .collect();
        let mut got: Vec<_> = scene
            .items
            .iter()
            .map(|item| {
                let mesh = &scene.meshes[item.mesh];
                let node = scene.skeleton.nodes[item.node].gltf_node;
                [
                    node,
                    mesh.gltf_mesh,
                    mesh.gltf_primitive,
                    mesh.vertex_count(),
                ]
                .map(|n| n as u64)
            })
            .collect();
        expected.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, expected, "{}", scene.source);
        check_clip(&scene, &reference);
        compared += 1;
    }
    assert!(compared > 40, "only {compared} references");
}

/// A reference with entries, `None` for a file of another kind.
fn json_of_reference(path: &Path) -> Option<Value> {
    if path.extension().is_none_or(|extension| extension != "json") {
        return None;
    }
    Some(json(path)).filter(|reference| reference["entries"].is_array())
}

/// The first clip lasts as long as the reference says.
fn check_clip(scene: &Scene, reference: &Value) {
    match reference["animation"]["duration"].as_f64() {
        Some(duration) => assert_eq!(
            f64::from(scene.clips[0].duration),
            duration,
            "{}",
            scene.source
        ),
        None => assert!(scene.clips.is_empty(), "{}", scene.source),
    }
}

#[test]
fn spoilt_models_do_not_panic() {
    use rand::{Rng, SeedableRng};
    let Some(models) = models() else { return };
    let mut random = rand_pcg::Pcg64::seed_from_u64(7);
    for file in gltf_files(&models) {
        let sound = std::fs::read(&file).unwrap();
        for _ in 0..20 {
            let mut bytes = sound.clone();
            for _ in 0..4 {
                // The JSON comes first: half of the flips fall into the first part of the file.
                let within = if random.next_u32() % 2 == 0 {
                    bytes.len()
                } else {
                    bytes.len().min(4096)
                };
                let place = random.next_u64() as usize % within;
                bytes[place] = random.next_u32() as u8;
            }
            if let Err(error) = from_slice("spoilt", &bytes, file.parent()) {
                let message = error.to_string();
                assert!(
                    !message.contains(char::is_control),
                    "not one line: {message:?}"
                );
            }
        }
    }
}
