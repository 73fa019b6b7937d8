#!/bin/bash
# Measures the accuracy of swapoff estimates. Runs the load swapoff-cost on areas of several sizes, and
# prints the ratio of the duration of each swapoff to its estimate right before:
#
#   benches/swapoff.sh [--check] [RUNS] [ARGUMENT...]
#
# as root; 10 runs of each size by default. Other arguments are those of `swapadm stress run`, such as
# --with contents=random; --file instead of --zram uses files as areas. With --check it fails when
# less than nine of ten are within a factor of 1.5. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 > /dev/null || { echo "swapoff: python3 is not installed" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "swapoff: making areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }
runs=${1:-10}
shift "$(($# < 1 ? $# : 1))"

cargo build --release --quiet
exec python3 - "$PWD/target/release/swapadm" "$check" "$runs" "$@" << 'PYTHON'
import json, statistics, subprocess, sys

swapadm, check, runs, more = sys.argv[1], bool(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
# Largest ratio for nine of ten.
FAR, SHARE = 1.5, 0.9
kind = "--file" if "--file" in more else "--zram"
more = [word for word in more if word != kind]


def run(mib):
    """The duration of a swapoff, and its ratio to the estimate, with this memory limit. The areas are
    gone afterwards: each swapoff needs a run of its own."""
    sizes = ["--limit", f"{mib}M", kind, f"{2 * mib}M"]
    command = [swapadm, "stress", "run", "swapoff-cost", *sizes, *more, "--no-keep", "--yes", "--json"]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    measured = json.loads(output)["run"]["measured"][0]
    if not measured.get("swapoff_expected"):
        sys.exit("swapoff: nothing could be estimated here")
    return measured["swapoff"], measured["swapoff"] / measured["swapoff_expected"]


near = total = 0
print(f"{'cgroup':>8}{'took':>10}{'by expected':>13}   (medians; least to most)")
for mib in (64, 256, 1024):
    found = [run(mib) for _ in range(runs)]
    times, shares = [seconds for seconds, _ in found], [ratio for _, ratio in found]
    near += sum(1 / FAR <= share <= FAR for share in shares)
    total += len(shares)
    print(f"{mib:>6} M{statistics.median(times):>8.3f} s{statistics.median(shares):>13.2f}"
          f"   {min(shares):.2f} to {max(shares):.2f}")
print(f"{near} of {total} within {FAR} times")
sys.exit(1 if check and near < SHARE * total else 0)
PYTHON
