#!/bin/bash
# Compares the built-in load `usemem` with the program of that name used by kernel developers, in pairs
# under the same memory limit on the same swap:
#
#   usemem --init-time -O -y -x -n PROCESSES SIZE   in a cgroup created by this script
#   swapadm stress run usemem                       in a cgroup created by swapadm
#   usemem ... again                                the difference between equal runs
#
#   benches/usemem.sh [--check] USEMEM [PAIRS] [PROCESSES] [MIB] [LIMIT_MIB]
#
# as root, with the path of a usemem binary; 40 pairs of one process with 512 MiB in 256 MiB by
# default, which takes about four minutes: equal runs differ by a tenth, and by more with several
# processes. They run on two zram areas of equal priority. Both print the same lines, which are parsed by
# the same code; system time is that of all processes as counted by the kernel. With --check it fails when
# the median of the pairs differs by more than 5 % in throughput or
# system time, or by more than 10 % in free latency. The column "itself" is usemem against usemem:
# smaller differences are noise. Each run has its number of TLB shootdowns: thousands mean that a process
# was moved to another CPU. Needs python3. Removes everything that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 > /dev/null || { echo "usemem: python3 is not installed" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "usemem: making zram areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }
[ -x "${1:-}" ] || { echo "usemem: name a usemem binary first" >&2; exit 2; }

cargo build --release --quiet
export PYTHONDONTWRITEBYTECODE=1
exec python3 - "$PWD/target/release/swapadm" "$(realpath "$1")" "${2:-40}" "${3:-1}" "${4:-512}" \
    "${5:-256}" "$check" << 'PYTHON'
import re, resource, statistics, subprocess, sys
from benches.scene import Areas, Cgroup

swapadm, usemem = sys.argv[1:3]
pairs, processes, mib, limit = map(int, sys.argv[3:7])
check = bool(sys.argv[7])
# Figures, their largest allowed difference, and their source.
MOST = {"throughput": 0.05, "system time": 0.05, "free latency": 0.10}
RATE = re.compile(r"(\d+) bytes / (\d+) usecs = \d+ KB/s")
FREE = re.compile(r"(\d+) usecs to free memory")


def asked():
    """TLB shootdowns since boot."""
    with open("/proc/interrupts") as lines:
        found = [line.split() for line in lines if "TLB shootdowns" in line]
    return sum(int(word) for words in found for word in words if word.isdigit())


def run(command, before=None):
    """The figures of one run."""
    asked_before = asked()
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, preexec_fn=before)
    system = resource.getrusage(resource.RUSAGE_CHILDREN).ru_stime - used
    rates = [(int(size), int(time)) for size, time in RATE.findall(done.stdout)]
    frees = [int(time) for time in FREE.findall(done.stdout)]
    if len(rates) != processes or len(frees) != processes:
        sys.exit(f"{command[0]} printed {len(rates)} rates and {len(frees)} free times:\n{done.stdout}")
    # Both count an eighth more bytes than they touch.
    rate = sum(size / 1.125 / time for size, time in rates)
    found = {"throughput": rate, "system time": system, "free latency": statistics.mean(frees)}
    return found | {"interrupts for pages": asked() - asked_before}


def theirs():
    with Cgroup(limit) as cgroup:
        sizes = ["-n", str(processes), f"{mib}m"]
        return run([usemem, "--init-time", "-O", "-y", "-x", *sizes], cgroup.enter)


def ours():
    loads = ["--with", f"processes={processes}", "--with", f"size={mib}M", "--limit", f"{limit}M"]
    return run([swapadm, "stress", "run", "usemem", *loads, "--usemem-lines", "--no-keep", "--yes"])


with Areas(swapadm, processes * mib):
    # The first run starts with cold caches and devices.
    theirs(), ours()
    found = []
    for number in range(pairs):
        # The order rotates.
        turn = number % 3
        order = ["theirs", "ours", "again"]
        order = order[turn:] + order[:turn]
        runs = {which: ours() if which == "ours" else theirs() for which in order}
        found.append((runs["theirs"], runs["ours"], runs["again"]))
        for which in order:
            figures = (f"{name} {value:.4g}" for name, value in runs[which].items())
            print(f"  {number + 1} {which:7}", ", ".join(figures), file=sys.stderr)

failed = False
print(f"{processes} processes of {mib} MiB in {limit} MiB, {pairs} pairs")
print(f"{'':14}{'usemem':>12}{'swapadm':>12}{'ratio':>8}{'itself':>8}   (medians)")


def ratios(name, place):
    """Ratios of this figure per round: to both runs of usemem, or of one usemem run to the other."""
    if place == 2:
        return [again[name] / one[name] for one, _, again in found]
    return [ours[name] * 2 / (one[name] + again[name]) for one, ours, again in found]


for name, most in MOST.items():
    ratio, itself = (statistics.median(ratios(name, place)) for place in (1, 2))
    spread = statistics.stdev(ratios(name, 2)) if pairs > 1 else float("nan")
    a = statistics.median(one[name] for pair in found for one in (pair[0], pair[2]))
    b = statistics.median(ours[name] for _, ours, _ in found)
    unit = {"throughput": "MB/s", "system time": "s", "free latency": "us"}[name]
    mark = "" if abs(ratio - 1) <= most else f"   differs by more than {most:.0%}"
    failed |= bool(mark)
    print(f"{name:14}{a:>12.4g}{b:>12.4g}{ratio:>8.3f}{itself:>8.3f} +-{spread:.3f} {unit}{mark}")
sys.exit(1 if check and failed else 0)
PYTHON
