# shellcheck shell=bash
# shaderc, built once per machine instead of once per profile and target folder.

CONFIG_MARK='# Written by scripts/lib/shaderc.sh'

shaderc_version() { sed -n '/^name = "shaderc-sys"$/{n;s/^version = "\(.*\)"/\1/p}' "$ROOT/Cargo.lock"; }

# Any triple will do before Rust is there: then nothing is cached either.
shaderc_dir() { echo "$CACHE/shaderc/$(shaderc_version)-$(host_triple 2>/dev/null || uname -m)"; }

shaderc_ready() { [[ -f $(shaderc_dir)/libshaderc_combined.a ]]; }

config_is_ours() { grep -qsF "$CONFIG_MARK" "$ROOT/.cargo/config.toml"; }

# Somebody's own .cargo/config.toml that says already which shaderc to link.
shaderc_is_given() { ! config_is_ours && grep -qsE '^\[target\..*\.shaderc\]' "$ROOT/.cargo/config.toml"; }

want_shaderc_tools() {
    if shaderc_is_given || shaderc_ready; then return; fi
    local tool
    for tool in cmake make git python3; do want "$tool" have "$tool"; done
}

# Where cargo keeps the sources that Cargo.lock names.
shaderc_source() {
    (cd "$ROOT" && cargo metadata --locked --offline --filter-platform "$(host_triple)" --format-version 1) |
        grep -o '"manifest_path":"[^"]*/shaderc-sys-[^"]*/Cargo.toml"' | sed 's/.*":"\(.*\)\/Cargo.toml"/\1/'
}

# compile_shaderc SOURCE FOLDER: what the build script of shaderc-sys does, less the third of it that is not linked.
# (That script cannot be run alone: asked to build a package that only a build script uses, cargo 1.96 panics.)
compile_shaderc() {
    cmake -S "$1/build" -B "$2" -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DSHADERC_SKIP_TESTS=ON \
        -DENABLE_SPVREMAPPER=OFF -DENABLE_GLSLANG_BINARIES=OFF -DSPIRV_SKIP_EXECUTABLES=ON -DSPIRV_WERROR=OFF &&
        cmake --build "$2" --parallel "$(nproc)" --target shaderc_combined
}

build_shaderc() {
    local dir build source
    dir=$(shaderc_dir)
    build=$dir.build
    source=$(shaderc_source) || { say "cargo metadata does not name the folder of shaderc-sys"; return 1; }
    mkdir -p "$dir" "$build"
    quietly compile_shaderc "$source" "$build" || return
    cp "$build/shaderc/libshaderc/libshaderc_combined.a" "$dir/partial" &&
        mv "$dir/partial" "$dir/libshaderc_combined.a" && rm -rf "$build"
}

# The lock keeps two scripts started together from building the same thing.
build_shaderc_locked() {
    mkdir -p "$CACHE"
    (flock 9; shaderc_ready || build_shaderc) 9>"$CACHE/lock"
}

# Cargo takes this instead of running the build script of the crate that `links` to shaderc.
shaderc_config() {
    cat <<END
$CONFIG_MARK: links the shaderc that was built once on this machine instead of building it for minutes in
# every target folder. Delete this file to have cargo build shaderc itself.
[target.$(host_triple).shaderc]
rustc-link-search = ["native=$(shaderc_dir)"]
rustc-link-lib = ["static=shaderc_combined"]
END
}

write_shaderc_config() {
    local file=$ROOT/.cargo/config.toml
    if [[ -e $file ]] && ! config_is_ours; then
        say "warning: $file stays as it is, since no script here wrote it; to spare cargo building shaderc, add to it:"
        shaderc_config >&2
        return
    fi
    [[ -e $file && $(<"$file") == "$(shaderc_config)" ]] && return
    mkdir -p "$ROOT/.cargo"
    shaderc_config >"$file"
}

setup_shaderc() {
    ! shaderc_is_given || return 0
    shaderc_ready || step "shaderc $(shaderc_version), once per machine (5 to 10 minutes on two cores)" build_shaderc_locked ||
        die "could not build shaderc: see the lines above"
    write_shaderc_config
}
