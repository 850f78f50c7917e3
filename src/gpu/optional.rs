//! Optional capabilities: what a device has of them, and how those in use are asked for.

use std::ffi::{CStr, c_char};

use ash::{ext, khr, vk};

/// An optional capability. Each has a fallback or a reason to skip; none is needed to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Optional {
    /// `vkCmdPipelineBarrier2`; else Vulkan 1.0 barriers.
    pub synchronization2: bool,
    /// `vkCmdBeginRendering`; else render passes and framebuffers.
    pub dynamic_rendering: bool,
    /// `pipelineStatisticsQuery`; else the counters are null.
    pub pipeline_statistics: bool,
    /// `VK_EXT_transform_feedback`; else vertices cannot be captured.
    pub transform_feedback: bool,
    /// `multiDrawIndirect`; else an indirect draw for each entry.
    pub multi_draw_indirect: bool,
    /// `drawIndirectFirstInstance`; else indirect draws begin at instance 0.
    pub draw_indirect_first_instance: bool,
    /// `VK_EXT_pipeline_robustness`; else robust access is had of a whole device:
    /// `DeviceOptions::robust_buffer_access`.
    pub pipeline_robustness: bool,
}

impl Optional {
    /// Everything that exists.
    pub const ALL: Self = Self {
        synchronization2: true,
        dynamic_rendering: true,
        pipeline_statistics: true,
        transform_feedback: true,
        multi_draw_indirect: true,
        draw_indirect_first_instance: true,
        pipeline_robustness: true,
    };

    /// What both have.
    pub fn and(self, other: Self) -> Self {
        Self {
            synchronization2: self.synchronization2 && other.synchronization2,
            dynamic_rendering: self.dynamic_rendering && other.dynamic_rendering,
            pipeline_statistics: self.pipeline_statistics && other.pipeline_statistics,
            transform_feedback: self.transform_feedback && other.transform_feedback,
            multi_draw_indirect: self.multi_draw_indirect && other.multi_draw_indirect,
            draw_indirect_first_instance: self.draw_indirect_first_instance
                && other.draw_indirect_first_instance,
            pipeline_robustness: self.pipeline_robustness && other.pipeline_robustness,
        }
    }

    /// Each with its name in Vulkan.
    pub fn named(self) -> [(&'static str, bool); 7] {
        [
            ("synchronization2", self.synchronization2),
            ("dynamicRendering", self.dynamic_rendering),
            ("pipelineStatisticsQuery", self.pipeline_statistics),
            ("transformFeedback", self.transform_feedback),
            ("multiDrawIndirect", self.multi_draw_indirect),
            (
                "drawIndirectFirstInstance",
                self.draw_indirect_first_instance,
            ),
            ("pipelineRobustness", self.pipeline_robustness),
        ]
    }

    /// Extensions that those in use need. Those of core features need none.
    fn extensions(self) -> Vec<&'static CStr> {
        let rows: [(bool, &[&'static CStr]); 4] = [
            (self.synchronization2, &[khr::synchronization2::NAME]),
            (self.dynamic_rendering, &DYNAMIC_RENDERING),
            (self.transform_feedback, &[ext::transform_feedback::NAME]),
            (self.pipeline_robustness, &[ext::pipeline_robustness::NAME]),
        ];
        let used = rows.into_iter().filter(|(used, _)| *used);
        used.flat_map(|(_, names)| names.iter().copied()).collect()
    }
}

/// On Vulkan 1.1 dynamic rendering depends on two more.
const DYNAMIC_RENDERING: [&CStr; 3] = [
    khr::dynamic_rendering::NAME,
    khr::depth_stencil_resolve::NAME,
    khr::create_renderpass2::NAME,
];

/// The extensions of a device.
pub(super) struct Extensions(Vec<vk::ExtensionProperties>);

impl Extensions {
    pub fn of(instance: &ash::Instance, raw: vk::PhysicalDevice) -> Self {
        // SAFETY: `raw` comes from this instance.
        let all = unsafe { instance.enumerate_device_extension_properties(raw) };
        Self(all.unwrap_or_default())
    }

    pub fn has(&self, name: &CStr) -> bool {
        self.0
            .iter()
            .any(|extension| extension.extension_name_as_c_str() == Ok(name))
    }

    /// The capabilities whose extensions are there, as far as they need any.
    fn allow(&self) -> Optional {
        let has = |names: &[&CStr]| names.iter().all(|name| self.has(name));
        Optional {
            synchronization2: has(&[khr::synchronization2::NAME]),
            dynamic_rendering: has(&DYNAMIC_RENDERING),
            transform_feedback: has(&[ext::transform_feedback::NAME]),
            pipeline_robustness: has(&[ext::pipeline_robustness::NAME]),
            ..Optional::ALL
        }
    }

    /// Names of the extensions to enable: those of the capabilities in use, and
    /// `VK_KHR_portability_subset`, which must be enabled where a driver lists it. None of the
    /// subset's missing features is used.
    pub fn to_enable(&self, used: Optional) -> Vec<*const c_char> {
        let subset = Some(khr::portability_subset::NAME).filter(|name| self.has(name));
        let names = subset.into_iter().chain(used.extensions());
        names.map(CStr::as_ptr).collect()
    }
}

/// Feature structures, to be asked and to ask with.
#[derive(Default)]
pub(super) struct Features {
    core: vk::PhysicalDeviceFeatures,
    sync2: vk::PhysicalDeviceSynchronization2Features<'static>,
    rendering: vk::PhysicalDeviceDynamicRenderingFeatures<'static>,
    feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'static>,
    robustness: vk::PhysicalDevicePipelineRobustnessFeaturesEXT<'static>,
}

impl Features {
    /// The features of what is in use, and `robustBufferAccess`.
    pub fn wanted(used: Optional, robust_buffer_access: bool) -> Self {
        Self {
            core: vk::PhysicalDeviceFeatures::default()
                .robust_buffer_access(robust_buffer_access)
                .pipeline_statistics_query(used.pipeline_statistics)
                .multi_draw_indirect(used.multi_draw_indirect)
                .draw_indirect_first_instance(used.draw_indirect_first_instance),
            sync2: vk::PhysicalDeviceSynchronization2Features::default()
                .synchronization2(used.synchronization2),
            rendering: vk::PhysicalDeviceDynamicRenderingFeatures::default()
                .dynamic_rendering(used.dynamic_rendering),
            feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default()
                .transform_feedback(used.transform_feedback),
            robustness: vk::PhysicalDevicePipelineRobustnessFeaturesEXT::default()
                .pipeline_robustness(used.pipeline_robustness),
        }
    }

    /// The chain. A structure may be in it only where its extension exists, and for a device only
    /// where it is enabled: `chained` says which.
    pub fn chain(&mut self, chained: Optional) -> vk::PhysicalDeviceFeatures2<'_> {
        let mut head = vk::PhysicalDeviceFeatures2::default().features(self.core);
        if chained.synchronization2 {
            head = head.push_next(&mut self.sync2);
        }
        if chained.dynamic_rendering {
            head = head.push_next(&mut self.rendering);
        }
        if chained.transform_feedback {
            head = head.push_next(&mut self.feedback);
        }
        if chained.pipeline_robustness {
            head = head.push_next(&mut self.robustness);
        }
        head
    }

    /// Which capabilities the structures say there are.
    fn found(&self) -> Optional {
        let yes = |flag: vk::Bool32| flag == vk::TRUE;
        Optional {
            synchronization2: yes(self.sync2.synchronization2),
            dynamic_rendering: yes(self.rendering.dynamic_rendering),
            pipeline_statistics: yes(self.core.pipeline_statistics_query),
            transform_feedback: yes(self.feedback.transform_feedback),
            multi_draw_indirect: yes(self.core.multi_draw_indirect),
            draw_indirect_first_instance: yes(self.core.draw_indirect_first_instance),
            pipeline_robustness: yes(self.robustness.pipeline_robustness),
        }
    }
}

/// What a device has of the optional capabilities.
pub(super) fn optional(
    instance: &ash::Instance,
    raw: vk::PhysicalDevice,
    extensions: &Extensions,
) -> Optional {
    let mut features = Features::default();
    let mut chain = features.chain(extensions.allow());
    // SAFETY: `raw` comes from this instance; the chain lives until the call returns.
    unsafe { instance.get_physical_device_features2(raw, &mut chain) };
    let core = chain.features;
    features.core = core;
    features.found()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every capability alone.
    fn singles() -> [Optional; 7] {
        let none = Optional::default;
        [
            Optional {
                synchronization2: true,
                ..none()
            },
            Optional {
                dynamic_rendering: true,
                ..none()
            },
            Optional {
                pipeline_statistics: true,
                ..none()
            },
            Optional {
                transform_feedback: true,
                ..none()
            },
            Optional {
                multi_draw_indirect: true,
                ..none()
            },
            Optional {
                draw_indirect_first_instance: true,
                ..none()
            },
            Optional {
                pipeline_robustness: true,
                ..none()
            },
        ]
    }

    #[test]
    fn each_capability_alone_has_one_name() {
        for (at, one) in singles().into_iter().enumerate() {
            let named = one.named().map(|(_, has)| has);
            assert!(named.iter().enumerate().all(|(n, has)| *has == (n == at)));
        }
    }

    #[test]
    fn what_is_wanted_is_what_the_features_say_and_no_more() {
        for one in singles() {
            assert_eq!(Features::wanted(one, false).found(), one);
            assert_eq!(one.and(Optional::ALL), one);
            for other in singles().into_iter().filter(|other| *other != one) {
                assert_eq!(one.and(other), Optional::default());
            }
        }
        assert_eq!(Features::wanted(Optional::ALL, true).found(), Optional::ALL);
    }

    #[test]
    fn without_extensions_only_core_features_are_left() {
        let none = Extensions(Vec::new());
        let core = Optional {
            pipeline_statistics: true,
            multi_draw_indirect: true,
            draw_indirect_first_instance: true,
            ..Optional::default()
        };
        assert_eq!(none.allow(), core);
        assert!(core.extensions().is_empty() && none.to_enable(core).is_empty());
        assert_eq!(none.to_enable(Optional::ALL).len(), 6);
    }
}
