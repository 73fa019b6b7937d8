//! Growth of metadata while an area fills, compared with the reported values.
//!
//! The area is filled with pages of one value each: zram stores only that value, in a table that exists
//! from the start.

use super::{meminfo, not_free, version};
use crate::areas::{self, Area, Title};
use crate::hog::Hog;
use crate::lab::{self, OURS};
use crate::memory_limit::MemoryLimit;
use crate::{at_length, program};
use std::fs;
use std::path::Path;

const TITLE: Title = Title { label: OURS, uuid: "0c6f8f0e-52c4-4f2b-9d0a-6a3d1e9b7c55" };
/// Higher than any other priority, so that the load goes there only.
const TOP: u16 = 32_000;
const MIB: u64 = 1 << 20;
/// Memory limit of the load.
const MEMORY: u64 = 64 * MIB;
/// Number of parts in which it is filled.
const PARTS: u64 = 3;

#[test]
fn metadata_grows_as_reported_while_an_area_fills() {
    at_length("metadata_grows_as_reported_while_an_area_fills", |lab| {
        // Much more than others allocate and free meanwhile, yet quickly filled.
        let part = (meminfo("MemTotal:") / 4).clamp(1 << 30, 2 << 30) / MIB;
        let area = areas::zram(lab, (PARTS + 1) * part * MIB, &TITLE, TOP)?;
        if reported(&area).is_none() {
            lab::remark("growth of metadata: unknown for this kernel");
            return Ok(());
        }
        let cage = MemoryLimit::new(lab, MEMORY)?;
        let mut hog = Hog::new(&cage);
        hog.level(2 * MEMORY / MIB);
        // Other programs allocate memory meanwhile: the median of the parts counts.
        let mut parts: Vec<Growth> = (0..PARTS).map(|_| grown(&area, &mut hog, part)).collect();
        println!("{part} MiB each time: {parts:?}");
        parts.sort_by(|one, other| one.relative_error().total_cmp(&other.relative_error()));
        let middle = &parts[parts.len() / 2];
        assert!(middle.relative_error().abs() <= 0.1, "the kernel took something else: {parts:?}");
        Ok(())
    });
}

/// Growth in bytes.
#[derive(Debug)]
struct Growth {
    told: u64,
    taken: u64,
}

impl Growth {
    /// The relative difference between the kernel's growth and the reported one.
    fn relative_error(&self) -> f64 {
        self.taken as f64 / self.told as f64 - 1.0
    }
}

fn grown(area: &Area, hog: &mut Hog, mib: u64) -> Growth {
    let both = || (reported(area).expect("it was reported before"), kernel_memory_taken());
    let before = both();
    hog.level(mib);
    let now = both();
    Growth { told: now.0 - before.0, taken: now.1.saturating_sub(before.1) }
}

/// The reported metadata of used slots.
fn reported(area: &Area) -> Option<u64> {
    let rows = program::table("cost", &["-o", "name,metadata_fixed,metadata"]);
    let own = rows.iter().find(|row| row["name"].as_str().map(Path::new) == Some(&area.path));
    let own = own.expect("it is active");
    Some(own["metadata"].as_u64()? - own["metadata_fixed"].as_u64()?)
}

/// Kernel memory of used slots, relative to some start. Before 6.18 each 64 slots had an xarray node, like
/// pages of files; since then clusters have a table of one page each, missing from all counters, and from
/// 7.x on also a KiB each.
fn kernel_memory_taken() -> u64 {
    // Each CPU keeps a part of the counters to itself.
    fs::write("/proc/sys/vm/stat_refresh", "1").expect("root may");
    let version = version();
    if version < (6, 18) {
        return in_slabs("radix_tree_node");
    }
    memory_in_no_counter() + if version < (7, 0) { 0 } else { in_slabs("kmalloc-1k") }
}

/// Memory of slabs with this name, in whole pages.
fn in_slabs(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/slabinfo").expect("root can read it");
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let words = lines.find(|words| words.first() == Some(&name)).expect("each kernel has them");
    let number = |place: usize| words[place].parse::<u64>().expect("a number");
    let (pages_each, slabs) = (number(5), number(14));
    slabs * pages_each * areas::page_size()
}

/// Memory missing from all counters.
fn memory_in_no_counter() -> u64 {
    const COUNTED: [&str; 11] = [
        "Buffers:",
        "Cached:",
        "SwapCached:",
        "AnonPages:",
        "SReclaimable:",
        "SUnreclaim:",
        "KernelStack:",
        "PageTables:",
        "SecPageTables:",
        "VmallocUsed:",
        "Percpu:",
    ];
    let counted: u64 = COUNTED.iter().map(|name| meminfo(name)).sum();
    let vmstat = fs::read_to_string("/proc/vmstat").expect("the file is readable");
    let of_zram = vmstat.lines().find_map(|line| line.strip_prefix("nr_zspages "));
    let of_zram: u64 = of_zram.expect("there is zram").parse().expect("a number");
    not_free() - counted - of_zram * areas::page_size()
}
