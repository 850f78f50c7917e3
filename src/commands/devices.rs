//! `skinbench devices`.

use std::sync::Arc;

use anyhow::Result;
use comfy_table::{Table, presets};
use serde_json::{Value, json};

use super::{exit, open_instance, print};
use crate::cli::{DataFormat, Devices};
use crate::gpu::{Device, DeviceOptions, DeviceSummary, Instance};
use crate::plan::Place;
use crate::strategy::{Need, strategy_of, value_needs};

pub(super) fn execute(request: &Devices) -> Result<u8> {
    let instance = open_instance(request.validation)?;
    let devices = instance.devices()?;
    if devices.is_empty() {
        anyhow::bail!(
            "no Vulkan device: install a driver (mesa-vulkan-drivers has a software one)"
        );
    }
    match request.format {
        DataFormat::Json => {
            let all: Vec<_> = devices
                .iter()
                .map(|device| to_json(&instance, device))
                .collect();
            print(&format!("{:#}\n", json!({ "devices": all })))?;
        }
        DataFormat::Table => {
            for device in &devices {
                print(&to_text(&instance, device))?;
            }
        }
    }
    Ok(exit::FINE)
}

fn open(instance: &Arc<Instance>, summary: &DeviceSummary) -> Result<Device, String> {
    Device::open(instance, summary, DeviceOptions::default()).map_err(|error| error.to_string())
}

fn needs(device: &Device, place: Place) -> Vec<Need> {
    strategy_of(place).needs(device.capabilities())
}

/// Names of what a place needs and the device lacks.
fn unmet(needs: &[Need]) -> Vec<&'static str> {
    let unmet = needs.iter().filter(|need| !need.is_met());
    unmet.map(|need| need.name).collect()
}

/// Which optional capabilities the device has, and which not.
fn optional_line(device: &Device) -> String {
    let named = device.capabilities().has.named();
    let list = |wanted: bool| {
        let chosen = named.iter().filter(|(_, has)| *has == wanted);
        let names: Vec<_> = chosen.map(|(name, _)| *name).collect();
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        }
    };
    format!("optional: has {}; lacks {}", list(true), list(false))
}

fn to_json(instance: &Arc<Instance>, summary: &DeviceSummary) -> Value {
    let (major, minor, patch) = summary.api_version;
    let mut entry = json!({
        "index": summary.index,
        "name": summary.name,
        "kind": summary.kind,
        "uuid": summary.uuid,
        "api_version": format!("{major}.{minor}.{patch}"),
    });
    match open(instance, summary) {
        Err(error) => entry["error"] = json!(error),
        Ok(device) => {
            entry["driver"] = json!(device.driver());
            entry["capabilities"] = json!(device.capabilities());
            let places = Place::ALL.iter().map(|place| {
                let needs = needs(&device, *place);
                let unmet = unmet(&needs);
                let entry = json!({ "runs": unmet.is_empty(), "unmet": unmet, "needs": needs });
                (place.name().to_owned(), entry)
            });
            entry["strategies"] = Value::Object(places.collect());
            let values = value_needs(device.capabilities()).into_iter();
            let values = values.map(|(name, needs)| {
                let unmet = unmet(&needs);
                let entry = json!({ "runs": unmet.is_empty(), "unmet": unmet, "needs": needs });
                (name, entry)
            });
            entry["values"] = Value::Object(values.collect());
        }
    }
    entry
}

fn to_text(instance: &Arc<Instance>, summary: &DeviceSummary) -> String {
    let (major, minor, patch) = summary.api_version;
    let mut text = format!(
        "{} {} ({}), Vulkan {major}.{minor}.{patch}, {}\n",
        summary.index,
        summary.name,
        summary.kind.name(),
        summary.uuid
    );
    match open(instance, summary) {
        Err(error) => text.push_str(&format!("  cannot be used: {error}\n")),
        Ok(device) => text.push_str(&format!(
            "{}\n{}\n{}\n\n",
            places_table(&device),
            values_lines(&device),
            optional_line(&device)
        )),
    }
    text
}

/// Which axis values and engines run here, and why the others do not.
fn values_lines(device: &Device) -> String {
    let all = value_needs(device.capabilities());
    let (runs, not): (Vec<_>, Vec<_>) = all
        .iter()
        .partition(|(_, needs)| needs.iter().all(Need::is_met));
    let mut lines: Vec<String> = not
        .iter()
        .map(|(name, needs)| format!("not here: {name}: lacks {}", unmet(needs).join(", ")))
        .collect();
    let names: Vec<&str> = runs.iter().map(|(name, _)| name.as_str()).collect();
    lines.insert(0, format!("runs too: {}", names.join("; ")));
    lines.join("\n")
}

fn places_table(device: &Device) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["place", "runs", "needs", "has"]);
    for place in Place::ALL {
        let needs = needs(device, *place);
        let unmet = unmet(&needs);
        let runs = if unmet.is_empty() {
            "yes".to_owned()
        } else {
            format!("no: {}", unmet.join(", "))
        };
        let column = |pick: fn(&Need) -> u64| {
            let lines: Vec<_> = needs
                .iter()
                .map(|need| format!("{} {}", need.name, pick(need)))
                .collect();
            if lines.is_empty() {
                "-".to_owned()
            } else {
                lines.join("\n")
            }
        };
        table.add_row([
            place.name().to_owned(),
            runs,
            column(|n| n.need),
            column(|n| n.have),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_does_not_run_names_what_it_lacks() {
        let need = Need::limit;
        let needs = [
            need("maxA", 4, 4),
            need("maxB", 4, 3),
            Need::feature("feature", false),
        ];
        assert_eq!(unmet(&needs), ["maxB", "feature"]);
        assert!(unmet(&needs[..1]).is_empty());
    }
}
