//! `thp`: global settings of transparent huge pages.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::view::CounterChange;
use crate::model::paging::{BracketedChoice, Thp as Facts};
use crate::model::{Part, PartSet, Reading};

/// Marker type of the table.
pub struct ThpTable;

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<ThpTable>("thp", "Transparent huge pages", "enabled")
    .about("Settings of transparent huge pages, and how many are swapped whole")
    .shows(&["enabled", "shmem_enabled", "defrag", "pmd_size", "swpout", "swpout_fallback"])
    .with_two(&["swpout_rate", "swpout_fallback_rate"])
    .record()
    .needs(PartSet::from_parts(&[Part::Thp, Part::Vmstat]));

impl Table for ThpTable {
    type Row<'v> = SampleView<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<SampleView<'v>>> {
        Reading::Known(vec![*view])
    }
}

fn setting(
    view: &SampleView<'_>,
    which: impl Fn(&Facts) -> &Reading<BracketedChoice>,
) -> Reading<String> {
    let thp = view.now.thp.reading.as_ref();
    thp.and_then(|thp| which(thp).clone()).map(|choice| choice.current)
}

const SYSFS: &str = "/sys/kernel/mm/transparent_hugepage";
const VMSTAT: &str = "/proc/vmstat";

type Column = spec::Column<ThpTable>;

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
        view.now.thp.reading.as_ref().and_then(|thp| thp.pmd_size.clone()).into()
    })
    .says("Size of the largest (PMD-mapped) huge page.", SYSFS)
    .drop(3),
    Column::count("swpout", "Swapped whole", |view| view.now.counter("thp_swpout").into())
        .says("Largest huge pages swapped out whole since boot: thp_swpout.", VMSTAT),
    Column::count("swpout_fallback", "Split instead", |view| {
        view.now.counter("thp_swpout_fallback").into()
    })
    .says(
        "Largest huge pages split before swap-out for lack of contiguous slots, since boot: thp_swpout_fallback.",
        VMSTAT,
    ),
    Column::count("split_unused", "Split as unused", |view| {
        view.now.counter("thp_underused_split_page").into()
    })
    .says("Huge pages split since boot because most of their pages are zero-filled: thp_underused_split_page.", VMSTAT)
    .since("6.12")
    .drop(6),
    Column::count("collapse_refused", "Not collapsed for swap", |view| {
        view.now.counter("thp_scan_exceed_swap_pte").into()
    })
    .says("Ranges that khugepaged did not collapse since boot because more than khugepaged.max_ptes_swap of their pages are swapped: thp_scan_exceed_swap_pte.", VMSTAT)
    .since("5.17")
    .drop(6),
    Column::per_second("swpout_rate", "whole/s", |view| {
        view.vmstat_change("thp_swpout").map(CounterChange::per_second).into()
    })
    .says("Largest huge pages swapped out whole per second.", VMSTAT)
    .two(),
    Column::per_second("swpout_fallback_rate", "split/s", |view| {
        view.vmstat_change("thp_swpout_fallback").map(CounterChange::per_second).into()
    })
    .says("Largest huge pages split before swap-out per second.", VMSTAT)
    .two(),
];

column_ids! { id: ThpTable, SPEC;
    DEFRAG ENABLED PMD_SIZE SHMEM_ENABLED SWPOUT SWPOUT_FALLBACK SWPOUT_FALLBACK_RATE SWPOUT_RATE
}
