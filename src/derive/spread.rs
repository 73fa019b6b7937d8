//! What comes of emptying areas of one priority that hold more than their part.
//!
//! It is foretold step by step. What finds room in memory stays there, and goes to all areas in turns
//! if it is swapped out again. What does not, since a control group is at its limit or memory is
//! short, goes to the other areas while one is emptied, and that one comes back with nothing on it:
//! of two areas, the other one then holds all. So nothing is emptied unless it is foretold to be more
//! even by an amount that is worth it.

use super::balance::{self, Group};
use super::speed::Speed;
use super::{defaults, drain};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::thp::MthpSize;
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// Of the threshold: what is emptied at all is emptied until so little is left, so that the next
/// look does not find a skew just above it.
const AIM: f64 = 0.5;
/// Of the threshold: it must get better by so much.
const WORTH: f64 = 0.25;

/// An area of a group, and its class where that is known.
pub type Member<'a> = (&'a SwapArea, Option<Speed>);

/// That large folios make areas uneven.
#[derive(Clone, Debug)]
pub struct ByFolios {
    /// How much was swapped out in them.
    pub large: Reading<Bytes>,
    /// What the areas that take them hold together beyond their part.
    pub beyond: Bytes,
}

/// Are areas not to be even, since large folios make it so? Those go whole to areas that are block
/// devices, and never to files. What is uneven beside that is not explained by it.
#[must_use]
pub fn by_folios(
    snapshot: &Snapshot,
    members: &[Member<'_>],
    group: &Group,
    threshold: f64,
) -> Option<ByFolios> {
    let (all, ideal) = (group.used.known()?, group.ideal.known()?);
    let (mut above, mut more, mut less) = (0, 0, 0);
    for (member, ideal) in members.iter().zip(ideal) {
        let over = used(member.0).saturating_sub(*ideal).0;
        above += over;
        if takes_large(snapshot, member) {
            more += over;
            less += ideal.saturating_sub(used(member.0)).0;
        }
    }
    // What those hold together beyond their part, and what is uneven among them.
    let beyond = more.saturating_sub(less);
    let rest = above.saturating_sub(beyond) as f64 / all.0 as f64;
    let is_all = members.iter().all(|member| takes_large(snapshot, member));
    if is_all || beyond == 0 || rest >= threshold {
        return None;
    }
    let large = large(snapshot);
    let are_enough = large.known().is_none_or(|large| large.0 >= beyond);
    are_enough.then_some(ByFolios { large, beyond: Bytes(beyond) })
}

fn used(area: &SwapArea) -> Bytes {
    area.used.known().copied().unwrap_or(Bytes(0))
}

/// Does the kernel put large folios on it? On what rotates it does so after 6.12 only.
fn takes_large(snapshot: &Snapshot, (area, speed): &Member<'_>) -> bool {
    let release = defaults::release(snapshot);
    let is_old = release.known().is_some_and(|release| *release <= (6, 12));
    let rotates = *speed == Some(Speed::Rotational);
    area.kind == AreaKind::Partition && !(rotates && is_old)
}

/// How much was swapped out in large folios that were not split: of all sizes, or of the largest
/// alone where the kernel counts no others.
fn large(snapshot: &Snapshot) -> Reading<Bytes> {
    let whole = |size: &MthpSize| {
        let of = |name: &str| or_none(size.stats.as_ref().and_then(|stats| stats.get(name)));
        let folios = of("swpout").map2(of("zswpout"), u64::saturating_add);
        folios.map(|folios| folios.saturating_mul(size.size.0)).into_result()
    };
    let thp = snapshot.thp.reading.as_ref();
    let all = thp.clone().and_then(|thp| thp.sizes.clone()).and_then(|sizes| {
        let all: Result<u64, Missing> = sizes.iter().map(whole).sum();
        all.into()
    });
    let mut largest = or_none(snapshot.counter("thp_swpout"));
    if largest != Reading::Known(0) {
        let size = thp.and_then(|thp| thp.pmd_size.clone());
        largest = largest.map2(size, |folios, size| folios.saturating_mul(size.0));
    }
    or_none(all).map2(largest, |all, largest| Bytes(all.max(largest)))
}

/// What the kernel does not count, it does not do.
fn or_none(count: Reading<u64>) -> Reading<u64> {
    match count.missing() {
        Some(Missing::Absent(_)) => Reading::Known(0),
        Some(_) | None => count,
    }
}

/// Areas to empty, by their place in the group, and what is foretold.
#[derive(Clone, Debug)]
pub struct Choice {
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
#[must_use]
pub fn choose(
    snapshot: &Snapshot,
    areas: &[&SwapArea],
    group: &Group,
    threshold: f64,
) -> Option<Choice> {
    let (ideal, now) = (group.ideal.known()?, *group.skew.known()?);
    let above = areas.iter().zip(ideal).map(|(area, ideal)| used(area).saturating_sub(*ideal));
    let mut overfull: Vec<(Bytes, usize)> =
        above.enumerate().map(|(place, above)| (above, place)).collect();
    overfull.retain(|(above, _)| above.0 > balance::LITTLE);
    overfull.sort_by(|a, b| b.cmp(a));
    let places: Vec<usize> = overfull.into_iter().map(|(_, place)| place).collect();
    let mut best: Option<Choice> = None;
    for count in 1..=places.len() {
        let emptied = places.get(..count).unwrap_or_default();
        let Some(choice) = foretold(snapshot, areas, emptied) else { continue };
        let is_enough = choice.skew <= threshold * AIM;
        if best.as_ref().is_none_or(|best| choice.skew < best.skew) {
            best = Some(choice);
        }
        if is_enough {
            break;
        }
    }
    best.filter(|best| best.skew <= now - threshold * WORTH)
}

/// What comes of emptying these, in the order of the plan.
fn foretold(snapshot: &Snapshot, areas: &[&SwapArea], emptied: &[usize]) -> Option<Choice> {
    let sizes: Vec<Bytes> = areas.iter().map(|area| area.size).collect();
    let mut held: Vec<Bytes> = areas.iter().map(|area| used(area)).collect();
    let mut order = emptied.to_vec();
    order.sort_by_key(|place| areas.get(*place).map(|area| (used(area), &area.path)));
    let (mut pushed, mut kept) = (Bytes(0), Bytes(0));
    for place in order {
        let on_it = std::mem::take(held.get_mut(place)?);
        let push = without_room(snapshot, kept.saturating_add(on_it)).min(on_it);
        fill(&sizes, &mut held, push, Some(place));
        pushed = pushed.saturating_add(push);
        kept = kept.saturating_add(on_it.saturating_sub(push));
    }
    fill(&sizes, &mut held, kept, None);
    let skew = *balance::skew(&sizes, &held).known()?;
    Some(Choice { emptied: emptied.to_vec(), pushed, kept, skew })
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
fn without_room(snapshot: &Snapshot, moved: Bytes) -> Bytes {
    let tree = snapshot.cgroups.reading.known();
    let groups = tree.map_or(&[][..], |tree| &*tree.groups);
    let over = groups.iter().filter_map(|group| drain::over_limit(group, moved)).sum::<Bytes>();
    let memory = snapshot.memory("MemAvailable").known().copied().unwrap_or(moved);
    over.max(moved.saturating_sub(memory)).min(moved)
}
