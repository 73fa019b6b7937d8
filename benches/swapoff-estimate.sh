#!/bin/bash
# Measures the accuracy of the estimated duration of a swapoff. Fourteen cases of different kinds: zram with
# several algorithms, files, loop devices, sizes from 64 to 512 MiB, one process or several, shared
# memory, full and half full areas. Each runs with an empty journal, and then all run with a journal of
# the first round. Where zram lacks an algorithm, its default is used.
#
#   benches/swapoff-estimate.sh [--check] [PROGRAM]
#
# as root; the program is built if none is given. With --check it fails if less than nine of ten estimates
# are within a factor of 1.5, in both rounds together; a missing estimate counts as off. Needs util-linux
# and python3. Removes everything that it created.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
for tool in losetup mkswap python3; do
    command -v "$tool" > /dev/null || { echo "swapoff-estimate: $tool is not installed" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "swapoff-estimate: making areas needs root" >&2; exit 77; }

check=
[ "${1:-}" != --check ] || { check=1; shift; }
program=${1:-}
if [ -z "$program" ]; then
    cargo build --release --quiet
    program=$PWD/target/release/swapadm
fi
export PYTHONDONTWRITEBYTECODE=1
exec python3 - "$program" "$check" << 'PYTHON'
import json, mmap, os, re, signal, subprocess, sys, tempfile
from benches.scene import Cgroup

swapadm, check = sys.argv[1], bool(sys.argv[2])
FAR, SHARE = 1.5, 0.9
PAGE = 4096
# Memory limit of the processes of a case, in MiB.
KEPT = 32
# Kind of area, its size in MiB, used part, processes, shared memory.
CASES = [
    ("lzo-rle", 64, 0.8, 1, False),
    ("lzo", 256, 0.8, 1, False),
    ("lzo-rle", 512, 0.5, 4, False),
    ("zstd", 128, 0.8, 1, False),
    ("zstd", 192, 0.8, 1, True),
    ("lz4", 384, 0.8, 8, False),
    ("file", 64, 0.8, 1, False),
    ("file", 256, 0.5, 4, False),
    ("file", 128, 0.8, 1, True),
    ("file", 512, 0.8, 8, False),
    ("loop", 64, 0.8, 1, False),
    ("loop", 256, 0.5, 4, False),
    ("loop", 128, 0.8, 1, True),
    ("loop", 512, 0.8, 8, False),
]


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Area:
    """An area of the highest priority: zram with this algorithm, a loop device or a file."""

    def __init__(self, kind, mib):
        self.kind, self.mib = kind, mib

    def __enter__(self):
        if self.kind in ("loop", "file"):
            self.file = tempfile.NamedTemporaryFile(dir="/var/tmp", prefix="swapadm-bench")
            # Unwritten ranges have no blocks in the file system, nor on the disk of a loop device.
            for _ in range(self.mib):
                self.file.write(os.urandom(1 << 20))
            os.fsync(self.file.fileno())
            self.path = self.file.name
            if self.kind == "loop":
                self.path = output_of("losetup", "--find", "--show", self.file.name).strip()
        else:
            with open("/sys/class/zram-control/hot_add") as hot_add:
                self.number = hot_add.read().strip()
            self.path = "/dev/zram" + self.number
            with open(f"/sys/block/zram{self.number}/comp_algorithm") as offered:
                is_there = self.kind in re.findall(r"[\w-]+", offered.read())
            if is_there:
                self.write("comp_algorithm", self.kind)
            self.write("disksize", f"{self.mib}M")
        output_of("mkswap", self.path)
        output_of(swapadm, "on", self.path, "--priority", "32000", "--yes")
        return self

    def write(self, name, value):
        with open(f"/sys/block/zram{self.number}/{name}", "w") as out:
            out.write(value)

    def __exit__(self, *_):
        with open("/proc/swaps") as swaps:
            if self.path in swaps.read():
                output_of("swapoff", self.path)
        if self.kind in ("loop", "file"):
            if self.kind == "loop":
                output_of("losetup", "--detach", self.path)
            self.file.close()
        else:
            with open("/sys/class/zram-control/hot_remove", "w") as hot_remove:
                hot_remove.write(self.number)


def sleeper(cgroup, mib, shared):
    """A process whose memory is swapped out; half of each page does not compress."""
    ready, done = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ready)
        cgroup.enter()
        kind = mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE
        memory = mmap.mmap(-1, mib << 20, kind | mmap.MAP_ANONYMOUS)
        for place in range(0, mib << 20, PAGE):
            memory[place:place + PAGE] = os.urandom(PAGE // 2) + bytes(PAGE // 2)
        os.write(done, b"!")
        signal.pause()
    os.close(done)
    if os.read(ready, 1) != b"!":
        sys.exit("the process that was to fill memory ended")
    os.close(ready)
    return child


def case(kind, mib, share, processes, shared):
    """The estimate, its basis, and the real duration."""
    with Area(kind, mib) as area, Cgroup(KEPT) as cgroup:
        each = int((mib * share + KEPT) / processes)
        children = [sleeper(cgroup, each, shared) for _ in range(processes)]
        cgroup.raise_to(2 * mib + 256)
        try:
            ended = json.loads(output_of(swapadm, "off", area.path, "--yes", "--json"))
        finally:
            for child in children:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        estimate = ended["estimate"]
        return estimate["seconds"], estimate["basis"], ended["outcome"]["seconds"]


def with_journal(folder):
    os.environ["SWAPADM_JOURNAL"] = folder + "/journal"


def of_a_round(prepare):
    """Run all cases one after the other; return how many estimates are near."""
    near = 0
    for which in CASES:
        prepare()
        expected, basis, took = case(*which)
        ratio = took / expected if expected else float("nan")
        near += 1 / FAR <= ratio <= FAR
        kind, mib, share, processes, shared = which
        what = f"{kind} {mib} MiB, {share:.0%} in {processes}{' shared' if shared else ''}"
        said = f"{expected:.3f} s" if expected else "nothing"
        print(f"  {what:34} said {said:>8} ({basis}), took {took:.3f} s: {ratio:.2f}", flush=True)
    print(f"  {near} of {len(CASES)} within {FAR} times")
    return near


with tempfile.TemporaryDirectory() as folder:
    numbers = iter(range(len(CASES)))

    def new_journal():
        each = f"{folder}/{next(numbers)}"
        os.mkdir(each)
        with_journal(each)

    print("each for the first time:")
    near = of_a_round(new_journal)
    with_journal(folder)
    for which in CASES:
        case(*which)
    print("all of them known:")
    near += of_a_round(lambda: None)
sys.exit(1 if check and near < SHARE * 2 * len(CASES) else 0)
PYTHON
