//! The JSON of a file, checked, with its buffers: what every other part of the import reads from.

use super::buffers::{self, BufferBytes, Sources};
use super::container::{self, container};
use super::error::{ImportError, one_line};
use super::{extensions, strip, validate};
use gltf::json::{Root, Value, deserialize};
use sha2::{Digest, Sha256};
use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::path::Path;

/// A parsed file.
pub(super) struct Document<'a> {
    /// The file as given, for messages.
    pub file: &'a str,
    /// The JSON model; all indices in it are in range, but for those of animation targets.
    pub root: Root,
    /// The bytes of each buffer.
    pub buffers: Vec<BufferBytes<'a>>,
    /// SHA-256 of the file and its external buffers, hexadecimal.
    pub sha256: String,
    /// Whether integer vertex attributes are allowed.
    pub quantized: bool,
    /// Bytes decoded so far, held against a limit.
    pub decoded: Cell<usize>,
    /// Bytes made from nothing so far (accessors without a buffer view), held against a limit.
    pub zeroed: Cell<usize>,
    warnings: RefCell<Vec<String>>,
}

impl<'a> Document<'a> {
    /// Parses and checks `bytes`, and loads the buffers.
    pub fn parse(
        file: &'a str,
        bytes: &'a [u8],
        base_dir: Option<&'a Path>,
    ) -> Result<Self, ImportError> {
        let parts = container::split(file, bytes)?;
        let mut json: Value = deserialize::from_slice(parts.json)
            .map_err(|error| container(file, &format!("its JSON is broken: {error}")))?;
        check_version(&json).map_err(|what| container(file, &what))?;
        extensions::check_required(file, &json)?;
        let mut warnings: Vec<_> = extensions::ignored_warning(&json).into_iter().collect();
        let quantized = extensions::uses_quantization(&json);
        strip::remove_unread(&mut json, &mut warnings);
        let root: Root = deserialize::from_value(json)
            .map_err(|error| container(file, &format!("its JSON is not glTF 2.0: {error}")))?;
        validate::check(file, &root)?;
        let mut hash = Sha256::new_with_prefix(bytes);
        let sources = Sources {
            file,
            bin: parts.bin,
            base_dir,
        };
        let buffers = buffers::load_all(&sources, &root, &mut hash)?;
        Ok(Self {
            file,
            root,
            buffers,
            sha256: hexadecimal(&hash.finalize()),
            quantized,
            decoded: Cell::new(0),
            zeroed: Cell::new(0),
            warnings: RefCell::new(warnings),
        })
    }

    /// Records one sentence for [`crate::scene::Scene::warnings`].
    pub fn warn(&self, sentence: &str) {
        self.warnings.borrow_mut().push(one_line(sentence));
    }

    /// The warnings so far, in order.
    pub fn take_warnings(&self) -> Vec<String> {
        self.warnings.take()
    }

    /// An error at `place` of this file.
    pub fn invalid(&self, place: &str, what: &str) -> ImportError {
        ImportError::Invalid {
            file: one_line(self.file),
            place: one_line(place),
            what: one_line(what),
        }
    }

    /// An error about an accessor that is read as `role`.
    pub fn accessor_error(&self, accessor: usize, role: &str, what: &str) -> ImportError {
        ImportError::Accessor {
            file: one_line(self.file),
            accessor,
            role: one_line(role),
            what: one_line(what),
        }
    }
}

/// Only glTF 2.x is read, and only what 2.0 readers may read.
fn check_version(json: &Value) -> Result<(), String> {
    let asset = json
        .get("asset")
        .ok_or("it has no asset, so it is no glTF")?;
    let version = asset
        .get("version")
        .and_then(Value::as_str)
        .unwrap_or("none");
    if !version.starts_with("2.") {
        return Err(format!("asset.version is {version}; export glTF 2.0"));
    }
    match asset.get("minVersion").and_then(Value::as_str) {
        Some(least) if least != "2.0" => {
            Err(format!("asset.minVersion is {least}; export glTF 2.0"))
        }
        _ => Ok(()),
    }
}

/// Bytes as hexadecimal digits.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A name from the file, or `fallback` where there is none, as one line.
pub(super) fn name_or(name: Option<&String>, fallback: &str) -> String {
    match name {
        Some(name) if !name.is_empty() => one_line(name),
        _ => fallback.to_owned(),
    }
}
