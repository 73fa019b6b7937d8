//! Whose pages fill the swap?
//!
//! The kernel does not say. What can be read overlaps in known ways, so each item is named with
//! what it can and cannot tell, and what no item explains is shown as such:
//!
//! - *processes*: the sum of `VmSwap`, private pages only. A page shared after a fork is counted by
//!   each process, so the sum may exceed what is used.
//! - *shared memory*: System V segments say what of them is swapped. Of tmpfs the kernel says only
//!   how much its files take in RAM and swap together: what exceeds the resident shared memory
//!   must be in swap. That is a lower bound: shared anonymous memory and memfd are in no list, and
//!   some file systems do not tell what they hold.
//! - *swap cache*: pages in RAM that still own a slot. Some of them are counted by a process, some
//!   by nobody. What is unexplained therefore lies between two bounds.
//!
//! zswap is in neither sum: it is a place where the pages of these owners lie, not an owner.

use super::compression;
use crate::model::users::{SharedMemory, Tmpfs};
use crate::model::{Bytes, Reading, Snapshot};

/// What of the used swap can be explained.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// Swap in use as the processes were read: `SwapTotal` less `SwapFree`.
    pub used: Reading<Bytes>,
    /// Sum of `VmSwap`.
    pub processes: Reading<Bytes>,
    /// Processes that could not be read: their swap is among the unexplained.
    pub unreadable: Reading<u64>,
    /// Swapped System V segments.
    pub sysv: Reading<Bytes>,
    /// Swapped tmpfs files, at least.
    pub tmpfs: Reading<Bytes>,
    /// Pages in RAM that still own a slot, as the processes were read.
    pub cache: Reading<Bytes>,
    /// Slots whose data is in zswap rather than on the device.
    pub zswap: Reading<Bytes>,
    /// What processes and shared memory leave over, at most: nothing of the swap cache is taken
    /// off.
    pub unexplained: Reading<Bytes>,
    /// What would be left over if the swap cache belonged to none of them.
    pub unexplained_least: Reading<Bytes>,
}

/// Swap in use when the processes were read, so that both can be compared; the newest figure where
/// that was not noted.
pub fn used(snapshot: &Snapshot) -> Reading<Bytes> {
    let newest =
        snapshot.memory("SwapTotal").map2(snapshot.memory("SwapFree"), Bytes::saturating_sub);
    match snapshot.processes.reading.known() {
        Some(table) => or_newest(&table.swap_used, newest),
        None => newest,
    }
}

/// The swap cache at the same moment.
fn cache(snapshot: &Snapshot) -> Reading<Bytes> {
    let newest = snapshot.memory("SwapCached");
    match snapshot.processes.reading.known() {
        Some(table) => or_newest(&table.swap_cached, newest),
        None => newest,
    }
}

/// A figure of the moment at which a part was read; the newest one where that was not noted.
fn or_newest(then: &Reading<Bytes>, newest: Reading<Bytes>) -> Reading<Bytes> {
    match then {
        Reading::Known(then) => Reading::Known(*then),
        Reading::Missing { .. } => newest,
    }
}

/// The attribution of one snapshot.
pub fn attribution(snapshot: &Snapshot) -> Attribution {
    let used = used(snapshot);
    let table = snapshot.processes.reading.as_ref();
    let processes = table.clone().map(|table| {
        table.processes.iter().filter_map(|process| process.swap.known().copied()).sum::<Bytes>()
    });
    let shm = snapshot.shm.reading.as_ref();
    let sysv = shm.clone().and_then(|shm| {
        shm.sysv
            .as_ref()
            .map(|segments| segments.iter().map(|segment| segment.swapped).sum::<Bytes>())
    });
    let tmpfs = match (shm.and_then(|shm| tmpfs(snapshot, shm)), &used) {
        (Reading::Known(tmpfs), Reading::Known(used)) => Reading::Known(tmpfs.min(*used)),
        (tmpfs, _) => tmpfs,
    };
    let explained = [&processes, &sysv, &tmpfs];
    let explained: Bytes = explained.into_iter().filter_map(|part| part.known().copied()).sum();
    let unexplained = match (&processes, &used) {
        // Without the processes nearly everything would be "unexplained", which explains nothing.
        (Reading::Missing { missing }, _) | (_, Reading::Missing { missing }) => {
            missing.clone().into()
        }
        (Reading::Known(_), Reading::Known(used)) => Reading::Known(used.saturating_sub(explained)),
    };
    let cache = cache(snapshot);
    let unexplained_least = unexplained.clone().map2(cache.clone(), Bytes::saturating_sub);
    Attribution {
        used,
        processes,
        unreadable: table.map(|table| table.unreadable),
        sysv,
        tmpfs,
        cache,
        zswap: compression::zswap(snapshot).stored,
        unexplained,
        unexplained_least,
    }
}

/// What tmpfs files take beyond all resident shared memory is in swap. `Shmem` also counts
/// System V and anonymous shared memory, so this is the least it can be.
fn tmpfs(snapshot: &Snapshot, shm: &SharedMemory) -> Reading<Bytes> {
    let files = shm.tmpfs.as_ref().and_then(|mounts| known_use(mounts));
    files.map2(or_newest(&shm.shmem, snapshot.memory("Shmem")), Bytes::saturating_sub)
}

/// What the file systems that tell their use hold; missing only if none of them does.
fn known_use(mounts: &[Tmpfs]) -> Reading<Bytes> {
    let none = mounts.iter().all(|mount| mount.used.known().is_none());
    match mounts.first() {
        Some(mount) if none => mount.used.clone(),
        _ => Reading::Known(mounts.iter().filter_map(|mount| mount.used.known().copied()).sum()),
    }
}

#[cfg(test)]
mod tests;
