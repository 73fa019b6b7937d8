#!/bin/bash
# Measures the cost of monitoring: CPU time and peak memory of swapadm on each of its screens, and of
# other monitors, one after the other in the same run.
#
#   benches/watch.sh [SECONDS]      as root; 60 by default
#
# About 200 processes, four zram areas under load in a memory-limited cgroup (version 1 or 2), each
# monitor in a pseudo-terminal of 80 by 24 at one sample a second. Needs util-linux, procps and python3
# for the load; monitors that are not installed are skipped. Removes everything that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
seconds=${1:-60}
need() { command -v "$1" > /dev/null || { echo "watch: $1 is not installed" >&2; exit 77; }; }
for tool in script setsid mkswap swapon python3; do need "$tool"; done
[ "$(id -u)" = 0 ] || { echo "watch: making zram areas needs root" >&2; exit 77; }

cargo build --release --quiet
swapadm=$PWD/target/release/swapadm
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
printf '%-34s %14s %10s\n' "" "us CPU/s" "peak MiB"

# CPU time of all threads of a process, in nanoseconds.
spent() { cat /proc/"$1"/task/*/schedstat 2> /dev/null | awk '{sum += $1} END {print sum + 0}'; }

# measure NAME COMMAND...: measure it for the given number of seconds
measure() {
    local name=$1 pid before after
    shift
    mkfifo "$work/keys"
    # shellcheck disable=SC2094 # opened for reading and writing, so that it never ends
    TERM=xterm-256color LC_ALL=C.UTF-8 setsid script -q -e -c "stty rows 24 cols 80; echo \$\$ > $work/pid; exec $*" /dev/null \
        <> "$work/keys" > /dev/null 2>&1 &
    local terminal=$!
    sleep 2
    pid=$(cat "$work/pid")
    before=$(spent "$pid")
    sleep "$seconds"
    after=$(spent "$pid")
    printf '%-34s %14d %10.1f\n' "$name" "$(((after - before) / 1000 / seconds))" \
        "$(awk '/VmHWM/ {print $2 / 1024}' "/proc/$pid/status")"
    kill "$pid" 2> /dev/null || true
    wait "$terminal" 2> /dev/null || true
    rm -f "$work/keys" "$work/pid"
}

for screen in overview devices compression mthp paging processes map; do
    measure "swapadm $screen" "$swapadm" --no-config --screen "$screen"
done
measure "swapadm devices, every 100 ms" "$swapadm" --no-config --screen devices --interval 0.1
for monitor in "htop -d 10" "btop --utf-force" "atop 1" "top -d 1" "glances -t 1" "swaptop" "nv-swaptop"; do
    command -v "${monitor%% *}" > /dev/null || { echo "${monitor%% *} is not installed"; continue; }
    # shellcheck disable=SC2086 # the options are words of their own
    measure "$monitor" $monitor
done
