#!/bin/bash
# Measures the cost of monitoring: CPU time and peak memory of swapadm on each of its screens, and of
# other monitors, one after the other in the same run.
#
#   [BASELINE=PROGRAM] [PROGRAM=PROGRAM] benches/watch.sh [SECONDS]      as root; 60 by default
#
# PROGRAM is the swapadm to measure, such as that of packaging/build; without it, one is built as release.
# About 200 processes, four zram areas under load in a memory-limited cgroup (version 1 or 2), each
# monitor in a pseudo-terminal of 80 by 24 at one sample a second. BASELINE, an older swapadm, is measured
# after this one on each screen that it has. Needs util-linux, procps and python3 for the load; monitors
# that are not installed are skipped. Removes everything that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
seconds=${1:-60}
need() { command -v "$1" > /dev/null || { echo "watch: $1 is not installed" >&2; exit 77; }; }
for tool in script setsid mkswap swapon python3; do need "$tool"; done
[ "$(id -u)" = 0 ] || { echo "watch: making zram areas needs root" >&2; exit 77; }

swapadm=${PROGRAM:-}
if [ -z "$swapadm" ]; then
    cargo build --release --quiet
    swapadm=${CARGO_TARGET_DIR:-$PWD/target}/release/swapadm
fi
work=$(mktemp -d)
devices=() sleepers=() load= cgroup=
cleanup() {
    [ -z "$load" ] || { kill "$load" 2> /dev/null && wait "$load" 2> /dev/null || true; }
    [ ${#sleepers[@]} = 0 ] || kill "${sleepers[@]}" 2> /dev/null || true
    for device in ${devices[@]+"${devices[@]}"}; do
        swapoff "/dev/zram$device" 2> /dev/null || true
        for _ in 1 2 3 4 5; do
            echo "$device" > /sys/class/zram-control/hot_remove 2> /dev/null && break
            sleep 0.2
        done
    done
    [ -z "$cgroup" ] || rmdir "$cgroup" 2> /dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

make_cgroup() {
    if [ -d /sys/fs/cgroup/memory ]; then
        cgroup=/sys/fs/cgroup/memory/swapadm-bench-$$
        mkdir "$cgroup"
        echo 96M > "$cgroup/memory.limit_in_bytes"
    else
        cgroup=/sys/fs/cgroup/swapadm-bench-$$
        mkdir "$cgroup"
        echo 96M > "$cgroup/memory.max"
    fi
}

for _ in 1 2 3 4; do
    # reading hot_add creates a device and returns its number
    device=$(cat /sys/class/zram-control/hot_add)
    devices+=("$device")
    echo 128M > "/sys/block/zram$device/disksize"
    mkswap "/dev/zram$device" > /dev/null
    swapon -p 10 "/dev/zram$device"
done
make_cgroup
for _ in $(seq 120); do
    sleep 100000 &
    sleepers+=($!)
done
cat > "$work/load.py" << 'PYTHON'
import random, sys, time
# twice the memory limit, touched at random: pages are swapped out and in all the time
memory = bytearray(random.randbytes(1 << 20) * 192)
while True:
    for _ in range(200):
        memory[random.randrange(len(memory))] = 7
    time.sleep(0.05)
PYTHON
(echo "$BASHPID" > "$cgroup/cgroup.procs"; exec python3 "$work/load.py") &
load=$!
sleep 5
echo "$(ls -d /proc/[0-9]* | wc -l) processes, $seconds s each, $(awk 'NR>1 {used+=$4} END {print int(used/1024)}' /proc/swaps) MiB in swap"

# CPU time of all threads of a process, in nanoseconds.
spent() { cat /proc/"$1"/task/*/schedstat 2> /dev/null | awk '{sum += $1} END {print sum + 0}'; }

# measure COMMAND...: sets cpu, in microseconds a second, and peak, in KiB; fails if the command ends early
measure() {
    local pid before
    mkfifo "$work/keys"
    # shellcheck disable=SC2094 # opened for reading and writing, so that it never ends
    # No stored results: reading large ones takes memory.
    TERM=xterm-256color LC_ALL=C.UTF-8 XDG_STATE_HOME=$work setsid script -q -e -c "stty rows 24 cols 80; echo \$\$ > $work/pid; exec $*" /dev/null \
        <> "$work/keys" > /dev/null 2>&1 &
    local terminal=$!
    sleep 2
    pid=$(cat "$work/pid")
    before=$(spent "$pid")
    [ ! -d "/proc/$pid" ] || sleep "$seconds"
    cpu=$((($(spent "$pid") - before) / 1000 / seconds))
    peak=$(awk '/VmHWM/ {print $2}' "/proc/$pid/status" 2> /dev/null || true)
    kill "$pid" 2> /dev/null || true
    wait "$terminal" 2> /dev/null || true
    rm -f "$work/keys" "$work/pid"
    [ -n "$peak" ]
}

ratio() { [ "$2" = 0 ] && echo - || awk -v a="$1" -v b="$2" 'BEGIN {printf "%.2f", a / b}'; }

# row NAME COMMAND...: measures the command, and prints its figures
row() {
    printf '%-32s' "$1"
    shift
    if measure "$@"; then
        printf ' %9d %9s %9.1f' "$cpu" "$(ratio "$cpu" "$htop")" "$(ratio "$peak" 1024)"
    else
        printf ' ended early'
    fi
}

# screen NAME [OPTION...]: a row of swapadm, with its ratios to BASELINE
screen() {
    local new_cpu new_peak
    row "swapadm $*" "$swapadm" --no-config --screen "$@"
    new_cpu=$cpu new_peak=$peak
    if [ -n "${BASELINE:-}" ] && measure "$BASELINE" --no-config --screen "$@"; then
        printf ' %9d %9.1f %9s %9s' "$cpu" "$(ratio "$peak" 1024)" "$(ratio "$new_cpu" "$cpu")" "$(ratio "$new_peak" "$peak")"
    fi
    echo
}

htop=0
if command -v htop > /dev/null && measure htop -d 10; then htop=$cpu; fi
printf '%-32s %9s %9s %9s' "" "us CPU/s" "to htop" "peak MiB"
[ -z "${BASELINE:-}" ] || printf ' %9s %9s %9s %9s' "baseline" "peak MiB" "CPU ratio" "peak"
echo
for name in overview devices compression mthp paging processes map lab learn; do
    screen "$name"
done
screen devices --interval 0.1
for monitor in "htop -d 10" "btop --utf-force" "atop 1" "top -d 1" "glances -t 1" "swaptop" "nv-swaptop"; do
    command -v "${monitor%% *}" > /dev/null || { echo "${monitor%% *} is not installed"; continue; }
    # shellcheck disable=SC2086 # the options are words of their own
    row "$monitor" $monitor
    echo
done
