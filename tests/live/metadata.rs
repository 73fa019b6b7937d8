//! What swapadm says that areas cost: their memory against what the kernel takes, and what is tried
//! out for the rest.

mod filled;

use crate::areas::{self, Title};
use crate::in_lab;
use crate::lab::OURS;
use std::fs;
use swapadm::derive::metadata::Metadata;
use swapadm::model::{Bytes, Name};
use swapadm::sys::timing;

/// Below all others.
const PRIORITY: u16 = 0;
/// Enough to read from.
const SMALL: u64 = 4 << 20;
pub(crate) const TITLE: Title = Title { label: OURS, uuid: "0c6f8f0e-52c4-4f2b-9d0a-6a3d1e9b7c54" };

#[test]
fn an_area_takes_as_much_memory_as_is_computed() {
    in_lab("an_area_takes_as_much_memory_as_is_computed", |_| expected_memory());
}

/// On a swap file it is tried out on the device below, which may not be allowed.
#[test]
fn the_cost_of_a_page_read_is_measured() {
    in_lab("what_a_page_takes_to_read_is_tried_out", |lab| {
        let area = areas::new_loop(lab, SMALL)?;
        let path = Name::new(area.path.as_os_str().as_encoded_bytes());
        let nanos = timing::page_read_time(&path, None, (32, 8), (Bytes(SMALL), u64::MAX))
            .expect("a device of ours can be read");
        assert!((1e3..1e8).contains(&nanos), "{nanos} ns");
        let beyond = timing::page_read_time(&path, None, (32, 8), (Bytes(100 * SMALL), u64::MAX));
        assert!(beyond.is_err(), "there is nothing: {beyond:?}");
        Ok(())
    });
}

fn expected_memory() -> Result<(), String> {
    let size =
        large().ok_or_else(|| format!("how Linux {} remembers slots is not known", release()))?;
    let computed = computed(size).expect("it was").all().0;
    let area = areas::sparse_loop(size)?;
    areas::write_header(&area.path, &TITLE, size);
    // Others come and go in the meantime: of some times the one in the middle.
    let mut rises: Vec<u64> = (0..5).map(|_| memory_rise(&area)).collect();
    rises.sort_unstable();
    let measured = rises[2];
    println!("{} GiB: computed {computed} bytes, measured {rises:?}", size >> 30);
    let apart = measured.abs_diff(computed);
    assert!(apart <= computed / 10, "{measured} bytes, and not {computed}");
    Ok(())
}

/// The size of a large area for whose slots there is memory, where it is known what that takes.
pub(crate) fn large() -> Option<u64> {
    let enough = meminfo("MemAvailable:") / 3;
    let fits = |size: &u64| computed(*size).is_some_and(|known| known.all().0 <= enough);
    (33..=40).rev().map(|bits| 1 << bits).find(fits)
}

pub(crate) fn computed(size: u64) -> Option<Metadata> {
    let known = Metadata::for_area(release().trim(), areas::page_size(), (Bytes(size), Bytes(0)));
    known.known().copied()
}

fn release() -> String {
    fs::read_to_string("/proc/sys/kernel/osrelease").expect("it can be read")
}

/// Up to 6.12 the two bytes of each slot that say which group it is charged to are made page by page,
/// which no count of the kernel's own memory has in it.
fn is_counted() -> bool {
    version() > (6, 12)
}

fn version() -> (u32, u32) {
    let release = release();
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    (numbers.next().expect("a number"), numbers.next().expect("another"))
}

/// By how much that memory grows when an area is switched on.
fn memory_rise(area: &areas::Area) -> u64 {
    let before = taken_by_kernel();
    areas::use_it(area, PRIORITY).expect("it can be switched on");
    let after = taken_by_kernel();
    areas::swapoff(&area.path).expect("it is on");
    after.saturating_sub(before)
}

/// What the kernel took, in bytes, up to some number: by where tables of such sizes come from, or else
/// by what is free.
fn taken_by_kernel() -> u64 {
    if is_counted() { meminfo("VmallocUsed:") + meminfo("SUnreclaim:") } else { not_free() }
}

/// All that somebody has, where processors keep some of what is free aside.
fn not_free() -> u64 {
    let zones = fs::read_to_string("/proc/zoneinfo").expect("it can be read");
    let aside = zones.lines().filter_map(|line| line.trim().strip_prefix("count: "));
    let aside: u64 = aside.map(|pages| pages.trim().parse::<u64>().expect("a number")).sum();
    meminfo("MemTotal:") - meminfo("MemFree:") - aside * areas::page_size()
}

/// In bytes.
pub(crate) fn meminfo(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/meminfo").expect("it can be read");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next()).expect("it is told");
    number.parse::<u64>().expect("a number") * 1024
}
