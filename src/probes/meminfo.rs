//! `/proc/meminfo`: use of memory and swap, in KiB.
//!
//! Kernel: `fs/proc/meminfo.c`, all versions; readable by everyone. Inside a container it may be
//! the host's, or one simulated by lxcfs.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::Counters;
use crate::model::{Bytes, Part, Reading, known};
use crate::root::Root;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Meminfo,
    id: "meminfo",
    tier: ReadInterval::Fast,
    files: &["proc/meminfo"],
    about: "Memory and swap in use, swap cache, zswap pool",
    remedy: "mount proc on /proc",
};

/// Reads all fields.
pub fn read(root: &Root) -> Reading<Counters> {
    scan::counters(root, "proc/meminfo")
}

/// One field, for parts that record it at the time of their own sample.
pub(super) fn field(meminfo: &Reading<Counters>, name: &str) -> Reading<Bytes> {
    meminfo.as_ref().and_then(|meminfo| meminfo.get(name)).map(Bytes::from_kib)
}

// `/proc/vmstat`: counters of the memory manager since boot.

/// Description of this probe.
pub static VMSTAT: Probe = Probe {
    part: Part::Vmstat,
    id: "vmstat",
    tier: ReadInterval::Fast,
    files: &["proc/vmstat"],
    about: "Pages swapped in and out, readahead, reclaim, huge page fallbacks",
    remedy: "mount proc on /proc; the kernel needs CONFIG_VM_EVENT_COUNTERS",
};

/// Reads all counters.
pub fn read_vmstat(root: &Root) -> Reading<Counters> {
    scan::counters(root, "proc/vmstat")
}

// The size of a base page: queried on a live machine, derived for a captured one. Not a probe of its own:
// every snapshot has it.

/// The notes of a capture.
const NOTES: &str = "machine.toml";
/// Page sizes of Linux.
const SIZES_KIB: [u64; 5] = [4, 8, 16, 32, 64];
/// Amounts of memory that `meminfo` has in KiB and `vmstat` in pages.
const AMOUNTS: [(&str, &str); 7] = [
    ("MemFree", "nr_free_pages"),
    ("AnonPages", "nr_anon_pages"),
    ("Mapped", "nr_mapped"),
    ("Active(anon)", "nr_active_anon"),
    ("Active(file)", "nr_active_file"),
    ("Inactive(file)", "nr_inactive_file"),
    ("PageTables", "nr_page_table_pages"),
];

/// The size of a base page in bytes.
pub(crate) fn page_size(root: &Root) -> Reading<u64> {
    if root.is_live() {
        return from_sysconf();
    }
    let noted = root.text(NOTES).known().and_then(|notes| from_notes(notes));
    noted.map_or_else(|| from_amounts(root).map(|kib| kib * 1024), Reading::Known)
}

/// The page size recorded in a capture by swapadm.
fn from_notes(notes: &str) -> Option<u64> {
    let size = notes.lines().find_map(|line| line.strip_prefix("page_size = "))?;
    size.trim().parse().ok().filter(|size: &u64| SIZES_KIB.contains(&(size / 1024)))
}

fn from_sysconf() -> Reading<u64> {
    let answer = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE);
    let size = answer.ok().flatten().and_then(|size| u64::try_from(size).ok());
    match size {
        Some(size) => Reading::Known(size),
        None => Reading::failed("sysconf does not give the page size"),
    }
}

/// Derives the page size from the amounts that two files have in KiB and in pages. They are read one after the
/// other, and each amount can change in between: the size that most of them lead to counts.
fn from_amounts(root: &Root) -> Reading<u64> {
    // A capture gets both files, also if one of them is not as expected.
    let (kib, pages) = (read(root), read_vmstat(root));
    let (kib, pages) = (known!(kib), known!(pages));
    let sizes = AMOUNTS.iter().filter_map(|(in_kib, in_pages)| {
        nearest(*kib.get(in_kib).known()?, *pages.get(in_pages).known()?)
    });
    let sizes: Vec<u64> = sizes.collect();
    let votes = |size: &u64| sizes.iter().filter(|other| *other == size).count();
    let size = SIZES_KIB.into_iter().rev().max_by_key(votes).filter(|size| votes(size) > 0);
    Reading::or_absent(size, "the captured tree has no page size")
}

/// The page size nearest to the ratio; none when the ratio is outside all of them.
fn nearest(kib: u64, pages: u64) -> Option<u64> {
    let ratio = kib as f64 / pages as f64;
    let near = |size: &&u64| {
        let distance = (ratio / **size as f64).log2().abs();
        distance < 0.5
    };
    SIZES_KIB.iter().find(near).copied()
}

#[cfg(test)]
mod page_tests {
    use super::*;
    use crate::root::testing::TestTree;

    fn size_for(kib: &str) -> Reading<u64> {
        let tree = TestTree::new();
        tree.write("proc/vmstat", "nr_free_pages 1000\n");
        tree.write("proc/meminfo", kib);
        page_size(&tree.root())
    }

    #[test]
    fn an_unknown_page_size_has_the_reason_of_its_files() {
        let tree = TestTree::with(&[("proc/meminfo", "MemFree: 40 kB\n")]);
        assert_eq!(page_size(&tree.root()), Reading::absent("/proc/vmstat does not exist"));
        let tree = TestTree::with(&[("proc/vmstat", "nr_free_pages 10\n")]);
        assert_eq!(page_size(&tree.root()), Reading::absent("/proc/meminfo does not exist"));
    }

    #[test]
    fn the_page_size_of_a_captured_machine() {
        assert_eq!(size_for("MemFree: 4100 kB\n"), Reading::Known(4096));
        assert_eq!(size_for("MemFree: 63000 kB\n"), Reading::Known(65536));
        for unclear in ["MemFree: 900 kB\n", "MemFree: 0 kB\n"] {
            assert_eq!(size_for(unclear).missing().unwrap().kind(), "absent", "{unclear}");
        }
        assert_eq!(size_for("").missing().unwrap().kind(), "failed");
        // Memory was given back between the two files.
        let tree = TestTree::with(&[
            ("proc/vmstat", "nr_free_pages 1000\nnr_anon_pages 100\nnr_mapped 50\n"),
            ("proc/meminfo", "MemFree: 8200 kB\nAnonPages: 400 kB\nMapped: 204 kB\n"),
        ]);
        assert_eq!(page_size(&tree.root()), Reading::Known(4096));
        let tree = TestTree::with(&[("machine.toml", "kernel = \"x\"\npage_size = 16384\n")]);
        assert_eq!(page_size(&tree.root()), Reading::Known(16384));
        assert_eq!(nearest(0, 0), None);
        assert_eq!(nearest(1, 0), None);
    }
}
