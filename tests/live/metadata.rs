//! What swapadm says that areas cost: their memory against what the kernel takes, and what is tried
//! out for the rest.

use crate::areas::{self, Title};
use crate::in_lab;
use crate::lab::{Lab, OURS};
use std::fs;
use swapadm::derive::metadata::Metadata;
use swapadm::model::{Bytes, Name};
use swapadm::sys::trial;

/// Below all others.
const PRIORITY: u16 = 0;
/// What others may take meanwhile, such as for a process.
const NOISE: u64 = 48 << 10;
const SIZE: u64 = 8 << 30;
/// Enough to read from.
const SMALL: u64 = 4 << 20;
const TITLE: Title = Title { label: OURS, uuid: "0c6f8f0e-52c4-4f2b-9d0a-6a3d1e9b7c54" };

#[test]
fn an_area_takes_as_much_memory_as_is_computed() {
    in_lab("an_area_takes_as_much_memory_as_is_computed", taken);
}

/// On a swap file it is tried out on the device below, which may not be allowed.
#[test]
fn what_a_page_takes_to_read_is_tried_out() {
    in_lab("what_a_page_takes_to_read_is_tried_out", |lab| {
        let area = areas::new_loop(lab, SMALL)?;
        let path = Name::new(area.path.as_os_str().as_encoded_bytes());
        let nanos = trial::read(&path, None, (Bytes(SMALL), u64::MAX))
            .expect("a device of ours can be read");
        assert!((1e3..1e8).contains(&nanos), "{nanos} ns");
        let beyond = trial::read(&path, None, (Bytes(100 * SMALL), u64::MAX));
        assert!(beyond.is_err(), "there is nothing: {beyond:?}");
        Ok(())
    });
}

fn taken(lab: &Lab) -> Result<(), String> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").expect("it can be read");
    let sizes = (Bytes(SIZE), Bytes(0));
    let known = Metadata::of(release.trim(), areas::page_size(), sizes);
    let Some(computed) = known.known() else {
        return Err(format!("how Linux {} remembers slots is not known", release.trim()));
    };
    // What zram needs for itself it takes with its size, before.
    let area = areas::new_zram(lab)?;
    areas::give_size(&area, SIZE, &TITLE)?;
    // Others come and go in the meantime: of some times the one in the middle.
    let mut rises: Vec<u64> = (0..5).map(|_| rise(&area)).collect();
    rises.sort_unstable();
    let (measured, computed) = (rises[2], computed.all().0 - uncounted(release.trim()));
    println!("computed {computed} bytes, measured {rises:?}");
    let apart = measured.abs_diff(computed);
    assert!(apart <= computed / 10 + NOISE, "{measured} bytes, and not {computed}");
    Ok(())
}

/// Up to 6.12 the two bytes of each slot that say which group it is charged to are made page by page,
/// which no count of the kernel's own memory has in it.
fn uncounted(release: &str) -> u64 {
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    let (major, minor) = (numbers.next().expect("a number"), numbers.next().expect("another"));
    if (major, minor) < (6, 13) { 2 * SIZE / areas::page_size() } else { 0 }
}

/// By how much that memory grows when an area is switched on.
fn rise(area: &areas::Area) -> u64 {
    let before = kernel_memory();
    areas::use_it(area, PRIORITY).expect("it can be switched on");
    let after = kernel_memory();
    areas::swapoff(&area.path).expect("it is on");
    after.saturating_sub(before)
}

/// Where tables of such sizes come from, in bytes.
fn kernel_memory() -> u64 {
    meminfo("VmallocUsed:") + meminfo("SUnreclaim:")
}

fn meminfo(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/meminfo").expect("it can be read");
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next()).expect("it is told");
    number.parse::<u64>().expect("a number") * 1024
}
