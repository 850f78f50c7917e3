# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR
# Shared by the scripts in this folder: words on the terminal, missing packages, Rust, shaderc, Vulkan drivers.
# Everything the scripts say themselves goes to standard error, so that standard output is what skinbench or the tests print.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME}/.cache}/skinbench
TRIES=3
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 2; }

# step TITLE COMMAND...: runs a command under a heading and says how long it took.
step() {
    local title=$1 start=$SECONDS
    shift
    say "== $title"
    "$@" || { local status=$?; say "== $title: failed after $((SECONDS - start)) s"; return "$status"; }
    say "== $title: done in $((SECONDS - start)) s"
}

# retry COMMAND...: mirrors and registries fail now and then, so a download gets three tries.
retry() {
    local try
    for ((try = 1; try <= TRIES; try++)); do
        "$@" && return 0
        ((try == TRIES)) || { say "try $try of $TRIES failed: $*"; sleep $((try * 5)); }
    done
    return 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# shellcheck source=lib/packages.sh
source "$ROOT/scripts/lib/packages.sh"
# shellcheck source=lib/rust.sh
source "$ROOT/scripts/lib/rust.sh"
# shellcheck source=lib/shaderc.sh
source "$ROOT/scripts/lib/shaderc.sh"
# shellcheck source=lib/vulkan.sh
source "$ROOT/scripts/lib/vulkan.sh"
