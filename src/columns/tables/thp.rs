//! `thp`: global settings of transparent huge pages.

use crate::columns::spec::Spec;
use crate::derive::view::CounterChange;
use crate::derive::{SampleView, fallback};
use crate::model::paging::{BracketedChoice, Thp as Facts};
use crate::model::{Reading, part_set};

table!(pub struct ThpTable: SampleView<'v>, Column, COLUMNS, |view, _| Reading::Known(vec![*view]));

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ThpTable>("thp", "Transparent huge pages", "enabled")
    .about("Settings of transparent huge pages, and how many are swapped whole")
    .shows("enabled,shmem_enabled,defrag,pmd_size,swpout,swpout_fallback")
    .with_two("swpout_rate,swpout_fallback_rate")
    .record()
    .needs(part_set![Thp, Vmstat]);

fn setting(
    view: &SampleView<'_>,
    which: impl Fn(&Facts) -> &Reading<BracketedChoice>,
) -> Reading<String> {
    view.now.thp.value(which).map(|choice| choice.current)
}

/// Folios of all sizes that were swapped out whole, or split; those of the largest size on kernels that count
/// no others.
fn folios(view: &SampleView<'_>, which: fn((u64, u64)) -> u64, largest: &str) -> Reading<u64> {
    let all = view.now.thp.reading.as_ref().and_then(fallback::whole_and_split).map(which);
    if all.is_absent() { view.now.counter(largest) } else { all }
}

/// How many of these there were per second, in the time between two reads of the counters of sizes.
fn folio_rate(view: &SampleView<'_>, which: fn((u64, u64)) -> u64, largest: &str) -> Reading<f64> {
    let count = |thp: &Facts| fallback::whole_and_split(thp).map(which);
    let all = view.change(|snapshot| &snapshot.thp, count);
    let change = if all.is_absent() { view.vmstat_change(largest) } else { all };
    change.map(CounterChange::per_second)
}

const WHOLE: fn((u64, u64)) -> u64 = |(whole, _)| whole;
const SPLIT: fn((u64, u64)) -> u64 = |(_, split)| split;
const STATS: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-*kB/stats, /proc/vmstat";
const SYSFS: &str = "/sys/kernel/mm/transparent_hugepage";
const VMSTAT: &str = "/proc/vmstat";

static COLUMNS: &[Column] = &[
    Column::text("enabled", "Enabled", |view| setting(view, |thp| &thp.enabled).into())
        .says("Setting for anonymous memory.", SYSFS),
    Column::text("shmem_enabled", "Shared memory", |view| {
        setting(view, |thp| &thp.shmem_enabled).into()
    })
    .says("Setting for shared memory.", SYSFS)
    .drop(4),
    Column::text("defrag", "Defrag", |view| setting(view, |thp| &thp.defrag).into())
        .says("How hard a page fault tries to allocate a huge page.", SYSFS)
        .drop(5),
    Column::bytes("pmd_size", "Largest size", |view| {
        view.now.thp.value(|thp| &thp.pmd_size).into()
    })
    .says("Size of the largest (PMD-mapped) huge page.", SYSFS)
    .drop(3),
    Column::counter("swpout", "Swapped whole", |view| view.now.counter("thp_swpout").into())
        .says("Largest huge pages swapped out whole since boot: thp_swpout.", VMSTAT),
    Column::counter("swpout_fallback", "Split instead", |view| {
        view.now.counter("thp_swpout_fallback").into()
    })
    .says(
        "Largest huge pages split before swap-out for lack of contiguous slots, since boot: thp_swpout_fallback.",
        VMSTAT,
    ),
    Column::counter("split_unused", "Split as unused", |view| {
        view.now.counter("thp_underused_split_page").into()
    })
    .says("Huge pages split since boot because most of their pages are zero-filled: thp_underused_split_page.", VMSTAT)
    .since("6.12"),
    Column::counter("collapse_refused", "Not collapsed for swap", |view| {
        view.now.counter("thp_scan_exceed_swap_pte").into()
    })
    .says("Ranges that khugepaged did not collapse since boot because more than khugepaged.max_ptes_swap of their pages are swapped: thp_scan_exceed_swap_pte.", VMSTAT)
    .since("5.17"),
    Column::per_second("swpout_rate", "whole/s", |view| {
        view.vmstat_rate("thp_swpout").into()
    })
    .says("Largest huge pages swapped out whole per second.", VMSTAT),
    Column::per_second("swpout_fallback_rate", "split/s", |view| {
        view.vmstat_rate("thp_swpout_fallback").into()
    })
    .says("Largest huge pages split before swap-out per second.", VMSTAT),
    Column::counter("all_swpout", "All sizes whole", |view| folios(view, WHOLE, "thp_swpout").into())
        .says("Folios of all sizes swapped out whole since boot, to devices or into zswap; only the largest size before 6.10.", STATS),
    Column::counter("all_fallback", "All sizes split", |view| {
        folios(view, SPLIT, "thp_swpout_fallback").into()
    })
    .says("Folios of all sizes split before swap-out for lack of contiguous slots since boot; only the largest size before 6.10.", STATS),
    Column::per_second("all_swpout_rate", "all whole/s", |view| {
        folio_rate(view, WHOLE, "thp_swpout").into()
    })
    .says("All sizes whole per second.", STATS),
    Column::per_second("all_fallback_rate", "all split/s", |view| {
        folio_rate(view, SPLIT, "thp_swpout_fallback").into()
    })
    .says("All sizes split per second.", STATS),
];

column_ids! { id: ThpTable, SPEC;
    ALL_FALLBACK ALL_FALLBACK_RATE ALL_SWPOUT ALL_SWPOUT_RATE DEFRAG ENABLED PMD_SIZE SHMEM_ENABLED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Missing;
    use crate::model::paging::{Counters, MthpSize};
    use crate::model::{Bytes, Sampled, Snapshot, Stamp};

    /// Counters of sizes after this many seconds: whole, in zswap, and split; and `thp_swpout` one second later.
    fn machine(second: u64, sizes: &[(u64, u64, u64)]) -> Snapshot {
        let stamp = |second: u64| Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 };
        let mut snapshot = Snapshot::empty(stamp(second));
        let none = || Reading::absent("not in this test");
        let size = |(whole, zswap, split): &(u64, u64, u64)| {
            let stats = [("swpout", *whole), ("zswpout", *zswap), ("swpout_fallback", *split)];
            let stats = stats.map(|(name, count)| (name.into(), count)).to_vec();
            MthpSize {
                size: Bytes(65536),
                enabled: none(),
                shmem_enabled: none(),
                stats: Reading::Known(Counters::new("stats", stats)),
            }
        };
        let sizes = Reading::Known(sizes.iter().map(size).collect());
        let (enabled, defrag, shmem_enabled) = (none(), none(), none());
        let thp = Facts { enabled, defrag, shmem_enabled, pmd_size: none2(), sizes };
        snapshot.thp = Sampled::new(Some(stamp(second)), Reading::Known(thp));
        let counters = vec![("thp_swpout".into(), 128), ("thp_swpout_fallback".into(), 9)];
        let counters = Counters::new("/proc/vmstat", counters);
        snapshot.vmstat = Sampled::new(Some(stamp(second + 1)), Reading::Known(counters));
        snapshot
    }

    fn none2() -> Reading<Bytes> {
        Reading::absent("not in this test")
    }

    #[test]
    fn all_sizes_are_summed_with_those_in_zswap_in_the_window_of_their_counters() {
        let before = machine(1, &[(100, 0, 0), (0, 0, 10)]);
        let now = machine(4, &[(128, 61, 0), (20, 108, 40)]);
        let view = SampleView { now: &now, before: Some(&before) };
        assert_eq!(folios(&view, WHOLE, "thp_swpout"), Reading::Known(317));
        assert_eq!(folios(&view, SPLIT, "thp_swpout_fallback"), Reading::Known(40));
        assert_eq!(folio_rate(&view, WHOLE, "thp_swpout"), Reading::Known(217.0 / 3.0));
        assert_eq!(folio_rate(&view, SPLIT, "thp_swpout_fallback"), Reading::Known(10.0));
    }

    #[test]
    fn a_kernel_without_counters_of_sizes_counts_the_largest() {
        let mut now = machine(1, &[]);
        assert_eq!(folios(&SampleView::single(&now), WHOLE, "thp_swpout"), Reading::Known(128));
        now.thp = Sampled::none();
        let unread = folios(&SampleView::single(&now), WHOLE, "thp_swpout");
        assert_eq!(unread.missing(), Some(&Missing::NotSampled));
    }
}
