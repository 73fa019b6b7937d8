//! `/sys/kernel/mm/transparent_hugepage`: use of huge pages, and each mTHP size.
//!
//! Kernel: `mm/huge_memory.c`, needs `CONFIG_TRANSPARENT_HUGEPAGE`; readable by everyone. Settings of each
//! size came with 6.8, statistics with 6.10; every version and vendor adds statistics, so all files of a
//! `stats` folder that hold a number are kept. They count folios of that size, not pages, and only grow,
//! except the `nr_` ones.
//!
//! Not done here: khugepaged's settings, which do not affect swap.

use super::{Probe, ReadInterval, scan};
use crate::model::paging::{MthpSize, Thp};
use crate::model::{Bytes, Missing, Part, Reading};
use crate::root::{Root, parse_u64};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Thp,
    id: "thp",
    tier: ReadInterval::Medium,
    files: &[
        "sys/kernel/mm/transparent_hugepage/enabled",
        "sys/kernel/mm/transparent_hugepage/defrag",
        "sys/kernel/mm/transparent_hugepage/shmem_enabled",
        "sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
        "sys/kernel/mm/transparent_hugepage/hugepages-*/enabled",
        "sys/kernel/mm/transparent_hugepage/hugepages-*/shmem_enabled",
        "sys/kernel/mm/transparent_hugepage/hugepages-*/stats/*",
    ],
    about: "Huge pages: settings, and how each size was swapped",
    remedy: "mount sysfs on /sys; the kernel needs CONFIG_TRANSPARENT_HUGEPAGE, and 6.8 for sizes",
};

const PATH: &str = "sys/kernel/mm/transparent_hugepage";

/// Reads the settings and all sizes.
pub fn read(root: &Root) -> Reading<Thp> {
    let names = scan::explain(
        root.names(PATH),
        "the kernel was built without CONFIG_TRANSPARENT_HUGEPAGE, or /sys is not mounted",
    );
    names.map(|names| {
        let choice = |file: &str| scan::choice(root, &format!("{PATH}/{file}"));
        Thp {
            enabled: choice("enabled"),
            defrag: choice("defrag"),
            shmem_enabled: choice("shmem_enabled"),
            pmd_size: root.number(format!("{PATH}/hpage_pmd_size")).map(Bytes),
            sizes: sizes(root, &names),
        }
    })
}

fn sizes(root: &Root, names: &[Vec<u8>]) -> Reading<Vec<MthpSize>> {
    let mut kib: Vec<u64> = names.iter().filter_map(|name| size_of(name)).collect();
    if kib.is_empty() {
        return Missing::absent("settings and counters of each size exist since kernel 6.8; swapadm report thp shows those of the largest size").into();
    }
    kib.sort_unstable();
    Reading::Known(kib.into_iter().map(|kib| size(root, kib)).collect())
}

/// The KiB in a folder's name, as spelled by the kernel.
fn size_of(name: &[u8]) -> Option<u64> {
    let kib = parse_u64(name.strip_prefix(b"hugepages-")?.strip_suffix(b"kB")?)?;
    (folder(kib).as_bytes() == name).then_some(kib)
}

fn folder(kib: u64) -> String {
    format!("hugepages-{kib}kB")
}

fn size(root: &Root, kib: u64) -> MthpSize {
    let folder = format!("{PATH}/{}", folder(kib));
    let shmem = scan::choice(root, &format!("{folder}/shmem_enabled"));
    let anon = scan::choice(root, &format!("{folder}/enabled"));
    MthpSize {
        size: Bytes::from_kib(kib),
        // Order 1 is for shared memory alone: it has no `enabled`.
        enabled: scan::explain(anon, "this size is not available for anonymous memory"),
        shmem_enabled: scan::explain(
            shmem,
            "shared memory has settings of its own since kernel 6.11, for some sizes only",
        ),
        stats: scan::explain(
            scan::folder(root, &format!("{folder}/stats")),
            "statistics of each size exist since kernel 6.10",
        ),
    }
}

#[cfg(test)]
mod tests;
