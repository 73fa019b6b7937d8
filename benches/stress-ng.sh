#!/bin/bash
# Compares the built-in load `random-write` with the most similar method of stress-ng's vm stressor, in
# pairs under the same memory limit on the same swap:
#
#   stress-ng --vm PROCESSES --vm-method swap   in a cgroup created by this script
#   swapadm stress run random-write             in a cgroup created by swapadm
#
#   benches/stress-ng.sh [--check] [PAIRS] [PROCESSES] [MIB] [LIMIT_MIB]
#
# as root; 12 pairs of 4 processes with 256 MiB each in 512 MiB by default, on two zram areas of
# equal priority. Only the method `swap` writes at random positions: it walks its memory and exchanges
# each 64 bytes with 64 others anywhere in it. Other methods walk memory in order.
#
# stress-ng's own counter says little: until all memory is filled, exchanges need no swap, and are fast.
# The kernel's counters are used for both: each page swapped in was touched while it was out. A window of
# each run is compared that begins when all memory is filled.
# Both fill pages with runs of 64 equal bytes. System time is that of the whole machine, which must be
# idle otherwise. With --check it fails when random-write swaps in fewer pages than stress-ng: when the
# 95 % confidence interval of the mean ratio is below 1. Needs stress-ng and python3. Removes everything
# that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
need() { command -v "$1" > /dev/null || { echo "stress-ng: $1 is not installed" >&2; exit 77; }; }
for tool in stress-ng python3; do need "$tool"; done
[ "$(id -u)" = 0 ] || { echo "stress-ng: making zram areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }

cargo build --release --quiet
export PYTHONDONTWRITEBYTECODE=1
exec python3 - "$PWD/target/release/swapadm" "${1:-12}" "${2:-4}" "${3:-256}" "${4:-512}" "$check" << 'PYTHON'
import os, random, statistics, subprocess, sys, tempfile, time
from benches.scene import Areas, Cgroup

swapadm = sys.argv[1]
pairs, processes, mib, limit = map(int, sys.argv[2:6])
check = bool(sys.argv[6])
if pairs < 2:
    sys.exit("stress-ng: one pair says nothing about the next: take two or more")
# Duration of a run and of the window, in seconds.
LENGTH, WINDOW = 14, (6, 13.5)
UNITS = {"pages in": "/s", "pages out": "/s", "system per page": "us"}


def counted():
    """The kernel's counters now, with the time."""
    with open("/proc/vmstat") as lines:
        pages = {name: int(number) for name, number in map(str.split, lines)}
    with open("/proc/stat") as lines:
        system = int(lines.readline().split()[3]) / os.sysconf("SC_CLK_TCK")
    return {"pages in": pages["pswpin"], "pages out": pages["pswpout"], "system": system,
            "moment": time.monotonic()}


def student(freedom, z=1.96):
    """Width of the confidence interval in standard errors, by the first terms of its series."""
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def run(command, **how):
    """Rates per second of the window."""
    before = counted()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **how)
    window = []
    for moment in WINDOW:
        time.sleep(max(0, before["moment"] + moment - time.monotonic()))
        window.append(counted())
    output, _ = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{output}")
    first, last = window
    rates = {name: (last[name] - first[name]) / (last["moment"] - first["moment"]) for name in last}
    if first["pages in"] - before["pages in"] < rates["pages in"]:
        sys.exit(f"{command[0]} filled memory for more than {WINDOW[0] - 1} s: take less of it")
    rates["system per page"] = rates["system"] / rates["pages in"] * 1e6
    return rates


def theirs():
    method = ["--vm-method", "swap", "--vm-keep", "--vm-madvise", "normal"]
    sizes = ["--vm", str(processes), "--vm-bytes", f"{processes * mib}m", "--timeout", f"{LENGTH}s"]
    with Cgroup(limit) as cgroup:
        return run(["stress-ng", *sizes, *method], preexec_fn=cgroup.enter, stderr=subprocess.STDOUT)


def ours():
    loads = {"processes": processes, "size": f"{mib}M", "seconds": LENGTH, "contents": f"file:{runs.name}"}
    words = [word for key, value in loads.items() for word in ("--with", f"{key}={value}")]
    limited = ["--limit", f"{limit}M", "--no-keep", "--yes"]
    return run([swapadm, "stress", "run", "random-write", *words, *limited])


with Areas(swapadm, processes * mib), tempfile.NamedTemporaryFile() as runs:
    runs.write(b"".join(bytes([random.randrange(256)]) * 64 for _ in range(1 << 16)))
    runs.flush()
    # The first run starts with cold caches and devices.
    theirs(), ours()
    found = []
    for number in range(pairs):
        order = [theirs, ours] if number % 2 == 0 else [ours, theirs]
        pair = {which: which() for which in order}
        found.append((pair[theirs], pair[ours]))

print(f"{processes} processes of {mib} MiB in {limit} MiB, {pairs} pairs")
print(f"{'':18}{'stress-ng':>12}{'swapadm':>12}{'ratio':>8}   (medians; ratio: least to most)")
ratios = {name: [b[name] / a[name] for a, b in found] for name in UNITS}
for name, unit in UNITS.items():
    a, b = (statistics.median(pair[place][name] for pair in found) for place in (0, 1))
    low, high = min(ratios[name]), max(ratios[name])
    ratio = f"{statistics.median(ratios[name]):>8.3f} {unit:3} {low:.3f} to {high:.3f}"
    print(f"{name:18}{a:>12.4g}{b:>12.4g}{ratio}")
mean = statistics.fmean(ratios["pages in"])
reach = student(pairs - 1) * statistics.stdev(ratios["pages in"]) / pairs ** 0.5
print(f"pages in, mean of the ratios: {mean:.3f}, with 95 % confidence {mean - reach:.3f} to {mean + reach:.3f}")
if mean + reach < 1:
    print("random-write brings fewer pages in than stress-ng")
    sys.exit(1 if check else 0)
PYTHON
