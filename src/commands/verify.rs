//! `skinbench verify`.

use anyhow::Result;
use comfy_table::{Table, presets};
use serde_json::{Value, json};

use super::{exit, open_device, open_instance, print, report_validation};
use crate::bench::{Lab, VerifiedPlace, VerifyInput, dump, verify};
use crate::cli::{DataFormat, Verify};
use crate::gpu::DeviceOptions;
use crate::plan::VerifyPlan;

/// Side of the pictures that the places are compared by.
const PICTURE: u32 = 256;

pub(super) fn execute(request: Verify) -> Result<u8> {
    let plan = VerifyPlan::build(request.request)?;
    let instance = open_instance(request.validation)?;
    let device = open_device(
        &instance,
        request.device.as_deref(),
        DeviceOptions::default(),
    )?;
    let mut lab = Lab::new(device, (PICTURE, PICTURE))?;
    let places = verify(&mut lab, &VerifyInput { plan: &plan })?;
    if let Some(dir) = &request.dump {
        dump(&places, dir)?;
    }
    let about = About::new(&lab, &plan);
    match request.format {
        DataFormat::Json => print(&format!("{:#}\n", to_json(&places, &about)))?,
        DataFormat::Table => print(&to_table(&places, &about))?,
    }
    let wrong = places.iter().any(|place| place.failure.is_some());
    let spoken = report_validation(&lab.device);
    Ok(if wrong || spoken {
        exit::FINDING
    } else {
        exit::FINE
    })
}

fn status(place: &VerifiedPlace) -> &'static str {
    match (&place.skipped, &place.failure) {
        (Some(_), _) => "skipped",
        (None, Some(_)) => "invalid",
        (None, None) => "verified",
    }
}

/// What was verified.
struct About {
    device: String,
    model: String,
    clip: Value,
    time_s: f64,
}

impl About {
    fn new(lab: &Lab, plan: &VerifyPlan) -> Self {
        let model = plan.model.as_ref().map(|path| path.display().to_string());
        Self {
            device: lab.device.summary().name.clone(),
            model: model.unwrap_or_else(|| "built-in".to_owned()),
            clip: json!(plan.clip),
            time_s: plan.time_s,
        }
    }
}

fn to_json(places: &[VerifiedPlace], about: &About) -> Value {
    let entry = |place: &VerifiedPlace| {
        let seen = place.verification.as_ref();
        let error = seen
            .map(|seen| seen.max_position_error)
            .filter(|error| error.is_finite());
        json!({
            "id": place.case.id(),
            "status": status(place),
            "reason": place.skipped,
            "failure": place.failure,
            "vertices": seen.map(|seen| seen.vertices),
            "ambiguous": seen.map(|seen| seen.ambiguous),
            "undetermined": seen.map(|seen| seen.undetermined),
            "max_position_error": error,
            "max_normal_error_deg": seen.and_then(|seen| seen.max_normal_error_deg),
            "max_tangent_error_deg": seen.and_then(|seen| seen.max_tangent_error_deg),
            "image_identical": place.image_identical,
        })
    };
    json!({ "device": about.device, "model": about.model, "clip": about.clip, "time_s": about.time_s, "places": places.iter().map(entry).collect::<Vec<_>>() })
}

fn to_table(places: &[VerifiedPlace], about: &About) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "place",
        "status",
        "vertices",
        "position error",
        "normal error",
        "same picture",
        "why",
    ]);
    for place in places {
        let seen = place.verification.as_ref();
        let number = |value: Option<f64>, unit: &str| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2e}{unit}"))
        };
        let why = place
            .skipped
            .as_ref()
            .map(|reason| reason.message.clone())
            .or_else(|| place.failure.clone());
        table.add_row([
            place.case.id(),
            status(place).to_owned(),
            seen.map_or_else(|| "-".to_owned(), |seen| seen.vertices.to_string()),
            number(seen.map(|seen| seen.max_position_error), " of the diagonal"),
            number(seen.and_then(|seen| seen.max_normal_error_deg), "°"),
            place
                .image_identical
                .map_or("-", |same| if same { "yes" } else { "no" })
                .to_owned(),
            why.unwrap_or_default(),
        ]);
    }
    let clip = if about.clip.is_null() {
        "first clip".to_owned()
    } else {
        format!("clip {}", about.clip)
    };
    format!(
        "{} on {}, {clip} at {} s\n{table}\n",
        about.model, about.device, about.time_s
    )
}
