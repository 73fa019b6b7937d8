#!/bin/bash
# Build the packages, check them, and install, use, upgrade and remove each in a fresh Debian root.
#
#   run.sh [PROGRAM]      PROGRAM is a static swapadm; by default that of tests/kernels/run.sh --build
#
# Needs root, debootstrap and lintian; the root is kept in cache/ for the next time. Exit: 0 passed, 77 skipped
# with the reason, otherwise failed.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
cd "$project"
export LC_ALL=C.UTF-8

skip() {
    echo "skip: $*" >&2
    exit 77
}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || skip "a Debian root needs root rights"
for tool in debootstrap lintian dpkg-deb unshare systemd-analyze; do
    command -v "$tool" > /dev/null || skip "$tool is not installed"
done
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$suite" ] || skip "this is no Debian with a code name"
program=${1:-target/$(rustc -vV | sed -n 's/^host: //p')/release/swapadm}
[ -x "$program" ] || fail "$program is missing: build it first with tests/kernels/run.sh --build"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

packages() {
    VERSION=$1 packaging/build "$program" > "$work/build.log" 2>&1 || { cat "$work/build.log"; fail "packaging/build"; }
    mkdir -p "$work/$1"
    cp target/packages/* "$work/$1"
}

# Units that change no swap are confined; all are off.
units() {
    local root=$work/units unit line
    mkdir -p "$root"
    dpkg-deb -x "$deb" "$root"
    for unit in "$root"/usr/lib/systemd/system/*.service; do
        unit=${unit##*/}
        case $unit in
            swapadm-apply.service | swapadm-rebalance.service | swapadm-zram-upkeep.service) continue ;;
        esac
        line=$(systemd-analyze security --offline=yes --root="$root" "$unit" 2> /dev/null | tail -n 1)
        line=${line#*: }
        echo "$unit: exposure ${line%% *}"
        [[ $line =~ ^[0-2]\.[0-9] ]] || fail "$unit is exposed: $line"
    done
    # Units of the package may start when those of systemd do. A mistake is only a warning: exit status 0.
    cp /lib/systemd/system/*.target "$root/usr/lib/systemd/system"
    line=$(cd "$root/usr/lib/systemd/system" && systemd-analyze verify --man=no --root="$root" swapadm* 2>&1) || true
    [ -z "$line" ] || fail "systemd-analyze verify: $line"
}

# The same files are in the .rpm, but for what belongs to Debian.
rpm_files() {
    local rpm
    rpm=$(ls "$work/$version"/*.rpm 2> /dev/null) || { echo "no .rpm was built"; return; }
    diff <(dpkg-deb -c "$deb" | awk '$1 !~ /^d/ {print $6}' | sed 's|^\.||; s|vendor-completions/_|site-functions/_|' |
        grep -vE '/usr/share/(doc|lintian)/' | sort) \
        <(rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpm" 2> /dev/null | awk '$1 !~ /^d/ {print $2}' | sort) ||
        fail "the .rpm has other files than the .deb"
}

# A root of its own for each package.
fresh_root() {
    root=$work/$1-root
    local kept=cache/debian-$suite.tar
    if [ ! -s "$kept" ]; then
        mkdir -p cache
        debootstrap --variant=minbase "$suite" "$work/new" > "$work/debootstrap.log" 2>&1 ||
            { tail -n 5 "$work/debootstrap.log"; skip "debootstrap $suite failed, as without network"; }
        tar -C "$work/new" -cf "$kept.part" .
        mv "$kept.part" "$kept"
        rm -rf "$work/new"
    fi
    mkdir "$root"
    tar -C "$root" -xf "$kept"
}

# What there is in the root, but for the records of dpkg and rpm.
contents() {
    find "$root" \( -path "$root/proc" -o -path "$root/sys" -o -path "$root/var/lib/dpkg" -o -path "$root/var/lib/rpm" \
        -o -path "$root/var/log" -o -path "$root/tmp" \) -prune -o -printf '/%P %y %m %l\n' | sort
}

# Run in the root, with the kernel's files, in mounts of its own.
inside() {
    unshare --mount --propagation private sh -c '
        root=$1; shift
        mount -t proc proc "$root/proc" && mount --rbind -o ro /sys "$root/sys" && exec chroot "$root" "$@"
    ' inside "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

install_package() {
    cp "$1" "$root/tmp/swapadm.deb"
    inside dpkg -i /tmp/swapadm.deb > "$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; fail "dpkg -i $1"; }
    rm "$root/tmp/swapadm.deb"
}

use() {
    inside swapadm --version
    inside swapadm status > "$work/status"
    grep -q . "$work/status" || fail "swapadm status prints nothing"
    inside swapadm devices --json > /dev/null
    inside setpriv --reuid 65534 --regid 65534 --clear-groups swapadm status > /dev/null ||
        fail "swapadm status fails without root"
    inside swapadm metrics > "$work/metrics"
    grep -q ^swapadm_status_state "$work/metrics" || fail "swapadm metrics prints no state"
    [ -s "$root/usr/share/man/man8/swapadm.8.gz" ] || [ -e "$root/etc/dpkg/dpkg.cfg.d/docker" ] ||
        fail "the manual is missing"
    [ -z "$(find "$root/etc/systemd/system" -name 'swapadm*')" ] || fail "a unit is enabled"
}

# What swapadm-textfile.service writes for node_exporter, which would serve it for ever.
textfile=var/lib/prometheus/node-exporter/swapadm.prom
write_textfile() {
    mkdir -p "$root/${textfile%/*}"
    touch "$root/$textfile"
}

remove_textfile_folder() {
    [ ! -e "$root/$textfile" ] || fail "removing the package left the metrics of the textfile collector"
    rmdir -p --ignore-fail-on-non-empty "$root/${textfile%/*}"
}

# rpm works on the root from outside; its scripts run in it. Debian's packages are unknown to it.
rpm_in_root() {
    rpm --root "$root" --dbpath /var/lib/rpm "$@" > "$work/rpm.log" 2>&1 || { cat "$work/rpm.log"; fail "rpm $*"; }
}

# Install, use, upgrade and remove the .rpm.
rpm_life() {
    fresh_root rpm
    contents > "$work/before"
    rpm_in_root -i --nodeps "$work/$version"/*.rpm
    use
    rpm_in_root -U --nodeps "$work/$newer"/*.rpm
    rpm_in_root -q "swapadm-$newer"
    inside swapadm --version > /dev/null
    write_textfile
    rpm_in_root -e --nodeps swapadm
    remove_textfile_folder
    contents > "$work/after"
    # Folders of shells belong to other packages where rpm is at home.
    grep -vE '^/usr/share/(fish|zsh)[^ ]* d ' "$work/after" | diff "$work/before" - ||
        fail "installing and removing the .rpm changed what is above"
}

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
newer=$version+1
packages "$version"
sums=$(cat "$work/$version/SHA256SUMS")
packages "$version"
[ "$sums" = "$(cat "$work/$version/SHA256SUMS")" ] || fail "the same sources gave other packages the second time"
packages "$newer"
deb=$(ls "$work/$version"/*.deb)
lintian --allow-root --fail-on error,warning "$deb" || fail "lintian"
units
rpm_files
[ -z "$(ls "$work/$version"/*.rpm 2> /dev/null)" ] || rpm_life
fresh_root deb
contents > "$work/before"
install_package "$deb"
use
# What an administrator does: a file of wanted state, and units that are on.
mkdir -p "$root/etc/swapadm"
inside swapadm save > "$root/etc/swapadm/wanted.toml"
check=$(sed -n 's/^ExecStart=//p' "$work/units/usr/lib/systemd/system/swapadm-check.service")
# shellcheck disable=SC2086
inside $check || fail "the state that was just saved differs: $check"
echo '{}' > "$root/etc/swapadm/wanted.json"
# shellcheck disable=SC2086
! inside $check 2> /dev/null || fail "$check accepts two files of wanted state"
rm "$root/etc/swapadm/wanted.json"
install -d -m 700 "$root/var/lib/swapadm"
touch "$root/var/lib/swapadm/journal.jsonl"
write_textfile
for unit in swapadm-metrics.service swapadm-check.timer; do
    link=$root/etc/systemd/system/$(sed -n 's/^WantedBy=//p' "$work/units/usr/lib/systemd/system/$unit").wants
    mkdir -p "$link"
    ln -s "/lib/systemd/system/$unit" "$link/$unit"
done
install_package "$(ls "$work/$newer"/*.deb)"
inside dpkg-query -W -f '${Version}\n' swapadm | grep -qxF "$newer" || fail "the newer package is not installed"
[ -s "$root/etc/swapadm/wanted.toml" ] && [ -L "$link/$unit" ] || fail "the upgrade lost what the administrator made"
inside swapadm --version > /dev/null
[ -e "$root/$textfile" ] || fail "the upgrade removed the metrics of the textfile collector"
inside dpkg --remove swapadm > "$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; fail "remove"; }
remove_textfile_folder
inside dpkg --purge swapadm > "$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; fail "purge"; }
contents > "$work/after"
left=$(comm -13 "$work/before" "$work/after" | grep -vE '^/etc/swapadm(/wanted.toml)? ' || true)
# Folders of systemd that the administrator's links made may stay.
left=$(grep -vE '^/etc/systemd/system/[a-z-]*\.wants d ' <<< "$left" || true)
gone=$(comm -23 "$work/before" "$work/after" || true)
[ -z "$left" ] || fail "purge left behind: $left"
[ -z "$gone" ] || fail "purge removed: $gone"
[ -s "$root/etc/swapadm/wanted.toml" ] || fail "purge removed what the administrator made"
echo "packages: built twice alike, installed, used, upgraded and purged on $suite"
