//! Attribution of used swap: whose pages fill it.
//!
//! The kernel does not show owners. The figures that it shows overlap in known ways, so each of them is
//! given with its limits, and the rest is shown as unexplained:
//!
//! - *processes*: the sum of `VmSwap`, private pages only. A page shared after a fork is counted by
//!   each process, so the sum may exceed used swap.
//! - *shared memory*: System V segments show how much of them is swapped. For tmpfs the kernel shows only
//!   how much its files take in RAM and swap together: what exceeds the resident shared memory must be in
//!   swap. This is a lower bound: shared anonymous memory and memfd are in no list, and some file systems
//!   do not show their use.
//! - *swap cache*: pages in RAM that still own a slot. Some of them are counted by a process, others are
//!   not. The unexplained part therefore lies between two bounds.
//!
//! zswap is in neither sum: it stores pages of these owners and owns none itself.

use super::compression;
use crate::model::users::{SharedMemory, Tmpfs};
use crate::model::{Bytes, Reading, Snapshot};

/// Used swap by owner, and the unexplained rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// Used swap when the processes were read: `SwapTotal` less `SwapFree`.
    pub used: Reading<Bytes>,
    /// Sum of `VmSwap`.
    pub processes: Reading<Bytes>,
    /// Number of processes that could not be read: their swap is part of `unexplained`.
    pub unreadable: Reading<u64>,
    /// Swapped System V segments.
    pub sysv: Reading<Bytes>,
    /// Swapped tmpfs files, as a lower bound.
    pub tmpfs: Reading<Bytes>,
    /// Pages in RAM that still own a slot, when the processes were read.
    pub cache: Reading<Bytes>,
    /// Slots whose data is in zswap instead of on the device.
    pub zswap: Reading<Bytes>,
    /// Upper bound of what processes and shared memory do not explain: the swap cache is not subtracted.
    pub unexplained: Reading<Bytes>,
    /// Lower bound: what is left if the swap cache belongs to none of them.
    pub unexplained_least: Reading<Bytes>,
}

/// Returns used swap when the processes were read, so that both can be compared; the newest figure if it
/// was not recorded then.
pub fn used(snapshot: &Snapshot) -> Reading<Bytes> {
    let newest =
        snapshot.memory("SwapTotal").map2(snapshot.memory("SwapFree"), Bytes::saturating_sub);
    match snapshot.processes.reading.known() {
        Some(table) => or_newest(&table.swap_used, newest),
        None => newest,
    }
}

/// Returns the swap cache when the processes were read.
fn cache(snapshot: &Snapshot) -> Reading<Bytes> {
    let newest = snapshot.memory("SwapCached");
    match snapshot.processes.reading.known() {
        Some(table) => or_newest(&table.swap_cached, newest),
        None => newest,
    }
}

/// Returns a figure of the moment when a part was read, or the newest one if it was not recorded then.
fn or_newest(then: &Reading<Bytes>, newest: Reading<Bytes>) -> Reading<Bytes> {
    match then {
        Reading::Known(then) => Reading::Known(*then),
        Reading::Missing { .. } => newest,
    }
}

/// Computes the attribution of one snapshot.
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
        // Without processes nearly everything would be unexplained, which helps nobody.
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

/// Returns what tmpfs files take beyond all resident shared memory: that part is in swap. `Shmem` also
/// counts System V and anonymous shared memory, so this is a lower bound.
fn tmpfs(snapshot: &Snapshot, shm: &SharedMemory) -> Reading<Bytes> {
    let files = shm.tmpfs.as_ref().and_then(|mounts| known_use(mounts));
    files.map2(or_newest(&shm.shmem, snapshot.memory("Shmem")), Bytes::saturating_sub)
}

/// Sums the use of all file systems that show it; missing only if none of them does.
fn known_use(mounts: &[Tmpfs]) -> Reading<Bytes> {
    let none = mounts.iter().all(|mount| mount.used.known().is_none());
    match mounts.first() {
        Some(mount) if none => mount.used.clone(),
        _ => Reading::Known(mounts.iter().filter_map(|mount| mount.used.known().copied()).sum()),
    }
}

#[cfg(test)]
mod tests;
