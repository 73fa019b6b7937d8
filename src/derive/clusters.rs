//! How the slots of an area are spread over its clusters, and which folios can still be placed.
//!
//! What a view does not see looks free to it: where that is more than a little, nothing is called free ([`enough`]).

mod fit;
mod map;

use super::selection::{self, LargeFolioSupport};
use crate::model::clusters::{AGES_S, Ages, Cluster, ClusterMap, List, SlotOwner, ZramStored, ClusterView};
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Snapshot, Stamp};
pub use fit::{Fit, FolioSizes, cluster_of, fit_for_size, fits, folio_size, free_slots_at};
pub use map::{MapCell, Window, cells, legend, slot_sign, slot_state, window};
use std::ops::Range;

/// The clusters of an area by the view that tells most of those that were looked through; one that
/// broke off only where no other is whole. Where none tells, the reason to act on first.
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

/// Of the reasons of several views, best first, the one to act on first.
pub fn first_reason(before: Option<Missing>, missing: Missing) -> Option<Missing> {
    Some(match before {
        Some(before) => before.or(missing),
        None => missing,
    })
}

/// A reason in words, with what helps where that is the rights of root.
pub fn describe_missing(snapshot: &Snapshot, missing: &Missing) -> String {
    let uid = snapshot.access.reading.known().and_then(|access| access.uid.known());
    if matches!(missing, Missing::Denied(_)) && uid != Some(&0) {
        return format!("{}: run as root", missing.why());
    }
    missing.why()
}

/// Does an area take large folios? One of which that is not known may.
pub fn folio_sizes(snapshot: &Snapshot, place: usize) -> FolioSizes {
    let selection = selection::for_pages(snapshot);
    let line = selection.known().and_then(|selection| selection.lines.first());
    let area = line.and_then(|line| line.places.iter().find(|other| other.area == place));
    match area.and_then(|area| area.large.known()) {
        Some(LargeFolioSupport::File | LargeFolioSupport::Rotational) => FolioSizes::Pages,
        Some(LargeFolioSupport::Yes) | None => FolioSizes::Large,
    }
}

/// The clusters of an area by one view.
pub fn map_by_view(snapshot: &Snapshot, view: ClusterView, place: usize) -> Reading<&ClusterMap> {
    let read = match view {
        ClusterView::Kernel => &snapshot.kernel_clusters,
        ClusterView::Stored => &snapshot.stored_clusters,
        ClusterView::Mapped => &snapshot.mapped_clusters,
    };
    nth(&read.reading, place)
}

/// When a view was read; none where nobody asked for it.
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

/// What this map of a view does not tell: kernels that keep no such lists leave even the kernel's own view
/// without them.
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
        (true, false) => "the lists of the kernel, which has none for this area",
        (false, true) => "for which size clusters are kept, which the kernel does not tell here",
        (true, true) => {
            "the lists of the kernel and for which size clusters are kept, as the kernel has neither for \
             this area"
        }
    }
}

/// What a view cannot see.
pub fn not_shown_by_view(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => {
            "nothing, but on kernels that have neither, such as those up to 6.1, the lists of clusters and \
             for which size each is kept"
        }
        ClusterView::Stored => {
            "pages of zeroes (since 6.12), pages not written yet, and the lists of the kernel"
        }
        ClusterView::Mapped => {
            "shared memory and tmpfs, pages that only the swap cache holds, slots kept aside, and the \
             lists of the kernel"
        }
    }
}

/// Its word.
pub fn view_name(view: ClusterView) -> &'static str {
    match view {
        ClusterView::Kernel => "kernel",
        ClusterView::Stored => "zram",
        ClusterView::Mapped => "page tables",
    }
}

/// The word of the kernel for a list.
pub const fn list_name(list: List) -> &'static str {
    match list {
        List::None => "none",
        List::Free => "free",
        List::Nonfull => "nonfull",
        List::Frag => "frag",
        List::Full => "full",
        List::Discard => "discard",
    }
}

/// How many clusters are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterCounts {
    /// Nothing is on them.
    pub free: u64,
    /// Some slots are taken.
    pub partly: u64,
    /// All slots are taken.
    pub full: u64,
}

/// Count them by what is taken.
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

/// How many are on a list of the kernel; unknown by views from outside.
pub fn on_list(map: &ClusterMap, list: List) -> Reading<u64> {
    if map.clusters.iter().any(|cluster| cluster.list.is_none()) {
        return Reading::absent(format!("the view \"{}\" sees no such lists here", view_name(map.view)));
    }
    let on = map.clusters.iter().filter(|cluster| cluster.list == Some(list));
    Reading::Known(on.count() as u64)
}

/// The longest row of clusters on which nothing is; not known by a view that sees too little.
pub fn longest_run(map: &ClusterMap, page: u64) -> Reading<Bytes> {
    if let Some(why) = sees_too_little(map, page) {
        return why.into();
    }
    let runs = map.clusters.split(|cluster| cluster.taken > 0);
    let longest = runs.map(<[Cluster]>::len).max().unwrap_or(0);
    Reading::Known(Bytes((longest as u64).saturating_mul(map.cluster_bytes(page).0)))
}

/// Of what is used a view must see so much that what it does not see changes little.
const ENOUGH: f64 = 0.95;
/// Of all slots of an area so few may be unseen however little is used: so few change little as well.
const FEW: f64 = 0.01;

/// The clusters of a view that sees enough of what is used to tell what is free; the reason of another.
pub fn if_enough_visible(map: &ClusterMap, page: u64) -> Reading<&ClusterMap> {
    match sees_too_little(map, page) {
        Some(why) => why.into(),
        None => Reading::Known(map),
    }
}

/// Why what looks free to this view may be anything else. The kernel's own view sees all of what it read.
fn sees_too_little(map: &ClusterMap, page: u64) -> Option<Missing> {
    let seen = visible_share(map, Reading::not_sampled(), page).known().copied()?;
    let is_outside = map.view != ClusterView::Kernel || map.partial.is_some();
    let used = map.counted?.0.checked_div(page)?;
    let unseen = used.saturating_sub(map.used()) as f64;
    let is_much = seen < ENOUGH && unseen > map.slots as f64 * FEW;
    (is_outside && is_much).then(|| {
        let (view, seen) = (view_name(map.view), seen * 100.0);
        Missing::absent(format!(
            "the view \"{view}\" sees {seen:.0}% of what is used: where the rest lies is not known"
        ))
    })
}

/// Is more used than the view sees, or may it be?
fn may_hide_slots(map: &ClusterMap, page: u64) -> bool {
    let used = map.counted.and_then(|used| used.0.checked_div(page));
    map.view != ClusterView::Kernel && used.is_none_or(|used| used > map.used())
}

/// Slots that can be free at most, by what the kernel counts as used; none where a view sees all, or
/// nothing was counted.
fn most_free(map: &ClusterMap, page: u64) -> Option<u64> {
    let used = map.counted.filter(|_| map.view != ClusterView::Kernel)?.0.checked_div(page)?;
    Some(map.slots.saturating_sub(1).saturating_sub(used))
}

/// What the view sees of what the kernel counted as used when it was looked at; of what it counts now,
/// where that is not known.
pub fn visible_share(map: &ClusterMap, used: Reading<Bytes>, page: u64) -> Reading<f64> {
    map.counted.map_or(used, Reading::Known).and_then(|used| match used.0 {
        0 => Reading::absent("nothing is used"),
        used => Reading::Known(map.used().saturating_mul(page) as f64 / used as f64),
    })
}

/// Clusters that are taken up to so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillBucket {
    /// What they are called.
    pub word: &'static str,
    /// How many there are.
    pub clusters: u64,
}

/// Words for how far a cluster is taken; the parts of four between nothing and all.
const FILLED: [&str; 6] = ["empty", "under 25%", "25 to 50%", "50 to 75%", "over 75%", "full"];

/// Clusters by how far they are taken.
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
    /// The kernel's number for the cgroup; none for the slots that no cgroup owns.
    pub number: Option<u16>,
    /// What it is called, if that was found.
    pub owner: Option<&'m SlotOwner>,
    /// How many slots.
    pub slots: u64,
}

/// The slots of each cgroup, most first, and at the end those that no cgroup owns, if there are any.
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
        let nobody = OwnedSlots { number: None, owner: None, slots: map.used().saturating_sub(told) };
        // Of slots whose owners were not read, none may be nobody's.
        all.extend((nobody.slots > 0 && map.partial.is_none()).then_some(nobody));
        all
    })
}

/// Slots by their marks; one can have several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// One word repeated.
    pub same: u64,
    /// Written to the backing device.
    pub written: u64,
    /// Does not compress.
    pub huge: u64,
    /// Marked as idle.
    pub idle: u64,
    /// Seconds since boot of the latest access.
    pub touched_s: Option<u64>,
}

/// What the zram device of an area has stored; the area is one by its place.
pub fn stored_map(snapshot: &Snapshot, place: usize) -> Reading<&ClusterMap> {
    map_by_view(snapshot, ClusterView::Stored, place)
}

/// The marks of some clusters of an area, of which another view may tell the rest.
pub fn marks(stored: &ClusterMap, of: &ClusterMap, clusters: Range<usize>) -> Reading<Marks> {
    let form = |map: &ClusterMap| (map.cluster_slots, map.clusters.len());
    let own = stored.stored.get(clusters).filter(|_| form(stored) == form(of));
    let Some(own) = own.filter(|_| stored.view == ClusterView::Stored) else {
        return Missing::absent("what zram has stored is laid out in another way").into();
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

/// Words for the classes of age.
const CLASSES: [&str; AGES_S.len() + 1] =
    ["under 1 min", "1 to 10 min", "10 to 60 min", "1 to 6 h", "6 to 24 h", "over 1 day"];

/// The slots of each class of age, youngest first.
pub fn by_age(ages: &Ages) -> impl Iterator<Item = (&'static str, u64)> {
    CLASSES.into_iter().zip(ages.slots)
}

/// Clusters of which something changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClusterTransitions {
    /// Nothing was on them, and now something is.
    pub begun: u64,
    /// Something was on them, and now nothing is.
    pub emptied: u64,
    /// There was room on them, and now there is none.
    pub filled: u64,
    /// They have more or fewer slots taken than before.
    pub changed: u64,
}

/// The clusters in the sample before of the area in this place now, by the same view.
pub fn previous_map<'v>(
    view: &super::SampleView<'v>,
    place: usize,
    now: &ClusterMap,
) -> Reading<&'v ClusterMap> {
    let Some(before) = view.before else { return Missing::OneSample.into() };
    let Some(place) = index_in(before, view.now, place) else {
        return Reading::absent("it was not active in the sample before");
    };
    let form = |map: &ClusterMap| (map.view, map.slots, map.cluster_slots, map.clusters.len());
    best_view(before, place).and_then(|map| {
        if form(map) == form(now) {
            return Reading::Known(map);
        }
        Reading::absent("the sample before was of another view, or of another area of this name")
    })
}

/// Where another sample has the area in this place. Areas of one name stand in the same order there.
fn index_in(other: &Snapshot, now: &Snapshot, place: usize) -> Option<usize> {
    let areas = now.swaps.reading.known()?;
    let area = areas.get(place)?;
    let is_called = |other: &SwapArea| (&other.path, other.deleted) == (&area.path, area.deleted);
    let before = areas.iter().take(place).filter(|other| is_called(other)).count();
    let mut called = (0..).zip(other.swaps.reading.known()?).filter(|(_, other)| is_called(other));
    called.nth(before).map(|(place, _)| place)
}

/// How many clusters turned from one state to another. What went to and fro between the two looks is not
/// seen.
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

/// By how much a figure of the clusters is more than it was.
pub fn growth(before: u64, now: u64) -> i64 {
    i64::try_from(i128::from(now) - i128::from(before)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
