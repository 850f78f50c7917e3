//! The bytes behind `buffers`: the GLB chunk, data URIs and files.

use super::error::{ImportError, one_line};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::json::{Buffer, Root};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::path::Path;

/// Base64 with or without its padding: exporters write both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Where buffers may come from.
pub(super) struct Sources<'a> {
    /// The file, for messages.
    pub file: &'a str,
    /// The binary chunk of a GLB.
    pub bin: Option<&'a [u8]>,
    /// The folder of relative URIs.
    pub base_dir: Option<&'a Path>,
}

/// One buffer, `None` where the file leaves its content open (no URI and no GLB chunk).
pub(super) type BufferBytes<'a> = Option<Cow<'a, [u8]>>;

/// Loads all buffers in file order; the content of external files enters `hash`.
pub(super) fn load_all<'a>(
    sources: &Sources<'a>,
    root: &Root,
    hash: &mut Sha256,
) -> Result<Vec<BufferBytes<'a>>, ImportError> {
    let each = root.buffers.iter().enumerate();
    each.map(|(index, buffer)| {
        let place = format!("buffer {index}");
        let bytes = load_one(sources, index, buffer, hash, &place)?;
        check_length(buffer, bytes.as_deref()).map_err(|what| sources.invalid(&place, &what))?;
        Ok(bytes)
    })
    .collect()
}

/// Reads a whole regular file, so that a pipe or a device cannot hold the import up.
///
/// # Errors
/// What the system says, or that it is no regular file.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a regular file".into());
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// The bytes of one buffer.
fn load_one<'a>(
    sources: &Sources<'a>,
    index: usize,
    buffer: &Buffer,
    hash: &mut Sha256,
    place: &str,
) -> Result<BufferBytes<'a>, ImportError> {
    let Some(uri) = &buffer.uri else {
        return Ok(sources.bin.filter(|_| index == 0).map(Cow::Borrowed));
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let bytes = decode_data_uri(data).map_err(|what| sources.invalid(place, &what))?;
        return Ok(Some(Cow::Owned(bytes)));
    }
    let bytes = sources.external(uri, place)?;
    hash.update(&bytes);
    Ok(Some(Cow::Owned(bytes)))
}

impl Sources<'_> {
    /// The content of the file that `uri` names.
    fn external(&self, uri: &str, place: &str) -> Result<Vec<u8>, ImportError> {
        let relative = file_name(uri).map_err(|what| self.invalid(place, &what))?;
        let base = self.base_dir.ok_or_else(|| {
            self.invalid(
                place,
                &format!("refers to the file {relative}, but no folder is known"),
            )
        })?;
        let path = base.join(&relative);
        read_file(&path).map_err(|what| ImportError::Read {
            file: one_line(&path.display().to_string()),
            what: one_line(&format!("{what} (it is {place} of {})", self.file)),
        })
    }

    /// An error about one buffer.
    fn invalid(&self, place: &str, what: &str) -> ImportError {
        ImportError::Invalid {
            file: one_line(self.file),
            place: place.to_owned(),
            what: one_line(what),
        }
    }
}

/// The loaded bytes must be at least as many as `byteLength`.
fn check_length(buffer: &Buffer, bytes: Option<&[u8]>) -> Result<(), String> {
    match bytes {
        Some(bytes) if (bytes.len() as u64) < buffer.byte_length.0 => Err(format!(
            "byteLength is {}, but only {} bytes are there",
            buffer.byte_length.0,
            bytes.len()
        )),
        _ => Ok(()),
    }
}

/// The bytes of a data URI, given what follows `data:`.
fn decode_data_uri(data: &str) -> Result<Vec<u8>, String> {
    let (header, body) = data.split_once(',').ok_or("the data URI has no comma")?;
    if !header.ends_with(";base64") {
        return Err("the data URI is not base64".into());
    }
    BASE64
        .decode(body.trim())
        .map_err(|error| format!("the data URI is broken: {error}"))
}

/// The relative file name that a URI stands for, percent signs decoded.
fn file_name(uri: &str) -> Result<String, String> {
    if uri.contains("://") || uri.starts_with("file:") {
        return Err(format!("the URI {uri} is not a relative file name"));
    }
    String::from_utf8(percent_decoded(uri.as_bytes()))
        .map_err(|_| format!("the URI {uri} is not UTF-8 once decoded"))
}

/// `%20` and its like replaced by the byte they stand for (RFC 3986 section 2.1); a percent sign
/// without two hexadecimal digits stays.
fn percent_decoded(uri: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(uri.len());
    let mut rest = uri;
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = tail.get(..2).filter(|_| first == b'%').and_then(hex_byte);
        out.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    out
}

/// The byte that two hexadecimal digits write.
fn hex_byte(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    match digits {
        [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn percent_signs_are_decoded() {
        assert_eq!(file_name("a%20b%2Fc.bin").unwrap(), "a b/c.bin");
        assert_eq!(file_name("100%.bin").unwrap(), "100%.bin");
        assert_eq!(file_name("%+1.bin").unwrap(), "%+1.bin");
    }

    #[test]
    fn remote_and_undecodable_names_are_refused() {
        assert!(file_name("https://example.org/a.bin").is_err());
        assert!(file_name("%ff%fe").is_err());
    }

    #[test]
    fn data_uris_need_base64() {
        assert_eq!(
            decode_data_uri("application/octet-stream;base64,AQI=").unwrap(),
            [1, 2]
        );
        assert_eq!(decode_data_uri(";base64,AQI").unwrap(), [1, 2]);
        assert!(decode_data_uri("text/plain,AQI=").is_err());
        assert!(decode_data_uri(";base64,A*").is_err());
        assert!(decode_data_uri(";base64").is_err());
    }
}
