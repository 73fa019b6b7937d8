#!/bin/bash
# Compares swapadm with the usual tools on this machine, and prints ratios.
#
#   benches/compare.sh [PROCESSES ...]      as root; 1000 and 10000 sleeping processes by default
#
# Needs hyperfine, util-linux, procps, GNU time and smem. Creates one zram area, and removes it again.
# A ratio below 1 means that swapadm needs less.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
need() { command -v "$1" >/dev/null || { echo "compare: $1 is not installed" >&2; exit 77; }; }
for tool in hyperfine swapon zramctl mkswap smem /usr/bin/time; do need "$tool"; done
[ "$(id -u)" = 0 ] || { echo "compare: making a zram area needs root" >&2; exit 77; }

cargo build --release --quiet
swapadm=target/release/swapadm
work=$(mktemp -d)
device= sleepers=()
cleanup() {
    [ ${#sleepers[@]} = 0 ] || kill "${sleepers[@]}" 2>/dev/null || true
    if [ -n "$device" ]; then
        swapoff "/dev/zram$device" 2>/dev/null || true
        echo "$device" > /sys/class/zram-control/hot_remove
    fi
    rm -rf "$work"
}
trap cleanup EXIT

# reading hot_add creates a device and returns its number
device=$(cat /sys/class/zram-control/hot_add)
echo 64M > "/sys/block/zram$device/disksize"
mkswap "/dev/zram$device" >/dev/null
swapon -p 0 "/dev/zram$device"

# times NAME RUNS COMMAND...: mean seconds into $work/NAME
times() {
    local name=$1 runs=$2; shift 2
    hyperfine -N --style none --warmup 3 --runs "$runs" --export-csv "$work/$name.csv" "$*" >/dev/null 2>&1
    # command,mean,stddev,median,user,system,min,max: fields from the end, for commas in the command
    tail -n 1 "$work/$name.csv" | awk -F, '{print $(NF-4)}' > "$work/$name"
    /usr/bin/time -f %M -o "$work/$name.rss" "$@" >/dev/null 2>&1
}

# row TITLE A B: median times of both in ms, the ratio, and peak memory
row() {
    awk -v title="$1" -v a="$(cat "$work/$2")" -v b="$(cat "$work/$3")" \
        -v ma="$(tail -n 1 "$work/$2.rss")" -v mb="$(tail -n 1 "$work/$3.rss")" \
        'BEGIN { printf "%-44s %9.2f ms %9.2f ms  ratio %6.3f   %6.1f MiB %6.1f MiB\n", title, a*1000, b*1000, a/b, ma/1024, mb/1024 }'
}

echo "median elapsed time and peak memory: swapadm, then the other"
times devices 300 $swapadm devices
times swapon 300 swapon --show
times zram 300 $swapadm zram
times zramctl 300 zramctl
times version 300 $swapadm --version
times zramctl-version 300 zramctl --version
row "devices against swapon --show" devices swapon
row "devices against zramctl" devices zramctl
row "zram against zramctl" zram zramctl
row "--version against zramctl --version" version zramctl-version

[ $# -gt 0 ] || set -- 1000 10000
for count in "$@"; do
    while [ ${#sleepers[@]} -lt "$count" ]; do
        sleep 100000 & sleepers+=($!)
    done
    times processes 10 $swapadm processes --all
    times smem 3 smem
    row "processes --all against smem, $count more" processes smem
    times swapped 10 $swapadm processes
    row "processes against smem, $count more" swapped smem
done

echo
ls -l $swapadm | awk '{ printf "release binary %.2f MiB\n", $5/1048576 }'
