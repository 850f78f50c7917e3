//! The command line: what is accepted, and what each wrong argument is told.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use skinbench::cli::{self, CliError, Command, DataFormat, Run, RunFormat, Verify};
use skinbench::plan::{AxisRequest, ClipChoice, Plan, Preset, Resolution, RunRequest, VerifyPlan};

fn parse(line: &[&str]) -> Result<Command, CliError> {
    cli::parse(std::iter::once("skinbench").chain(line.iter().copied()))
}

fn run(line: &[&str]) -> Run {
    match parse(line) {
        Ok(Command::Run(run)) => run,
        other => panic!("{line:?}: {other:?}"),
    }
}

fn verify(line: &[&str]) -> Verify {
    match parse(line) {
        Ok(Command::Verify(verify)) => verify,
        other => panic!("{line:?}: {other:?}"),
    }
}

/// The one line that a wrong command line is told, by the parser or by the plan behind it.
fn told(line: &[&str]) -> String {
    let error = match parse(line) {
        Ok(Command::Run(run)) => Plan::build(run.request, 7)
            .map(drop)
            .map_err(CliError::from),
        Ok(Command::Verify(verify)) => VerifyPlan::build(verify.request)
            .map(drop)
            .map_err(CliError::from),
        other => other.map(drop),
    };
    let error = error.expect_err("a wrong command line");
    assert_eq!((error.exit_code(), error.is_answer()), (2, false));
    let said = error.to_string();
    assert!(!said.chars().any(char::is_control), "{said:?}");
    said
}

fn shown(line: &[&str]) -> String {
    let answer = parse(line).expect_err("help or version");
    assert_eq!((answer.exit_code(), answer.is_answer()), (0, true));
    answer.to_string()
}

#[test]
fn run_alone_asks_for_the_defaults() {
    let expected = Run {
        request: RunRequest::default(),
        device: None,
        dry_run: false,
        out: None,
        format: RunFormat::Table,
        validation: false,
    };
    assert_eq!(run(&["run"]), expected);
}

#[test]
fn every_flag_of_run_arrives() {
    let line = [
        "run",
        "models/Fox.glb",
        "--device",
        "llvmpipe",
        "--preset",
        "standard",
        "--strategies",
        "compute,cpu",
        "--axis",
        "attributes=p,pnt",
        "--axis",
        "poses=shared",
        "--passes",
        "1,2",
        "--instances",
        "3",
        "--resolution",
        "640x480",
        "--dry-run",
        "--time-limit",
        "2.5",
        "--seed",
        "18446744073709551615",
        "--out",
        "a b.json",
        "--format",
        "csv",
        "--clip",
        "Walk",
        "--kernel",
        "my kernels/skin.spv",
        "--validation",
    ];
    let expected = Run {
        request: RunRequest {
            model: Some(PathBuf::from("models/Fox.glb")),
            preset: Preset::Standard,
            axes: vec![
                AxisRequest::strategies("compute,cpu"),
                AxisRequest::passes("1,2"),
                AxisRequest::instances("3"),
                AxisRequest::axis("attributes=p,pnt").unwrap(),
                AxisRequest::axis("poses=shared").unwrap(),
            ],
            resolution: Resolution {
                width: 640,
                height: 480,
            },
            clip: Some(ClipChoice::Name("Walk".to_owned())),
            time_limit: Some(Duration::from_millis(2500)),
            seed: Some(u64::MAX),
            kernel: Some(PathBuf::from("my kernels/skin.spv")),
        },
        device: Some("llvmpipe".to_owned()),
        dry_run: true,
        out: Some(PathBuf::from("a b.json")),
        format: RunFormat::Csv,
        validation: true,
    };
    assert_eq!(run(&line), expected);
}

#[test]
fn every_flag_of_verify_arrives() {
    let plain = verify(&["verify"]);
    assert_eq!((plain.request.time_s, plain.request.clip), (0.0, None));
    assert_eq!((plain.dump, plain.format), (None, DataFormat::Table));
    let line = [
        "--validation",
        "verify",
        "m.gltf",
        "--device",
        "0",
        "--clip",
        "2",
        "--time",
        "0.25",
        "--dump",
        "out",
        "--strategies",
        "cpu",
        "--instances",
        "2",
        "--format",
        "json",
    ];
    let full = verify(&line);
    assert_eq!(full.request.model, Some(PathBuf::from("m.gltf")));
    assert_eq!(full.request.clip, Some(ClipChoice::Index(2)));
    assert_eq!(full.request.time_s, 0.25);
    assert_eq!(
        full.request.axes,
        [AxisRequest::strategies("cpu"), AxisRequest::instances("2")]
    );
    assert_eq!(
        (full.device.as_deref(), full.dump),
        (Some("0"), Some("out".into()))
    );
    assert_eq!((full.format, full.validation), (DataFormat::Json, true));
}

#[test]
fn devices_prints_a_table_or_json() {
    for (line, format) in [
        (&["devices"][..], DataFormat::Table),
        (&["devices", "--format", "json"], DataFormat::Json),
    ] {
        match parse(line) {
            Ok(Command::Devices(devices)) => assert_eq!(devices.format, format),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_format_of_run_has_its_name() {
    for (name, format) in [
        ("table", RunFormat::Table),
        ("json", RunFormat::Json),
        ("markdown", RunFormat::Markdown),
        ("csv", RunFormat::Csv),
    ] {
        assert_eq!(run(&["run", "--format", name]).format, format);
    }
}

#[test]
fn commands_and_arguments_that_do_not_exist() {
    assert_eq!(
        told(&[]),
        "there is no command: give one of devices, run, verify; see 'skinbench --help'"
    );
    assert_eq!(
        told(&["rum"]),
        "there is no command 'rum': did you mean 'run'?"
    );
    assert_eq!(
        told(&["zzz"]),
        "there is no command 'zzz': give one of devices, run, verify; see 'skinbench --help'"
    );
    assert_eq!(
        told(&["run", "--pases", "1"]),
        "there is no argument '--pases' here: did you mean '--passes'?"
    );
    assert_eq!(
        told(&["verify", "--qqqq"]),
        "there is no argument '--qqqq' here: see 'skinbench verify --help'"
    );
    assert_eq!(
        told(&["run", "a.glb", "b.glb"]),
        "argument 'b.glb' is one too many: see 'skinbench run --help'"
    );
}

#[test]
fn values_that_are_not_there_or_not_known() {
    assert_eq!(
        told(&["run", "--preset", "quik"]),
        "--preset <NAME> has no value 'quik': did you mean 'quick'?"
    );
    assert_eq!(
        told(&["run", "--preset", "zzz"]),
        "--preset <NAME> has no value 'zzz': choose one of quick, standard, full"
    );
    assert_eq!(
        told(&["devices", "--format", "csv"]),
        "--format <FORMAT> has no value 'csv': choose one of table, json"
    );
    assert_eq!(
        told(&["run", "--seed"]),
        "--seed <N> needs a value: see 'skinbench run --help'"
    );
    for line in [
        &["run", "--device", ""][..],
        &["run", "--out", ""],
        &["run", ""],
        &["verify", "--dump", ""],
    ] {
        assert!(told(line).contains("needs a value"), "{line:?}");
    }
    assert_eq!(
        told(&["run", "--passes", "1", "--passes", "2"]),
        "--passes <N,...> is given twice: keep one of the two"
    );
}

#[test]
fn numbers_that_are_none() {
    assert_eq!(
        told(&["run", "--time-limit", "NaN"]),
        "--time-limit <SECONDS>: 'NaN' is not a time limit: \
         give seconds from 1 to 604800 in plain decimals, such as 60 or 2.5"
    );
    assert_eq!(
        told(&["run", "--passes", "-1"]),
        "--passes: axis passes has no value '-1': give a whole number from 1 to 64"
    );
    assert_eq!(
        told(&["run", "--seed", "-1"]),
        "--seed <N>: '-1' is not a seed: give a whole number from 0 to 18446744073709551615"
    );
    assert_eq!(
        told(&["verify", "--time", "-0.5"]),
        "--time <SECONDS>: '-0.5' is not a time in a clip: \
         give seconds from 0 to 86400 in plain decimals, such as 0.25"
    );
    assert_eq!(
        told(&["run", "--resolution", "0x0"]),
        "--resolution <WIDTHxHEIGHT>: '0x0' is not a resolution: \
         give WIDTHxHEIGHT in pixels, each from 1 to 32768, such as 256x256"
    );
}

#[test]
fn each_numeric_flag_refuses_what_is_no_number_of_its() {
    let never = [
        "NaN",
        "-1",
        "1e9",
        "",
        "inf",
        "99999999999999999999999",
        "１",
        "🦊",
        "1\n2",
        "-",
    ];
    for flag in [
        "--passes",
        "--instances",
        "--resolution",
        "--time-limit",
        "--seed",
    ] {
        for text in never {
            told(&["run", flag, text]);
        }
    }
    for flag in ["--passes", "--instances", "--resolution", "--time-limit"] {
        told(&["run", flag, "0"]);
    }
    for text in never {
        told(&["verify", "--time", text]);
        told(&["verify", "--instances", text]);
        told(&["run", "--axis", &format!("instances={text}")]);
    }
}

#[test]
fn axes_that_conflict_or_do_not_exist() {
    assert_eq!(
        told(&["run", "--passes", "1,2", "--axis", "passes=4"]),
        "--axis passes=4: axis passes is already set by --passes: keep one of the two"
    );
    assert_eq!(
        told(&["run", "--axis", "strategy=cpu", "--strategies", "cpu"]),
        "--axis strategy=cpu: axis strategy is already set by --strategies: keep one of the two"
    );
    assert!(told(&["run", "--axis", "pallette=mat4"]).contains("there is no axis 'pallette'"));
    assert!(told(&["run", "fox.glb", "--axis", "joints=4"]).contains("built-in character alone"));
    assert_eq!(
        told(&["run", "--axis", "engine=godot", "--axis", "palette=mat4"]),
        "--axis palette=mat4: engine godot of --axis engine=godot has palette rows3x4, not mat4: \
         leave out one of the two"
    );
    assert_eq!(
        told(&["run", "--axis", "engine=godot", "--strategies", "cpu"]),
        "--strategies: no engine of --axis engine=godot runs there: add one of compute"
    );
    assert_eq!(
        told(&["run", "--axis", "passes"]),
        "--axis: 'passes' names no axis and values: write NAME=VALUE,VALUE"
    );
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_a_path_but_no_value() {
    use std::os::unix::ffi::OsStringExt;
    let strange = OsString::from_vec(vec![b'm', 0xff]);
    let line = |flag: &str| {
        vec![
            "skinbench".into(),
            "run".into(),
            flag.into(),
            strange.clone(),
        ]
    };
    match cli::parse(line("--out")) {
        Ok(Command::Run(run)) => assert_eq!(run.out, Some(PathBuf::from(&strange))),
        other => panic!("{other:?}"),
    }
    let said = cli::parse(line("--passes")).unwrap_err().to_string();
    assert_eq!(
        said,
        "invalid UTF-8 was detected in one or more arguments: see 'skinbench run --help'"
    );
}

#[test]
fn help_says_what_each_flag_does_with_unit_and_default() {
    let text = shown(&["run", "--help"]);
    for part in [
        "[default: quick]",
        "[default: 256x256]",
        "in seconds, 1 to 604800",
        "[default: results/<device>-<utc>.json]",
        "- passes: drawings of the mesh in one frame; a whole number from 1 to 64 [default: 1]",
        "- vertices: vertices of the built-in character; a whole number from 500 to 5000000 \
         [default: 5000] (not with MODEL)",
        "compute, vertex-storage, vertex-uniform, vertex-texture, transform-feedback, cpu \
         [default: of the preset]",
        "(vertex-texture, transform-feedback only)",
        "[default: u16] (not in cpu)",
        "- engine: ",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(text.contains("--validation"));
    assert!(shown(&["--help"]).contains("Exit codes"));
    assert!(shown(&["verify", "--help"]).contains("[default: 0]"));
    assert!(shown(&["help", "devices"]).contains("--format"));
}

#[test]
fn version_is_the_packages() {
    let expected = format!("skinbench {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(shown(&["--version"]), expected);
}
