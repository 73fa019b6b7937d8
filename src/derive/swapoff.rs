//! swapoff: whether one runs or ran between two samples, and how long one will take.
//!
//! A swapoff reads every page back, through the readahead code on most kernels: readahead counters then do
//! not show the workload.

use super::{SampleView, readahead};
use crate::model::kernel::Release;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Name, Reading, Snapshot};
use std::collections::BTreeSet;

/// Returns whether an area is being drained now: its row still exists, but `SwapTotal` counts only what is
/// left on it.
pub fn under_way(snapshot: &Snapshot) -> Reading<bool> {
    let listed = snapshot.swaps.reading.as_ref();
    let listed = listed.map(|areas| areas.iter().map(|area| area.size).sum::<Bytes>());
    listed.map2(snapshot.memory("SwapTotal"), |listed, total| listed > total)
}

/// The difference between sums that were read at different times.
const READ_APART: u64 = 16 << 20;

/// Returns the area that is being drained, if the figures tell which: `SwapTotal` lacks its free space.
pub fn leaving(snapshot: &Snapshot) -> Option<&SwapArea> {
    let areas = snapshot.areas();
    let listed: Bytes = areas.iter().map(|area| area.size).sum();
    let lacking =
        listed.0.checked_sub(snapshot.memory("SwapTotal").known()?.0).filter(|it| *it > 0)?;
    let mut fitting = areas.iter().filter(|area| {
        let free = area.used.known().map(|used| area.size.saturating_sub(*used));
        free.is_some_and(|free| free.0.abs_diff(lacking) <= READ_APART)
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

/// Times of the parts of a swapoff, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwapoffCosts {
    /// An RCU grace period: all CPUs have passed through the kernel once.
    pub grace: f64,
    /// A page fault that allocates a page.
    pub fault: f64,
    /// Reading a page from the area, or decompressing it.
    pub read: f64,
}

/// Amount of work of a swapoff, in pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwapoffWork {
    /// Pages on the area.
    pub held: u64,
    /// Page table entries of processes.
    pub walked: f64,
}

/// Time to disable an empty area, in grace periods.
const GRACES: f64 = 2.5;
/// Time for a page without reading it, in page faults: it is looked up, gets memory and is mapped.
const FAULTS: f64 = 1.5;
/// Time for a page table entry as a part of a page fault. Entries are examined twice, and are not in the
/// CPU caches.
const WALKS: f64 = 0.03;

/// Estimates how long disabling an area takes, in seconds.
pub fn expected_seconds(costs: SwapoffCosts, amount: SwapoffWork) -> f64 {
    let each = FAULTS * costs.fault + costs.read;
    let walk = WALKS * costs.fault * amount.walked;
    (GRACES * costs.grace + amount.held as f64 * each + walk) / 1e9
}

/// Returns the number of page table entries that a swapoff examines: all private pages of each process with
/// private memory in swap, on any area. Huge pages have one entry for hundreds of pages. Processes that
/// cannot be read are not counted.
pub fn walked_entries(snapshot: &Snapshot) -> f64 {
    let (Some(table), Some(page)) =
        (snapshot.processes.reading.known(), snapshot.page_size.known())
    else {
        return 0.0;
    };
    let bytes = |reading: &Reading<Bytes>| reading.known().map_or(0, |bytes| bytes.0);
    let swapped = table.processes.iter().filter(|process| bytes(&process.swap) > 0);
    let private = |rss: u64, shared: u64| rss.saturating_sub(shared) as f64;
    let [swap, memory] = swapped.fold([0.0, 0.0], |[swap, memory], process| {
        let more = private(bytes(&process.rss), bytes(&process.shmem));
        [swap + bytes(&process.swap) as f64, memory + more]
    });
    let field = |name| snapshot.memory(name).known().map_or(0.0, |bytes| bytes.0 as f64);
    let large = (field("AnonHugePages") / field("AnonPages").max(1.0)).min(1.0);
    (swap + memory * (1.0 - large)) / *page as f64
}

/// How a part of the contents of an area is read back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadBack {
    /// Share of the contents.
    pub part: f64,
    /// Pages of a test read.
    pub pages: u64,
    /// Average pages per read of the kernel.
    pub brings: f64,
}

/// Returns how private and shared pages are read back; `None` if the readahead window is unknown.
///
/// Shared memory is walked by its own tree, with readahead up to page-cluster. So is private memory up to
/// 6.17. From 6.18 on a swapoff does not count its own readahead as hits, so the window stays minimal: one
/// page, one more, then two.
pub fn reads(snapshot: &Snapshot) -> Option<[ReadBack; 2]> {
    let most = readahead::window_limit(*readahead::page_cluster(snapshot).known()?, true);
    let is_small = *snapshot.release().known()? >= SMALL_WINDOW && most > 1;
    let private = private_share(snapshot);
    Some([
        ReadBack {
            part: private,
            pages: if is_small { 1 } else { most },
            brings: if is_small { 4.0 / 3.0 } else { most as f64 },
        },
        ReadBack { part: 1.0 - private, pages: most, brings: most as f64 },
    ])
}

/// First kernel with the minimal window.
const SMALL_WINDOW: Release = Release(6, 18);

/// Returns the share of private memory in swap; 1 if unknown.
fn private_share(snapshot: &Snapshot) -> f64 {
    let Some(table) = snapshot.processes.reading.known() else { return 1.0 };
    let cached = table.swap_cached.known().map_or(0, |cached| cached.0);
    let all = table.swap_used.known().map_or(0, |used| used.0.saturating_sub(cached));
    let of = table.processes.iter().filter_map(|process| process.swap.known());
    let private = of.copied().sum::<Bytes>();
    if all == 0 { 1.0 } else { (private.0 as f64 / all as f64).min(1.0) }
}

/// Returns the share of the contents of areas on devices that is in the swap cache. The kernel does not show
/// the swap cache per area.
pub fn cached_share(snapshot: &Snapshot, on_devices: Bytes) -> f64 {
    let cached = snapshot.memory("SwapCached").known().map_or(0, |cached| cached.0);
    if on_devices.0 == 0 { 0.0 } else { (cached as f64 / on_devices.0 as f64).min(1.0) }
}

/// Returns whether a swapoff ran between the two samples, fully or partly. That of an area which is enabled
/// again shows only in a new priority.
pub fn in_window(view: &SampleView<'_>) -> Reading<bool> {
    let Some(before) = view.before else {
        return Missing::OneSample.into();
    };
    let gone = before.swaps.reading.as_ref().map2(view.now.swaps.reading.as_ref(), |old, new| {
        let identity = |area: &SwapArea| (area.path.clone(), area.priority);
        let new: BTreeSet<(Name, i32)> = new.iter().map(identity).collect();
        old.iter().map(identity).any(|area| !new.contains(&area))
    });
    let draining = under_way(before).map2(under_way(view.now), |a, b| a || b);
    gone.map2(draining, |gone, draining| gone || draining)
}

/// Returns an error if a swapoff ran between the two samples, because its reads are not those of the workload. If it is
/// unknown whether one ran, the counters are still the best estimate.
pub fn check_none_ran(view: &SampleView<'_>) -> Result<(), Missing> {
    match in_window(view) {
        // Other samples will show the workload, so it is not absent.
        Reading::Known(true) => Err(Missing::failed(
            "a swapoff ran between the samples, and its reads are not those of the workload",
        )),
        Reading::Known(false) | Reading::Missing { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::selection::policy::testing::kernel;
    use crate::model::Sampled;
    use crate::model::knob::KnobReading;
    use crate::model::snapshot::testing::with_memory;
    use crate::model::swaparea::testing::area;
    use crate::model::users::testing::process;
    use crate::model::users::{Process, ProcessTable};

    #[test]
    fn it_takes_a_while_for_nothing_and_more_for_each_page() {
        let costs = SwapoffCosts { grace: 8e6, fault: 1200.0, read: 0.0 };
        let is_near = |costs, (held, walked), wanted: f64| {
            let found = expected_seconds(costs, SwapoffWork { held, walked });
            assert!((found - wanted).abs() < 1e-9, "{found}");
        };
        is_near(costs, (0, 0.0), 0.020);
        is_near(costs, (10_000, 0.0), 0.020 + 0.018);
        is_near(SwapoffCosts { read: 50_000.0, ..costs }, (10_000, 0.0), 0.020 + 0.518);
        is_near(costs, (10_000, 3_000_000.0), 0.020 + 0.018 + 0.108);
    }

    /// A machine with this kernel, processes (swap, RSS, shared) and used swap, in MiB.
    fn machine(release: &str, page_cluster: u64, processes: &[[u64; 3]], used: u64) -> Snapshot {
        let mib = |mib: u64| Reading::Known(Bytes(mib << 20));
        let process = |[swap, rss, shmem]: &[u64; 3]| {
            Process { rss: mib(*rss), shmem: mib(*shmem), ..process(1, swap << 20) }.into()
        };
        let table = ProcessTable {
            processes: processes.iter().map(process).collect(),
            unreadable: 0,
            users: Reading::not_sampled(),
            swap_used: mib(used),
            swap_cached: mib(0),
        };
        let mut machine = with_memory(&[("AnonPages", 4000), ("AnonHugePages", 1000)]);
        machine.page_size = Reading::Known(4096);
        machine.processes = Sampled::new(None, Reading::Known(table));
        machine.kernel = kernel(release);
        let page_cluster = Reading::Known(page_cluster.to_string());
        let knobs = vec![KnobReading { id: "page-cluster".to_owned(), value: page_cluster }];
        machine.knobs = Sampled::new(None, Reading::Known(knobs));
        machine
    }

    #[test]
    fn the_area_that_is_drained_is_the_one_whose_free_space_is_not_counted() {
        let leaving = |total: u64, used: [u64; 2]| {
            let mut machine = with_memory(&[("SwapTotal", total << 10)]);
            let area = |path, used: u64| area(path, 5, 1024 << 20, used << 20);
            let areas = vec![area("/dev/sda", used[0]), area("/dev/sdb", used[1])];
            machine.swaps = Sampled::new(None, Reading::Known(areas));
            leaving(&machine).map(|area| area.path.safe())
        };
        assert_eq!(leaving(2048, [100, 500]), None);
        assert_eq!(leaving(1524, [100, 500]).as_deref(), Some("/dev/sdb"));
        assert_eq!(leaving(1129, [100, 500]).as_deref(), Some("/dev/sda"), "5M later");
        assert_eq!(leaving(1524, [500, 500]), None, "either");
    }

    #[test]
    fn an_area_that_is_back_with_another_priority_was_disabled() {
        let machine = |priority| {
            let mut machine = with_memory(&[("SwapTotal", 1024)]);
            let areas = vec![area("/dev/sda", priority, 1 << 20, 0)];
            machine.swaps = Sampled::new(None, Reading::Known(areas));
            machine
        };
        let (before, now) = (machine(5), machine(9));
        let between = |now| in_window(&SampleView { now, before: Some(&before) });
        assert_eq!(between(&before), Reading::Known(false));
        assert_eq!(between(&now), Reading::Known(true));
    }

    #[test]
    fn processes_without_swap_are_not_walked() {
        let pages =
            |processes: &[[u64; 3]]| walked_entries(&machine("6.18.0", 3, processes, 100)) / 256.0;
        let are = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-6, "{found}");
        are(pages(&[]), 0.0);
        are(pages(&[[0, 5000, 0]]), 0.0);
        are(pages(&[[10, 500, 100], [0, 5000, 0]]), 10.0 + 300.0);
        are(walked_entries(&with_memory(&[])), 0.0);
    }

    #[test]
    fn how_much_a_read_brings_depends_on_the_kernel_and_on_what_is_shared() {
        let of = |release: &str, page_cluster: u64, swap: u64| {
            let machine = machine(release, page_cluster, &[[swap, 0, 0]], 100);
            reads(&machine).map(|reads| {
                reads.map(|ReadBack { part, pages, brings }| {
                    format!("{part:.2} {pages} {brings:.2}")
                })
            })
        };
        let said = |one: &str, two: &str| Some([one.to_owned(), two.to_owned()]);
        assert_eq!(of("6.18.0", 3, 75), said("0.75 1 1.33", "0.25 8 8.00"));
        assert_eq!(of("7.2.13", 3, 100), said("1.00 1 1.33", "0.00 8 8.00"));
        assert_eq!(of("6.17.9", 3, 75), said("0.75 8 8.00", "0.25 8 8.00"));
        assert_eq!(of("6.18.0", 0, 200), said("1.00 1 1.00", "0.00 1 1.00"));
        assert_eq!(of("none", 3, 75), None);
    }

    #[test]
    fn what_is_cached_is_not_read() {
        let percent = |kib, on| {
            let part = cached_share(&with_memory(&[("SwapCached", kib)]), Bytes::from_kib(on));
            format!("{:.0}", part * 100.0)
        };
        assert_eq!([percent(30, 60), percent(90, 60), percent(30, 0)], ["50", "100", "0"]);
    }
}
