# shellcheck shell=bash
# The Vulkan loader, its layers, and the drivers: that of a GPU, lavapipe, SwiftShader.

icd_folders() { printf '%s\n' /etc/vulkan/icd.d /usr/local/share/vulkan/icd.d /usr/share/vulkan/icd.d; }

# The loader's file of lavapipe for this machine's architecture, or nothing.
find_lavapipe() {
    local folder name
    while read -r folder; do
        for name in "lvp_icd.$(uname -m).json" lvp_icd.json; do
            if [[ -f $folder/$name ]]; then echo "$folder/$name"; return; fi
        done
    done < <(icd_folders)
}

has_lavapipe() { [[ -n ${SKINBENCH_LAVAPIPE_ICD:-$(find_lavapipe)} ]]; }
has_loader() { ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1' || /sbin/ldconfig -p 2>/dev/null | grep -q 'libvulkan\.so\.1'; }
has_layers() { compgen -G '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json' >/dev/null; }

# A driver file of a GPU, that is, any but those of the software drivers.
has_hardware_driver() {
    local folder
    while read -r folder; do
        compgen -G "$folder/*.json" | grep -qvE '/(lvp|vk_swiftshader)_icd' && return 0
    done < <(icd_folders)
    return 1
}

# Names the first GPU the kernel drives; virtual display adapters without Vulkan of their own do not count.
find_gpu() {
    local node driver
    for node in /sys/class/drm/renderD*; do
        driver=$(basename "$(readlink -f "$node/device/driver" 2>/dev/null)" 2>/dev/null) || continue
        case $driver in
            "" | driver | vgem | vkms | virtio* | vmwgfx | hyperv* | simple* | bochs* | cirrus | ast | mgag200 | qxl) ;;
            *) echo "/dev/dri/$(basename "$node") ($driver)"; return ;;
        esac
    done
    if [[ -e /dev/nvidiactl ]]; then echo "/dev/nvidiactl (nvidia)"; fi
}

# The first line of scripts/bench.
announce_driver() {
    local gpu
    gpu=$(find_gpu)
    if [[ -n ${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}} ]]; then
        say "Vulkan driver: as set in the environment, ${VK_DRIVER_FILES:-$VK_ICD_FILENAMES}."
    elif [[ -n $gpu ]]; then
        say "Vulkan driver: that of the GPU at $gpu."
    else
        say "Vulkan driver: no GPU found, so the software driver lavapipe: its times say nothing about a GPU."
    fi
}

# Whatever `announce_driver` said must be there.
want_driver() {
    want loader has_loader
    [[ -z ${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}} ]] || return 0
    case $(find_gpu) in
        "") want lavapipe has_lavapipe ;;
        *nvidia*) has_hardware_driver || say "warning: no Vulkan driver for the NVIDIA GPU: install NVIDIA's own driver package" ;;
        *) want hardware-driver has_hardware_driver ;;
    esac
}

export_runtime_dir() {
    [[ -z ${XDG_RUNTIME_DIR:-} ]] || return 0
    export XDG_RUNTIME_DIR=$CACHE/runtime
    mkdir -p "$XDG_RUNTIME_DIR"
    chmod 700 "$XDG_RUNTIME_DIR"
}

# SwiftShader is a second and independent software driver.
swiftshader_dir() { echo "$CACHE/swiftshader"; }
swiftshader_ready() { [[ -f $(swiftshader_dir)/vk_swiftshader_icd.json && -f $(swiftshader_dir)/libvk_swiftshader.so ]]; }

# fetch_swiftshader_into FOLDER: Debian ships it inside Chromium; two files of that package are enough.
fetch_swiftshader_into() {
    local inside=./usr/lib/chromium
    cd "$1" || return
    retry apt-get download -qq -o APT::Sandbox::User=root chromium-common >&2 || return
    dpkg-deb --fsys-tarfile chromium-common_*.deb |
        tar -x --strip-components=4 $inside/libvk_swiftshader.so $inside/vk_swiftshader_icd.json || return
    rm chromium-common_*.deb
}

fetch_swiftshader() {
    local work
    work=$(mktemp -d "$CACHE/swiftshader.XXXXXX") || return
    (fetch_swiftshader_into "$work") || { rm -rf "$work"; return 1; }
    rm -rf "$(swiftshader_dir)"
    mv "$work" "$(swiftshader_dir)"
}

# Sets SKINBENCH_SWIFTSHADER_ICD; `none` there is a user's choice to do without.
setup_swiftshader() {
    if [[ ${SKINBENCH_SWIFTSHADER_ICD:-} == none ]]; then
        say "skipped: SwiftShader, because SKINBENCH_SWIFTSHADER_ICD=none"
        unset SKINBENCH_SWIFTSHADER_ICD
        return
    fi
    [[ -z ${SKINBENCH_SWIFTSHADER_ICD:-} ]] || return 0
    swiftshader_ready || install_swiftshader
    export SKINBENCH_SWIFTSHADER_ICD
    SKINBENCH_SWIFTSHADER_ICD=$(swiftshader_dir)/vk_swiftshader_icd.json
}

install_swiftshader() {
    local help="set SKINBENCH_SWIFTSHADER_ICD to the vk_swiftshader_icd.json of a Chromium or SwiftShader build, or to 'none' to test without it"
    [[ $(package_manager) == apt ]] || die "no package of this system has SwiftShader: $help"
    apt_refresh
    [[ -n $(apt_candidate chromium-common) ]] || die "this system's packages have no chromium-common, which holds SwiftShader: $help"
    say "Fetching SwiftShader out of the package chromium-common into $(swiftshader_dir) (nothing is installed)"
    mkdir -p "$CACHE"
    fetch_swiftshader || die "could not fetch SwiftShader: check the network, or $help"
}
