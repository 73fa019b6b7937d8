//! Sentences about swap areas: zram, zswap and the priority groups.

use super::{MOST, StatusPage};
use crate::columns::tables::{devices, groups, headroom, zram, zswap};
use crate::columns::verdict::full_areas;
use crate::columns::{ColumnId, Value, units};
use crate::derive::compression;
use crate::derive::selection::policy;
use crate::model::Missing;
use crate::model::kernel::{Release, RotationUnit};

/// Data that takes no memory at all is mentioned from this size on.
const SMALL: f64 = 1_048_576.0;
/// Slots that a CPU may hold on kernels that reserve them in batches: one to allocate from, one to free.
const SLOTS_HELD: u64 = 2 * 64;
/// The first kernel release that keeps zero-filled pages in a map of its own.
const ZERO_MAP: Release = Release(6, 12);
/// The first release in which a page of the swap cache owns a slot whose data zram has freed.
const CACHE_HOLDS_SLOTS: Release = Release(7, 0);

impl StatusPage<'_> {
    pub(super) fn zram(&self) -> Option<String> {
        let rows = self.rows(&zram::SPEC)?;
        let in_use = |row: usize| self.number(zram::id::SWAP_USED, row);
        let unread = |row: usize| {
            let missing = self.value(zram::id::MEMORY, row)?.missing()?;
            let is_failed = matches!(missing, Missing::Failed(_));
            (is_failed || in_use(row) > Some(0.0)).then(|| missing.why())
        };
        let stored = |row: &usize| {
            let data = self.number(zram::id::DATA, *row);
            unread(*row).is_some() || data.is_some_and(|data| data > 0.0)
        };
        let named = (0..rows.cells.len()).filter(stored);
        let (unknown, named): (Vec<usize>, Vec<usize>) =
            named.partition(|row| unread(*row).is_some());
        let word = |row: &usize| {
            let cell = |id| self.cell(id, *row);
            let age = self.number(zram::id::AGE, *row);
            let age = age.filter(|age| *age > 0.0).map(|_| format!("{} ago", cell(zram::id::AGE)));
            let details = [self.ratio(zram::id::MEMORY_RATIO, *row), age];
            format!(
                "{} stores {} in {}{}{}",
                cell(zram::id::NAME),
                cell(zram::id::DATA),
                cell(zram::id::MEMORY),
                in_parentheses(details),
                self.without_memory(*row)
            )
        };
        let mut words: Vec<String> = named.iter().take(MOST).map(word).collect();
        if named.len() > MOST {
            words.push(format!("{} more", named.len() - MOST));
        }
        // Devices that are unknown for one reason are named together.
        for alike in unknown.chunk_by(|a, b| unread(*a) == unread(*b)) {
            let devices: Vec<String> =
                alike.iter().map(|row| self.cell(zram::id::NAME, *row)).collect();
            let why = alike.first().and_then(|row| unread(*row)).unwrap_or_default();
            words.push(format!("memory use of {} is unknown ({why})", devices.join(", ")));
        }
        if words.is_empty() {
            return None;
        }
        let is_swap = (0..rows.cells.len()).any(|row| in_use(row).is_some());
        let filling = self.number(headroom::id::ZRAM_FREE, 0);
        words = vec![words.join(", ")];
        // The same reason leaves the memory for filling unknown.
        let is_known = |free: &f64| is_swap && (unknown.is_empty() || *free <= 0.0);
        words.extend(filling.filter(is_known).map(|_| self.filling()));
        Some(words.join("; "))
    }

    /// The used part of a zram device that takes no memory: same-filled pages, and since 6.12 zero-filled pages,
    /// which never reach it. Small amounts may be slots that CPUs hold.
    fn without_memory(&self, row: usize) -> String {
        let number = |id| self.number(id, row);
        let same = number(zram::id::SAME).filter(|same| *same >= SMALL);
        let same = same.map(|_| format!("{} of same-filled pages", self.cell(zram::id::SAME, row)));
        let release = self.view.now.release().known().copied();
        let is = |first: Release| release.is_some_and(|release| release >= first);
        let has_zero_map = is(ZERO_MAP);
        let zero = number(zram::id::SWAP_USED).zip(number(zram::id::ORIG));
        let zero =
            zero.map(|(used, orig)| used - orig).filter(|zero| *zero >= SMALL.max(self.held()));
        // zswap does not tell whose slots it holds.
        let is_exact = has_zero_map && compression::zswap_front(self.view.now).is_none();
        let zero = zero.filter(|_| is_exact);
        let cached = self.number(headroom::id::SWAP_CACHED, 0);
        let is_cached = is(CACHE_HOLDS_SLOTS) && cached.is_some_and(|cached| cached >= SMALL);
        let what = if is_cached { "zero-filled or cached pages" } else { "zero-filled pages" };
        let zero = zero.map(|zero| format!("{} of {what}", units::bytes(zero)));
        let back = number(zram::id::WRITTEN_BACK).filter(|back| *back >= SMALL);
        let back = back.map(|_| format!("{} written back", self.cell(zram::id::WRITTEN_BACK, row)));
        let parts: Vec<String> = same.into_iter().chain(zero).chain(back).collect();
        if parts.is_empty() {
            String::new()
        } else {
            format!(", and {} in no memory", parts.join(" and "))
        }
    }

    /// The bytes of slots that all CPUs may hold without a page in them.
    fn held(&self) -> f64 {
        let snapshot = self.view.now;
        let unit = policy::rotation_unit(snapshot);
        let is_batch = unit.known().is_some_and(|(unit, _)| *unit == RotationUnit::Batch);
        let cpus = snapshot.kernel.value(|kernel| &kernel.cpus);
        let held = cpus.map2(snapshot.page_size.clone(), |cpus, page| cpus * SLOTS_HELD * page);
        held.known().filter(|_| is_batch).map_or(0.0, |bytes| *bytes as f64)
    }

    /// A compression ratio, if it is known.
    fn ratio(&self, column: ColumnId, row: usize) -> Option<String> {
        let known = self.number(column, row);
        known.map(|_| format!("ratio {}", self.cell(column, row)))
    }

    /// The memory for filling zram, and the part that memory limits make unusable.
    fn filling(&self) -> String {
        let cell = |id| self.cell(id, 0);
        let number = |id| self.number(id, 0);
        let (free, refused, cost) = (
            cell(headroom::id::ZRAM_FREE),
            cell(headroom::id::ZRAM_REFUSED),
            cell(headroom::id::ZRAM_FILL_MEMORY),
        );
        if number(headroom::id::ZRAM_FREE) == Some(0.0) {
            return "all zram is full".to_owned();
        }
        let unknown = self.value(headroom::id::ZRAM_FILL_MEMORY, 0).and_then(Value::missing);
        if let Some(why) = unknown {
            return format!(
                "unknown how much memory filling the free {free} would take: {}",
                why.why()
            );
        }
        match number(headroom::id::ZRAM_REFUSED).filter(|beyond| *beyond > 0.0) {
            None => format!("filling the free {free} would take {cost} of memory"),
            beyond if beyond == number(headroom::id::ZRAM_FREE) => {
                format!(
                    "memory limits make the free {free} unusable: pages sent there stay in memory"
                )
            }
            Some(_) => format!(
                "memory limits make {refused} of the free {free} unusable; filling the rest would take {cost} of memory"
            ),
        }
    }

    pub(super) fn zswap(&self) -> Option<String> {
        let cell = |id| self.cell(id, 0);
        let stored = self.number(zswap::id::STORED, 0);
        let enabled = self.value(zswap::id::ENABLED, 0)?.number()?;
        let on = if enabled > 0.0 { "on" } else { "off" };
        let fill = self.number(zswap::id::FILL, 0);
        Some(match stored {
            Some(stored) if stored > 0.0 => format!(
                "{on}, stores {} in {}{}{}{}",
                cell(zswap::id::STORED),
                cell(zswap::id::POOL),
                in_parentheses([self.ratio(zswap::id::RATIO, 0)]),
                fill.map_or_else(String::new, |_| format!(
                    ", {} of its limit",
                    cell(zswap::id::FILL)
                )),
                self.number(zswap::id::USED_SHARE, 0).map_or_else(String::new, |_| format!(
                    "; {} of the used swap is there and not on the areas",
                    cell(zswap::id::USED_SHARE)
                ))
            ),
            Some(_) => format!("{on}, empty"),
            None if enabled > 0.0 => format!("{on}, contents unknown"),
            None => on.to_owned(),
        })
    }

    pub(super) fn balance(&self) -> Option<String> {
        let rows = self.rows(&groups::SPEC)?;
        let word = |row: usize| {
            let skew = self.value(groups::id::IMBALANCE, row)?;
            skew.number()?;
            let cell = |id| self.cell(id, row);
            let areas = self.rows(&devices::SPEC);
            let full = areas.and_then(|areas| full_areas(areas, &cell(groups::id::PRIORITY)));
            Some(format!(
                "priority {}: {} areas, {} (imbalance {}{})",
                cell(groups::id::PRIORITY),
                cell(groups::id::AREAS),
                cell(groups::id::BALANCE),
                cell(groups::id::IMBALANCE),
                full.map_or_else(String::new, |full| format!("; {full}"))
            ))
        };
        let count = rows.cells.len();
        let mut words: Vec<String> = (0..count).filter_map(word).take(MOST).collect();
        let areas = |row| self.number(groups::id::AREAS, row);
        let is_single = (0..count).all(|row| areas(row) == Some(1.0));
        let state = |row| self.value(groups::id::STATE, row);
        // NUMA nodes may prefer their own areas: the state of a group is unknown then.
        let has_order = (0..count).all(|row| state(row).is_some_and(|it| it.missing().is_none()));
        if count > 1 && has_order {
            words.push(if is_single {
                format!("{count} areas of different priority fill one by one")
            } else {
                format!("the {count} priority groups fill one by one")
            });
        }
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// These details in parentheses, behind what they belong to; nothing if there are none.
fn in_parentheses(details: impl IntoIterator<Item = Option<String>>) -> String {
    let known: Vec<String> = details.into_iter().flatten().collect();
    if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) }
}
