//! Metadata of areas: the reported memory is compared with the kernel's, and the read cost is measured.

mod filled;

use crate::areas::{self, Title};
use crate::in_lab;
use crate::lab::OURS;
use std::fs;
use swapadm::derive::metadata::Metadata;
use swapadm::model::{Bytes, Name};
use swapadm::sys::timing;

/// Lower than any other priority.
const PRIORITY: u16 = 0;
/// Enough to read from.
const SMALL: u64 = 4 << 20;
pub(crate) const TITLE: Title = Title { label: OURS, uuid: "0c6f8f0e-52c4-4f2b-9d0a-6a3d1e9b7c54" };

#[test]
fn an_area_takes_as_much_memory_as_is_computed() {
    in_lab("an_area_takes_as_much_memory_as_is_computed", |_| expected_memory());
}

/// On a swap file the device below is read, which may not be allowed.
#[test]
fn the_cost_of_a_page_read_is_measured() {
    in_lab("the_cost_of_a_page_read_is_measured", |lab| {
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
    let size = large().ok_or_else(|| format!("the metadata of Linux {} is unknown", release()))?;
    let computed = computed(size).expect("it was known").all().0;
    let area = areas::sparse_loop(size)?;
    areas::write_header(&area.path, &TITLE, size);
    // Other programs allocate memory meanwhile: the median of several rounds counts.
    let mut rises: Vec<u64> = (0..5).map(|_| memory_rise(&area)).collect();
    rises.sort_unstable();
    let measured = rises[2];
    println!("{} GiB: computed {computed} bytes, measured {rises:?}", size >> 30);
    let apart = measured.abs_diff(computed);
    assert!(apart <= computed / 10, "{measured} bytes, and not {computed}");
    Ok(())
}

/// The size of a large area for whose metadata there is memory, where the formula is known.
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
    fs::read_to_string("/proc/sys/kernel/osrelease").expect("the file is readable")
}

/// Up to 6.12 the cgroup numbers of slots, two bytes each, are allocated page by page, and are missing from
/// the kernel's memory counters.
fn is_counted() -> bool {
    version() > (6, 12)
}

fn version() -> (u32, u32) {
    let release = release();
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    (numbers.next().expect("a number"), numbers.next().expect("another"))
}

/// The growth of that memory when an area is enabled.
fn memory_rise(area: &areas::Area) -> u64 {
    let before = taken_by_kernel();
    areas::use_it(area, PRIORITY).expect("zswap can be enabled");
    let after = taken_by_kernel();
    areas::swapoff(&area.path).expect("the area is enabled");
    after.saturating_sub(before)
}

/// Kernel memory in use in bytes, relative to some start: by vmalloc, or else by free memory.
fn taken_by_kernel() -> u64 {
    if is_counted() { meminfo("VmallocUsed:") + meminfo("SUnreclaim:") } else { not_free() }
}

/// Memory not free; CPUs keep some free pages in their own lists.
fn not_free() -> u64 {
    let zones = fs::read_to_string("/proc/zoneinfo").expect("the file is readable");
    let aside = zones.lines().filter_map(|line| line.trim().strip_prefix("count: "));
    let aside: u64 = aside.map(|pages| pages.trim().parse::<u64>().expect("a number")).sum();
    meminfo("MemTotal:") - meminfo("MemFree:") - aside * areas::page_size()
}

/// The value in bytes.
pub(crate) fn meminfo(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/meminfo").expect("the file is readable");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number =
        line.and_then(|rest| rest.split_whitespace().next()).expect("the value is reported");
    number.parse::<u64>().expect("a number") * 1024
}
