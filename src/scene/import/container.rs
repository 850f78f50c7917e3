//! The outer form of a file: GLB chunks, or plain JSON text.

use super::error::{ImportError, one_line};

/// The two parts of a file that matter here.
pub(super) struct Parts<'a> {
    /// The JSON text.
    pub json: &'a [u8],
    /// The binary chunk of a GLB.
    pub bin: Option<&'a [u8]>,
}

/// Splits `bytes` into JSON and binary chunk. What does not start with the GLB magic is JSON.
pub(super) fn split<'a>(file: &str, bytes: &'a [u8]) -> Result<Parts<'a>, ImportError> {
    if bytes.starts_with(b"glTF") {
        return split_glb(bytes).map_err(|what| container(file, &what));
    }
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(Parts { json, bin: None })
}

/// An error about the file as a whole.
pub(super) fn container(file: &str, what: &str) -> ImportError {
    ImportError::Container {
        file: one_line(file),
        what: one_line(what),
    }
}

/// The chunks of a GLB (glTF 2.0 section 4.4): JSON first, then perhaps BIN; others are ignored.
fn split_glb(bytes: &[u8]) -> Result<Parts<'_>, String> {
    let mut rest = glb_body(bytes)?;
    let (kind, json) = next_chunk(&mut rest)?.ok_or("the GLB has no chunk")?;
    if kind != *b"JSON" {
        return Err("the first chunk of the GLB is not JSON".into());
    }
    while let Some((kind, data)) = next_chunk(&mut rest)? {
        if kind == *b"BIN\0" {
            return Ok(Parts {
                json,
                bin: Some(data),
            });
        }
    }
    Ok(Parts { json, bin: None })
}

/// The bytes after the 12-byte header, as many as the header says.
fn glb_body(bytes: &[u8]) -> Result<&[u8], String> {
    let version = u32_at(bytes, 4).ok_or("the GLB header is cut short")?;
    let length = u32_at(bytes, 8).ok_or("the GLB header is cut short")? as usize;
    if version != 2 {
        return Err(format!(
            "GLB version {version} is not supported; export glTF 2.0"
        ));
    }
    if length < 12 {
        return Err(format!("the GLB header states a length of {length} bytes"));
    }
    bytes.get(12..length).ok_or_else(|| {
        format!(
            "the GLB header states {length} bytes, but the file has {}",
            bytes.len()
        )
    })
}

/// Kind and data of one chunk.
type Chunk<'a> = ([u8; 4], &'a [u8]);

/// Takes one chunk off `rest`: its kind and data. `None` at the end.
fn next_chunk<'a>(rest: &mut &'a [u8]) -> Result<Option<Chunk<'a>>, String> {
    if rest.is_empty() {
        return Ok(None);
    }
    let length = u32_at(rest, 0).ok_or("a GLB chunk header is cut short")? as usize;
    let kind: [u8; 4] = rest
        .get(4..8)
        .and_then(|kind| kind.try_into().ok())
        .ok_or("a GLB chunk header is cut short")?;
    let after = &rest[8..];
    let (data, tail) = after.split_at_checked(length).ok_or_else(|| {
        format!(
            "a GLB chunk states {length} bytes, but only {} follow",
            after.len()
        )
    })?;
    *rest = tail;
    Ok(Some((kind, data)))
}

/// The little-endian number at `offset`.
fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let word = bytes.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}
