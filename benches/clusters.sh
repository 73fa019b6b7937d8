#!/bin/bash
# Measures the cost of reading clusters: CPU time to walk the page tables of a process whose memory is
# in swap, and to read kernel memory where possible.
#
#   benches/clusters.sh [--check] [MIB]
#
# as root; 8192 MiB by default, of pages with a single value each, so that zram needs almost no memory.
# They are on two zram areas created by the script; the process runs in a cgroup with a limit of 256 MiB.
# With --check it fails when page tables of 8 GiB take more than a second of CPU time.
# Needs python3. Removes everything that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 > /dev/null || { echo "clusters: python3 is not installed" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "clusters: making zram areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }

cargo build --release --quiet
export PYTHONDONTWRITEBYTECODE=1
exec python3 - "$PWD/target/release/swapadm" "${1:-8192}" "$check" << 'PYTHON'
import json, mmap, os, resource, signal, statistics, subprocess, sys
from benches.scene import Areas, Cgroup

swapadm, mib, check = sys.argv[1], int(sys.argv[2]), bool(sys.argv[3])
# Memory limit in MiB; samples of each view; limit for 8 GiB.
KEPT, LOOKS, MOST = 256, 5, 1.0
VIEWS = ["kernel", "zram", "tables"]


def sleeper(cgroup):
    """A process with this much memory, written once."""
    ready, output = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ready)
        cgroup.enter()
        memory = mmap.mmap(-1, mib << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for place in range(0, mib << 20, 1 << 20):
            memory[place:place + (1 << 20)] = b"\x5a" * (1 << 20)
        os.write(output, b"!")
        signal.pause()
    os.close(output)
    if os.read(ready, 1) != b"!":
        sys.exit("the process that was to fill memory ended")
    return child


def look(view):
    """CPU time of a sample, and its rows."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [swapadm, "clusters", "--view", view, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, json.loads(done.stdout)["tables"]["clusters"]["rows"]


slow = False
with Areas(swapadm, mib // 2 + 64), Cgroup(KEPT) as cgroup:
    child = sleeper(cgroup)
    try:
        for view in VIEWS:
            looks = [look(view) for _ in range(LOOKS)]
            ours = [row for row in looks[-1][1] if row["name"].startswith("/dev/zram")]
            if None in [row["clusters"] for row in ours]:
                print(f"{view:7} {ours[0]['missing']['clusters']['why']}")
                continue
            seen = " and ".join(f"{row['seen']:.1%}" for row in ours)
            took = statistics.median(used for used, _ in looks)
            print(f"{view:7} {took:6.3f} s for {mib} MiB, sees {seen}")
            slow = slow or took > MOST * mib / 8192
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
sys.exit(1 if check and slow else 0)
PYTHON
