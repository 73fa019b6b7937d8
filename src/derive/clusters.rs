//! How the slots of an area are spread over its clusters, and which folios still fit.
//!
//! Slots that a view cannot see look free. If there may be many, none is called free ([`if_enough_visible`]).

mod fit;
mod map;

use super::selection::{self, LargeFolioSupport};
use crate::model::clusters::{
    AGES_S, Ages, Cluster, ClusterMap, ClusterView, List, SlotOwner, ZramStored,
};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Snapshot, Stamp};
pub use fit::{Fit, FolioSizes, cluster_of, fit_for_size, fits, folio_size, free_slots_at};
pub use map::{MapCell, Window, cells, legend, slot_sign, window};
use std::ops::Range;

/// Returns the clusters of an area from the view that shows most; an incomplete map only if no other is
/// complete. Without any map, the reason to act on first.
pub fn best_view(snapshot: &Snapshot, place: usize) -> Reading<&ClusterMap> {
    let (mut broken, mut why) = (None, None);
    for view in [ClusterView::Kernel, ClusterView::Stored, ClusterView::Mapped] {
        match map_by_view(snapshot, view, place) {
            Reading::Known(map) if map.is_whole() => return Reading::Known(map),
            Reading::Known(map) => broken = broken.or(Some(map)),
            Reading::Missing { missing: Missing::NotSampled } => {}
            Reading::Missing { missing } => why = first_reason(why, missing),
        }
    }
    match broken {
        Some(map) => Reading::Known(map),
        None => why.unwrap_or(Missing::NotSampled).into(),
    }
}

/// Returns why the clusters of an area do not come from kernel memory, which shows most.
pub fn why_not_kernel(snapshot: &Snapshot, place: usize) -> Reading<String> {
    let is_kernel = |map: &ClusterMap| map.view == ClusterView::Kernel;
    if best_view(snapshot, place).known().is_some_and(|map| is_kernel(map)) {
        return Reading::absent(match snapshot.simulated {
            Some(_) => "the clusters come from the model",
            None => "the clusters come from kernel memory",
        });
    }
    match map_by_view(snapshot, ClusterView::Kernel, place) {
        Reading::Known(_) => Reading::Known("the map from kernel memory is incomplete".to_owned()),
        Reading::Missing { missing: Missing::NotSampled } => Reading::not_sampled(),
        Reading::Missing { missing } => Reading::Known(describe_missing(snapshot, &missing)),
    }
}

/// Names the source of a map: a simulated machine has no kernel memory.
pub fn view_word(snapshot: &Snapshot, view: ClusterView) -> &'static str {
    if snapshot.simulated.is_some() { "model" } else { view.word() }
}

/// Combines the reasons of several views, best first, into the one to act on first.
pub fn first_reason(before: Option<Missing>, missing: Missing) -> Option<Missing> {
    Some(match before {
        Some(before) => before.or(missing),
        None => missing,
    })
}

/// Describes a reason, with advice if it is missing root rights.
pub fn describe_missing(snapshot: &Snapshot, missing: &Missing) -> String {
    let uid = snapshot.access.reading.known().and_then(|access| access.uid.known());
    if matches!(missing, Missing::Denied(_)) && uid != Some(&0) {
        return format!("{}: run as root", missing.why());
    }
    missing.why()
}

/// Returns which folios each area takes, in the kernel's order; if unknown, large ones too.
pub fn folio_sizes(snapshot: &Snapshot) -> Vec<FolioSizes> {
    let count = snapshot.areas().len();
    let mut sizes = vec![FolioSizes::Large; count];
    let selection = selection::for_pages(snapshot);
    let line = selection.known().and_then(|selection| selection.lines.first());
    for area in line.map_or(&[][..], |line| &line.places) {
        let support = area.large.known();
        let only_pages =
            matches!(support, Some(LargeFolioSupport::File | LargeFolioSupport::Rotational));
        if let Some(size) = sizes.get_mut(area.area).filter(|_| only_pages) {
            *size = FolioSizes::Pages;
        }
    }
    sizes
}

/// Returns the clusters of an area from one view.
pub fn map_by_view(snapshot: &Snapshot, view: ClusterView, place: usize) -> Reading<&ClusterMap> {
    let read = match view {
        ClusterView::Kernel => &snapshot.kernel_clusters,
        ClusterView::Stored => &snapshot.stored_clusters,
        ClusterView::Mapped => &snapshot.mapped_clusters,
    };
    nth(&read.reading, place)
}

/// Returns when a view was read; `None` if it was not requested.
pub fn read_at(snapshot: &Snapshot, view: ClusterView) -> Option<Stamp> {
    match view {
        ClusterView::Kernel => snapshot.kernel_clusters.at,
        ClusterView::Stored => snapshot.stored_clusters.at,
        ClusterView::Mapped => snapshot.mapped_clusters.at,
    }
}

fn nth(view: &Reading<Vec<Reading<ClusterMap>>>, place: usize) -> Reading<&ClusterMap> {
    view.as_ref().and_then(|areas| match areas.get(place) {
        Some(area) => area.as_ref(),
        None => Reading::not_sampled(),
    })
}

/// Describes what this map does not show: some kernels keep no cluster lists, so even the kernel view lacks
/// them.
pub fn not_shown_by_map(map: &ClusterMap) -> &'static str {
    if map.view != ClusterView::Kernel {
        return not_shown_by_view(map.view);
    }
    let (lists, sizes) = (
        map.clusters.iter().any(|cluster| cluster.list.is_none()),
        map.clusters.iter().any(|cluster| cluster.taken > 0 && cluster.order.is_none()),
    );
    match (lists, sizes) {
        (false, false) => "nothing",
        (true, false) => "the cluster lists, which this kernel does not keep for this area",
        (false, true) => "the folio size of each cluster, which the kernel does not record here",
        (true, true) => {
            "the cluster lists and the folio size of each cluster, which this kernel does not keep for \
             this area"
        }
    }
}

/// Describes what a view cannot see.
pub fn not_shown_by_view(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => {
            "nothing, except cluster lists and the folio size of each cluster, which kernels before 6.12 do \
             not have, nor, up to 6.13, areas on rotational disks"
        }
        ClusterView::Stored => {
            "zero pages (since 6.12), pages not written yet, and the cluster lists of the kernel"
        }
        ClusterView::Mapped => {
            "shared memory and tmpfs, pages that are only in the swap cache, reserved slots, and the \
             cluster lists of the kernel"
        }
    }
}

/// Numbers of free, partly used and full clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterCounts {
    /// No slot is used.
    pub free: u64,
    /// Some slots are used.
    pub partly: u64,
    /// All slots are used.
    pub full: u64,
}

/// Counts clusters by their used slots.
pub fn count_clusters(map: &ClusterMap) -> ClusterCounts {
    let mut counts = ClusterCounts::default();
    for cluster in &map.clusters {
        let of = match u32::from(cluster.taken) {
            0 => &mut counts.free,
            taken if taken < map.cluster_slots => &mut counts.partly,
            _ => &mut counts.full,
        };
        *of += 1;
    }
    counts
}

/// Counts clusters on a list of the kernel; unknown in views from outside the kernel.
pub fn on_list(map: &ClusterMap, list: List) -> Reading<u64> {
    if map.clusters.iter().any(|cluster| cluster.list.is_none()) {
        return Reading::absent(format!(
            "the view \"{}\" does not show cluster lists here",
            map.view.word()
        ));
    }
    let on = map.clusters.iter().filter(|cluster| cluster.list == Some(list));
    Reading::Known(on.count() as u64)
}

/// Returns the longest run of free clusters; unknown if the view sees too little.
pub fn longest_run(map: &ClusterMap, page: u64) -> Reading<Bytes> {
    if let Some(why) = sees_too_little(map, page) {
        return why.into();
    }
    let runs = map.clusters.split(|cluster| cluster.taken > 0);
    let longest = runs.map(<[Cluster]>::len).max().unwrap_or(0);
    Reading::Known(Bytes((longest as u64).saturating_mul(map.cluster_bytes(page).0)))
}

/// Share of used slots that a view must see, so that the rest changes little.
const ENOUGH: f64 = 0.95;
/// Share of all slots that may be unseen however few are used: so few change little as well.
const FEW: f64 = 0.01;

/// Returns the map if it shows enough used slots to trust its free ones, otherwise the reason.
pub fn if_enough_visible(map: &ClusterMap, page: u64) -> Reading<&ClusterMap> {
    match sees_too_little(map, page) {
        Some(why) => why.into(),
        None => Reading::Known(map),
    }
}

/// Returns why free slots of this view may be used. The kernel view sees all that it read.
fn sees_too_little(map: &ClusterMap, page: u64) -> Option<Missing> {
    let seen = visible_share(map, Reading::not_sampled(), page).known().copied()?;
    let is_outside = map.view != ClusterView::Kernel || map.partial.is_some();
    let used = map.counted?.0.checked_div(page)?;
    let unseen = used.saturating_sub(map.used()) as f64;
    let is_much = seen < ENOUGH && unseen > map.slots as f64 * FEW;
    (is_outside && is_much).then(|| {
        let (view, seen) = (map.view.word(), seen * 100.0);
        Missing::absent(format!(
            "the view \"{view}\" sees {seen:.0}% of the used slots; where the others are is unknown"
        ))
    })
}

/// Returns whether more slots are used than the view shows, or may be.
fn may_hide_slots(map: &ClusterMap, page: u64) -> bool {
    let used = map.counted.and_then(|used| used.0.checked_div(page));
    map.view != ClusterView::Kernel && used.is_none_or(|used| used > map.used())
}

/// Returns the upper bound of free slots from the used space that the kernel counts; `None` if the view
/// sees everything or nothing was counted.
fn most_free(map: &ClusterMap, page: u64) -> Option<u64> {
    let used = map.counted.filter(|_| map.view != ClusterView::Kernel)?.0.checked_div(page)?;
    Some(map.slots.saturating_sub(1).saturating_sub(used))
}

/// Returns the share of used slots that the view shows, relative to the kernel's count when the map was
/// read, or to the present count if that is unknown. A view that was read while more slots were in use than
/// counted shows all of them.
pub fn visible_share(map: &ClusterMap, used: Reading<Bytes>, page: u64) -> Reading<f64> {
    map.counted.map_or(used, Reading::Known).and_then(|used| match used.0 {
        0 => Reading::absent("nothing is used"),
        used => Reading::Known((map.used().saturating_mul(page) as f64 / used as f64).min(1.0)),
    })
}

/// A fill level with its number of clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillBucket {
    /// Name of the fill level.
    pub word: &'static str,
    /// Number of clusters.
    pub clusters: u64,
}

/// Names of the fill levels: empty, four quarters, full.
const FILLED: [&str; 6] = ["empty", "under 25%", "25 to 50%", "50 to 75%", "over 75%", "full"];

/// Counts clusters by fill level.
pub fn fill_histogram(map: &ClusterMap) -> Vec<FillBucket> {
    let mut counts = [0_u64; FILLED.len()];
    for cluster in &map.clusters {
        if let Some(count) = counts.get_mut(quarter(*cluster, map.cluster_slots)) {
            *count += 1;
        }
    }
    FILLED.iter().zip(counts).map(|(word, clusters)| FillBucket { word, clusters }).collect()
}

fn quarter(cluster: Cluster, slots: u32) -> usize {
    match u32::from(cluster.taken) {
        0 => 0,
        taken if taken >= slots => FILLED.len() - 1,
        taken => (1..=3).take_while(|part| taken * 4 >= slots * part).count() + 1,
    }
}

#[cfg(test)]
pub(crate) mod testing;

/// Slots of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedSlots<'m> {
    /// The kernel's number of the cgroup; `None` for slots without an owner.
    pub number: Option<u16>,
    /// The path, if that was found.
    pub owner: Option<&'m SlotOwner>,
    /// Number of slots.
    pub slots: u64,
}

/// Returns the slots of each cgroup, most first, then the slots without an owner, if any.
pub fn slots_by_owner(map: &ClusterMap) -> Reading<Vec<OwnedSlots<'_>>> {
    map.owners.as_ref().map(|owners| {
        let of = |(number, slots): (&u16, &u64)| OwnedSlots {
            number: Some(*number),
            owner: map.names.get(number),
            slots: *slots,
        };
        let mut all: Vec<_> = owners.iter().map(of).collect();
        all.sort_by_key(|owned| std::cmp::Reverse(owned.slots));
        let told: u64 = owners.values().sum();
        let nobody =
            OwnedSlots { number: None, owner: None, slots: map.used().saturating_sub(told) };
        // If owners were not read, slots without an owner are unknown.
        all.extend((nobody.slots > 0 && map.partial.is_none()).then_some(nobody));
        all
    })
}

/// Slots by their zram flags; a slot can have several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Filled with one repeated word.
    pub same: u64,
    /// Written to the backing device.
    pub written: u64,
    /// Incompressible.
    pub huge: u64,
    /// Marked as idle.
    pub idle: u64,
    /// Latest access, in seconds since boot.
    pub touched_s: Option<u64>,
}

/// Returns the map of what the zram device of the area at this index stores.
pub fn stored_map(snapshot: &Snapshot, place: usize) -> Reading<&ClusterMap> {
    map_by_view(snapshot, ClusterView::Stored, place)
}

/// Returns the flags of some clusters of an area; another view may show the rest.
pub fn marks(stored: &ClusterMap, of: &ClusterMap, clusters: Range<usize>) -> Reading<Marks> {
    let form = |map: &ClusterMap| (map.cluster_slots, map.clusters.len());
    let own = stored.stored.get(clusters).filter(|_| form(stored) == form(of));
    let Some(own) = own.filter(|_| stored.view == ClusterView::Stored) else {
        return Missing::absent("the zram map has another layout").into();
    };
    Reading::Known(own.iter().fold(Marks::default(), add))
}

fn add(sum: Marks, one: &ZramStored) -> Marks {
    Marks {
        same: sum.same + u64::from(one.same),
        written: sum.written + u64::from(one.written),
        huge: sum.huge + u64::from(one.huge),
        idle: sum.idle + u64::from(one.idle),
        touched_s: sum.touched_s.max(one.touched_s),
    }
}

/// Names of the age classes.
const CLASSES: [&str; AGES_S.len() + 1] =
    ["under 1 min", "1 to 10 min", "10 to 60 min", "1 to 6 h", "6 to 24 h", "over 1 day"];

/// Returns the slots of each age class, youngest first.
pub fn by_age(ages: &Ages) -> impl Iterator<Item = (&'static str, u64)> {
    CLASSES.into_iter().zip(ages.slots)
}

/// Numbers of clusters that changed between two maps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterTransitions {
    /// Were empty, and now are used.
    pub begun: u64,
    /// Were used, and now are empty.
    pub emptied: u64,
    /// Had room, and now are full.
    pub filled: u64,
    /// Have more or fewer used slots than before.
    pub changed: u64,
}

/// Returns the clusters in the sample before of the area at this index, from the same view.
pub fn previous_map<'v>(
    view: &super::SampleView<'v>,
    place: usize,
    now: &ClusterMap,
) -> Reading<&'v ClusterMap> {
    let Some(before) = view.before else { return Missing::OneSample.into() };
    let Some(place) = index_in(before, view.now, place) else {
        return Reading::absent("the area was not active in the sample before");
    };
    let form = |map: &ClusterMap| (map.view, map.slots, map.cluster_slots, map.clusters.len());
    best_view(before, place).and_then(|map| {
        if form(map) == form(now) {
            return Reading::Known(map);
        }
        Reading::absent("the sample before has another view, or another area of this name")
    })
}

/// Finds the index of an area in another sample. Areas of one name have the same order there.
fn index_in(other: &Snapshot, now: &Snapshot, place: usize) -> Option<usize> {
    let areas = now.swaps.reading.known()?;
    let area = areas.get(place)?;
    let is_called = |other: &SwapArea| (&other.path, other.deleted) == (&area.path, area.deleted);
    let before = areas.iter().take(place).filter(|other| is_called(other)).count();
    let mut called = (0..).zip(other.swaps.reading.known()?).filter(|(_, other)| is_called(other));
    called.nth(before).map(|(place, _)| place)
}

/// Counts the clusters that changed their state. Changes back and forth between the two maps are not
/// visible.
pub fn transitions(before: &ClusterMap, now: &ClusterMap) -> ClusterTransitions {
    let mut turned = ClusterTransitions::default();
    let full = now.cluster_slots;
    for (before, now) in before.clusters.iter().zip(&now.clusters) {
        let (old, new) = (u32::from(before.taken), u32::from(now.taken));
        turned.begun += u64::from(old == 0 && new > 0);
        turned.emptied += u64::from(old > 0 && new == 0);
        turned.filled += u64::from(old < full && new >= full);
        turned.changed += u64::from(old != new);
    }
    turned
}

/// Returns the signed difference of two counts.
pub fn growth(before: u64, now: u64) -> i64 {
    i64::try_from(i128::from(now) - i128::from(before)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
