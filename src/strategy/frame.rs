//! Recording a frame: upload, deform, passes; the same for every place.

use crate::gpu::{Access, Encoder, GpuError, Transition};
use crate::plan::Draws;
use crate::render::{Grid, Pass, Targets, Views};

use super::{DrawRecipe, Frame, Prepared};

/// What a frame draws.
#[derive(Clone, Copy)]
pub struct FrameRecipe<'a> {
    /// The passes, in order.
    pub passes: &'a [Pass],
    /// How characters are drawn.
    pub draws: Draws,
    /// From where.
    pub views: &'a Views,
    /// Where characters stand.
    pub grid: Grid,
    /// How many characters are seen.
    pub visible: u32,
    /// To what.
    pub targets: &'a Targets,
}

/// Records the device's part of a frame under the scopes `frame` > `upload`, `deform`, `passes`.
///
/// # Errors
/// Those of the place and the encoder.
pub fn record_frame(
    encoder: &mut Encoder<'_>,
    prepared: &dyn Prepared,
    frame: &Frame,
    recipe: &FrameRecipe<'_>,
) -> Result<(), GpuError> {
    encoder.scope("frame", |encoder| {
        encoder.stamped("upload", |encoder| prepared.upload(encoder, frame))?;
        if prepared.deforms_on_device() {
            encoder.stamped("deform", |encoder| prepared.deform(encoder, frame))?;
        }
        encoder.stamped("passes", |encoder| {
            prepared.before_passes(encoder, frame);
            recipe
                .passes
                .iter()
                .try_for_each(|pass| record_pass(encoder, prepared, frame, recipe, pass))
        })
    })
}

fn record_pass(
    encoder: &mut Encoder<'_>,
    prepared: &dyn Prepared,
    frame: &Frame,
    recipe: &FrameRecipe<'_>,
    pass: &Pass,
) -> Result<(), GpuError> {
    let attachments = recipe.targets.get(pass.target);
    encoder.scope(pass.name, |encoder| {
        // Earlier passes drew to these images, or they were read back; they are cleared.
        let color = [Access::ColorAttachment, Access::TransferRead];
        let depth = [Access::DepthAttachment, Access::TransferRead];
        let clear: Vec<_> = attachments
            .images()
            .iter()
            .map(|image| {
                let both = if image.format().is_depth() {
                    &depth
                } else {
                    &color
                };
                Transition::discard(image, both, &both[..1])
            })
            .collect();
        encoder.barrier("attachments", &clear);
        let draw = DrawRecipe {
            kind: pass.kind,
            draws: recipe.draws,
            view_projection: recipe.views.matrix(pass.viewpoint),
            grid: recipe.grid,
            visible: recipe.visible,
        };
        encoder.render(attachments, |encoder| prepared.draw(encoder, frame, &draw))
    })
}
