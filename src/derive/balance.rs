//! Balance: how evenly the areas of a priority group are used.
//!
//! The kernel fills areas of equal priority round robin, per page or per cluster, whatever their size: each
//! should hold the same amount until the smallest is full, then the others continue. An area is compared
//! with that equal share.
//!
//! **Imbalance** is the part of a group's used space that would have to move to make it
//! even: half the sum of the differences between used and equal share, divided by all used space. 0 is even;
//! 0.5 means that one of two equal areas holds everything; the largest value for `n` areas is `1 - 1/n`.

use super::SampleView;
use super::growth::{self, Growth};
use super::swapoff;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading, Snapshot, known, worded_enum};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A priority group: the areas of equal priority.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorityGroup {
    /// The priority as the kernel prints it.
    pub priority: i32,
    /// Indices of its areas in the kernel's list.
    pub members: Vec<usize>,
    /// Total size.
    pub size: Bytes,
    /// Total used space.
    pub used: Reading<Bytes>,
    /// Equal share of each member, in the order of `members`.
    pub equal_shares: Reading<Vec<Bytes>>,
    /// Imbalance: the part of the used space that would have to move; absent for a single area and for an
    /// unused group.
    pub imbalance: Reading<f64>,
}

worded_enum! {
    /// How a priority group takes new pages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FillState {
        /// No room is left.
        Full = "full",
        /// The first group with room: new pages go there.
        Fills = "fills",
        /// Gets no pages until the groups above it are full.
        Later = "later",
        /// Gets no pages any more: it is being disabled.
        Draining = "drain",
    }
}

impl PriorityGroup {
    fn free(&self) -> Reading<Bytes> {
        self.used.clone().map(|used| self.size.saturating_sub(used))
    }

    /// Judges how evenly the group is used: it is uneven from an imbalance of `threshold` on, if the imbalance
    /// matters.
    pub fn balance(&self, threshold: f64) -> Reading<BalanceVerdict> {
        let least = LEAST_USE * self.size.0 as f64;
        self.imbalance.clone().map2(self.used.clone(), |imbalance, used| match imbalance {
            _ if imbalance >= threshold && used.0 as f64 >= least => BalanceVerdict::Uneven,
            _ if imbalance >= EVEN => BalanceVerdict::Slight,
            _ => BalanceVerdict::Even,
        })
    }

    fn has_no_room(&self, free: Bytes) -> bool {
        has_no_room(free, self.size, self.members.len())
    }
}

/// Returns whether so little is free on this many areas of this size together that they count as full.
pub(super) fn has_no_room(free: Bytes, size: Bytes, areas: usize) -> bool {
    let most = RESERVED_PER_AREA.saturating_mul(areas as u64);
    free.0.saturating_mul(NO_ROOM) < size.0 && free.0 < most
}

/// Free space below size / `NO_ROOM` counts as full, up to `RESERVED_PER_AREA` for each area: each CPU holds on
/// to the cluster that it fills, so the last slots may be out of reach for others.
const NO_ROOM: u64 = 100;
const RESERVED_PER_AREA: u64 = 16 << 20;

/// Returns the state of each group, in the order of the groups and their growth; unknown from the first
/// group with unknown use on. A growing group is filling, whatever its priority.
pub fn fill_states(groups: &[PriorityGroup], growth: &[Reading<f64>]) -> Vec<Reading<FillState>> {
    let mut next = Reading::Known(FillState::Fills);
    let mut states = Vec::with_capacity(groups.len());
    for (group, growth) in groups.iter().zip(growth) {
        let full = group.free().map(|free| group.has_no_room(free));
        let grows = growth.known().is_some_and(|growth| *growth > 0.0);
        let state = next.clone().map2(full, |next, full| match next {
            _ if full => FillState::Full,
            FillState::Later if !grows => FillState::Later,
            FillState::Full | FillState::Fills | FillState::Later | FillState::Draining => {
                FillState::Fills
            }
        });
        next = match state.get() {
            Ok(FillState::Full | FillState::Draining) => next,
            Ok(FillState::Fills | FillState::Later) => Reading::Known(FillState::Later),
            Err(missing) => missing.into(),
        };
        states.push(state);
    }
    states
}

/// Returns all priority groups, highest priority first.
pub fn groups(areas: &[SwapArea]) -> Vec<PriorityGroup> {
    let mut groups: BTreeMap<Reverse<i32>, Vec<(usize, &SwapArea)>> = BTreeMap::new();
    for (place, area) in areas.iter().enumerate() {
        groups.entry(Reverse(area.priority)).or_default().push((place, area));
    }
    groups.into_iter().map(|(Reverse(priority), members)| group(priority, &members)).collect()
}

fn group(priority: i32, members: &[(usize, &SwapArea)]) -> PriorityGroup {
    let sizes: Vec<Bytes> = members.iter().map(|(_, area)| area.size).collect();
    let used = all_used(members);
    let total = used.as_ref().map(|used| used.iter().copied().sum::<Bytes>());
    let equal_shares = total.clone().map(|total| equal_shares(&sizes, total));
    let imbalance = used.as_ref().and_then(|used| imbalance(&sizes, used));
    PriorityGroup {
        priority,
        members: members.iter().map(|(place, _)| *place).collect(),
        size: sizes.iter().copied().sum(),
        used: total,
        equal_shares,
        imbalance,
    }
}

fn all_used(members: &[(usize, &SwapArea)]) -> Reading<Vec<Bytes>> {
    members.iter().map(|(_, area)| area.used.get().copied()).collect::<Result<Vec<_>, _>>().into()
}

/// Distributes this much evenly over areas of these sizes, each up to its size.
pub fn equal_shares(sizes: &[Bytes], total: Bytes) -> Vec<Bytes> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|place| sizes.get(*place).copied());
    let mut shares = vec![Bytes(0); sizes.len()];
    let mut left = total.0;
    let mut open = sizes.len() as u64;
    // Smallest first: what a small area cannot take is shared among the others.
    for place in order {
        let Some((size, slot)) = sizes.get(place).zip(shares.get_mut(place)) else {
            continue;
        };
        let even = left / open.max(1);
        *slot = Bytes(even.min(size.0));
        left -= slot.0;
        open -= 1;
    }
    shares
}

/// Imbalance below which a group is even: the last round of the rotation makes as much.
const EVEN: f64 = 0.05;
/// Use of a group, as a share of its size, below which no imbalance matters. New pages go to all areas in turn: when
/// half of the group is used, less than 10% of that is misplaced for what was misplaced before.
const LEAST_USE: f64 = 0.05;

worded_enum! {
    /// How evenly a priority group is used.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BalanceVerdict {
        /// All areas hold nearly the same.
        Even = "even",
        /// Some areas hold clearly more than others, but less than the threshold, or too little to matter.
        Slight = "slightly uneven",
        /// The imbalance reaches the threshold, and enough is used that it matters.
        Uneven = "uneven",
    }
}

/// The kernel gives each CPU up to 2 MiB at a time, from one area after the other: with less than this
/// much per area, imbalance is only noise.
pub const NOISE_PER_AREA: u64 = 8 << 20;

/// Computes the imbalance of areas with these sizes and used space.
pub fn imbalance(sizes: &[Bytes], used: &[Bytes]) -> Reading<f64> {
    let total = used.iter().copied().sum::<Bytes>().0;
    match (used.len(), total) {
        (0 | 1, _) => Reading::absent("no other area has this priority"),
        (_, 0) => Reading::absent("the areas of this priority are empty"),
        (areas, total) if total < NOISE_PER_AREA.saturating_mul(areas as u64) => {
            Reading::absent("the areas of this priority hold too little to compare them")
        }
        _ => {
            let shares = equal_shares(sizes, Bytes(total));
            let deviation =
                used.iter().zip(shares).map(|(a, b)| Bytes(a.0.abs_diff(b.0))).sum::<Bytes>().0;
            Reading::Known(deviation as f64 / 2.0 / total as f64)
        }
    }
}

/// Returns the growth of the area at this place of the kernel's list.
pub fn growth(view: &SampleView<'_>, place: usize) -> Reading<Growth> {
    growth_of(view, &[place])
}

/// Returns the growth of all areas of a group.
pub fn group_growth(view: &SampleView<'_>, group: &PriorityGroup) -> Reading<Growth> {
    growth_of(view, &group.members)
}

/// Returns the growth of all swap.
pub fn total_growth(view: &SampleView<'_>) -> Reading<Growth> {
    let count = view.now.swaps.reading.as_ref().map(Vec::len);
    count.and_then(|count| growth_of(view, &(0..count).collect::<Vec<_>>()))
}

/// Returns the growth of the areas at these places together. Areas are matched by path, because rows move up
/// when another area is disabled.
fn growth_of(view: &SampleView<'_>, places: &[usize]) -> Reading<Growth> {
    let now = known!(view.now.swaps.reading.as_ref());
    let members: Vec<(usize, &SwapArea)> =
        places.iter().filter_map(|place| Some((*place, now.get(*place)?))).collect();
    let used = |areas: &Vec<SwapArea>| {
        let used = |(place, area): &(usize, &SwapArea)| {
            let same = |other: &&SwapArea| other.path == area.path;
            let found = areas.get(*place).filter(same).or_else(|| areas.iter().find(same));
            match found {
                Some(found) => found.used.clone().map(|used| used.0).into_result(),
                None => Err(Missing::absent("the area was not active in the sample before")),
            }
        };
        members.iter().map(used).sum::<Result<u64, Missing>>().into()
    };
    let size = members.iter().map(|(_, area)| area.size).sum();
    growth::estimate(view, size, used)
}

/// Returns in how many seconds a growing area and its whole group are full if the group keeps growing like
/// this. Round robin lets areas of a group grow one after the other, so the growth of one alone predicts
/// nothing.
pub fn full_in(group: &PriorityGroup, own: Reading<Growth>, all: Reading<Growth>) -> Reading<f64> {
    group.free().and_then(|free| {
        if group.has_no_room(free) {
            return Reading::absent("the areas of this priority are full");
        }
        let own = own.and_then(|growth| growth.fills(free));
        own.and_then(|_| all.and_then(|growth| growth.fills(free)))
    })
}

/// Returns the used part and the size of all areas together, without one that is being drained: nothing is written to
/// it any more. The use of a huge area may be unknown: the totals of the kernel still count it.
pub fn total_use(view: &SampleView<'_>) -> Result<(Bytes, Bytes), Missing> {
    let leaving = swapoff::leaving(view.now);
    let stays = |area: &&SwapArea| leaving.is_none_or(|leaving| !std::ptr::eq(*area, leaving));
    let areas = view.now.swaps.reading.get()?.iter().filter(stays);
    let used = areas.clone().map(|area| area.used.get().copied());
    match used.sum::<Result<Bytes, _>>() {
        Ok(used) => Ok((used, areas.map(|area| area.size).sum())),
        Err(missing) => kernel_totals(view.now).ok_or(missing),
    }
}

/// Returns the used part and the size of all swap as the kernel counts them, unless an area is being drained: only a
/// part of it is counted.
fn kernel_totals(snapshot: &Snapshot) -> Option<(Bytes, Bytes)> {
    let is_drained = *swapoff::under_way(snapshot).known()?;
    let (size, free) =
        (*snapshot.memory("SwapTotal").known()?, *snapshot.memory("SwapFree").known()?);
    (!is_drained).then_some((size.saturating_sub(free), size))
}

/// Returns in how many seconds all swap is full if it keeps growing like this.
pub fn all_full_in(view: &SampleView<'_>) -> Reading<f64> {
    let areas = known!(view.now.swaps.reading.as_ref());
    if areas.is_empty() {
        return Reading::absent("no area is active");
    }
    let free = total_use(view).map(|(used, size)| size.saturating_sub(used));
    let free: Reading<Bytes> = free.into();
    total_growth(view).and_then2(free, |growth, free| growth.fills(free))
}

/// Room of the areas that stay when others are disabled, while swap grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RemainingRoom {
    /// Free space of the areas that stay.
    pub free: Bytes,
    /// Growth of all swap, in bytes per second.
    pub growth: f64,
}

impl RemainingRoom {
    /// Returns in how many seconds it is full, if this much is moved there first.
    pub fn full_in(&self, moved: Bytes) -> f64 {
        self.free.saturating_sub(moved).0 as f64 / self.growth
    }
}

/// Returns the room of the areas that stay; missing unless swap grows steadily.
pub fn remaining_room(
    view: &SampleView<'_>,
    stays: impl Fn(&SwapArea) -> bool,
) -> Reading<RemainingRoom> {
    let areas = known!(view.now.swaps.reading.as_ref());
    let free = |area: &SwapArea| area.used.get().map(|used| area.size.saturating_sub(*used));
    let free = areas.iter().filter(|area| stays(area)).map(free);
    let free: Reading<Bytes> = free.sum::<Result<Bytes, Missing>>().into();
    let growth = total_growth(view).and_then(|growth| growth.steady_rate());
    free.map2(growth, |free, growth| RemainingRoom { free, growth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing;

    use crate::model::{Policy, Sampled, Stamp};

    fn area(name: &str, priority: i32, size: u64, used: u64) -> SwapArea {
        testing::area(name, priority, size, used)
    }

    /// A group of areas of 1000 MiB, with these MiB used.
    fn group_with(used: &[u64]) -> PriorityGroup {
        let areas = used.iter().map(|used| area("a", 5, 1000 << 20, *used << 20));
        groups(&areas.collect::<Vec<_>>()).remove(0)
    }

    fn imbalance_of(used: &[u64]) -> Reading<f64> {
        group_with(used).imbalance
    }

    #[test]
    fn even_areas_have_no_imbalance_and_the_worst_case_is_one_on_all() {
        assert_eq!(imbalance_of(&[300, 300, 300, 300]), Reading::Known(0.0));
        assert_eq!(imbalance_of(&[800, 0]), Reading::Known(0.5));
        assert_eq!(imbalance_of(&[800, 0, 0, 0]), Reading::Known(0.75));
        assert_eq!(imbalance_of(&[300, 100]), Reading::Known(0.25));
    }

    #[test]
    fn an_imbalance_has_its_words() {
        let scenarios: [(&[u64], &str); 10] = [
            (&[1000, 994], "even"),
            (&[330, 300], "even"),
            (&[370, 300], "slightly uneven"),
            // 17% is not even.
            (&[670, 330], "slightly uneven"),
            (&[700, 300], "uneven"),
            // Everything is on one area, and little is used.
            (&[16, 0], "slightly uneven"),
            (&[99, 0], "slightly uneven"),
            (&[100, 0], "uneven"),
            (&[149, 0, 0], "slightly uneven"),
            (&[48, 50], "even"),
        ];
        for (used, words) in scenarios {
            let verdict = group_with(used).balance(Policy::DEFAULT.imbalance_warn);
            assert_eq!(verdict.map(BalanceVerdict::word), Reading::Known(words), "{used:?}");
        }
    }

    #[test]
    fn a_small_area_that_is_full_is_not_out_of_balance() {
        let areas =
            [area("small", 5, 100 << 20, 100 << 20), area("large", 5, 1000 << 20, 700 << 20)];
        assert_eq!(groups(&areas)[0].imbalance, Reading::Known(0.0));
    }

    #[test]
    fn one_area_or_no_use_has_no_imbalance_rather_than_zero() {
        assert!(imbalance_of(&[5]).missing().is_some());
        assert!(imbalance_of(&[0, 0]).missing().is_some());
        assert!(imbalance_of(&[15, 0]).missing().is_some(), "one or two allocations to one area");
        assert!(imbalance_of(&[16, 0]).known().is_some());
    }

    #[test]
    fn groups_come_by_priority_and_parts_sum_to_the_whole() {
        let areas = [area("a", -2, 10, 1), area("b", 7, 20, 2), area("c", -2, 30, 3)];
        let groups = groups(&areas);
        assert_eq!(groups.iter().map(|g| g.priority).collect::<Vec<_>>(), [7, -2]);
        assert_eq!(groups[1].members, [0, 2]);
        assert_eq!((groups[1].size, groups[1].used.clone()), (Bytes(40), Reading::Known(Bytes(4))));
        let shares: Bytes = groups[1].equal_shares.known().unwrap().iter().copied().sum();
        assert_eq!(shares, Bytes(4));
    }

    #[test]
    fn the_first_group_with_room_fills_and_those_below_wait() {
        let areas = [
            area("a", 9, 1000, 995),
            area("b", 5, 1000, 300),
            area("c", 5, 10, 10),
            area("d", 1, 9, 0),
        ];
        let known = |turns: [FillState; 3]| turns.map(Reading::Known).to_vec();
        let turns =
            |areas: &[SwapArea], growth: &[Reading<f64>]| fill_states(&groups(areas), growth);
        let still = [0.0, 0.0, 0.0].map(Reading::Known);
        assert_eq!(
            turns(&areas, &still),
            known([FillState::Full, FillState::Fills, FillState::Later])
        );
        let idle = [area("a", 9, 1000, 0), area("b", 5, 9, 9), area("c", 1, 9, 0)];
        assert_eq!(
            turns(&idle, &still),
            known([FillState::Fills, FillState::Full, FillState::Later])
        );
        let below = [0.0, 0.0, 5.0].map(Reading::Known);
        assert_eq!(
            turns(&idle, &below),
            known([FillState::Fills, FillState::Full, FillState::Fills])
        );
    }

    #[test]
    fn below_a_group_of_unknown_use_no_fill_state_is_known() {
        let mut areas = [area("a", 9, 1000, 1000), area("b", 5, 10, 1), area("c", 1, 10, 1)];
        areas[1].used = Reading::failed("wrapped");
        let unknown = [(); 3].map(|()| Reading::not_sampled());
        let turns = fill_states(&groups(&areas), &unknown);
        assert_eq!(turns[0], Reading::Known(FillState::Full));
        assert!(turns[1..].iter().all(|turn| turn.missing().is_some()));
    }

    #[test]
    fn an_unknown_use_makes_the_skew_unknown() {
        let mut areas = [area("a", 1, 10, 1), area("b", 1, 10, 1)];
        areas[1].used = Reading::failed("wrapped");
        assert_eq!(groups(&areas)[0].imbalance.missing().unwrap().kind(), "failed");
    }

    fn machine(second: u64, areas: &[SwapArea]) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 };
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.swaps = Sampled::new(Some(stamp), Reading::Known(areas.to_vec()));
        snapshot
    }

    /// A figure after 20 seconds in which the use of areas of 1000 MiB went steadily from one value to another.
    fn steadily<T>(
        before: &[(i32, u64)],
        now: &[u64],
        figure: impl Fn(&SampleView<'_>, &[SwapArea]) -> T,
    ) -> T {
        const SECONDS: u64 = 20;
        let at = |second: u64| {
            let used = |(place, ((priority, old), new)): (usize, (&(i32, u64), &u64))| {
                let used = ((old << 20) * (SECONDS - second) + (new << 20) * second) / SECONDS;
                area(&place.to_string(), *priority, 1000 << 20, used)
            };
            let areas: Vec<_> = before.iter().zip(now).enumerate().map(used).collect();
            machine(second, &areas)
        };
        let mut base: Option<Snapshot> = None;
        for second in 1..=SECONDS {
            base = Some(at(second).earlier(&at(second - 1), base.as_ref()));
        }
        let end = at(SECONDS);
        figure(&SampleView { now: &end, before: base.as_ref() }, end.swaps.reading.known().unwrap())
    }

    /// Seconds until the first of these areas of one group is full.
    fn first_full(before: &[u64], now: &[u64]) -> Reading<f64> {
        let before: Vec<_> = before.iter().map(|used| (1, *used)).collect();
        steadily(&before, now, |view, areas| {
            let group = &groups(areas)[0];
            full_in(group, growth(view, 0), group_growth(view, group))
        })
    }

    #[test]
    fn an_area_is_full_when_what_is_free_is_used_at_this_pace() {
        assert_eq!(first_full(&[100], &[300]), Reading::Known(70.0));
        assert!(first_full(&[300], &[300]).missing().is_some());
        assert!(first_full(&[300], &[100]).missing().is_some());
    }

    #[test]
    fn a_full_group_has_no_time_to_full() {
        assert!(first_full(&[790], &[990]).known().is_some());
        let why = first_full(&[791], &[991]);
        assert!(why.missing().unwrap().why().contains("are full"), "{why:?}");
    }

    #[test]
    fn a_large_area_is_not_full_with_gigabytes_free() {
        let state = |free: u64| {
            let area = area("a", 9, 1 << 40, (1 << 40) - free);
            fill_states(&groups(&[area]), &[Reading::Known(0.0)]).remove(0)
        };
        assert_eq!(state(9 << 30), Reading::Known(FillState::Fills));
        assert_eq!(state(15 << 20), Reading::Known(FillState::Full));
    }

    #[test]
    fn all_swap_is_full_at_the_pace_of_all_priorities() {
        let left =
            |before: &[(i32, u64)], now: &[u64]| steadily(before, now, |view, _| all_full_in(view));
        assert_eq!(left(&[(9, 1000), (5, 100)], &[1000, 300]), Reading::Known(70.0));
        assert_eq!(left(&[(9, 800), (5, 300)], &[1000, 300]), Reading::Known(70.0));
        assert_eq!(left(&[(9, 1000), (5, 300)], &[900, 400]).missing().unwrap().kind(), "absent");
        let alone = machine(3, &[area("a", 9, 1000, 300)]);
        assert_eq!(all_full_in(&SampleView::single(&alone)).missing(), Some(&Missing::OneSample));
    }

    #[test]
    fn areas_that_share_are_full_at_the_pace_of_all() {
        assert_eq!(first_full(&[100, 300], &[300, 300]), Reading::Known(140.0));
        assert_eq!(first_full(&[100, 300], &[300, 200]), Reading::Known(300.0));
        // One area lost what the other gained: nothing fills.
        assert!(first_full(&[100, 300], &[300, 100]).missing().is_some());
    }
}
