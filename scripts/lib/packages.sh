# shellcheck shell=bash
# What is missing and how this system installs it. dnf and pacman: not run here.

# Prints apt, dnf, pacman, or nothing on a system these scripts cannot install on.
package_manager() {
    local manager
    for manager in apt-get dnf pacman; do
        if have "$manager"; then echo "${manager%-get}"; return; fi
    done
}

# package NEED: what this system calls the package(s).
package() {
    case $(package_manager):$1 in
        apt:c++) echo g++ ;;
        apt:loader) echo libvulkan1 ;;
        apt:lavapipe | apt:hardware-driver) echo mesa-vulkan-drivers ;;
        apt:layers) echo vulkan-validationlayers ;;
        dnf:c++) echo gcc-c++ ;;
        dnf:loader) echo vulkan-loader ;;
        dnf:lavapipe | dnf:hardware-driver) echo mesa-vulkan-drivers ;;
        dnf:layers) echo vulkan-validation-layers ;;
        dnf:rust) echo rust cargo ;;
        pacman:c++) echo gcc ;;
        pacman:python3) echo python ;;
        pacman:loader) echo vulkan-icd-loader ;;
        pacman:lavapipe) echo vulkan-swrast ;;
        pacman:hardware-driver) echo vulkan-radeon vulkan-intel ;;
        pacman:layers) echo vulkan-validation-layers ;;
        pacman:rust) echo rust ;;
        :c++) echo "a C++17 compiler" ;;
        :loader) echo "the Vulkan loader (libvulkan.so.1)" ;;
        :lavapipe) echo "Mesa's lavapipe driver" ;;
        :hardware-driver) echo "the Vulkan driver of your GPU" ;;
        :layers) echo "the Khronos validation layers" ;;
        *) echo "$1" ;;
    esac
}

MISSING=()

# want NEED PROBE...: notes the packages of NEED as missing unless the probe succeeds.
want() {
    local need=$1 packages
    shift
    "$@" && return
    if [[ -z $(package_manager) ]]; then
        MISSING+=("$(package "$need")")
    else
        read -ra packages <<<"$(package "$need")"
        MISSING+=("${packages[@]}")
    fi
}

has_certificates() { [[ -s /etc/ssl/certs/ca-certificates.crt || -s /etc/pki/tls/certs/ca-bundle.crt || -s ${SSL_CERT_FILE:-/dev/null} ]]; }

can_be_root() { ((EUID == 0)) || have sudo; }

as_root() {
    if ((EUID == 0)); then "$@"; else sudo DEBIAN_FRONTEND=noninteractive "$@"; fi
}

# quietly COMMAND...: keeps what the command prints to itself unless it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 || { status=$?; tail -n 20 "$log" >&2; }
    rm -f "$log"
    return "$status"
}

APT_FRESH=no

# Package lists are refreshed at most once, and only when something must be installed or looked up.
apt_refresh() {
    [[ $APT_FRESH == no ]] || return 0
    APT_FRESH=yes
    if ! can_be_root || ! retry as_root apt-get update -qq >&2; then
        say "warning: apt-get update was not possible; going on with the package lists of this machine"
    fi
}

install_packages() {
    case $(package_manager) in
        apt) apt_refresh && retry quietly as_root apt-get install -y -qq --no-install-recommends "$@" ;;
        dnf) retry as_root dnf install -y --setopt=install_weak_deps=False "$@" >&2 ;;
        pacman) retry as_root pacman -S --needed --noconfirm "$@" >&2 ;;
    esac </dev/null
}

# Installs what `want` noted; says what before it does.
install_missing() {
    ((${#MISSING[@]})) || return 0
    [[ -n $(package_manager) ]] ||
        die "missing here: $(printf '%s; ' "${MISSING[@]}")install it with your system's package manager and run this script again"
    can_be_root || die "installing packages needs root: run this script as root, or install by hand: ${MISSING[*]}"
    say "Installing with $(package_manager): ${MISSING[*]}"
    step "packages" install_packages "${MISSING[@]}" || die "could not install ${MISSING[*]}: see the lines above, install by hand, then run this script again"
    MISSING=()
}
