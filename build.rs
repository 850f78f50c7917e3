//! Compiles the shaders to SPIR-V for Vulkan 1.1 and records the git revision.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error::Error, fs};

/// Output name, file, and the defines that change its interface.
type Entry = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const MODULES: &[Entry] = &[
    ("deform.comp", "deform.comp", &[]),
    ("morph_scatter.comp", "morph_scatter.comp", &[]),
    ("morph_finish.comp", "morph_finish.comp", &[]),
    ("predeformed.vert", "predeformed.vert", &[]),
    (
        "predeformed_packed.vert",
        "predeformed.vert",
        &[("PACKED", "1")],
    ),
    ("skinned_storage.vert", "skinned.vert", &[]),
    // The first number is 64 joints in a layout, the second what 16 KiB hold.
    (
        "skinned_uniform_192.vert",
        "skinned.vert",
        &[("PALETTE_UNIFORM", "192")],
    ),
    (
        "skinned_uniform_960.vert",
        "skinned.vert",
        &[("PALETTE_UNIFORM", "960")],
    ),
    (
        "skinned_uniform_256.vert",
        "skinned.vert",
        &[("PALETTE_UNIFORM", "256")],
    ),
    (
        "skinned_uniform_1024.vert",
        "skinned.vert",
        &[("PALETTE_UNIFORM", "1024")],
    ),
    (
        "skinned_uniform_320.vert",
        "skinned.vert",
        &[("PALETTE_UNIFORM", "320")],
    ),
    (
        "skinned_uniform_1020.vert",
        "skinned.vert",
        &[("PALETTE_UNIFORM", "1020")],
    ),
    (
        "skinned_texture.vert",
        "skinned.vert",
        &[("PALETTE_TEXTURE", "1")],
    ),
    (
        "feedback_p.vert",
        "feedback.vert",
        &[("FEEDBACK_ATTRIBUTES", "0")],
    ),
    (
        "feedback_pn.vert",
        "feedback.vert",
        &[("FEEDBACK_ATTRIBUTES", "1")],
    ),
    (
        "feedback_pnt.vert",
        "feedback.vert",
        &[("FEEDBACK_ATTRIBUTES", "2")],
    ),
    (
        "feedback_pn_packed.vert",
        "feedback.vert",
        &[("FEEDBACK_ATTRIBUTES", "1"), ("FEEDBACK_PACKED", "1")],
    ),
    (
        "feedback_pnt_packed.vert",
        "feedback.vert",
        &[("FEEDBACK_ATTRIBUTES", "2"), ("FEEDBACK_PACKED", "1")],
    ),
    ("gbuffer.frag", "gbuffer.frag", &[]),
    ("velocity.frag", "velocity.frag", &[]),
    ("readback.frag", "readback.frag", &[]),
    // Only for the tests of what the encoder captures.
    ("test_capture.vert", "test/capture.vert", &[]),
    // Only for the tests of kernels of one's own.
    ("minimal.comp", "../examples/kernels/minimal.comp", &[]),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=shaders");
    println!("cargo:rerun-if-changed=examples/kernels");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let compiler = shaderc::Compiler::new()?;
    for (name, file, defines) in MODULES {
        let spirv = compile(&compiler, file, defines)?;
        fs::write(out.join(format!("{name}.spv")), spirv)?;
    }
    record_revision();
    Ok(())
}

fn compile(
    compiler: &shaderc::Compiler,
    file: &str,
    defines: &[(&str, &str)],
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
        compiler.compile_into_spirv(&source, kind, file, "main", Some(&options(defines)?))?;
    if artifact.get_num_warnings() > 0 {
        println!(
            "cargo:warning={}",
            artifact.get_warning_messages().replace('\n', " ")
        );
    }
    Ok(artifact.as_binary_u8().to_vec())
}

fn options(defines: &[(&str, &str)]) -> Result<shaderc::CompileOptions<'static>, Box<dyn Error>> {
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
    for (name, value) in defines {
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
