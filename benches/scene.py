"""Equal conditions for our load and another program's: the same swap, the same limit."""

import os, re, subprocess, tempfile, time


class Cgroup:
    """A cgroup with a memory limit in MiB, on version 1 or 2."""

    def __init__(self, limit):
        self.limit = limit

    def __enter__(self):
        first = "/sys/fs/cgroup/memory"
        is_first = os.path.exists(first + "/memory.limit_in_bytes")
        self.folder = (first if is_first else "/sys/fs/cgroup") + "/swapadm-bench"
        os.mkdir(self.folder)
        file = "memory.limit_in_bytes" if is_first else "memory.max"
        self.file = f"{self.folder}/{file}"
        self.raise_to(self.limit)
        return self

    def raise_to(self, limit):
        """Set the limit in MiB."""
        with open(self.file, "w") as out:
            out.write(str(limit << 20))

    def enter(self):
        with open(self.folder + "/cgroup.procs", "w") as procs:
            procs.write(str(os.getpid()))

    def __exit__(self, *_):
        for _ in range(50):
            try:
                os.rmdir(self.folder)
                return
            except OSError:
                time.sleep(0.1)


class Areas:
    """Two zram areas of this many MiB each, of equal and highest priority."""

    def __init__(self, swapadm, mib):
        self.swapadm, self.mib = swapadm, mib

    def __enter__(self):
        self.made = []
        self.journal = tempfile.TemporaryDirectory()
        os.environ["SWAPADM_JOURNAL"] = self.journal.name + "/journal"
        for _ in range(2):
            output = subprocess.run(
                [self.swapadm, "zram", "swap", "--size", f"{self.mib}M", "--priority", "32000", "--yes"],
                check=True, stdout=subprocess.PIPE, text=True)
            self.made.append(re.search(r"/dev/(zram\d+)", output.stdout).group(1))
        return self

    def __exit__(self, *_):
        for name in self.made:
            for command in (["off"], ["zram", "remove"]):
                subprocess.run([self.swapadm, *command, name, "--yes"], stdout=subprocess.DEVNULL)
        self.journal.cleanup()
