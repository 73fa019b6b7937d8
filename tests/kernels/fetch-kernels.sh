#!/bin/bash
# Fetch Debian kernels for the virtual machine tests.
#
#   fetch-kernels.sh LANE...
#
# A lane is a Debian suite: bookworm, trixie, sid, ... For each, the package that
# linux-image-amd64 depends on today is downloaded and reduced to what swap tests can need:
#
#   CACHE/kernels/LANE/vmlinuz     the kernel
#   CACHE/kernels/LANE/modules/    its modules, about 20 MB
#   CACHE/kernels/LANE/release     the output of uname -r
#   CACHE/kernels/LANE/package     the package it came from
#   CACHE/kernels/LANE/wanted      the folders that were kept
#
# Root is not needed, and the machine's own package lists are not changed. A cached kernel is used for
# a day before a newer one is looked for.
#
# Environment: VMTEST_CACHE (default: cache/ in the project), DEBIAN_MIRROR (default: the first
# Debian mirror among this machine's apt sources), DEBIAN_KEYRING.
# Exit: 0 all lanes are there, 77 some cannot be had here (the reason is printed), 1 error.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${VMTEST_CACHE:-$here/../../cache}
keyring=${DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

skip() {
    echo "skip: fetch-kernels: $*" >&2
    exit 77
}

# Directories of the module tree that hold what the tests load, and what that depends on.
wanted=(
    'vmlinuz*' 'modules.builtin*' 'modules.order'
    'kernel/arch/x86/crypto/*' 'kernel/block/*' 'kernel/crypto/*' 'kernel/lib/*' 'kernel/mm/*'
    'kernel/drivers/block/*' 'kernel/drivers/nvme/*' 'kernel/drivers/virtio/*'
    'kernel/drivers/dax/*' 'kernel/drivers/md/md-mod*' 'kernel/drivers/md/raid1.*'
    'kernel/drivers/md/dm-mod*' 'kernel/drivers/md/dm-delay*' 'kernel/drivers/md/dm-flakey*'
    'kernel/drivers/scsi/scsi_common*' 'kernel/drivers/scsi/scsi_mod*' 'kernel/drivers/scsi/sd_mod*'
    'kernel/drivers/scsi/virtio_scsi*'
    'kernel/fs/configfs/*' 'kernel/fs/ext4/*' 'kernel/fs/jbd2/*' 'kernel/fs/mbcache*'
    'kernel/fs/btrfs/*' 'kernel/fs/xfs/*'
)

mirror_of_host() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        grep -E '/debian/?$' | head -n 1 || true
}

fresh() {
    local found
    found=$(find "$cache/kernels/$1/package" -mtime -1 2>/dev/null) && [ -n "$found" ] && complete "$1"
}

# Were all folders kept that are wanted today?
complete() {
    [ "$(cat "$cache/kernels/$1/wanted" 2>/dev/null)" = "${wanted[*]}" ]
}

# An apt of our own: its lists, its cache and its one source file are all below the cache.
prepare_apt() {
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/debs"
    : > "$apt/status"
    local lane
    for lane in "$@"; do
        # Suites of a frozen mirror are out of date by design; the signature still counts.
        echo "deb [arch=amd64 check-valid-until=no signed-by=$keyring] $mirror $lane main"
    done > "$apt/sources.list"
    cat > "$apt/apt.conf" <<CONF
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Sandbox::User "";
Acquire::GzipIndexes "true";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11-icons::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11-icons-small::DefaultEnabled "false";
Acquire::IndexTargets::deb::DEP-11-icons-hidpi::DefaultEnabled "false";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
CONF
    export APT_CONFIG=$apt/apt.conf
    # Without this mode apt-get says that all is well even when it reached nobody.
    timeout 300 apt-get -qq -o APT::Update::Error-Mode=any update ||
        skip "the package lists could not be fetched from $mirror (no network?)"
}

# What a package of a suite depends on, one name a line.
depends_of() {
    /usr/lib/apt/apt-helper cat-file "$apt"/lists/*_dists_"$1"_main_binary-amd64_Packages* |
        awk -v RS= -v first="Package: $2" 'index($0, first "\n") == 1' |
        sed -n 's/^Depends: //p' | tr ',' '\n' | awk '{print $1}'
}

# The packages that make up the kernel of a suite. Since 6.19 the image is empty, and the kernel
# and its modules come in two packages of their own.
packages_of() {
    local image parts
    image=$(depends_of "$1" linux-image-amd64 | grep -E '^linux-image-[0-9]' | head -n 1) || true
    [ -n "$image" ] || return 0
    parts=$(depends_of "$1" "$image" | grep -E '^linux-(binary|modules|base)-[0-9]') || true
    echo ${parts:-$image}
}

unpack() {
    local into=$1 package deb
    shift
    for package in "$@"; do
        deb=$(find "$apt/debs" -name "${package}_*.deb" | head -n 1)
        # tar complains about patterns that match nothing; what is missing shows below.
        dpkg-deb --fsys-tarfile "$deb" |
            tar -x -C "$into" --wildcards --no-anchored "${wanted[@]}" 2>/dev/null || true
        rm -f "$deb"
    done
}

fetch() {
    local lane=$1 packages lane_dir=$cache/kernels/$1 kernel modules new
    packages=$(packages_of "$lane")
    [ -n "$packages" ] || { echo "skip: $lane has no linux-image-amd64" >&2; return 77; }
    if [ "$(cat "$lane_dir/package" 2>/dev/null)" = "$packages" ] && complete "$lane"; then
        touch "$lane_dir/package"
        echo "$lane: $packages is still the newest"
        return 0
    fi
    rm -f "$apt"/debs/*.deb
    # shellcheck disable=SC2086 # one word for each package
    (cd "$apt/debs" && timeout 600 apt-get -qq download $(printf "%s/$lane " $packages)) || {
        echo "skip: $lane: $packages could not be downloaded" >&2
        return 77
    }
    new=$(mktemp -d "$cache/kernels/.new.XXXXXX")
    # shellcheck disable=SC2086
    unpack "$new" $packages
    kernel=$(find "$new" -name 'vmlinuz*' -type f | head -n 1)
    modules=$(find "$new" -type d -path '*/modules/*/kernel' | head -n 1)
    [ -n "$kernel" ] && [ -n "$modules" ] || {
        echo "$lane: $packages holds no kernel or no modules" >&2
        rm -rf "$new"
        return 1
    }
    modules=$(dirname "$modules")
    rm -rf "$lane_dir"
    mkdir -p "$lane_dir"
    mv "$kernel" "$lane_dir/vmlinuz"
    mv "$modules" "$lane_dir/modules"
    basename "$modules" > "$lane_dir/release"
    echo "${wanted[*]}" > "$lane_dir/wanted"
    rm -rf "$new"
    # Last: it says that the rest is complete.
    echo "$packages" > "$lane_dir/package"
    echo "$lane: $packages, $(du -sh "$lane_dir" | cut -f 1)"
}

[ $# -gt 0 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 1; }
mkdir -p "$cache/kernels"
cache=$(cd "$cache" && pwd)
apt=$cache/apt

stale=()
for lane in "$@"; do
    fresh "$lane" || stale+=("$lane")
done
[ ${#stale[@]} -gt 0 ] || exit 0

for tool in apt-get dpkg-deb timeout; do
    command -v "$tool" > /dev/null || skip "no $tool: use a Debian machine, or see the README"
done
[ -r "$keyring" ] || skip "no $keyring: install debian-archive-keyring, or set DEBIAN_KEYRING"
mirror=${DEBIAN_MIRROR:-$(mirror_of_host)}
[ -n "$mirror" ] || skip "no Debian mirror among the apt sources: set DEBIAN_MIRROR"

prepare_apt "${stale[@]}"
worst=0
for lane in "${stale[@]}"; do
    fetch "$lane" || worst=$?
done
exit "$worst"
