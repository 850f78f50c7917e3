//! Reading and writing result files. A file on disk is always whole: it is written beside its
//! place and renamed into it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ResultFile, SCHEMA_VERSION};

/// Why a result file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is not there or may not be read.
    #[error("cannot read result `{path}`: {source}: check the path")]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The text is not a result of this version.
    #[error(
        "`{path}` is not a skinbench result: {message}: give a file that `skinbench run` wrote"
    )]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// Line, column and what was expected.
        message: String,
    },
    /// The file is of another version.
    #[error(
        "`{path}` has schema_version {found}, and this skinbench reads version {SCHEMA_VERSION}: \
         use the skinbench that wrote it or a newer one"
    )]
    Version {
        /// Which file.
        path: PathBuf,
        /// The version it claims.
        found: u64,
    },
    /// The place is a folder.
    #[error("cannot write result `{path}`: it is a folder: give the name of a file with --out")]
    IsFolder {
        /// Which path.
        path: PathBuf,
    },
    /// The folder cannot be made or written to.
    #[error("cannot write result `{path}`: {source}: give a writable place with --out")]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A number that JSON cannot hold.
    #[error(
        "cannot write result `{path}`: a number in it is not finite ({message}): please report this"
    )]
    NotFinite {
        /// Which file.
        path: PathBuf,
        /// Where the text could not be read back.
        message: String,
    },
}

/// `results/<device>-<utc>.json`, with the device's name in lower-case letters, digits and dashes
/// and the time as `20260131t235959z`.
pub fn default_path(device_name: &str, started: jiff::Timestamp) -> PathBuf {
    let utc = started.strftime("%Y%m%dt%H%M%Sz");
    PathBuf::from("results").join(format!("{}-{utc}.json", slug(device_name)))
}

/// A name made safe for files everywhere: lower-case ASCII letters and digits, one dash for each
/// run of anything else, at most 60 characters; `device` when nothing is left.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().take(60) {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    match slug.trim_end_matches('-') {
        "" => "device".to_owned(),
        slug => slug.to_owned(),
    }
}

/// Writes `file` to `path` so that a reader sees the old file or the new one, never a part.
///
/// Missing folders are made. The text is read back before the old file is replaced, because JSON
/// turns a NaN into a `null` that no reader could take for a number.
///
/// # Errors
/// `path` is a folder, its folder cannot be made or written to, or a number is not finite.
pub fn write_atomic(path: &Path, file: &ResultFile) -> Result<(), StoreError> {
    if path.is_dir() {
        let path = path.to_owned();
        return Err(StoreError::IsFolder { path });
    }
    let not_finite = |error: serde_json::Error| StoreError::NotFinite {
        path: path.to_owned(),
        message: error.to_string(),
    };
    let text = to_json(file).map_err(not_finite)?;
    serde_json::from_str::<ResultFile>(&text).map_err(not_finite)?;
    replace(path, text.as_bytes()).map_err(|source| StoreError::Write {
        path: path.to_owned(),
        source,
    })
}

/// The text of a result file: one key a line, lists on one, ending in a line break.
///
/// # Errors
/// Only what `serde_json` reports.
pub fn to_json(file: &ResultFile) -> serde_json::Result<String> {
    super::json::text(file)
}

/// Reads a result file.
///
/// # Errors
/// It cannot be read, is no result, or has another `schema_version`, which the message names.
pub fn read(path: &Path) -> Result<ResultFile, StoreError> {
    let text = fs::read_to_string(path).map_err(|source| StoreError::Read {
        path: path.to_owned(),
        source,
    })?;
    parse(&text, path)
}

/// The result in `text`; `path` is only named in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str, path: &Path) -> Result<ResultFile, StoreError> {
    let parsed = serde_json::from_str::<ResultFile>(text);
    let version = match &parsed {
        Ok(file) => Some(u64::from(file.schema_version)),
        Err(_) => claimed_version(text),
    };
    match (version, parsed) {
        (Some(found), _) if found != u64::from(SCHEMA_VERSION) => Err(StoreError::Version {
            path: path.to_owned(),
            found,
        }),
        (_, Ok(file)) => Ok(file),
        (_, Err(error)) => Err(StoreError::Malformed {
            path: path.to_owned(),
            message: error.to_string(),
        }),
    }
}

/// The version that a text claims which could not be read as a whole.
fn claimed_version(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Head {
        schema_version: u64,
    }
    serde_json::from_str::<Head>(text)
        .ok()
        .map(|head| head.schema_version)
}

fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".skinbench-").suffix(".part");
    #[cfg(unix)]
    {
        // Not the private mode of temporary files: a result is as readable as the user's umask says.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut beside = builder.tempfile_in(folder)?;
    beside.write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(path)?;
    Ok(())
}
