//! What a place needs of a device, whatever the scene.

use crate::gpu::Capabilities;
use crate::plan::{Engine, Place};
use crate::result::{Reason, ReasonKind};

use super::{refusal, strategy_of};

/// A limit or a feature that a place needs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Need {
    /// `limit`, or `feature`, which is there (1) or not (0).
    pub kind: ReasonKind,
    /// Vulkan's name of it.
    pub name: &'static str,
    /// What is needed.
    pub need: u64,
    /// What the device has.
    pub have: u64,
}

impl Need {
    /// A limit of at least `need`.
    pub fn limit(name: &'static str, need: u64, have: u64) -> Self {
        Self {
            kind: ReasonKind::Limit,
            name,
            need,
            have,
        }
    }

    /// A feature or extension.
    pub fn feature(name: &'static str, have: bool) -> Self {
        Self {
            kind: ReasonKind::Feature,
            name,
            need: 1,
            have: have.into(),
        }
    }

    /// Whether the device has enough.
    pub fn is_met(&self) -> bool {
        self.have >= self.need
    }

    /// Why a case cannot run for want of it; nothing where it is met.
    pub fn reason(&self) -> Option<Reason> {
        let Self {
            kind,
            name,
            need,
            have,
        } = *self;
        let message = match kind {
            ReasonKind::Feature => format!("{name} is needed, the device does not have it"),
            _ => format!("{name}: {need} is needed, the device has {have}"),
        };
        (!self.is_met()).then(|| Reason::new(kind, name, message).with(need, have))
    }
}

/// What axis values need beside their place, as `axis=value`, and what engines need, which is what
/// their place does.
pub fn value_needs(c: &Capabilities) -> Vec<(String, Vec<Need>)> {
    let indirect = Need::feature(
        "drawIndirectFirstInstance",
        c.has.draw_indirect_first_instance,
    );
    let robust = Need::feature("VK_EXT_pipeline_robustness", c.has.pipeline_robustness);
    let uniform = |bytes| vec![refusal::uniform_range(bytes, c)];
    let mut all = vec![
        ("draws=indirect".to_owned(), vec![indirect]),
        ("robust=on, beside robust=off".to_owned(), vec![robust]),
        (
            "vertex-uniform: 320 joints in rows".to_owned(),
            uniform(16 * 960),
        ),
        (
            "vertex-uniform: 256 joints in mat4".to_owned(),
            uniform(16 * 1024),
        ),
        (
            "vertex-uniform: 204 joints in dual-quat-scale".to_owned(),
            uniform(16 * 1020),
        ),
    ];
    for size in [32, 64, 128, 256] {
        let name = format!("workgroup={size}");
        all.push((name, vec![refusal::invocations(size, c)]));
    }
    let engines = Engine::ALL
        .iter()
        .filter_map(|engine| Some((engine, engine.place()?)));
    all.extend(engines.map(|(engine, place): (_, Place)| {
        let name = format!("engine={engine} in {place}");
        (name, strategy_of(place).needs(c))
    }));
    all
}
