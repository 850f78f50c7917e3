//! GLSL of a user's kernel to SPIR-V, as our own modules are made.

use std::path::Path;

use shaderc::{
    CompileOptions, Compiler, EnvVersion, OptimizationLevel, ResolvedInclude, ShaderKind, TargetEnv,
};

macro_rules! includes {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../shaders/include/", $name)))),*]
    };
}

/// What `#include` finds: the files that our own kernel is made of.
const INCLUDES: [(&str, &str); 8] = includes![
    "blend.glsl",
    "constants.glsl",
    "deform.glsl",
    "morph.glsl",
    "pack.glsl",
    "palette.glsl",
    "skinning.glsl",
    "vertex.glsl",
];

/// The bytes of the module.
///
/// # Errors
/// What the compiler said first, or that there is no compiler.
pub(super) fn compile(path: &Path, source: &[u8]) -> Result<Vec<u8>, String> {
    let source = std::str::from_utf8(source).map_err(|_| "it is no UTF-8 text".to_owned())?;
    // The compiler takes both as texts that end at the first such byte.
    let name = path.display().to_string();
    if source.contains('\0') || name.contains('\0') {
        return Err("it holds a byte of value 0".into());
    }
    // Without it the compiler takes GLSL 1.10 and prints its own prelude.
    let version = |line: &str| {
        let rest = line.trim().strip_prefix("#version")?;
        rest.split_whitespace().next()?.parse::<u32>().ok()
    };
    if source
        .lines()
        .find_map(version)
        .is_none_or(|version| version < 450)
    {
        return Err("it names no version: begin with `#version 450`".into());
    }
    let compiler = Compiler::new().map_err(|error| error.to_string())?;
    let options = options().map_err(|error| error.to_string())?;
    let made =
        compiler.compile_into_spirv(source, ShaderKind::Compute, &name, "main", Some(&options));
    match made {
        Ok(artifact) => Ok(artifact.as_binary_u8().to_vec()),
        Err(error) => Err(first_line(&error.to_string())),
    }
}

fn options() -> Result<CompileOptions<'static>, shaderc::Error> {
    let mut options = CompileOptions::new()?;
    options.set_target_env(TargetEnv::Vulkan, EnvVersion::Vulkan1_1 as u32);
    options.set_optimization_level(OptimizationLevel::Performance);
    // Names stay in the module: differences from the interface are named by them.
    options.set_generate_debug_info();
    options.set_include_callback(|wanted, _, _, _| {
        let found = INCLUDES.iter().find(|(name, _)| *name == wanted);
        let names = || INCLUDES.map(|(name, _)| name).join(", ");
        let (name, content) =
            found.ok_or_else(|| format!("there is no {wanted}, but {}", names()))?;
        Ok(ResolvedInclude {
            resolved_name: (*name).to_owned(),
            content: (*content).to_owned(),
        })
    });
    Ok(options)
}

/// The first line that names an error; lines before it only announce.
fn first_line(said: &str) -> String {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let found = lines.clone().find(|line| line.contains(": error:"));
    let line = found.or_else(|| lines.next()).unwrap_or("no reason given");
    line.to_owned()
}
