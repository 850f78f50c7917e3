//! Compiles the shaders to SPIR-V for Vulkan 1.1 and records the git revision.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error::Error, fs};

/// A preprocessor define with its value.
type Define = Option<(&'static str, &'static str)>;

/// Output name, file, and the define that changes its interface.
const MODULES: &[(&str, &str, Define)] = &[
    ("deform.comp", "deform.comp", None),
    ("predeformed.vert", "predeformed.vert", None),
    ("skinned_storage.vert", "skinned.vert", None),
    (
        "skinned_uniform_64.vert",
        "skinned.vert",
        Some(("PALETTE_UNIFORM", "64")),
    ),
    (
        "skinned_uniform_320.vert",
        "skinned.vert",
        Some(("PALETTE_UNIFORM", "320")),
    ),
    ("gbuffer.frag", "gbuffer.frag", None),
    ("velocity.frag", "velocity.frag", None),
    ("readback.frag", "readback.frag", None),
    ("test_capture.vert", "test/capture.vert", None),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=shaders");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let compiler = shaderc::Compiler::new()?;
    for (name, file, define) in MODULES {
        let spirv = compile(&compiler, file, *define)?;
        fs::write(out.join(format!("{name}.spv")), spirv)?;
    }
    record_revision();
    Ok(())
}

fn compile(
    compiler: &shaderc::Compiler,
    file: &str,
    define: Define,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let path = Path::new("shaders").join(file);
    let source =
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let kind = match path.extension().and_then(|extension| extension.to_str()) {
        Some("comp") => shaderc::ShaderKind::Compute,
        Some("vert") => shaderc::ShaderKind::Vertex,
        _ => shaderc::ShaderKind::Fragment,
    };
    let artifact =
        compiler.compile_into_spirv(&source, kind, file, "main", Some(&options(define)?))?;
    if artifact.get_num_warnings() > 0 {
        println!(
            "cargo:warning={}",
            artifact.get_warning_messages().replace('\n', " ")
        );
    }
    Ok(artifact.as_binary_u8().to_vec())
}

fn options(define: Define) -> Result<shaderc::CompileOptions<'static>, Box<dyn Error>> {
    let mut options = shaderc::CompileOptions::new()?;
    options.set_target_env(
        shaderc::TargetEnv::Vulkan,
        shaderc::EnvVersion::Vulkan1_1 as u32,
    );
    options.set_optimization_level(shaderc::OptimizationLevel::Performance);
    // Names stay in the module: debuggers show them and a test reflects them.
    options.set_generate_debug_info();
    options.set_include_callback(|name, _, _, _| {
        let path = Path::new("shaders/include").join(name);
        let content =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(shaderc::ResolvedInclude {
            resolved_name: path.display().to_string(),
            content,
        })
    });
    if let Some((name, value)) = define {
        options.add_macro_definition(name, Some(value));
    }
    Ok(options)
}

/// Results name the revision that made them. Only release builds do: whatever they are built from is
/// watched, while a debug build would be stale or compile anew after each commit.
fn record_revision() {
    let profile = env::var("PROFILE").unwrap_or_default();
    let mut revision = String::new();
    let mut dirty = false;
    if profile == "release" {
        for watched in [
            ".git/logs/HEAD",
            "src",
            "Cargo.toml",
            "Cargo.lock",
            "build.rs",
        ] {
            println!("cargo:rerun-if-changed={watched}");
        }
        revision = git(&["rev-parse", "HEAD"]).unwrap_or_default();
        let changes = git(&["status", "--porcelain", "--untracked-files=no"]);
        dirty = changes.is_some_and(|changes| !changes.is_empty());
    }
    println!("cargo:rustc-env=SKINBENCH_GIT_REVISION={revision}");
    println!("cargo:rustc-env=SKINBENCH_GIT_DIRTY={dirty}");
    println!("cargo:rustc-env=SKINBENCH_BUILD_PROFILE={profile}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
