//! Files cut short and bytes flipped: an error of one line at worst, never a panic.

use crate::builder::Builder;
use proptest::prelude::*;
use skinbench::scene::import::from_slice;

/// Imports bytes that may be anything; what is refused must be refused in one line.
fn import_anything(bytes: &[u8]) -> bool {
    match from_slice("test", bytes, None) {
        Ok(_) => true,
        Err(error) => {
            let message = error.to_string();
            assert!(
                !message.contains(char::is_control),
                "not one line: {message:?}"
            );
            false
        }
    }
}

#[test]
fn a_glb_cut_anywhere_is_refused() {
    let sound = Builder::character().glb();
    for length in (0..sound.len()).step_by(97).chain([sound.len() - 1]) {
        assert!(
            !import_anything(&sound[..length]),
            "{length} bytes were accepted"
        );
    }
    assert!(import_anything(&sound));
}

#[test]
fn json_cut_anywhere_is_refused() {
    let sound = Builder::character().gltf();
    for length in (0..sound.len()).step_by(97) {
        assert!(
            !import_anything(&sound[..length]),
            "{length} bytes were accepted"
        );
    }
    assert!(import_anything(&sound));
}

/// Replaces bytes at places given as fractions of the length.
fn flipped(mut bytes: Vec<u8>, flips: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    for (place, value) in flips {
        let place = place.index(bytes.len());
        bytes[place] = *value;
    }
    bytes
}

fn flips() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..8)
}

/// A number that a file might lie with.
fn lie() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        (0_u64..12).prop_map(Into::into),
        prop_oneof![
            Just(u64::MAX),
            Just(1 << 31),
            Just(1 << 32),
            Just((1 << 63) + 1)
        ]
        .prop_map(Into::into),
        any::<u32>().prop_map(Into::into),
        (-10_i64..0).prop_map(Into::into),
        any::<f32>().prop_map(Into::into),
        Just(serde_json::Value::Null),
        Just("POSITION".into()),
    ]
}

/// All places of numbers in a JSON value, as pointers.
fn numbers(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Number(_) => found.push(path.to_owned()),
        serde_json::Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(i, v)| numbers(v, &format!("{path}/{i}"), found));
        }
        serde_json::Value::Object(map) => {
            map.iter()
                .for_each(|(k, v)| numbers(v, &format!("{path}/{k}"), found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_of_a_glb_do_not_panic(flips in flips()) {
        import_anything(&flipped(Builder::character().glb(), &flips));
    }

    #[test]
    fn flipped_bytes_of_a_gltf_do_not_panic(flips in flips()) {
        import_anything(&flipped(Builder::character().gltf(), &flips));
    }

    #[test]
    fn flipped_numbers_do_not_panic(flips in flips()) {
        let mut file = Builder::character();
        file.bin = flipped(file.bin, &flips);
        import_anything(&file.glb());
    }

    #[test]
    fn lying_numbers_in_the_json_do_not_panic(
        lies in prop::collection::vec((any::<prop::sample::Index>(), lie()), 1..4)
    ) {
        let mut file = Builder::character();
        for (place, lie) in lies {
            let mut places: Vec<String> = Vec::new();
            numbers(&file.json, "", &mut places);
            *file.json.pointer_mut(&places[place.index(places.len())]).unwrap() = lie;
        }
        import_anything(&file.glb());
    }
}
