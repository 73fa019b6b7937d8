//! Prediction of draining areas of a priority group that hold more than their equal share.
//!
//! The prediction goes step by step. Pages that fit into memory stay there, and are spread round robin if
//! they are swapped out again. Pages that do not fit, because a cgroup is at its limit or memory is short, go
//! to the other areas while one is drained, and that area comes back empty: of two areas, the other one then
//! holds everything. So nothing is drained unless the prediction shows a sufficient gain in balance.

use super::balance::{self, BalanceVerdict, PriorityGroup};
use super::drain;
use super::selection::policy;
use super::speed::Speed;
use super::traffic::{self, Direction};
use super::view::{CounterChange, SampleView};
use crate::model::paging::{MthpSize, Thp};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// Target imbalance as a part of the threshold, so that the next check does not find an imbalance just above
/// the threshold.
const TARGET: f64 = 0.5;
/// Minimum improvement as a part of the threshold.
const MIN_GAIN: f64 = 0.25;

/// An area of a group, with its speed class if known.
pub type GroupMember<'a> = (&'a SwapArea, Option<Speed>);

/// Imbalance that is caused by large folios.
#[derive(Clone, Debug)]
pub struct FolioImbalance {
    /// Share of swap-outs in large folios: between the samples if enough was swapped out, otherwise since
    /// boot.
    pub part: Reading<f64>,
    /// Excess of the areas that take large folios over their equal shares.
    pub beyond: Bytes,
}

/// Whether a priority group is uneven, and whether draining areas would change that.
#[derive(Clone, Debug)]
pub enum SpreadVerdict {
    /// The group is not uneven, or its imbalance is unknown.
    Balanced,
    /// The areas are of several speed classes or of unknown ones: those fill unevenly.
    SeveralSpeeds,
    /// Large folios explain the imbalance, or may explain it.
    Folios(FolioImbalance),
    /// Draining areas would not improve it.
    Stays,
    /// Draining these areas improves it.
    Drain(SpreadChoice),
}

/// Judges a priority group with these members, for the rule of advice and for `rebalance spread`.
pub fn judge(
    view: &SampleView<'_>,
    members: &[GroupMember<'_>],
    group: &PriorityGroup,
    (threshold, often): (f64, f64),
) -> SpreadVerdict {
    if group.balance(threshold) != Reading::Known(BalanceVerdict::Uneven) {
        return SpreadVerdict::Balanced;
    }
    let first = members.first().and_then(|(_, speed)| *speed);
    if first.is_none() || members.iter().any(|(_, speed)| *speed != first) {
        return SpreadVerdict::SeveralSpeeds;
    }
    if let Some(folios) = folio_imbalance(view, members, group, (threshold, often)) {
        return SpreadVerdict::Folios(folios);
    }
    let areas: Vec<&SwapArea> = members.iter().map(|(area, _)| *area).collect();
    choose(view.now, &areas, group, threshold).map_or(SpreadVerdict::Stays, SpreadVerdict::Drain)
}

/// Returns whether large folios explain the imbalance: they go whole to block devices, and never to files.
/// Pages swapped out long ago are gone: folios explain the contents of areas only up to their share of all
/// swap-outs, and further imbalance stays unexplained. If that share is unknown, folios are only a
/// possible cause.
fn folio_imbalance(
    view: &SampleView<'_>,
    members: &[GroupMember<'_>],
    group: &PriorityGroup,
    (threshold, often): (f64, f64),
) -> Option<FolioImbalance> {
    let (all, shares) = (group.used.known()?, group.equal_shares.known()?);
    let (mut above, mut more, mut less, mut files) = (0, 0, 0, 0);
    for (member, share) in members.iter().zip(shares) {
        let over = member.0.used_at_least().saturating_sub(*share).0;
        above += over;
        if takes_large(view.now, member) {
            more += over;
            less += share.saturating_sub(member.0.used_at_least()).0;
        } else {
            files += share.0;
        }
    }
    // The excess of these areas together, without imbalance among them.
    let beyond = more.saturating_sub(less);
    if files == 0 || beyond == 0 {
        return None;
    }
    let part = large_folio_share(view, often);
    // Folios move at most this much of the equal shares of the files.
    let most = part.known().copied().unwrap_or(1.0) * files as f64;
    let rest = above as f64 - most.min(beyond as f64);
    (rest / (all.0 as f64) < threshold).then_some(FolioImbalance { part, beyond: Bytes(beyond) })
}

/// Returns whether the kernel puts large folios on the area.
fn takes_large(snapshot: &Snapshot, (area, speed): &GroupMember<'_>) -> bool {
    let rotates = *speed == Some(Speed::Rotational);
    let is_old = policy::rotating_takes_large(snapshot) == Reading::Known(false);
    area.kind == AreaKind::Partition && !(rotates && is_old)
}

/// Returns the share of swap-outs in large folios.
pub fn large_folio_share(view: &SampleView<'_>, often: f64) -> Reading<f64> {
    let pages = traffic::pages_per_second(view, Direction::Out);
    if pages.known().is_some_and(|pages| *pages >= often) {
        let sizes =
            view.change(|snapshot| &snapshot.thp, whole_folio_bytes).map(CounterChange::per_second);
        let largest = view.vmstat_rate("thp_swpout");
        let now = share_of_pages(view, pages, large_folio_bytes(view, sizes, largest));
        if now.known().is_some() {
            return now;
        }
    }
    let real = |count: u64| count as f64;
    let sizes = view.now.thp.reading.as_ref().and_then(whole_folio_bytes).map(real);
    let largest = view.now.counter("thp_swpout").map(real);
    let pages = traffic::pages_since_boot(view.now, Direction::Out).map(real);
    share_of_pages(view, pages, large_folio_bytes(view, sizes, largest))
}

/// Returns bytes as a share of pages.
fn share_of_pages(view: &SampleView<'_>, pages: Reading<f64>, bytes: Reading<f64>) -> Reading<f64> {
    let all = view.now.in_bytes(pages);
    all.map2(bytes, |all, bytes| if bytes > 0.0 { bytes / all.max(bytes) } else { 0.0 })
}

/// Returns the bytes swapped out in whole large folios: of all sizes, or of the largest size alone if the
/// kernel counts no others.
fn large_folio_bytes(
    view: &SampleView<'_>,
    sizes: Reading<f64>,
    largest: Reading<f64>,
) -> Reading<f64> {
    let mut largest = largest.default_if_absent();
    if largest != Reading::Known(0.0) {
        let size = view.now.thp.value(|thp| &thp.pmd_size);
        largest = largest.map2(size, |folios, size| folios * size.0 as f64);
    }
    sizes.default_if_absent().map2(largest, f64::max)
}

/// Sums the bytes of whole folios over all sizes.
fn whole_folio_bytes(thp: &Thp) -> Reading<u64> {
    let whole = |size: &MthpSize| {
        let of = |name: &str| size.stat(name).default_if_absent();
        let folios = of("swpout").map2(of("zswpout"), u64::saturating_add);
        folios.map(|folios| folios.saturating_mul(size.size.0)).into_result()
    };
    thp.sizes.as_ref().and_then(|sizes| {
        let all: Result<u64, Missing> = sizes.iter().map(whole).sum();
        all.into()
    })
}

/// Areas to drain, by their index in the group, and the prediction.
#[derive(Clone, Debug)]
pub struct SpreadChoice {
    /// The areas to drain.
    pub emptied: Vec<usize>,
    /// Pages that go to the other areas at once, because memory has no room.
    pub pushed: Bytes,
    /// Pages that go into memory.
    pub kept: Bytes,
    /// Imbalance after these pages have been swapped out again.
    pub imbalance: f64,
}

/// Chooses as few areas as bring the imbalance well below the threshold, those with the largest excess
/// first, or those that come closest; `None` without an improvement.
fn choose(
    snapshot: &Snapshot,
    areas: &[&SwapArea],
    group: &PriorityGroup,
    threshold: f64,
) -> Option<SpreadChoice> {
    let (shares, now) = (group.equal_shares.known()?, *group.imbalance.known()?);
    let above =
        areas.iter().zip(shares).map(|(area, share)| area.used_at_least().saturating_sub(*share));
    let mut overfull: Vec<(Bytes, usize)> =
        above.enumerate().map(|(place, above)| (above, place)).collect();
    overfull.retain(|(above, _)| above.0 > balance::NOISE_PER_AREA);
    overfull.sort_by(|a, b| b.cmp(a));
    let places: Vec<usize> = overfull.into_iter().map(|(_, place)| place).collect();
    let mut best: Option<SpreadChoice> = None;
    for count in 1..=places.len() {
        let emptied = places.get(..count).unwrap_or_default();
        let Some(choice) = predict(snapshot, areas, emptied) else { continue };
        let is_enough = choice.imbalance <= threshold * TARGET;
        if best.as_ref().is_none_or(|best| choice.imbalance < best.imbalance) {
            best = Some(choice);
        }
        if is_enough {
            break;
        }
    }
    best.filter(|best| best.imbalance <= now - threshold * MIN_GAIN)
}

/// Predicts draining these areas in the order of the plan.
fn predict(snapshot: &Snapshot, areas: &[&SwapArea], emptied: &[usize]) -> Option<SpreadChoice> {
    let sizes: Vec<Bytes> = areas.iter().map(|area| area.size).collect();
    let mut held: Vec<Bytes> = areas.iter().map(|area| area.used_at_least()).collect();
    let mut order = emptied.to_vec();
    order.sort_by_key(|place| areas.get(*place).map(|area| (area.used_at_least(), &area.path)));
    let (mut pushed, mut kept) = (Bytes(0), Bytes(0));
    for place in order {
        let on_it = std::mem::take(held.get_mut(place)?);
        let push = bytes_without_room(snapshot, kept.saturating_add(on_it)).min(on_it);
        fill(&sizes, &mut held, push, Some(place));
        pushed = pushed.saturating_add(push);
        kept = kept.saturating_add(on_it.saturating_sub(push));
    }
    fill(&sizes, &mut held, kept, None);
    let imbalance = *balance::imbalance(&sizes, &held).known()?;
    Some(SpreadChoice { emptied: emptied.to_vec(), pushed, kept, imbalance })
}

/// Spreads this much more over the areas, except for a disabled one.
fn fill(sizes: &[Bytes], used: &mut [Bytes], more: Bytes, off: Option<usize>) {
    let pairs = sizes.iter().zip(used.iter()).enumerate();
    let free = pairs.map(
        |(place, (size, used))| {
            if off == Some(place) { Bytes(0) } else { size.saturating_sub(*used) }
        },
    );
    let free: Vec<Bytes> = free.collect();
    for (used, more) in used.iter_mut().zip(balance::equal_shares(&free, more)) {
        *used = used.saturating_add(more);
    }
}

/// Returns how much of the moved pages does not fit into memory or into the limits of cgroups.
fn bytes_without_room(snapshot: &Snapshot, moved: Bytes) -> Bytes {
    let tree = snapshot.cgroups.reading.known();
    let groups = tree.map_or(&[][..], |tree| &*tree.groups);
    let over =
        groups.iter().filter_map(|group| Some((&group.path, drain::over_limit(group, moved)?)));
    let over = drain::total_over_limit(over);
    let memory = snapshot.memory("MemAvailable").known().copied().unwrap_or(moved);
    over.max(moved.saturating_sub(memory)).min(moved)
}
