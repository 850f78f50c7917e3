# shellcheck shell=bash
# A Rust that is new enough, and the crates.

# The oldest Rust that Cargo.toml allows.
rust_needed() { sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml"; }

# at_least HAVE NEED: compares versions such as 1.95.0.
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

rust_ready() {
    local version
    version=$(cargo --version 2>/dev/null | cut -d' ' -f2) && rustc --version >/dev/null 2>&1 || return 1
    [[ -n $version ]] && at_least "$version" "$(rust_needed)"
}

apt_candidate() { { apt-cache policy "$1" 2>/dev/null || true; } | sed -n 's/^  Candidate: \([0-9][^+~-]*\).*/\1/p'; }

# Debian's stable Rust is often too old, but its security updates bring a newer one for browsers under the names *-web.
want_rust_from_apt() {
    local suffix version
    apt_refresh
    for suffix in "" -web; do
        version=$(apt_candidate "rustc$suffix")
        if [[ -n $version ]] && at_least "$version" "$(rust_needed)"; then
            ! have rustc || say "$(rustc --version) is too old; rustc$suffix $version takes its place"
            MISSING+=("rustc$suffix" "cargo$suffix")
            return
        fi
    done
    die "Rust $(rust_needed) or newer is needed and this system's packages have none: install it from https://rustup.rs and run this script again"
}

want_rust() {
    rust_ready && return
    if have rustup; then
        die "Rust $(rust_needed) or newer is needed: run 'rustup update stable' and 'rustup default stable', then this script again"
    fi
    case $(package_manager) in
        apt) want_rust_from_apt ;;
        dnf | pacman) want rust false ;;
        *) MISSING+=("Rust $(rust_needed) or newer (https://rustup.rs)") ;;
    esac
}

check_rust() {
    rust_ready || die "Rust $(rust_needed) or newer is needed, but $(cargo --version 2>/dev/null || echo 'no cargo') is what PATH finds: install it from https://rustup.rs"
}

host_triple() { rustc -vV | sed -n 's/^host: //p'; }

# Only what this host needs: the lock file also names crates of other systems.
fetch_crates() {
    (cd "$ROOT" && { cargo fetch --locked --offline --quiet --target "$(host_triple)" 2>/dev/null ||
        retry cargo fetch --locked --target "$(host_triple)"; }) >&2 ||
        die "could not fetch the crates of Cargo.lock: check the network, then run this script again"
}
