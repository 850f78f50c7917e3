//! A user's kernel from its file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{Kernel, KernelError};

/// The largest file that is read, bytes: ours have tens of thousands.
const LARGEST: u64 = 16 << 20;

/// Reads a kernel, compiling it if its name ends in `.comp`, and checks it against the interface. Gives
/// it with the SHA-256 of the file in hexadecimal.
///
/// # Errors
/// [`KernelError`] for a file that cannot be read or compiled, or is no kernel.
pub fn read_kernel(path: &Path) -> Result<(Kernel, String), KernelError> {
    let bytes = read(path).map_err(|message| KernelError::Unreadable {
        path: shown(path),
        message,
    })?;
    let digest: String = Sha256::digest(&bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let is_source = path.extension().is_some_and(|ending| ending == "comp");
    let spirv = if is_source {
        compiled(path, &bytes)?
    } else {
        bytes
    };
    Ok((Kernel::from_spirv(path, &spirv)?, digest))
}

fn shown(path: &Path) -> String {
    crate::plan::shown(&path.to_string_lossy())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    // A pipe would be waited for, and a device never ends.
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!(
            "it has more than {LARGEST} bytes, which no kernel has"
        ));
    }
    Ok(bytes)
}

#[cfg(feature = "compile")]
fn compiled(path: &Path, source: &[u8]) -> Result<Vec<u8>, KernelError> {
    super::kernel_compile::compile(path, source).map_err(|message| KernelError::Source {
        path: shown(path),
        message,
    })
}

#[cfg(not(feature = "compile"))]
fn compiled(path: &Path, _source: &[u8]) -> Result<Vec<u8>, KernelError> {
    Err(KernelError::NoCompiler { path: shown(path) })
}
