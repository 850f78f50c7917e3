//! What ends a run.

use crate::gpu::GpuError;
use crate::plan::PlanError;
use crate::result::store::StoreError;
use crate::scene::character::CharacterError;
use crate::scene::import::ImportError;
use crate::strategy::StrategyError;

/// Why a run or a verification could not be done. Each is one line.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Vulkan refused.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A place could not be made ready.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The model could not be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The built-in character could not be made.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The plan does not fit the scene.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The result could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of a dump could not be written.
    #[error("cannot write {path}: {message}")]
    Dump {
        /// The file.
        path: String,
        /// What the system said.
        message: String,
    },
    /// Nothing to do.
    #[error("{0}")]
    Nothing(String),
}

impl BenchError {
    /// Whether the device is gone and nothing more can run on it.
    pub fn is_fatal(&self) -> bool {
        self.gpu().is_some_and(GpuError::is_fatal)
    }

    /// Whether memory ran out, which skips a case and no more.
    pub fn is_out_of_memory(&self) -> bool {
        self.gpu().is_some_and(GpuError::is_out_of_memory)
    }

    fn gpu(&self) -> Option<&GpuError> {
        match self {
            Self::Gpu(error) | Self::Strategy(StrategyError::Gpu(error)) => Some(error),
            _ => None,
        }
    }
}
