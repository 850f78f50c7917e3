//! What the validation layer says, kept so that a test or a run can fail on it.

use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;

/// Messages of severity warning and above, in order.
///
/// Messages of type `PERFORMANCE` are advice and are not kept.
#[derive(Clone, Debug, Default)]
pub struct ValidationLog(Arc<Mutex<Vec<String>>>);

impl ValidationLog {
    /// A copy of all messages so far.
    pub fn messages(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes the messages out.
    pub fn drain(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Create-info for a messenger that writes here. The log must outlive the messenger.
    pub(super) fn messenger_info(&self) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
        vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(
                vk::DebugUtilsMessageSeverityFlagsEXT::ERROR
                    | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING,
            )
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .pfn_user_callback(Some(on_message))
            .user_data(Arc::as_ptr(&self.0) as *mut c_void)
    }
}

unsafe extern "system" fn on_message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    if data.is_null() || user.is_null() {
        return vk::FALSE;
    }
    // SAFETY: `user` is the mutex inside the log's Arc, which the instance holds for as long as
    // the messenger exists; `data` is valid for the call by the Vulkan specification.
    let (log, text) = unsafe {
        let log = &*(user as *const Mutex<Vec<String>>);
        let text = (*data).p_message;
        let text = if text.is_null() {
            String::from("(no text)")
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        };
        (log, text)
    };
    push(log, text);
    vk::FALSE
}

fn push(log: &Mutex<Vec<String>>, text: String) {
    log.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_kept_in_order_and_drained() {
        let log = ValidationLog::default();
        push(&log.0, "a".into());
        push(&log.0, "b".into());
        assert_eq!(log.messages(), ["a", "b"]);
        assert_eq!(log.drain(), ["a", "b"]);
        assert!(log.messages().is_empty());
    }
}
