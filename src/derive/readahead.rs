//! Swap readahead: hit rates, mode and window.

use super::traffic::{self, Direction};
use super::view::{CounterChange, SampleView};
use super::{compression, swapoff};
use crate::model::kernel::Release;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Policy, Reading, Snapshot, known, whole, worded_enum};

/// Readahead figures of a period.
#[derive(Clone, Debug, PartialEq)]
pub struct HitStats {
    /// Pages read ahead.
    pub ahead: Reading<u64>,
    /// Hits: pages of these that were then used.
    pub used: Reading<u64>,
    /// Hit rate: `used` / `ahead`; can briefly exceed 1, because the use follows the read.
    pub share: Reading<f64>,
    /// Pages read ahead but not used.
    pub wasted: Reading<u64>,
    /// Pages read ahead as a share of all pages swapped in, from devices or zswap.
    pub of_reads: Reading<f64>,
}

/// Returns the figures since boot; the rate is unknown if more hits were counted than pages.
pub fn since_boot(snapshot: &Snapshot) -> HitStats {
    let counter = |name| snapshot.counter(name);
    let read = traffic::pages_since_boot(snapshot, Direction::In);
    let stats = hit_stats(counter("swap_ra"), counter("swap_ra_hit"), read);
    let share = stats.share.clone().and_then(|share| match share {
        ..=1.0 => Reading::Known(share),
        _ => Reading::absent(
            "more hits than pages read ahead are counted: up to kernel 6.12 a swapoff adds hits",
        ),
    });
    HitStats { share, ..stats }
}

/// Returns the figures between the two samples, and the seconds; unknown if a swapoff ran in between.
pub fn in_window(view: &SampleView<'_>) -> (HitStats, Reading<f64>) {
    let clean = swapoff::check_none_ran(view);
    let change = |name| match &clean {
        Ok(()) => view.vmstat_change(name),
        Err(missing) => Reading::from(missing.clone()),
    };
    let by = |name| change(name).map(|change: CounterChange| change.by);
    let seconds = change("swap_ra").map(|change| change.seconds);
    let read = traffic::pages_between(view, Direction::In);
    (hit_stats(by("swap_ra"), by("swap_ra_hit"), read), seconds)
}

/// Returns whether too few pages were read ahead for their hit rate to mean anything: per second, or as a share of
/// all pages swapped in.
pub fn are_few(rate: f64, of_reads: Option<f64>, policy: &Policy) -> bool {
    rate < policy.often || of_reads.is_some_and(|share| share < policy.ahead_least)
}

fn hit_stats(ahead: Reading<u64>, used: Reading<u64>, read: Reading<u64>) -> HitStats {
    let share = ahead.clone().and_then2(used.clone(), |ahead, used| match ahead {
        0 => Reading::absent("nothing was read ahead"),
        _ => Reading::Known(used as f64 / ahead as f64),
    });
    HitStats {
        wasted: ahead.clone().map2(used.clone(), u64::saturating_sub),
        of_reads: ahead.clone().and_then2(read, |ahead, read| match read {
            0 => Reading::absent("nothing was read from swap"),
            _ => Reading::Known(ahead as f64 / read as f64),
        }),
        share,
        ahead,
        used,
    }
}

worded_enum! {
    /// How the kernel selects pages to read ahead.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Mode {
        /// Readahead is off: page-cluster is 0.
        Off = "off",
        /// VMA readahead: along the addresses of the faulting process.
        Addresses = "VMA readahead",
        /// Along the slots of the device.
        Device = "cluster readahead",
    }
}

/// Returns page-cluster.
pub fn page_cluster(snapshot: &Snapshot) -> Reading<u64> {
    snapshot.knob("page-cluster").and_then(|text| match text.parse() {
        Ok(number) => Reading::Known(number),
        Err(_) => Reading::failed("/proc/sys/vm/page-cluster is not a whole number"),
    })
}

/// Returns the present mode. Any rotating area disables VMA readahead for all areas. A file whose device is
/// unknown makes the mode unknown, unless another area is known to rotate.
pub fn mode(snapshot: &Snapshot) -> Reading<Mode> {
    let follows = snapshot.knob("vma_ra_enabled");
    let follows = follows.map(|text| text.starts_with(['t', '1', 'y', 'Y']));
    page_cluster(snapshot).map2(follows, |page_cluster, follows| (page_cluster, follows)).and_then(
        |setting| match setting {
            (0, _) => Reading::Known(Mode::Off),
            (_, false) => Reading::Known(Mode::Device),
            (_, true) => any_rotates(snapshot)
                .map(|rotates| if rotates { Mode::Device } else { Mode::Addresses }),
        },
    )
}

/// Returns whether any area rotates; unknown only if none is known to rotate but one could.
fn any_rotates(snapshot: &Snapshot) -> Reading<bool> {
    let blocks = known!(snapshot.block.reading.as_ref());
    let each =
        blocks.iter().map(|block| block.get().and_then(|block| block.rotational.get().copied()));
    let each: Vec<Result<bool, Missing>> = each.collect();
    if each.contains(&Ok(true)) {
        return Reading::Known(true);
    }
    each.into_iter().find(Result::is_err).unwrap_or(Ok(false)).into()
}

/// The first release known to read nothing ahead from zram that writes back to a disk.
const ZRAM_WRITEBACK_UNREAD: Release = Release(6, 1);

/// Returns whether all swapped pages are on zram, or will be while swap is empty. Pages of a single process
/// are read from zram without readahead. A device with writeback to a disk does not count on old kernels: 5.10
/// reads ahead from it as from any other.
pub fn only_zram(snapshot: &Snapshot) -> Reading<bool> {
    let areas = known!(snapshot.swaps.reading.as_ref());
    if areas.is_empty() {
        return Reading::absent("no swap is active");
    }
    let empty = |area: &SwapArea| area.used == Reading::Known(Bytes(0));
    let all_empty = areas.iter().all(empty);
    let mut used = areas.iter().filter(|area| all_empty || !empty(area));
    let release = snapshot.release();
    let counts_all = release.known().is_some_and(|release| *release >= ZRAM_WRITEBACK_UNREAD);
    let devices = snapshot.zram.reading.as_ref();
    devices.map(|devices| {
        used.all(|area| {
            let device = devices.iter().find(|device| compression::carries(device, area));
            device.is_some_and(|device| counts_all || device.backing_dev.is_absent())
        })
    })
}

/// Returns the largest window in pages.
pub fn limit(snapshot: &Snapshot) -> Reading<u64> {
    let mode = mode(snapshot);
    page_cluster(snapshot).map2(mode, |page_cluster, mode| match mode {
        Mode::Off => 1,
        Mode::Addresses => window_limit(page_cluster, true),
        Mode::Device => window_limit(page_cluster, false),
    })
}

/// Returns the window that the kernel settles at with this hit rate.
pub fn window(snapshot: &Snapshot, share: &Reading<f64>) -> Reading<u64> {
    limit(snapshot).map2(share.clone(), settled_window)
}

/// Returns the largest window in pages: two to the power of page-cluster, and at most 32 for VMA readahead.
pub fn window_limit(page_cluster: u64, follows_addresses: bool) -> u64 {
    let exponent = if follows_addresses { page_cluster.min(5) } else { page_cluster.min(31) };
    1 << exponent
}

/// Returns the window in pages at which the kernel settles with this hit rate.
pub fn settled_window(limit: u64, success: f64) -> u64 {
    let mut window = limit;
    // Halving from the largest window to one page takes at most 31 steps.
    for _ in 0..32 {
        let next = next_window(limit, window, hits(window, success));
        if next == window {
            break;
        }
        window = next;
    }
    window
}

fn hits(window: u64, success: f64) -> u64 {
    whole((success.clamp(0.0, 1.0) * window.saturating_sub(1) as f64).round())
}

/// Returns the next window for distant faults: counters do not show whether faults are neighbours.
fn next_window(limit: u64, last: u64, hits: u64) -> u64 {
    let wanted = if hits == 0 { 1 } else { (hits + 2).next_power_of_two().max(4) };
    wanted.min(limit).max(last / 2)
}

#[cfg(test)]
mod tests;
