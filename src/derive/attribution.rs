//! Attribution of used swap: whose pages fill it.
//!
//! The kernel does not show owners. The figures that it shows overlap in known ways, so each of them is
//! given with its limits, and the rest is shown as unexplained:
//!
//! - *processes*: the sum of `VmSwap`, private pages only. A page shared after a fork is counted by
//!   each process, so the sum may exceed used swap. `SwapPss` divides such a page among them, but reading it
//!   walks page tables: it is used where it was read, and needed where the sum says too much.
//! - *shared memory that processes map*: `Swap` of `smaps_rollup` less `VmSwap`. Each process that maps it counts
//!   all of it, so the largest figure is a lower bound, and the sum of a process an upper bound.
//! - *shared memory*: System V segments show how much of them is swapped. For tmpfs the kernel shows only
//!   how much its files take in RAM and swap together: what exceeds the resident shared memory must be in
//!   swap. This is a lower bound: shared anonymous memory and memfd are in no list, and some file systems
//!   do not show their use. Either of them may be memory that processes map: the larger figure counts.
//! - *swap cache*: pages in RAM that still own a slot. Some of them are counted by a process, others are
//!   not. The unexplained part therefore lies between two bounds; the lower one also takes all shared memory that
//!   processes map, and all tmpfs files, to be in swap.
//!
//! zswap is in neither sum: it stores pages of these owners and owns none itself.

use super::compression;
use crate::model::users::{Process, ProcessTable, SharedMemory, Tmpfs};
use crate::model::{Bytes, Missing, Reading, Shared, Snapshot, worded_enum};

/// Used swap by owner, and the unexplained rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// Used swap when the processes were read: `SwapTotal` less `SwapFree`.
    pub used: Reading<Bytes>,
    /// Sum of `VmSwap`.
    pub processes: Reading<Bytes>,
    /// Sum of `SwapPss`: private pages, those shared after a fork counted once. Not sampled unless requested.
    pub proportional: Reading<Bytes>,
    /// Shared memory in swap that a process maps, as a lower bound. Not sampled unless requested.
    pub shared: Reading<Bytes>,
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
    /// Upper bound of what processes and shared memory do not explain: the swap cache is not subtracted. Missing
    /// where a part of them was not read.
    pub unexplained: Reading<Bytes>,
    /// Lower bound: what is left if the swap cache belongs to none of them, all tmpfs files are in swap, and no process
    /// maps shared memory of another one.
    pub unexplained_least: Reading<Bytes>,
}

/// Returns used swap when the processes were read, so that both can be compared; the newest figure if it
/// was not recorded then.
pub fn used(snapshot: &Snapshot) -> Reading<Bytes> {
    match snapshot.processes.reading.known() {
        Some(table) => or_newest(&table.swap_used, snapshot.used_swap()),
        None => snapshot.used_swap(),
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
    let proportional = table.clone().and_then(proportional);
    let shared = table.clone().and_then(largest_shared);
    let shm = snapshot.shm.reading.as_ref();
    let sysv = shm.clone().and_then(|shm| {
        shm.sysv
            .as_ref()
            .map(|segments| segments.iter().map(|segment| segment.swapped).sum::<Bytes>())
    });
    let tmpfs = match (shm.clone().and_then(|shm| tmpfs(snapshot, shm)), &used) {
        (Reading::Known(tmpfs), Reading::Known(used)) => Reading::Known(tmpfs.min(*used)),
        (tmpfs, _) => tmpfs,
    };
    let mapped = shared.known().copied().unwrap_or(Bytes(0));
    let files = shared_files(&sysv, &tmpfs).map(|files| files.max(mapped));
    // Without processes nearly everything would be unexplained, which helps nobody.
    let private = if compression::has_virtual_swap(snapshot) {
        Reading::absent(
            "virtual swap is on: pages in zswap and zero-filled pages take no slots, so the swap of processes is not a part of the used swap",
        )
    } else {
        private(&processes, &proportional, &used)
    };
    let rest = private.map2(used.clone(), |private, used| used.saturating_sub(private));
    let without = |shared: Reading<Bytes>| {
        rest.clone().and_then(|rest| match rest {
            Bytes(0) => Reading::Known(rest),
            rest => shared.map(|shared| rest.saturating_sub(shared)),
        })
    };
    let unexplained = without(files);
    let cache = cache(snapshot);
    let most_files = shm.and_then(|shm| shm.tmpfs.as_ref().and_then(|mounts| known_use(mounts)));
    let most = shared_files(&sysv, &most_files)
        .map2(table.clone().and_then(sum_of_shared), Bytes::saturating_add);
    let unexplained_least = without(most).map2(cache.clone(), Bytes::saturating_sub);
    Attribution {
        used,
        processes,
        proportional,
        shared,
        unreadable: table.map(|table| table.unreadable),
        sysv,
        tmpfs,
        cache,
        zswap: compression::zswap(snapshot).stored,
        unexplained,
        unexplained_least,
    }
}

/// Sums tmpfs and System V memory in swap, or says which of them was not read. A kernel without System V memory
/// has none of it.
fn shared_files(sysv: &Reading<Bytes>, tmpfs: &Reading<Bytes>) -> Reading<Bytes> {
    let read = |name: &str, part: &Reading<Bytes>| {
        let unread = |why: Missing| Missing::failed(format!("{name} was not read: {}", why.why()));
        Reading::from(part.clone().into_result().map_err(unread))
    };
    let sysv = read("System V shared memory", &sysv.clone().default_if_absent());
    read("tmpfs", tmpfs).map2(sysv, Bytes::saturating_add)
}

/// Returns the private pages in swap: `SwapPss`, or `VmSwap` while it can be true.
fn private(
    processes: &Reading<Bytes>,
    proportional: &Reading<Bytes>,
    used: &Reading<Bytes>,
) -> Reading<Bytes> {
    match (proportional.known(), processes.known(), used.known()) {
        (Some(proportional), ..) => Reading::Known(*proportional),
        (None, Some(processes), Some(used)) if processes > used => Reading::absent(format!(
            "VmSwap is inexact, high after forks: its sum counts a forked page once for each process, and exceeds the used swap. {}",
            unread_shares(proportional)
        )),
        _ => processes.clone(),
    }
}

/// Says why `SwapPss` was not read.
pub fn unread_shares(proportional: &Reading<Bytes>) -> String {
    let why = match proportional.missing() {
        None | Some(Missing::NotSampled) => "swapadm processes --pss reads it".to_owned(),
        Some(missing) => missing.why(),
    };
    format!("SwapPss, which counts each page once, was not read: {why}")
}

/// Sums `SwapPss` of all processes with pages in swap. It is absent for those that have ended meanwhile, and for
/// all of them where the kernel does not have it.
fn proportional(table: &ProcessTable) -> Reading<Bytes> {
    let has_swap = |process: &&Shared<Process>| process.swap.known().is_some_and(|it| it.0 > 0);
    let swapped = || table.processes.iter().filter(has_swap).map(|process| &process.swap_pss);
    match swapped().next() {
        Some(first) if swapped().all(Reading::is_absent) => first.clone(),
        _ => {
            let shares = swapped().map(|share| share.clone().default_if_absent().into_result());
            shares.sum::<Result<Bytes, Missing>>().into()
        }
    }
}

/// Returns the largest shared memory in swap that any process maps; missing if it was read for none.
fn largest_shared(table: &ProcessTable) -> Reading<Bytes> {
    let each = table.processes.iter().map(|process| shared_swap(process));
    each.fold(Reading::not_sampled(), |most, one| match (most.known(), one.known()) {
        (Some(most), Some(one)) => Reading::Known(*most.max(one)),
        (None, Some(_)) => one,
        (_, None) => most,
    })
}

/// Sums the shared memory in swap that processes map, as if each had its own; missing if it was read for none.
fn sum_of_shared(table: &ProcessTable) -> Reading<Bytes> {
    largest_shared(table).and_then(|_| {
        let each =
            table.processes.iter().filter_map(|process| shared_swap(process).known().copied());
        Reading::Known(each.sum())
    })
}

/// Returns the shared memory in swap that a process maps.
fn shared_swap(process: &Process) -> Reading<Bytes> {
    process.swap_mapped.clone().map2(process.swap.clone(), Bytes::saturating_sub)
}

worded_enum! {
    /// The meaning of the swap of a process.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SwapBound {
        /// The share of private pages; it maps no shared memory in swap.
        Exact = "exact",
        /// The share of private pages, and all shared memory in swap that it maps, whoever else maps it.
        Most = "at most",
        /// Private pages, whoever else has them after a fork, and no shared memory.
        Private = "private only",
    }
}

/// Returns the swap that a process uses, as exactly as it was read.
pub fn swap_of(process: &Process) -> Reading<(Bytes, SwapBound)> {
    let shares = process.swap_pss.clone().map2(shared_swap(process), |pss, shared| match shared {
        Bytes(0) => (pss, SwapBound::Exact),
        shared => (pss.saturating_add(shared), SwapBound::Most),
    });
    if shares.known().is_some() {
        return shares;
    }
    process.swap.clone().map(|swap| (swap, SwapBound::Private))
}

/// Share of the used swap from which on an unexplained rest is looked into.
const MUCH: f64 = 0.1;

/// Returns whether `VmSwap` names the wrong users: it counts more than is used, or leaves much unexplained.
pub fn needs_page_tables(snapshot: &Snapshot) -> bool {
    let facts = attribution(snapshot);
    let Some(used) = facts.used.known().filter(|used| **used > Bytes(0)) else { return false };
    let unread = facts.proportional.missing() == Some(&Missing::NotSampled);
    let is_much = |rest: &Bytes| rest.0 as f64 >= MUCH * used.0 as f64;
    let Some(processes) = facts.processes.known() else { return false };
    let rest = facts.unexplained.map2(facts.cache, Bytes::saturating_sub);
    let rest = rest.known().copied().unwrap_or_else(|| used.saturating_sub(*processes));
    unread && (processes > used || is_much(&rest))
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
