//! One error for everything that Vulkan can refuse.

use ash::vk;

/// A Vulkan call that failed, with the object it was about.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// A Vulkan function returned an error.
    #[error("{what} `{object}`: Vulkan returned {result:?}{}", hint(*.result))]
    Vulkan {
        /// What was being done, such as `create buffer`.
        what: &'static str,
        /// The debug name of the object.
        object: String,
        /// The code that came back.
        result: vk::Result,
    },
    /// Device memory could not be had.
    #[error("allocate memory for `{object}`: {message}")]
    Memory {
        /// The debug name of the object.
        object: String,
        /// What the allocator said.
        message: String,
    },
    /// No Vulkan loader, device or layer of that kind.
    #[error("{0}")]
    Missing(String),
    /// The device does not do what was asked of it.
    #[error("{0}")]
    Unsupported(String),
}

impl GpuError {
    /// An error for `what` on `object`, ready for `map_err`.
    pub(crate) fn vk(what: &'static str, object: &str) -> impl FnOnce(vk::Result) -> Self {
        let object = object.to_owned();
        move |result| Self::Vulkan {
            what,
            object,
            result,
        }
    }

    /// The device captures no vertices, which `what` called `object` is for.
    pub(super) fn no_transform_feedback(what: &'static str, object: &str) -> Self {
        Self::Unsupported(format!(
            "{what} `{object}`: VK_EXT_transform_feedback is missing or not in use"
        ))
    }

    /// Whether the device is gone and nothing more can run on it.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Vulkan {
                result: vk::Result::ERROR_DEVICE_LOST,
                ..
            }
        )
    }

    /// Whether memory ran out, which skips a case and no more.
    pub fn is_out_of_memory(&self) -> bool {
        match self {
            Self::Memory { .. } => true,
            Self::Vulkan { result, .. } => matches!(
                *result,
                vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY
            ),
            _ => false,
        }
    }
}

fn hint(result: vk::Result) -> &'static str {
    match result {
        vk::Result::ERROR_DEVICE_LOST => {
            " (the driver stopped the device: see its kernel log, or try fewer instances)"
        }
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
            " (no Vulkan driver: install that of the GPU, or mesa-vulkan-drivers, which has a software one)"
        }
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => " (try fewer instances or vertices)",
        _ => "",
    }
}
