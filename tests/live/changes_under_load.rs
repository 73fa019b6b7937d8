//! Swap with pages of a load while it is changed: no byte may differ.

use crate::areas::{self, Title};
use crate::file::{MIB, done, priority, text, undo};
use crate::hog::Hog;
use crate::lab::{self, Lab};
use crate::memory_limit::MemoryLimit;
use crate::zram::{figure, next};
use std::fs;
use std::path::Path;

/// Memory limit of the load, and its size.
const MEMORY: u64 = 32 * MIB;
const LOAD: u64 = 80;
/// Higher than any other priority, so that the load goes to our areas only.
const FIRST: u16 = 32_000;
static FILE: Title =
    Title { label: "swapadm-live-lf", uuid: "5a9c0f3e-7b1d-4e62-8f40-0000001adec0" };

/// A load in its cgroup, mostly swapped out.
fn file_areas_under_load(lab: &Lab) -> Result<(Hog, MemoryLimit), String> {
    let cage = MemoryLimit::new(lab, MEMORY)?;
    let mut hog = Hog::new(&cage);
    hog.fill(LOAD);
    Ok((hog, cage))
}

/// MiB in use on an area.
fn holds(area: &Path) -> u64 {
    let swaps = fs::read_to_string("/proc/swaps").expect("the file is readable");
    let row = swaps.lines().find(|row| row.split_whitespace().next() == area.to_str());
    let used = row.and_then(|row| row.split_whitespace().nth(3)?.parse::<u64>().ok());
    used.unwrap_or_default() / 1024
}

/// Waits until much of the load is on an area.
fn filled(area: &Path) {
    let much = || if holds(area) >= LOAD / 4 { Ok(()) } else { Err(holds(area)) };
    assert_eq!(lab::retry(much), Ok(()), "MiB are on {}", area.display());
}

/// A swap file is enlarged, shrunk, disabled and enabled.
pub(crate) fn file(lab: &Lab) -> Result<(), String> {
    let _spare = crate::change::spare(lab)?;
    let area = areas::file(lab, 96 * MIB, &FILE, FIRST)?;
    let path = text(&area.path);
    let (mut hog, _cage) = file_areas_under_load(lab)?;
    let sum = hog.sum();
    let is = |size: u64| {
        let facts = fs::symlink_metadata(&area.path).expect("a file");
        let now = (facts.len() / MIB, priority(&area.path));
        assert_eq!(now, (size, Some(i32::from(FIRST))));
        filled(&area.path);
    };
    is(96);
    hog.guard();
    for size in [112, 64] {
        done(lab, &["file", "resize", path, &format!("{size}M")]);
        is(size);
    }
    hog.rest_unchanged(&sum);
    hog.guard();
    let removed = done(lab, &["file", "remove", path]);
    assert!(
        !area.path.exists() && priority(&area.path).is_none(),
        "the area is disabled and removed"
    );
    hog.rest_unchanged(&sum);
    hog.guard();
    undo(lab, &removed);
    is(64);
    hog.rest_unchanged(&sum);
    Ok(())
}

/// Pages of a load are written back from active zram to its backing device, and read from there.
pub(crate) fn writeback(lab: &Lab) -> Result<(), String> {
    let backing = areas::new_loop(lab, 96 * MIB)?;
    let area = next(lab)?;
    let dev = area.path.file_name().and_then(|name| name.to_str()).expect("a name");
    let on = ["--priority", "32000", "--label", "swapadm-live-lz"];
    let sized = ["zram", "swap", "--size", "128M", "--backing", text(&backing.path)];
    done(lab, &[&sized[..], &on].concat());
    let (mut hog, _cage) = file_areas_under_load(lab)?;
    let sum = hog.sum();
    filled(&area.path);
    // Pages on the backing device, read and written, of 4 KiB each.
    let [count, reads, writes] = [0, 1, 2].map(|place| figure(&area, "bd_stat", place));
    assert_eq!([count, reads, writes], [0; 3], "nothing is behind it yet");
    // While the load is stopped all its pages are idle.
    done(lab, &["zram", "idle", dev]);
    done(lab, &["zram", "writeback", dev, "idle"]);
    let (count, reads) = (figure(&area, "bd_stat", 0), figure(&area, "bd_stat", 1));
    assert!(count * 4096 >= LOAD / 4 * MIB, "{count} pages were written back");
    assert_eq!(hog.sum(), sum, "no byte differs");
    let back = figure(&area, "bd_stat", 1) - reads;
    assert!(back >= count / 2, "{back} of {count} pages were read from there");
    // While the load runs, some pages are used during the writeback.
    hog.guard();
    let before = figure(&area, "bd_stat", 2);
    for pages in ["huge", "idle"] {
        done(lab, &["zram", "idle", dev]);
        done(lab, &["zram", "writeback", dev, pages]);
    }
    assert!(figure(&area, "bd_stat", 2) > before, "some were written back");
    hog.rest_unchanged(&sum);
    assert_eq!(priority(&area.path), Some(i32::from(FIRST)), "the area is enabled as before");
    Ok(())
}
