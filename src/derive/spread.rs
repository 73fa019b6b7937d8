//! What comes of emptying areas of one priority that hold more than their part.
//!
//! It is foretold step by step. What finds room in memory stays there, and goes to all areas in turns
//! if it is swapped out again. What does not, since a control group is at its limit or memory is
//! short, goes to the other areas while one is emptied, and that one comes back with nothing on it:
//! of two areas, the other one then holds all. So nothing is emptied unless it is foretold to be more
//! even by an amount that is worth it.

use super::balance::{self, PriorityGroup};
use super::drain;
use super::selection::policy;
use super::speed::Speed;
use super::traffic::{self, Direction};
use super::view::{CounterChange, SampleView};
use crate::model::paging::{MthpSize, Thp};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// Of the threshold: what is emptied at all is emptied until so little is left, so that the next
/// look does not find a skew just above it.
const TARGET: f64 = 0.5;
/// Of the threshold: it must get better by so much.
const MIN_GAIN: f64 = 0.25;

/// An area of a group, and its class where that is known.
pub type GroupMember<'a> = (&'a SwapArea, Option<Speed>);

/// That large folios make areas uneven.
#[derive(Clone, Debug)]
pub struct FolioImbalance {
    /// Which part of what is swapped out goes in them: between the samples where that is much, or
    /// else since boot.
    pub part: Reading<f64>,
    /// What the areas that take them hold together beyond their part.
    pub beyond: Bytes,
}

/// Are areas not to be even, since large folios make it so? Those go whole to areas that are block
/// devices, and never to files. What was swapped out long ago is gone: it explains of what areas
/// hold only as much as its part of all that was swapped out, and what is uneven beside that stays
/// unexplained. Where that part is not known, it may be so, and that is all.
pub fn folio_imbalance(
    view: &SampleView<'_>,
    members: &[GroupMember<'_>],
    group: &PriorityGroup,
    (threshold, often): (f64, f64),
) -> Option<FolioImbalance> {
    let (all, ideal) = (group.used.known()?, group.ideal.known()?);
    let (mut above, mut more, mut less, mut files) = (0, 0, 0, 0);
    for (member, ideal) in members.iter().zip(ideal) {
        let over = used(member.0).saturating_sub(*ideal).0;
        above += over;
        if takes_large(view.now, member) {
            more += over;
            less += ideal.saturating_sub(used(member.0)).0;
        } else {
            files += ideal.0;
        }
    }
    // What those hold together beyond their part, and what is uneven among them.
    let beyond = more.saturating_sub(less);
    if files == 0 || beyond == 0 {
        return None;
    }
    let part = large_folio_share(view, often);
    // Of the part of the others, so much goes to those.
    let most = part.known().copied().unwrap_or(1.0) * files as f64;
    let rest = above as f64 - most.min(beyond as f64);
    (rest / (all.0 as f64) < threshold).then_some(FolioImbalance { part, beyond: Bytes(beyond) })
}

fn used(area: &SwapArea) -> Bytes {
    area.used.known().copied().unwrap_or(Bytes(0))
}

/// Does the kernel put large folios on it? On what rotates it does so after 6.12 only.
fn takes_large(snapshot: &Snapshot, (area, speed): &GroupMember<'_>) -> bool {
    let release = policy::release(snapshot);
    let is_old = release.known().is_some_and(|release| *release <= (6, 12));
    let rotates = *speed == Some(Speed::Rotational);
    area.kind == AreaKind::Partition && !(rotates && is_old)
}

/// Which part of what is swapped out goes in large folios.
fn large_folio_share(view: &SampleView<'_>, often: f64) -> Reading<f64> {
    let pages = traffic::pages_per_second(view, Direction::Out);
    if pages.known().is_some_and(|pages| *pages >= often) {
        let sizes = view.change(|snapshot| &snapshot.thp, whole_folio_bytes).map(CounterChange::per_second);
        let largest = view.vmstat_change("thp_swpout").map(CounterChange::per_second);
        let now = share_of_pages(view, pages, large_folio_bytes(view, sizes, largest));
        if now.known().is_some() {
            return now;
        }
    }
    let real = |count: u64| count as f64;
    let sizes = view.now.thp.reading.as_ref().and_then(whole_folio_bytes).map(real);
    let largest = view.now.counter("thp_swpout").map(real);
    let pages = traffic::pages_since_boot(view, Direction::Out).map(real);
    share_of_pages(view, pages, large_folio_bytes(view, sizes, largest))
}

/// Which part so many bytes are of so many pages.
fn share_of_pages(view: &SampleView<'_>, pages: Reading<f64>, bytes: Reading<f64>) -> Reading<f64> {
    let all = pages.map2(view.now.page_size.clone(), |pages, size| pages * size as f64);
    all.map2(bytes, |all, bytes| if bytes > 0.0 { bytes / all.max(bytes) } else { 0.0 })
}

/// How many bytes were swapped out in large folios that were not split: of all sizes, or of the
/// largest alone where the kernel counts no others.
fn large_folio_bytes(view: &SampleView<'_>, sizes: Reading<f64>, largest: Reading<f64>) -> Reading<f64> {
    let mut largest = default_if_absent(largest);
    if largest != Reading::Known(0.0) {
        let size = view.now.thp.reading.as_ref().and_then(|thp| thp.pmd_size.clone());
        largest = largest.map2(size, |folios, size| folios * size.0 as f64);
    }
    default_if_absent(sizes).map2(largest, f64::max)
}

/// The bytes of all sizes that were swapped out whole.
fn whole_folio_bytes(thp: &Thp) -> Reading<u64> {
    let whole = |size: &MthpSize| {
        let of = |name: &str| default_if_absent(size.stats.as_ref().and_then(|stats| stats.get(name)));
        let folios = of("swpout").map2(of("zswpout"), u64::saturating_add);
        folios.map(|folios| folios.saturating_mul(size.size.0)).into_result()
    };
    thp.sizes.as_ref().and_then(|sizes| {
        let all: Result<u64, Missing> = sizes.iter().map(whole).sum();
        all.into()
    })
}

/// What the kernel does not count, it does not do.
fn default_if_absent<T: Default>(count: Reading<T>) -> Reading<T> {
    match count.missing() {
        Some(Missing::Absent(_)) => Reading::Known(T::default()),
        Some(_) | None => count,
    }
}

/// Areas to empty, by their place in the group, and what is foretold.
#[derive(Clone, Debug)]
pub struct SpreadChoice {
    /// Those that are emptied.
    pub emptied: Vec<usize>,
    /// What goes to the other areas at once, since memory has no room for it.
    pub pushed: Bytes,
    /// What goes into memory.
    pub kept: Bytes,
    /// The skew when that has been swapped out again.
    pub skew: f64,
}

/// As few as bring the skew well below the threshold, those with the most above their part first,
/// or those that come nearest to it; none when it does not get better.
pub fn choose(
    snapshot: &Snapshot,
    areas: &[&SwapArea],
    group: &PriorityGroup,
    threshold: f64,
) -> Option<SpreadChoice> {
    let (ideal, now) = (group.ideal.known()?, *group.skew.known()?);
    let above = areas.iter().zip(ideal).map(|(area, ideal)| used(area).saturating_sub(*ideal));
    let mut overfull: Vec<(Bytes, usize)> =
        above.enumerate().map(|(place, above)| (above, place)).collect();
    overfull.retain(|(above, _)| above.0 > balance::NOISE_PER_AREA);
    overfull.sort_by(|a, b| b.cmp(a));
    let places: Vec<usize> = overfull.into_iter().map(|(_, place)| place).collect();
    let mut best: Option<SpreadChoice> = None;
    for count in 1..=places.len() {
        let emptied = places.get(..count).unwrap_or_default();
        let Some(choice) = predict(snapshot, areas, emptied) else { continue };
        let is_enough = choice.skew <= threshold * TARGET;
        if best.as_ref().is_none_or(|best| choice.skew < best.skew) {
            best = Some(choice);
        }
        if is_enough {
            break;
        }
    }
    best.filter(|best| best.skew <= now - threshold * MIN_GAIN)
}

/// What comes of emptying these, in the order of the plan.
fn predict(snapshot: &Snapshot, areas: &[&SwapArea], emptied: &[usize]) -> Option<SpreadChoice> {
    let sizes: Vec<Bytes> = areas.iter().map(|area| area.size).collect();
    let mut held: Vec<Bytes> = areas.iter().map(|area| used(area)).collect();
    let mut order = emptied.to_vec();
    order.sort_by_key(|place| areas.get(*place).map(|area| (used(area), &area.path)));
    let (mut pushed, mut kept) = (Bytes(0), Bytes(0));
    for place in order {
        let on_it = std::mem::take(held.get_mut(place)?);
        let push = bytes_without_room(snapshot, kept.saturating_add(on_it)).min(on_it);
        fill(&sizes, &mut held, push, Some(place));
        pushed = pushed.saturating_add(push);
        kept = kept.saturating_add(on_it.saturating_sub(push));
    }
    fill(&sizes, &mut held, kept, None);
    let skew = *balance::skew(&sizes, &held).known()?;
    Some(SpreadChoice { emptied: emptied.to_vec(), pushed, kept, skew })
}

/// Put so much more on areas, in turns, but for one that is off.
fn fill(sizes: &[Bytes], used: &mut [Bytes], more: Bytes, off: Option<usize>) {
    let pairs = sizes.iter().zip(used.iter()).enumerate();
    let free = pairs.map(
        |(place, (size, used))| {
            if off == Some(place) { Bytes(0) } else { size.saturating_sub(*used) }
        },
    );
    let free: Vec<Bytes> = free.collect();
    for (used, more) in used.iter_mut().zip(balance::ideal(&free, more)) {
        *used = used.saturating_add(more);
    }
}

/// How much of what comes into memory has no room there: in the machine's, or in that which control
/// groups may take.
fn bytes_without_room(snapshot: &Snapshot, moved: Bytes) -> Bytes {
    let tree = snapshot.cgroups.reading.known();
    let groups = tree.map_or(&[][..], |tree| &*tree.groups);
    let over =
        groups.iter().filter_map(|group| Some((&group.path, drain::over_limit(group, moved)?)));
    let over = drain::total_over_limit(over);
    let memory = snapshot.memory("MemAvailable").known().copied().unwrap_or(moved);
    over.max(moved.saturating_sub(memory)).min(moved)
}
