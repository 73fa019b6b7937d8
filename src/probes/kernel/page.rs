//! The size of a base page: asked for on a live machine, worked out for a captured one.

use crate::model::{Missing, Reading};
use crate::probes::{meminfo, scan, vmstat};
use crate::root::{Root, parse_u64};

/// The sizes that Linux has.
const SIZES_KIB: [u64; 5] = [4, 8, 16, 32, 64];
/// The first mapping of a process stands at the beginning of its `smaps`.
const HEAD: usize = 4096;

pub(super) fn size(root: &Root) -> Reading<u64> {
    if root.is_live() {
        return asked();
    }
    let kib = from_smaps(root).or_else(|| from_free_memory(root));
    match kib {
        Some(kib) => Reading::Known(kib * 1024),
        None => Missing::absent("the captured tree does not tell the page size").into(),
    }
}

fn asked() -> Reading<u64> {
    let answer = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE);
    let size = answer.ok().flatten().and_then(|size| u64::try_from(size).ok());
    match size {
        Some(size) => Reading::Known(size),
        None => Reading::failed("sysconf does not tell the page size"),
    }
}

fn from_smaps(root: &Root) -> Option<u64> {
    let names = root.names("proc").into_result().ok()?;
    let processes = names.iter().filter_map(|name| parse_u64(name));
    processes
        .filter_map(|pid| root.read_head(format!("proc/{pid}/smaps"), HEAD).into_result().ok())
        .find_map(|bytes| kernel_page_size(&bytes))
}

pub(super) fn kernel_page_size(smaps: &[u8]) -> Option<u64> {
    let sizes = scan::lines(smaps).filter_map(|line| {
        let mut fields = scan::fields(line.strip_prefix(b"KernelPageSize:")?);
        parse_u64(fields.next()?)
    });
    // Huge pages of hugetlb have mappings of their own, with larger sizes.
    sizes.filter(|kib| SIZES_KIB.contains(kib)).min()
}

/// Free memory is in `vmstat` in pages and in `meminfo` in KiB, read a moment apart.
fn from_free_memory(root: &Root) -> Option<u64> {
    let pages = vmstat::read(root).and_then(|vmstat| vmstat.get("nr_free_pages"));
    let kib = meminfo::read(root).and_then(|meminfo| meminfo.get("MemFree"));
    nearest(*kib.known()?, *pages.known()?)
}

/// The size nearest to the ratio; none when the ratio is below or beyond all of them.
pub(super) fn nearest(kib: u64, pages: u64) -> Option<u64> {
    let ratio = kib as f64 / pages as f64;
    let near = |size: &&u64| {
        let distance = (ratio / **size as f64).log2().abs();
        distance < 0.5
    };
    SIZES_KIB.iter().find(near).copied()
}
