//! `thp`: the settings of transparent huge pages as a whole.

use crate::columns::spec::{self, Spec, Table};
use crate::derive::SampleView;
use crate::derive::view::CounterChange;
use crate::model::paging::{BracketedChoice, Thp as Facts};
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct ThpTable;

/// The table without its row type.
pub const SPEC: Spec = Spec::for_table::<ThpTable>("thp", "Transparent huge pages", "enabled")
    .about("When huge pages are used, and how often the largest are swapped whole")
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

fn setting(view: &SampleView<'_>, which: impl Fn(&Facts) -> &Reading<BracketedChoice>) -> Reading<String> {
    let thp = view.now.thp.reading.as_ref();
    thp.and_then(|thp| which(thp).clone()).map(|choice| choice.current)
}

const SYSFS: &str = "/sys/kernel/mm/transparent_hugepage";
const VMSTAT: &str = "/proc/vmstat";

type Column = spec::Column<ThpTable>;

static COLUMNS: &[Column] = &[
    Column::text("enabled", "Enabled", |view| setting(view, |thp| &thp.enabled).into())
        .says("When the largest pages are used for private memory.", SYSFS),
    Column::text("shmem_enabled", "Shared memory", |view| {
        setting(view, |thp| &thp.shmem_enabled).into()
    })
    .says("When they are used for shared memory.", SYSFS)
    .drop(4),
    Column::text("defrag", "Defrag", |view| setting(view, |thp| &thp.defrag).into())
        .says("How hard a fault tries to make one.", SYSFS)
        .drop(5),
    Column::bytes("pmd_size", "Largest", |view| {
        view.now.thp.reading.as_ref().and_then(|thp| thp.pmd_size.clone()).into()
    })
    .says("Size of the largest.", SYSFS)
    .drop(3),
    Column::count("swpout", "Swapped whole", |view| view.now.counter("thp_swpout").into())
        .says("Largest pages swapped out in one piece since boot: thp_swpout.", VMSTAT),
    Column::count("swpout_fallback", "Split instead", |view| {
        view.now.counter("thp_swpout_fallback").into()
    })
    .says(
        "Largest pages split because no room in one piece was found: thp_swpout_fallback.",
        VMSTAT,
    ),
    Column::per_second("swpout_rate", "whole/s", |view| {
        view.vmstat_change("thp_swpout").map(CounterChange::per_second).into()
    })
    .says("The same in a second.", VMSTAT)
    .two(),
    Column::per_second("swpout_fallback_rate", "split/s", |view| {
        view.vmstat_change("thp_swpout_fallback").map(CounterChange::per_second).into()
    })
    .says("The same in a second.", VMSTAT)
    .two(),
];

column_ids! { id: ThpTable, SPEC;
    DEFRAG ENABLED PMD_SIZE SHMEM_ENABLED SWPOUT SWPOUT_FALLBACK SWPOUT_FALLBACK_RATE SWPOUT_RATE
}
