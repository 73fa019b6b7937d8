#!/bin/bash
# Measures the overhead of changes over the bare system calls, in pairs on the same pages:
#
#   priority   swapadm priority AREA=N --yes   against   swapoff AREA; swapon -p N AREA
#   off        swapadm off AREA --yes          against   swapoff AREA
#   on         swapadm on AREA --yes           against   swapon AREA
#
#   benches/change.sh [--check] [PAIRS] [MIB]      as root; 15 pairs with 512 MiB by default
#
# With --check it fails when a median exceeds its limit: 1.05 times as long for priority and off, 3 ms
# more for on.
#
# A process of our own is swapped out to a zram area of our own before each run (MADV_PAGEOUT, so with
# the same pages each time); which of a pair comes first alternates. Needs util-linux and python3.
# Removes everything that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
need() { command -v "$1" > /dev/null || { echo "change: $1 is not installed" >&2; exit 77; }; }
for tool in mkswap swapon swapoff python3; do need "$tool"; done
[ "$(id -u)" = 0 ] || { echo "change: making zram areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }

cargo build --release --quiet
exec python3 - "$PWD/target/release/swapadm" "${1:-15}" "${2:-512}" "$check" << 'PYTHON'
import mmap, os, statistics, subprocess, sys, tempfile, time

swapadm, pairs, mib, check = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), bool(sys.argv[4])
PAGEOUT = 21
PRIORITIES = (32001, 32002)
# Limits of the medians of the pairs.
MOST_TIMES, MOST_MORE = 1.05, 0.003


def quiet(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Area:
    """An active zram area with the highest priority."""

    def __enter__(self):
        with open("/sys/class/zram-control/hot_add") as hot_add:
            self.number = hot_add.read().strip()
        self.path = "/dev/zram" + self.number
        with open(f"/sys/block/zram{self.number}/disksize", "w") as disksize:
            disksize.write(f"{mib * 2}M")
        quiet("mkswap", self.path)
        quiet("swapon", "-p", str(PRIORITIES[0]), self.path)
        return self

    def used(self):
        with open("/proc/swaps") as swaps:
            rows = [line.split() for line in swaps if line.startswith(self.path + " ")]
        return int(rows[0][3]) >> 10 if rows else None

    def __exit__(self, *_):
        if self.used() is not None:
            quiet("swapoff", self.path)
        for _ in range(20):
            try:
                with open("/sys/class/zram-control/hot_remove", "w") as hot_remove:
                    hot_remove.write(self.number)
                return
            except OSError:
                time.sleep(0.1)


class Load:
    """Memory that can be swapped out at will."""

    def __init__(self):
        self.memory = mmap.mmap(-1, mib << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        half = os.urandom(2048) + bytes(2048)
        for page in range(0, mib << 20, 4096):
            self.memory[page : page + 4096] = page.to_bytes(8, "little") + half[8:]

    def push_out(self, area):
        # Some pages may be held for a moment.
        for _ in range(10):
            self.memory.madvise(PAGEOUT)
            if area.used() >= mib * 97 // 100:
                return
            time.sleep(0.1)
        sys.exit(f"change: only {area.used()} of {mib} MiB could be swapped out")


def timed(*commands):
    begin = time.perf_counter()
    for command in commands:
        quiet(*command)
    return time.perf_counter() - begin


def measure(name, before, ours, bare, after):
    """Both sides of each pair, in seconds."""
    times = {"ours": [], "bare": []}
    for pair in range(pairs):
        order = ("ours", "bare") if pair % 2 else ("bare", "ours")
        for side in order:
            number = str(PRIORITIES[pair % 2])
            before(number)
            commands = ours(number) if side == "ours" else bare(number)
            times[side].append(timed(*commands))
            after(number)
    return times


def report(name, times):
    """Print both; return the medians of the ratios and of the differences of the pairs."""
    mine, theirs = (statistics.median(times[side]) for side in ("ours", "bare"))
    ratios = [a / b for a, b in zip(times["ours"], times["bare"])]
    ratio = statistics.median(ratios)
    more = statistics.median(a - b for a, b in zip(times["ours"], times["bare"]))
    print(
        f"{name:9} swapadm {mine * 1e3:8.1f} ms   bare {theirs * 1e3:8.1f} ms   "
        f"ratio of pairs {ratio:.3f} "
        f"({min(ratios):.3f} to {max(ratios):.3f})   "
        f"more by {more * 1e3:.1f} ms"
    )
    return ratio, more


def times_as_long(name, medians):
    ratio, _ = medians
    return [f"{name} takes {ratio:.3f} times as long"] if ratio > MOST_TIMES else []


def longer(name, medians):
    _, more = medians
    return [f"{name} takes {more * 1e3:.1f} ms more"] if more > MOST_MORE else []


with Area() as area, tempfile.TemporaryDirectory() as folder:
    os.environ["SWAPADM_JOURNAL"] = os.path.join(folder, "journal")
    load, path = Load(), area.path
    out = lambda number: load.push_out(area)
    nothing = lambda number: None
    on = lambda number: quiet("swapon", "-p", number, path)
    # The cgroup check may find no other swap: the content of the area fits into memory.
    force = ["--yes", "--force", "memory", "--force", "cgroup"]
    print(f"{pairs} pairs, {mib} MiB on the area, kernel {os.uname().release}")
    priority_medians = report("priority", measure(
        "priority", out,
        lambda number: [[swapadm, "priority", f"{path}={int(number) + 10}", *force]],
        lambda number: [["swapoff", path], ["swapon", "-p", str(int(number) + 10), path]],
        lambda number: (quiet("swapoff", path), on(number)),
    ))
    off_medians = report("off", measure(
        "off", out,
        lambda number: [[swapadm, "off", path, *force]],
        lambda number: [["swapoff", path]],
        on,
    ))
    on_medians = report("on", measure(
        "on", lambda number: area.used() is not None and quiet("swapoff", path),
        lambda number: [[swapadm, "on", path, "--priority", number, "--yes"]],
        lambda number: [["swapon", "-p", number, path]],
        nothing,
    ))

too_long = times_as_long("priority", priority_medians) + times_as_long("off", off_medians)
too_long += longer("on", on_medians)
if check and too_long:
    sys.exit("change: " + "; ".join(too_long))
PYTHON
