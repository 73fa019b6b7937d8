#!/bin/bash
# Runs a built-in load in small cgroups, again and again, and counts:
#
#   killed   runs in which the kernel killed a process of the load, though swap was free
#   parent   the share of a processor that swapadm itself used meanwhile: it samples the cgroup, more
#            often the smaller its limit is (docs/decisions/0024)
#
#   benches/memory_limits.sh [--check] [RUNS] [LOAD] [MIB...]
#
# as root; 20 runs of usemem with limits of 48, 64 and 128 MiB by default. Processes touch twice the
# memory limit for three seconds, on a zram device created for each run and removed afterwards. With
# --check it fails when a run was killed, or when the median of the shares is more than a tenth of a
# processor. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 > /dev/null || { echo "memory_limits: python3 is not installed" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "memory_limits: making zram areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }
runs=${1:-20} load=${2:-usemem}
shift "$(($# < 2 ? $# : 2))"
[ "$#" -gt 0 ] || set -- 48 64 128

cargo build --release --quiet
exec python3 - "$PWD/target/release/swapadm" "$check" "$runs" "$load" "$@" << 'PYTHON'
import json, os, statistics, subprocess, sys, tempfile, time

swapadm, check, count, load = sys.argv[1], bool(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
if count < 1:
    sys.exit("memory_limits: at least one run is needed")
# Limit of the median of the parent's shares.
MOST = 0.10
TICK = os.sysconf("SC_CLK_TCK")


def own_time(pid):
    """CPU seconds of an ended process, without its children."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def run(mib, journal):
    """Whether a process was killed, and the parent's share of a processor."""
    sizes = ["--limit", f"{mib}M", "--zram", f"{4 * mib}M"]
    lasting = ["--with", "seconds=3", "--no-keep", "--yes", "--json"]
    environment = dict(os.environ, SWAPADM_JOURNAL=journal)
    with tempfile.TemporaryFile() as output:
        begun = time.monotonic()
        process = subprocess.Popen([swapadm, "stress", "run", load, *sizes, *lasting], stdout=output,
                                   env=environment)
        # Its counters can be read until it is waited for.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        share = own_time(process.pid) / (time.monotonic() - begun)
        code = process.wait()
        output.seek(0)
        ends = [measured["end"] for measured in json.load(output)["run"]["measured"]]
    whys = [end["why"] for end in ends if end["end"] == "failed"]
    if any("killed by SIGKILL" not in why for why in whys) or (code != 0 and not whys):
        sys.exit(f"{load} in {mib} MiB ended with {code}: {ends}")
    return bool(whys), share


failed = False
print(f"{load}, {count} runs in each cgroup")
print(f"{'cgroup':>8}{'killed':>8}{'parent':>9}   (median; least to most)")
for mib in map(int, sys.argv[5:]):
    with tempfile.TemporaryDirectory() as folder:
        found = [run(mib, folder + "/journal") for _ in range(count)]
    killed, shares = sum(was for was, _ in found), [share for _, share in found]
    median = statistics.median(shares)
    mark = "" if killed == 0 and median <= MOST else "   more than may be"
    failed |= bool(mark)
    print(f"{mib:>6} M{killed:>8}{median:>9.1%}   {min(shares):.1%} to {max(shares):.1%}{mark}")
sys.exit(1 if check and failed else 0)
PYTHON
