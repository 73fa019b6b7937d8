//! `mthp`: each size of large folio, and how often it is swapped whole.

mod words;

use crate::columns::footnotes::Footnotes;
use crate::columns::spec::{self, Spec, Table};
use crate::derive::fallback::{self, When, Why};
use crate::derive::view::Change;
use crate::derive::{View, folios};
use crate::model::paging::{MthpSize, Thp};
use crate::model::{Bytes, Part, PartSet, Reading};

/// The table.
pub struct Mthp;

/// One size.
pub struct Row<'v> {
    view: View<'v>,
    size: &'v MthpSize,
}

/// The table without its row type.
pub const SPEC: Spec = Spec::of::<Mthp>("mthp", "Large folios by size", "size")
    .footnotes(FOOTNOTES)
    .about("For each folio size: whether it is used, how often it is swapped in one piece, and how often it must be split")
    .shows(&["size", "enabled", "swpout", "zswpout", "swpout_fallback", "fail_rate", "swpin", "nr_anon"])
    .with_two(&["swpout_rate", "fallback_rate", "fail_rate_now"])
    .needs(PartSet::of(&[Part::Thp]));

impl Table for Mthp {
    type Row<'v> = Row<'v>;
    const COLUMNS: &'static [Column] = COLUMNS;

    fn rows<'v>(view: &View<'v>) -> Reading<Vec<Row<'v>>> {
        let sizes = view.now.thp.reading.as_ref().and_then(|thp| thp.sizes.as_ref());
        sizes.map(|sizes| sizes.iter().map(|size| Row { view: *view, size }).collect())
    }
}

/// What is told below the table of why folios are split.
const FOOTNOTES: Footnotes =
    Footnotes { needs: CLUSTERS, closer, sentences: words::sentences, legend: None };

impl Row<'_> {
    fn stat(&self, name: &str) -> Reading<u64> {
        self.size.stats.as_ref().and_then(|stats| stats.get(name))
    }

    /// Was any folio of this size split for want of slots?
    fn was_split(&self) -> bool {
        self.stat("swpout_fallback").known().is_some_and(|split| *split > 0)
    }

    /// How many were split, of all that were to be swapped, since boot.
    fn split_of(&self) -> Reading<(u64, u64)> {
        folios::split_of(self.stat("swpout_fallback"), self.stat("swpout"), self.stat("zswpout"))
    }

    /// How many were split between the samples, of all that were to be swapped.
    fn split_now(&self) -> Reading<(u64, u64)> {
        let by = |name| self.change(name).map(|change| change.by);
        folios::split_of(by("swpout_fallback"), by("swpout"), by("zswpout"))
    }

    /// When those were split that are to be explained.
    fn when(&self) -> When {
        match self.change("swpout_fallback").known() {
            Some(change) if change.by > 0 => When::Now,
            _ => When::SinceBoot,
        }
    }

    /// Why folios of this size are split; nothing stands in the way of one that never was.
    fn cause(&self) -> Reading<Why> {
        self.stat("swpout_fallback").and_then(|split| match split {
            0 => Reading::absent("no folio of this size was split for want of slots"),
            _ => fallback::cause(self.view.now, self.size.size, self.when()),
        })
    }

    fn change(&self, name: &str) -> Reading<Change> {
        let of_size = |thp: &Thp| stat_of(thp, self.size.size, name);
        self.view.change(|snapshot| &snapshot.thp, of_size)
    }
}

fn stat_of(thp: &Thp, size: Bytes, name: &str) -> Reading<u64> {
    let sizes = thp.sizes.as_ref();
    sizes.and_then(|sizes| match sizes.iter().find(|other| other.size == size) {
        Some(size) => size.stats.as_ref().and_then(|stats| stats.get(name)),
        None => Reading::absent("this size was not there at the sample before"),
    })
}

/// Split because no slots were found, against all that were to be swapped.
fn fail_rate(split_of: Reading<(u64, u64)>) -> Reading<f64> {
    split_of.and_then(|(split, all)| match all {
        0 => Reading::absent("no folio of this size was to be swapped"),
        _ => Reading::Known(split as f64 / all as f64),
    })
}

/// What a second look takes, where the views that cost little leave it open why some size was split.
fn closer(view: &View<'_>) -> PartSet {
    let is_open = |row: &Row<'_>| row.was_split() && fallback::is_blind(view.now, row.size.size);
    let rows = Mthp::rows(view);
    let open = rows.known().is_some_and(|rows| rows.iter().any(is_open));
    if open { PartSet::of(&[Part::MappedClusters]) } else { PartSet::NONE }
}

/// What is looked into for the cause: the views that cost little.
const CLUSTERS: PartSet = PartSet::of(&[
    Part::Kernel,
    Part::Swaps,
    Part::Block,
    Part::Numa,
    Part::Allocator,
    Part::Cgroups,
    Part::KernelClusters,
    Part::StoredClusters,
]);
const LOOKED_INTO: &str = "/proc/swaps, /sys/block/*/queue/rotational, memory.swap.events, /proc/kcore, block_state of zram, /proc/PID/pagemap";
const SYSFS: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-*kB";
const STATS: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-*kB/stats";

/// A statistics file of the kernel, under its own name.
macro_rules! stat_column {
    ($id:literal, $head:literal, $drop:literal, $since:literal, $help:literal) => {
        Column::count($id, $head, |row| row.stat($id).into())
            .says($help, STATS)
            .since($since)
            .drop($drop)
    };
}

type Column = spec::Column<Mthp>;

static COLUMNS: &[Column] = &[
    Column::bytes("size", "SIZE", |row| row.size.size.into())
        .says("Size of the folio.", SYSFS)
        .since("6.8"),
    Column::text("enabled", "ENABLED", |row| {
        row.size.enabled.clone().map(|choice| choice.current).into()
    })
    .says("For private memory: always, inherit (as the setting for all), madvise or never.", SYSFS)
    .since("6.8"),
    Column::text("shmem_enabled", "SHMEM", |row| {
        row.size.shmem_enabled.clone().map(|choice| choice.current).into()
    })
    .says("For shared memory.", SYSFS)
    .drop(7)
    .since("6.11"),
    stat_column!(
        "swpout",
        "SWPOUT",
        0,
        "6.10",
        "Folios written to a swap device in one piece, since boot."
    ),
    stat_column!("zswpout", "ZSWPOUT", 3, "6.13", "Folios stored in zswap in one piece."),
    stat_column!(
        "swpout_fallback",
        "FALLBACK",
        0,
        "6.10",
        "Folios split because they got no slots in one piece: fragmentation, a swap file, a full area or a cgroup limit."
    ),
    Column::share("fail_rate", "FAIL%", |row| fail_rate(row.split_of()).into())
        .says("FALLBACK against FALLBACK, SWPOUT and ZSWPOUT together, since boot. A fallback counts only when the split succeeded, so the true rate may be higher.", STATS)
        .since("6.10"),
    Column::per_second("swpout_rate", "OUT/s", |row| {
        row.change("swpout").map(Change::per_second).into()
    })
    .says("SWPOUT in a second.", STATS)
    .two()
    .drop(2)
    .since("6.10"),
    Column::per_second("fallback_rate", "FALLB/s", |row| {
        row.change("swpout_fallback").map(Change::per_second).into()
    })
    .says("FALLBACK in a second.", STATS)
    .two()
    .drop(2)
    .since("6.10"),
    Column::share("fail_rate_now", "FAIL%NOW", |row| fail_rate(row.split_now()).into())
        .says("The failure rate between the samples.", STATS)
        .two()
        .drop(2)
        .since("6.10"),
    stat_column!(
        "swpin",
        "SWPIN",
        4,
        "6.13",
        "Folios read back in one piece from a device, not from zswap."
    ),
    stat_column!(
        "swpin_fallback",
        "SWPIN-FB",
        8,
        "6.14",
        "Read back in smaller pieces for want of memory in one piece."
    ),
    stat_column!(
        "swpin_fallback_charge",
        "SWPIN-FBC",
        8,
        "6.14",
        "Read back in smaller pieces because the cgroup was at its limit."
    ),
    stat_column!("nr_anon", "ANON", 5, "6.12", "Folios of private memory now."),
    stat_column!(
        "nr_anon_partially_mapped",
        "PARTIAL",
        8,
        "6.12",
        "Of those, partly unmapped ones, which wait to be split."
    ),
    stat_column!("anon_fault_alloc", "FAULT", 7, "6.10", "Folios made by faults."),
    stat_column!(
        "anon_fault_fallback",
        "FAULT-FB",
        8,
        "6.10",
        "Faults that had to do with a smaller size."
    ),
    stat_column!(
        "anon_fault_fallback_charge",
        "FAULT-FBC",
        9,
        "6.10",
        "The same because the cgroup was at its limit."
    ),
    stat_column!("shmem_alloc", "SHM", 8, "6.11", "Folios made for shared memory."),
    stat_column!(
        "shmem_fallback",
        "SHM-FB",
        9,
        "6.11",
        "Shared memory that had to do with a smaller size."
    ),
    stat_column!(
        "shmem_fallback_charge",
        "SHM-FBC",
        9,
        "6.11",
        "The same because the cgroup was at its limit."
    ),
    stat_column!("split", "SPLIT", 6, "6.11", "Folios split for any reason."),
    stat_column!("split_failed", "SPLIT-FAIL", 9, "6.11", "Splits that failed."),
    stat_column!("split_deferred", "SPLIT-DEF", 9, "6.11", "Folios put aside to be split under pressure."),
    stat_column!("collapse_alloc", "COLLAPSE", 9, "7.2", "Folios made by collapsing smaller pages."),
    stat_column!(
        "collapse_alloc_failed",
        "COLL-FAIL",
        9,
        "7.2",
        "Collapses that found no memory in one piece."
    ),
    stat_column!(
        "collapse_exceed_swap_pte",
        "COLL-SWAP",
        9,
        "7.2",
        "Collapses given up because too much was swapped."
    ),
    stat_column!(
        "collapse_exceed_none_pte",
        "COLL-NONE",
        9,
        "7.2",
        "Collapses given up because too much was unused."
    ),
    stat_column!(
        "collapse_exceed_shared_pte",
        "COLL-SHARED",
        9,
        "7.2",
        "Collapses given up because too much was shared."
    ),
    Column::text("cause", "WHY", |row| row.cause().map(|why| why.words()).into())
        .says("What stands in the way of this size now, if it was ever split: files or full areas whose turn it is, clusters without room for it, limits. The kernel counts that folios are split, not why. Page tables are looked through for it only where no other view tells, by the command, and once.", LOOKED_INTO)
        .needs(CLUSTERS)
        .drop(9),
    Column::text("sure", "SURE", |row| row.cause().map(|why| why.sure.word()).into())
        .says("How sure it is that they were split for that: certain by the kernel's own data if it was between the samples, likely, or a hint. What was split before may have had another cause.", LOOKED_INTO)
        .needs(CLUSTERS)
        .drop(9),
];

column_ids! { id: Mthp, SPEC;
    ANON_FAULT_ALLOC ANON_FAULT_FALLBACK CAUSE ENABLED FAIL_RATE FAIL_RATE_NOW FALLBACK_RATE NR_ANON NR_ANON_PARTIALLY_MAPPED SHMEM_ENABLED SIZE SPLIT SPLIT_DEFERRED SPLIT_FAILED SURE SWPIN SWPIN_FALLBACK SWPOUT SWPOUT_FALLBACK SWPOUT_RATE ZSWPOUT
}
