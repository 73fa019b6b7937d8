//! `thp`: the settings of transparent huge pages as a whole.

use crate::columns::spec::{self, Column, Info, Spec, Style, Table};
use crate::columns::value::Unit;
use crate::derive::View;
use crate::derive::view::Change;
use crate::model::thp::{Choice, Thp as Facts};
use crate::model::{Part, PartSet, Reading};

/// The table.
pub struct Thp;

/// The table without its row type.
pub const SPEC: Spec = Spec {
    name: "thp",
    title: "Transparent huge pages",
    about: "When huge pages are used, and how often the largest are swapped whole",
    style: Style::Record,
    default: &["enabled", "shmem_enabled", "defrag", "pmd_size", "swpout", "swpout_fallback"],
    with_two: &["swpout_rate", "swpout_fallback_rate"],
    key: "enabled",
    sort: None,
    only: None,
    tree: None,
    needs: PartSet::of(&[Part::Thp, Part::Vmstat]),
    infos: spec::infos::<Thp>,
    cells: spec::cells::<Thp>,
};

impl Table for Thp {
    type Row<'v> = View<'v>;

    fn columns() -> &'static [Column<Self>] {
        COLUMNS
    }

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<View<'v>>> {
        Reading::Known(vec![*view])
    }
}

fn setting(view: &View<'_>, which: impl Fn(&Facts) -> &Reading<Choice>) -> Reading<String> {
    let thp = view.now.thp.reading.as_ref();
    thp.and_then(|thp| which(thp).clone()).map(|choice| choice.current)
}

const SYSFS: &str = "/sys/kernel/mm/transparent_hugepage";
const VMSTAT: &str = "/proc/vmstat";

static COLUMNS: &[Column<Thp>] = &[
    Column {
        info: Info::new("enabled", "Enabled", Unit::Text)
            .says("When the largest pages are used for private memory.", SYSFS),
        get: |view| setting(view, |thp| &thp.enabled).into(),
    },
    Column {
        info: Info::new("shmem_enabled", "Shared memory", Unit::Text)
            .drop(4)
            .says("When they are used for shared memory.", SYSFS),
        get: |view| setting(view, |thp| &thp.shmem_enabled).into(),
    },
    Column {
        info: Info::new("defrag", "Defrag", Unit::Text)
            .drop(5)
            .says("How hard a fault tries to make one.", SYSFS),
        get: |view| setting(view, |thp| &thp.defrag).into(),
    },
    Column {
        info: Info::new("pmd_size", "Largest", Unit::Bytes)
            .drop(3)
            .says("Size of the largest.", SYSFS),
        get: |view| view.now.thp.reading.as_ref().and_then(|thp| thp.pmd_size.clone()).into(),
    },
    Column {
        info: Info::new("swpout", "Swapped whole", Unit::Count)
            .says("Largest pages swapped out in one piece since boot: thp_swpout.", VMSTAT),
        get: |view| view.now.counter("thp_swpout").into(),
    },
    Column {
        info: Info::new("swpout_fallback", "Split instead", Unit::Count).says(
            "Largest pages split because no room in one piece was found: thp_swpout_fallback.",
            VMSTAT,
        ),
        get: |view| view.now.counter("thp_swpout_fallback").into(),
    },
    Column {
        info: Info::new("swpout_rate", "whole/s", Unit::PerSecond)
            .says("The same in a second.", VMSTAT)
            .two(),
        get: |view| view.vmstat_change("thp_swpout").map(Change::per_second).into(),
    },
    Column {
        info: Info::new("swpout_fallback_rate", "split/s", Unit::PerSecond)
            .says("The same in a second.", VMSTAT)
            .two(),
        get: |view| view.vmstat_change("thp_swpout_fallback").map(Change::per_second).into(),
    },
];
