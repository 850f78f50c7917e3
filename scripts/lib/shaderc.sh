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

# write_shaderc_crate FOLDER: a throw-away crate around shaderc-sys in the versions of Cargo.lock. (Asked to build a
# package that is only a dependency of a build script, cargo 1.96 panics.)
write_shaderc_crate() {
    mkdir -p "$1/src"
    : >"$1/src/lib.rs"
    cp "$ROOT/Cargo.lock" "$1/"
    cat >"$1/Cargo.toml" <<END
[package]
name = "shaderc-once"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies]
shaderc-sys = { version = "=$(shaderc_version)", features = ["build-from-source"] }
END
}

# Without our own .cargo/config.toml, which would skip the very build wanted here if the cache lies inside the clone.
build_shaderc() {
    local dir build lib
    dir=$(shaderc_dir)
    build=$dir.build
    ! config_is_ours || rm "$ROOT/.cargo/config.toml"
    write_shaderc_crate "$build"
    (cd "$build" && CARGO_TARGET_DIR=$build/target cargo build --offline --release) >&2 || return
    lib=$(find "$build/target" -path '*/out/lib/libshaderc_combined.a' | head -n 1)
    [[ -n $lib ]] || { say "the build of shaderc-sys left no libshaderc_combined.a under $build"; return 1; }
    mkdir -p "$dir" && cp "$lib" "$dir/partial" && mv "$dir/partial" "$dir/libshaderc_combined.a" && rm -rf "$build"
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
