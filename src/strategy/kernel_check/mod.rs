//! Whether a compute kernel that somebody else wrote keeps to the interface of `deform.comp`, which
//! docs/KERNELS.md describes.
//!
//! The declarations of a module are read and each difference is named. What its functions do is not
//! checked here: the gate sees what they wrote.

mod bindings;
mod constants;
mod declared;
mod module;
mod wanted;
mod workgroup;

#[cfg(test)]
mod tests;

use std::path::Path;

use super::Kernel;
use declared::Declared;

/// Why a file is no kernel. Each message is one line: what, where, what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// The system gave no bytes.
    #[error("cannot read --kernel {path}: {message}: name a .spv or .comp file")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system said.
        message: String,
    },
    /// Bytes that no driver may be given.
    #[error("--kernel {path} is no SPIR-V that Vulkan 1.1 takes: {what}")]
    NotSpirv {
        /// The file.
        path: String,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A module with another interface.
    #[error("--kernel {path} differs from the interface in docs/KERNELS.md: {}", .differences.join("; "))]
    Differs {
        /// The file.
        path: String,
        /// Each difference, at least one.
        differences: Vec<String>,
    },
    /// GLSL that does not compile.
    #[error("--kernel {path} does not compile: {message}: mend it")]
    Source {
        /// The file.
        path: String,
        /// What the compiler said.
        message: String,
    },
    /// GLSL, and a build without a compiler.
    #[error(
        "--kernel {path} is GLSL, which this build does not compile: run `glslc \
         --target-env=vulkan1.1 -o kernel.spv {path}` or `glslangValidator -V --target-env vulkan1.1 \
         -o kernel.spv {path}` and give kernel.spv, or build with `--features compile`"
    )]
    NoCompiler {
        /// The file.
        path: String,
    },
    /// A workgroup that no case has.
    #[error(
        "--kernel {path} has a fixed workgroup of {have}, and no case that would run it has that: \
         take local_size_x_id = 3, or name it by --axis workgroup"
    )]
    Workgroup {
        /// The file.
        path: String,
        /// Its invocations.
        have: u32,
    },
}

impl Kernel {
    /// The kernel in the bytes of a SPIR-V file, if it keeps to the interface.
    ///
    /// # Errors
    /// [`KernelError::NotSpirv`] or [`KernelError::Differs`], whatever the bytes.
    pub fn from_spirv(path: &Path, bytes: &[u8]) -> Result<Self, KernelError> {
        let name = path.display().to_string();
        let not_spirv = |what| KernelError::NotSpirv {
            path: crate::plan::shown(&name),
            what,
        };
        let spirv = module::words(bytes).map_err(not_spirv)?;
        let module = module::parsed(&spirv).map_err(not_spirv)?;
        let declared = Declared::of(&module);
        let (fixed_workgroup, differences) = differences(&declared);
        if !differences.is_empty() {
            return Err(KernelError::Differs {
                path: crate::plan::shown(&name),
                differences,
            });
        }
        Ok(Self {
            name,
            spirv,
            fixed_workgroup,
        })
    }
}

/// The size of a fixed workgroup, and all that differs.
fn differences(declared: &Declared<'_>) -> (Option<u32>, Vec<String>) {
    let Some(main) = declared.main() else {
        return (None, vec![declared.no_main()]);
    };
    let mut all = wanted::differences(declared);
    all.extend(bindings::differences(declared));
    all.extend(constants::pushed(declared));
    all.extend(constants::specialized(declared));
    match workgroup::fixed(declared, main) {
        Ok(fixed) => (fixed, all),
        Err(difference) => {
            all.push(difference);
            (None, all)
        }
    }
}
