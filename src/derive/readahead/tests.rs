use super::*;
use crate::model::paging::Counters;
use crate::model::swaparea::testing;
use crate::model::{PartSet, Sampled, Stamp};
use crate::probes::{kernel, zram};
use crate::root::testing::TestTree;

fn area(path: &str, used: u64) -> SwapArea {
    testing::area(path, 0, 1 << 20, used)
}

/// A machine with these areas, and a zram device with this backing device.
fn machine(areas: Vec<SwapArea>, backing: Option<&str>) -> Snapshot {
    let tree = TestTree::with(&[("sys/block/zram0/initstate", "1\n")]);
    if let Some(backing) = backing {
        tree.write("sys/block/zram0/backing_dev", backing);
    }
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    snapshot.zram = Sampled::new(None, zram::read(&tree.root(), PartSet::NONE));
    snapshot.swaps = Sampled::new(None, Reading::Known(areas));
    snapshot
}

fn on_zram(areas: &[(&str, u64)], backing: Option<&str>) -> Reading<bool> {
    only_zram(&machine(areas.iter().map(|(path, used)| area(path, *used)).collect(), backing))
}

#[test]
fn an_area_that_holds_nothing_does_not_count() {
    let areas = [("/dev/zram0", 4096), ("/dev/sda2", 0)];
    assert_eq!(on_zram(&areas, None), Reading::Known(true));
    assert_eq!(on_zram(&areas, Some("none\n")), Reading::Known(true));
    let areas = [("/dev/zram0", 4096), ("/dev/sda2", 4096)];
    assert_eq!(on_zram(&areas, None), Reading::Known(false));
}

#[test]
fn zram_that_writes_back_is_read_ahead_by_old_kernels() {
    let of = |release: &str| {
        let mut snapshot = machine(vec![area("/dev/zram0", 4096)], Some("/dev/sda3\n"));
        let tree = TestTree::with(&[("proc/sys/kernel/osrelease", release)]);
        snapshot.kernel = Sampled::new(None, kernel::read(&tree.root()));
        only_zram(&snapshot)
    };
    assert_eq!(on_zram(&[("/dev/zram0", 4096)], Some("/dev/sda3\n")), Reading::Known(false));
    assert_eq!(of("5.10.0-32-amd64\n"), Reading::Known(false));
    assert_eq!(of("6.1.0-49-amd64\n"), Reading::Known(true));
    assert_eq!(of("7.2.13\n"), Reading::Known(true));
}

#[test]
fn while_nothing_is_in_swap_all_areas_count() {
    assert_eq!(on_zram(&[("/dev/zram0", 0)], None), Reading::Known(true));
    assert_eq!(on_zram(&[("/dev/zram0", 0), ("/dev/sda2", 0)], None), Reading::Known(false));
    assert_eq!(on_zram(&[], None).missing().unwrap().kind(), "absent");
}

/// Pages from zswap are read ahead too, but pswpin counts only those from devices.
#[test]
fn the_share_of_reads_is_that_of_all_pages_swapped_in() {
    let counters = [("swap_ra", 200), ("swap_ra_hit", 20), ("pswpin", 10), ("zswpin", 4990)];
    let counters = counters.map(|(name, value)| (name.into(), value));
    let mut snapshot = machine(Vec::new(), None);
    snapshot.vmstat =
        Sampled::new(None, Reading::Known(Counters::new("/proc/vmstat", counters.to_vec())));
    assert_eq!(since_boot(&snapshot).of_reads, Reading::Known(0.04));
}

#[test]
fn more_hits_than_pages_since_boot_are_no_rate() {
    let rate = |hits: u64| {
        let counters = [("swap_ra".into(), 100), ("swap_ra_hit".into(), hits)];
        let mut snapshot = machine(Vec::new(), None);
        let counters = Counters::new("/proc/vmstat", counters.to_vec());
        snapshot.vmstat = Sampled::new(None, Reading::Known(counters));
        since_boot(&snapshot).share
    };
    assert_eq!((rate(50), rate(100)), (Reading::Known(0.5), Reading::Known(1.0)));
    assert!(rate(101).missing().unwrap().why().contains("a swapoff adds hits"));
}

#[test]
fn the_table_of_the_kernel() {
    // hits 1-2 -> 4, 3-6 -> 8, 7-14 -> 16, whatever the last window was.
    let windows = [1, 2, 3, 6, 7, 14].map(|hits| next_window(32, 1, hits));
    assert_eq!(windows, [4, 4, 8, 8, 16, 16]);
    // Without hits it halves: 8, 4, 2, 1.
    assert_eq!([8, 4, 2, 1].map(|last| next_window(8, last, 0)), [4, 2, 1, 1]);
}

#[test]
fn full_success_keeps_the_limit_and_none_ends_at_one_page() {
    assert_eq!(settled_window(8, 1.0), 8);
    assert_eq!(settled_window(32, 1.0), 32);
    assert_eq!(settled_window(8, 0.0), 1);
    assert_eq!(settled_window(1, 1.0), 1);
}

#[test]
fn a_middling_success_settles_between() {
    assert_eq!(settled_window(32, 0.3), 4);
    assert_eq!(settled_window(32, 0.5), 32);
    assert_eq!(settled_window(8, 0.3), 4);
}

#[test]
fn limits() {
    assert_eq!(window_limit(3, true), 8);
    assert_eq!(window_limit(9, true), 32);
    assert_eq!(window_limit(9, false), 512);
    assert_eq!(window_limit(0, false), 1);
}
