//! `mthp`: large folios by size: use, swap-out and fallbacks.

use crate::columns::rows::Footnotes;
use crate::columns::spec::Spec;
use crate::columns::{Rows, units};
use crate::derive::SampleView;
use crate::derive::fallback::{self, SplitPeriod, SplitReason};
use crate::derive::view::CounterChange;
use crate::model::paging::MthpSize;
use crate::model::{PartSet, Reading, name, part_set};

table!(pub struct MthpTable: Row<'v>, Column, COLUMNS, |view, _| rows(view));

/// One size.
pub struct Row<'v> {
    view: SampleView<'v>,
    size: &'v MthpSize,
}

/// Definition of the table.
pub const SPEC: Spec = Spec::for_table::<MthpTable>("mthp", "Large folios by size", "size")
    .footnotes(FOOTNOTES)
    .about("Large folios by size: whether the size is enabled, how many are swapped whole and how many are split")
    .shows("size,enabled,swpout,zswpout,swpout_fallback,fail_rate,swpin,nr_anon")
    .with_two("swpout_rate,fallback_rate,fail_rate_now")
    .needs(part_set![Thp]);

fn rows<'v>(view: &SampleView<'v>) -> Reading<Vec<Row<'v>>> {
    let sizes = view.now.thp.reading.as_ref().and_then(|thp| thp.sizes.as_ref());
    sizes.map(|sizes| sizes.iter().map(|size| Row { view: *view, size }).collect())
}

/// Notes below the table: why folios are split.
const FOOTNOTES: Footnotes = Footnotes { needs: CLUSTERS, closer, sentences, legend: None };

impl Row<'_> {
    /// Whether any folio of this size was split for lack of slots.
    fn was_split(&self) -> bool {
        self.size.stat("swpout_fallback").known().is_some_and(|split| *split > 0)
    }

    /// Folios split, and all swap-out attempts, between the samples.
    fn split_now(&self) -> Reading<(u64, u64)> {
        fallback::split_between(&self.view, self.size.size)
    }

    /// Period of the splits to explain.
    fn when(&self) -> SplitPeriod {
        match self.change("swpout_fallback").known() {
            Some(change) if change.by > 0 => SplitPeriod::Now,
            _ => SplitPeriod::SinceBoot,
        }
    }

    /// Why folios of this size are split; absent if none ever was.
    fn cause(&self) -> Reading<SplitReason> {
        self.size.stat("swpout_fallback").and_then(|split| match split {
            0 => Reading::absent("no folio of this size was split for lack of slots"),
            _ => fallback::cause(&self.view, self.size.size, self.when()),
        })
    }

    /// How many folios were swapped out whole between the samples, to a device or into zswap.
    fn whole_change(&self) -> Reading<CounterChange> {
        let zswap = self.change("zswpout");
        let device = self.change("swpout");
        if zswap.is_absent() {
            return device;
        }
        device.map2(zswap, |a, b| CounterChange { by: a.by.saturating_add(b.by), ..a })
    }

    fn change(&self, name: &str) -> Reading<CounterChange> {
        fallback::stat_change(&self.view, self.size.size, name)
    }
}

/// Failure rate: splits for lack of slots / swap-out attempts.
fn fail_rate(split_of: Reading<(u64, u64)>) -> Reading<f64> {
    split_of.and_then(|(split, all)| match all {
        0 => Reading::absent("no swap-out of this size was attempted"),
        _ => Reading::Known(split as f64 / all as f64),
    })
}

/// Parts for a second look, if the cheap views do not explain why a size was split.
fn closer(view: &SampleView<'_>) -> PartSet {
    let is_open =
        |row: &Row<'_>| row.was_split() && fallback::needs_clusters(view.now, row.size.size);
    let rows = rows(view);
    let open = rows.known().is_some_and(|rows| rows.iter().any(is_open));
    if open { part_set![MappedClusters] } else { PartSet::NONE }
}

/// Parts that are examined for the cause: the cheap views.
const CLUSTERS: PartSet =
    part_set![Kernel, Swaps, Block, Numa, Allocator, Cgroups, KernelClusters, StoredClusters];
const LOOKED_INTO: &str = "/proc/swaps, /sys/block/*/queue/rotational, memory.swap.events, /proc/kcore, block_state of zram, /proc/PID/pagemap";
const SYSFS: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-*kB";
const STATS: &str = "/sys/kernel/mm/transparent_hugepage/hugepages-*kB/stats";

/// Column of a file of a counter since boot, named like the file.
macro_rules! stat_column {
    ($id:literal, $head:literal, $since:literal) => {
        level_column!($id, $head, $since).grows()
    };
}

/// Column of a file of a current number, named like the file.
macro_rules! level_column {
    ($id:literal, $head:literal, $since:literal) => {
        Column::count($id, $head, |row| row.size.stat($id).into()).since($since)
    };
}

static COLUMNS: &[Column] = &[
    Column::bytes("size", "SIZE", |row| row.size.size.into())
        .says("Folio size.", SYSFS)
        .since("6.8"),
    Column::text("enabled", "ENABLED", |row| {
        row.size.enabled.clone().map(|choice| choice.current).into()
    })
    .says("Setting for anonymous memory: always, inherit (the global setting), madvise or never.", SYSFS)
    .since("6.8"),
    Column::text("shmem_enabled", "SHMEM", |row| {
        row.size.shmem_enabled.clone().map(|choice| choice.current).into()
    })
    .says("Setting for shared memory.", SYSFS)
    .since("6.11"),
    stat_column!("swpout", "SWPOUT", "6.10").says("Folios swapped out whole to a device, since boot.", STATS),
    stat_column!("zswpout", "ZSWPOUT", "6.13").says("Folios stored whole in zswap, since boot.", STATS).drop(3),
    stat_column!("swpout_fallback", "FALLBACK", "6.10").says("Folios split before swap-out for lack of contiguous slots, since boot: fragmentation, a swap file, a full area or a cgroup limit.", STATS),
    Column::share("fail_rate", "FALLB%", |row| {
        fail_rate(fallback::split_since_boot(row.size)).into()
    })
        .says("Failure rate since boot: FALLBACK / (FALLBACK + SWPOUT + ZSWPOUT). A fallback counts only if the split succeeded, so the true rate may be higher.", STATS)
        .since("6.10"),
    Column::per_second("swpout_rate", "OUT/s", |row| {
        row.whole_change().map(CounterChange::per_second).into()
    })
    .says("Folios swapped out whole per second: SWPOUT + ZSWPOUT.", STATS)
    .drop(2)
    .since("6.10"),
    Column::per_second("fallback_rate", "FALLB/s", |row| {
        row.change("swpout_fallback").map(CounterChange::per_second).into()
    })
    .says("FALLBACK per second.", STATS)
    .drop(2)
    .since("6.10"),
    Column::share("fail_rate_now", "FALLB%NOW", |row| fail_rate(row.split_now()).into())
        .says("Failure rate between the samples.", STATS)
        .two()
        .drop(2)
        .since("6.10"),
    stat_column!("swpin", "SWPIN", "6.13").says("Folios swapped in whole from a device (not from zswap).", STATS).drop(4),
    stat_column!("swpin_fallback", "SWPIN-FB", "6.14").says("Swap-ins in smaller pieces for lack of contiguous memory.", STATS).drop(8),
    stat_column!("swpin_fallback_charge", "SWPIN-FBC", "6.14").says("Swap-ins in smaller pieces because the cgroup was at its limit.", STATS),
    level_column!("nr_anon", "ANON", "6.12").says("Anonymous folios that exist now.", STATS).drop(5),
    level_column!("nr_anon_partially_mapped", "PARTIAL", "6.12").says("Anonymous folios that are partially unmapped and wait to be split.", STATS),
    stat_column!("anon_fault_alloc", "FAULT", "6.10").says("Anonymous folios allocated by page faults.", STATS),
    stat_column!("anon_fault_fallback", "FAULT-FB", "6.10").says("Page faults that fell back to a smaller size.", STATS),
    stat_column!("anon_fault_fallback_charge", "FAULT-FBC", "6.10").says("Page faults that fell back to a smaller size because the cgroup was at its limit.", STATS),
    stat_column!("shmem_alloc", "SHM", "6.11").says("Folios allocated for shared memory.", STATS),
    stat_column!("shmem_fallback", "SHM-FB", "6.11").says("Shared memory allocations that fell back to a smaller size.", STATS),
    stat_column!("shmem_fallback_charge", "SHM-FBC", "6.11").says("Shared memory allocations that fell back to a smaller size because the cgroup was at its limit.", STATS),
    stat_column!("split", "SPLIT", "6.11").says("Folios split for any reason.", STATS).drop(6),
    stat_column!("split_failed", "SPLIT-FAIL", "6.11").says("Failed splits.", STATS),
    stat_column!("split_deferred", "SPLIT-DEF", "6.11").says("Folios queued to be split once memory is short.", STATS),
    stat_column!("collapse_alloc", "COLLAPSE", "7.2").says("Folios allocated to collapse smaller pages.", STATS),
    stat_column!("collapse_alloc_failed", "COLL-FAIL", "7.2").says("Collapses that failed for lack of contiguous memory.", STATS),
    stat_column!("collapse_exceed_swap_pte", "COLL-SWAP", "7.2").says("Collapses abandoned because too many pages were swapped out.", STATS),
    stat_column!("collapse_exceed_none_pte", "COLL-NONE", "7.2").says("Collapses abandoned because too many pages were unused.", STATS),
    stat_column!("collapse_exceed_shared_pte", "COLL-SHARED", "7.2").says("Collapses abandoned because too many pages were shared.", STATS),
    Column::text("fallback_cause", "CAUSE", |row| row.cause().map(|why| why.words()).into())
        .says("Current obstacle for this size, if it was ever split: the next area is a swap file or full, clusters without room, limits. The kernel counts splits but not their causes. Page tables are scanned, once, only if clusters cannot be read otherwise.", LOOKED_INTO)
        .needs(CLUSTERS),
    Column::text("certainty", "CERTAINTY", |row| row.cause().map(|why| why.sure.word()).into())
        .says("Certainty of the cause: certain (kernel data, for splits between the samples), likely, or hint. Earlier splits may have had another cause.", LOOKED_INTO)
        .needs(CLUSTERS),
];

column_ids! { id: MthpTable, SPEC;
    ANON_FAULT_ALLOC ANON_FAULT_FALLBACK FALLBACK_CAUSE ENABLED FAIL_RATE FAIL_RATE_NOW FALLBACK_RATE NR_ANON NR_ANON_PARTIALLY_MAPPED SHMEM_ENABLED SIZE SPLIT SPLIT_DEFERRED SPLIT_FAILED CERTAINTY SWPIN SWPIN_FALLBACK SWPOUT SWPOUT_FALLBACK SWPOUT_RATE ZSWPOUT
}

/// A sentence for each shown size of which folios were split; sizes with the same unknown cause share one.
pub(super) fn sentences(view: &SampleView<'_>, shown: &Rows) -> Vec<String> {
    let rows = rows(view);
    let split =
        rows.known().into_iter().flat_map(|rows| shown.shown(rows)).filter(|row| row.was_split());
    let (mut told, mut unknown) = (Vec::new(), Vec::<(String, Vec<String>)>::new());
    let mut caveats = Vec::new();
    for row in split {
        let size = units::size(row.size.size);
        match row.cause().into_result() {
            Ok(why) => {
                let (split, words, sure) = (counted(row), why.words(), why.sure.word());
                told.push(format!("{size}: {split}. Obstacle now: {words} ({sure})."));
                caveats.extend(why.caveat().filter(|caveat| !caveats.contains(caveat)));
            }
            Err(missing) => {
                let why = name::safe_text(&missing.to_string());
                match unknown.iter_mut().find(|(other, _)| *other == why) {
                    Some((_, sizes)) => sizes.push(size),
                    None => unknown.push((why, vec![size])),
                }
            }
        }
    }
    told.extend(caveats);
    told.extend(unknown.into_iter().map(|(why, sizes)| {
        format!("Unknown why folios of {} were split: {why}.", sizes.join(", "))
    }));
    told
}

/// Describes how many folios were split, and when.
fn counted(row: &Row<'_>) -> String {
    let (counted, when) = match row.when() {
        SplitPeriod::Now => (row.split_now(), "between the samples"),
        SplitPeriod::SinceBoot => (fallback::split_since_boot(row.size), "since boot"),
    };
    match counted.known() {
        Some((split, all)) => {
            let share = units::percent(*split as f64 / (*all).max(1) as f64);
            format!("{split} of {all} folios ({share}) were split {when}")
        }
        None => format!("folios were split {when}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Query, Request};
    use crate::derive::selection::policy::testing::kernel;
    use crate::model::paging::{Counters, MthpSize, Thp};
    use crate::model::swaparea::testing::area;
    use crate::model::swaparea::{AreaKind, SwapArea};
    use crate::model::{Bytes, PartSet, Reading, Sampled, Snapshot, Stamp};

    fn none<T>() -> Reading<T> {
        Reading::absent("it does not matter here")
    }

    /// A folio size with so many whole and so many split folios.
    fn size(kib: u64, whole: u64, split: u64) -> MthpSize {
        let stats = vec![("swpout".into(), whole), ("swpout_fallback".into(), split)];
        let stats = Reading::Known(Counters::new("stats", stats));
        MthpSize { size: Bytes(kib << 10), enabled: none(), shmem_enabled: none(), stats }
    }

    /// A machine at this time.
    fn at(second: u64, areas: Vec<SwapArea>, sizes: Vec<MthpSize>) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.page_size = Reading::Known(4096);
        snapshot.kernel = kernel("6.18.1");
        snapshot.swaps = Sampled::new(None, Reading::Known(areas));
        let thp = Thp {
            enabled: none(),
            defrag: none(),
            shmem_enabled: none(),
            pmd_size: none(),
            sizes: Reading::Known(sizes),
        };
        snapshot.thp = Sampled::new(Some(stamp), Reading::Known(thp));
        snapshot
    }

    fn sentences_for(
        areas: Vec<SwapArea>,
        sizes: Vec<MthpSize>,
        filter: Option<&str>,
    ) -> Vec<String> {
        shown_sentences(&SampleView::single(&at(0, areas, sizes)), filter)
    }

    fn shown_sentences(view: &SampleView<'_>, filter: Option<&str>) -> Vec<String> {
        let request = Request { filter: filter.map(str::to_owned), ..Request::default() };
        let rows = Query::new(&SPEC, &request).unwrap().rows(view);
        sentences(view, rows.known().unwrap())
    }

    #[test]
    fn splits_between_the_samples_have_their_own_sentence() {
        let file = || vec![SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) }];
        let sizes = |kib, split| vec![size(kib, 60, split), size(2 * kib, 0, 4)];
        let (before, now) = (at(0, file(), sizes(64, 25)), at(1, file(), sizes(64, 40)));
        let told = shown_sentences(&SampleView { now: &now, before: Some(&before) }, None);
        assert!(told[0].contains("15 of 15 folios (100%) were split between the samples"));
        assert!(told[0].ends_with("(certain)."), "{told:?}");
        assert!(told[1].contains("since boot") && told[1].ends_with("(likely)."), "{told:?}");
    }

    #[test]
    fn each_split_size_has_its_cause_and_certainty() {
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        let sizes = vec![size(16, 9, 0), size(32, 0, 4), size(64, 75, 25)];
        let now =
            "Obstacle now: the next area is a swap file, which takes single pages only (likely).";
        assert_eq!(
            sentences_for(vec![file], sizes, None),
            [
                format!("32K: 4 of 4 folios (100%) were split since boot. {now}"),
                format!("64K: 25 of 100 folios (25%) were split since boot. {now}"),
            ]
        );
    }

    #[test]
    fn page_tables_are_scanned_only_where_the_cause_is_open() {
        let closer =
            |areas, split| closer(&SampleView::single(&at(0, areas, vec![size(2048, 9, split)])));
        let device = || vec![area("/dev/zram0", 5, 8 << 20, 0)];
        assert_eq!(closer(device(), 4), part_set![MappedClusters]);
        assert_eq!(closer(device(), 0), PartSet::NONE, "there is nothing to explain");
        assert_eq!(closer(Vec::new(), 4), PartSet::NONE, "nothing is there to be looked at");
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        assert_eq!(closer(vec![file], 4), PartSet::NONE, "the cause is known");
    }

    #[test]
    fn sizes_with_the_same_unknown_cause_share_a_sentence() {
        let none = sentences_for(Vec::new(), vec![size(32, 0, 4), size(64, 75, 25)], None);
        let why = "no swap area is active now";
        assert_eq!(none, [format!("Unknown why folios of 32K, 64K were split: {why}.")]);
    }

    #[test]
    fn filtered_sizes_have_no_sentence() {
        let sizes = || vec![size(32, 0, 4), size(64, 75, 25), size(128, 1, 1)];
        let file = SwapArea { kind: AreaKind::File, ..area("/swapfile", 5, 8 << 20, 0) };
        let told_of = |filter| sentences_for(vec![file.clone()], sizes(), Some(filter)).concat();
        assert!(told_of("size=64K").starts_with("64K: 25 of 100 folios"));
        assert!(!told_of("size=64K").contains("2K:") && !told_of("size=64K").contains("128K:"));
        assert_eq!(told_of("size=1M"), "");
        let unknown = sentences_for(Vec::new(), sizes(), Some("size!=64K")).concat();
        assert!(unknown.starts_with("Unknown why folios of 32K, 128K were split"), "{unknown}");
    }
}
