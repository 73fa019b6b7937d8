//! Balance: how evenly the areas of a priority group are used.
//!
//! The kernel fills areas of equal priority round robin, per page or per cluster, whatever their size: each
//! should hold the same amount until the smallest is full, then the others continue. An area is compared
//! with that equal share.
//!
//! **Imbalance** (`skew` in the code) is the part of a group's used space that would have to move to make it
//! even: half the sum of the differences between used and equal share, divided by all used space. 0 is even;
//! 0.5 means that one of two equal areas holds everything; the largest value for `n` areas is `1 - 1/n`.

use super::SampleView;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Missing, Reading};
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
    pub ideal: Reading<Vec<Bytes>>,
    /// Imbalance: the part of the used space that would have to move; absent for a single area and for an
    /// unused group.
    pub skew: Reading<f64>,
}

/// How a priority group takes new pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillState {
    /// No room is left.
    Full,
    /// The first group with room: new pages go there.
    Fills,
    /// Gets no pages until the groups above it are full.
    Waits,
}

impl FillState {
    /// Returns the word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Fills => "fills",
            Self::Waits => "waits",
        }
    }
}

impl PriorityGroup {
    fn free(&self) -> Reading<Bytes> {
        self.used.clone().map(|used| self.size.saturating_sub(used))
    }

    fn has_no_room(&self, free: Bytes) -> bool {
        free.0.saturating_mul(NO_ROOM) < self.size.0
    }
}

/// Free space below size / `NO_ROOM` counts as full: on some kernels each CPU reserves slots.
const NO_ROOM: u64 = 100;

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
            FillState::Waits if !grows => FillState::Waits,
            FillState::Full | FillState::Fills | FillState::Waits => FillState::Fills,
        });
        next = match state.get() {
            Ok(FillState::Full) => next,
            Ok(FillState::Fills | FillState::Waits) => Reading::Known(FillState::Waits),
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
    let ideal = total.clone().map(|total| ideal(&sizes, total));
    let skew = used.as_ref().and_then(|used| skew(&sizes, used));
    PriorityGroup {
        priority,
        members: members.iter().map(|(place, _)| *place).collect(),
        size: sizes.iter().copied().sum(),
        used: total,
        ideal,
        skew,
    }
}

fn all_used(members: &[(usize, &SwapArea)]) -> Reading<Vec<Bytes>> {
    members.iter().map(|(_, area)| area.used.get().copied()).collect::<Result<Vec<_>, _>>().into()
}

/// Distributes this much evenly over areas of these sizes, each up to its size.
pub fn ideal(sizes: &[Bytes], total: Bytes) -> Vec<Bytes> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|place| sizes.get(*place).copied());
    let mut ideal = vec![Bytes(0); sizes.len()];
    let mut left = total.0;
    let mut open = sizes.len() as u64;
    // Smallest first: what a small area cannot take is shared among the others.
    for place in order {
        let Some((size, slot)) = sizes.get(place).zip(ideal.get_mut(place)) else {
            continue;
        };
        let even = left / open.max(1);
        *slot = Bytes(even.min(size.0));
        left -= slot.0;
        open -= 1;
    }
    ideal
}

/// The kernel gives each CPU up to 2 MiB at a time, from one area after the other: with less than this
/// much per area, imbalance is only noise.
pub const NOISE_PER_AREA: u64 = 8 << 20;

/// Computes the imbalance of areas with these sizes and used space.
pub fn skew(sizes: &[Bytes], used: &[Bytes]) -> Reading<f64> {
    let total = used.iter().copied().sum::<Bytes>().0;
    match (used.len(), total) {
        (0 | 1, _) => Reading::absent("no other area has this priority"),
        (_, 0) => Reading::absent("the areas of this priority are empty"),
        (areas, total) if total < NOISE_PER_AREA.saturating_mul(areas as u64) => {
            Reading::absent("the areas of this priority hold too little to compare them")
        }
        _ => {
            let ideal = ideal(sizes, Bytes(total));
            let deviation =
                used.iter().zip(ideal).map(|(a, b)| Bytes(a.0.abs_diff(b.0))).sum::<Bytes>().0;
            Reading::Known(deviation as f64 / 2.0 / total as f64)
        }
    }
}

/// Returns the growth of an area in bytes per second; negative if it shrank. Areas are matched by path,
/// because rows move up when another area is disabled.
pub fn growth(view: &SampleView<'_>, area: &SwapArea) -> Reading<f64> {
    let used = |areas: &Vec<SwapArea>| match areas.iter().find(|other| other.path == area.path) {
        Some(other) => other.used.clone().map(|used| used.0),
        None => Reading::absent("the area was not active in the sample before"),
    };
    view.rise(|snapshot| &snapshot.swaps, used)
}

/// Returns in how many seconds a growing area and its whole group are full if the group keeps growing at
/// this rate. Round robin lets areas of a group grow one after the other, so the growth of one alone
/// predicts nothing.
pub fn full_in(
    view: &SampleView<'_>,
    areas: &[SwapArea],
    group: &PriorityGroup,
    area: &SwapArea,
) -> Reading<f64> {
    let all = group.free().map2(group_growth(view, areas, group), |free, growth| (free, growth));
    growth(view, area).map2(all, |own, all| (own, all)).and_then(|(own, (free, all))| {
        if group.has_no_room(free) {
            return Reading::absent("the areas of this priority are full");
        }
        if own <= 0.0 {
            return Reading::absent("the area did not grow between the samples");
        }
        if all <= 0.0 {
            return Reading::absent(
                "the areas of this priority together did not grow between the samples",
            );
        }
        Reading::Known(free.0 as f64 / all)
    })
}

/// Returns the growth of all areas of a group in bytes per second.
pub fn group_growth(
    view: &SampleView<'_>,
    areas: &[SwapArea],
    group: &PriorityGroup,
) -> Reading<f64> {
    let members = group.members.iter().filter_map(|place| areas.get(*place));
    members.map(|area| growth(view, area).into_result()).sum::<Result<f64, Missing>>().into()
}

/// Returns in how many seconds all swap is full if it keeps growing at this rate.
pub fn all_full_in(view: &SampleView<'_>) -> Reading<f64> {
    let areas = match view.now.swaps.reading.get() {
        Ok(areas) => areas,
        Err(missing) => return missing.into(),
    };
    let groups = groups(areas);
    let free = groups.iter().map(|group| group.free().into_result());
    let free: Reading<Bytes> = free.sum::<Result<Bytes, Missing>>().into();
    let growth = groups.iter().map(|group| group_growth(view, areas, group).into_result());
    let growth: Reading<f64> = growth.sum::<Result<f64, Missing>>().into();
    free.map2(growth, |free, growth| (free, growth)).and_then(|(free, growth)| {
        if groups.is_empty() {
            return Reading::absent("no area is active");
        }
        if growth <= 0.0 {
            return Reading::absent("swap did not grow between the samples");
        }
        Reading::Known(free.0 as f64 / growth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::swaparea::testing;

    use crate::model::{Sampled, Snapshot, Stamp};

    fn area(name: &str, priority: i32, size: u64, used: u64) -> SwapArea {
        testing::area(name, priority, size, used)
    }

    fn skew_of(used: &[u64]) -> Reading<f64> {
        let areas = used.iter().map(|used| area("a", 5, 1000 << 20, *used << 20));
        groups(&areas.collect::<Vec<_>>())[0].skew.clone()
    }

    #[test]
    fn even_areas_have_no_skew_and_the_worst_case_is_one_on_all() {
        assert_eq!(skew_of(&[300, 300, 300, 300]), Reading::Known(0.0));
        assert_eq!(skew_of(&[800, 0]), Reading::Known(0.5));
        assert_eq!(skew_of(&[800, 0, 0, 0]), Reading::Known(0.75));
        assert_eq!(skew_of(&[300, 100]), Reading::Known(0.25));
    }

    #[test]
    fn a_small_area_that_is_full_is_not_out_of_balance() {
        let areas =
            [area("small", 5, 100 << 20, 100 << 20), area("large", 5, 1000 << 20, 700 << 20)];
        assert_eq!(groups(&areas)[0].skew, Reading::Known(0.0));
    }

    #[test]
    fn one_area_or_no_use_has_no_skew_rather_than_zero() {
        assert!(skew_of(&[5]).missing().is_some());
        assert!(skew_of(&[0, 0]).missing().is_some());
        assert!(skew_of(&[15, 0]).missing().is_some(), "one or two allocations to one area");
        assert!(skew_of(&[16, 0]).known().is_some());
    }

    #[test]
    fn groups_come_by_priority_and_parts_sum_to_the_whole() {
        let areas = [area("a", -2, 10, 1), area("b", 7, 20, 2), area("c", -2, 30, 3)];
        let groups = groups(&areas);
        assert_eq!(groups.iter().map(|g| g.priority).collect::<Vec<_>>(), [7, -2]);
        assert_eq!(groups[1].members, [0, 2]);
        assert_eq!((groups[1].size, groups[1].used.clone()), (Bytes(40), Reading::Known(Bytes(4))));
        let ideal: Bytes = groups[1].ideal.known().unwrap().iter().copied().sum();
        assert_eq!(ideal, Bytes(4));
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
            known([FillState::Full, FillState::Fills, FillState::Waits])
        );
        let idle = [area("a", 9, 1000, 0), area("b", 5, 9, 9), area("c", 1, 9, 0)];
        assert_eq!(
            turns(&idle, &still),
            known([FillState::Fills, FillState::Full, FillState::Waits])
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
        assert_eq!(groups(&areas)[0].skew.missing().unwrap().kind(), "failed");
    }

    fn machine(second: u64, areas: &[SwapArea]) -> Snapshot {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: 0 };
        let mut snapshot = Snapshot::empty(stamp);
        snapshot.swaps = Sampled::new(Some(stamp), Reading::Known(areas.to_vec()));
        snapshot
    }

    /// Seconds until the first area is full; used space two seconds ago and now.
    fn first_full(before: &[u64], now: &[u64]) -> Reading<f64> {
        let areas = |all: &[u64]| -> Vec<SwapArea> {
            let area = |(place, used): (usize, &u64)| area(&place.to_string(), 1, 1000, *used);
            all.iter().enumerate().map(area).collect()
        };
        let areas = (areas(before), areas(now));
        let (old, new) = (machine(1, &areas.0), machine(3, &areas.1));
        let view = SampleView { now: &new, before: Some(&old) };
        full_in(&view, &areas.1, &groups(&areas.1)[0], &areas.1[0])
    }

    #[test]
    fn an_area_is_full_when_what_is_free_is_used_at_this_pace() {
        assert_eq!(first_full(&[100], &[300]), Reading::Known(7.0));
        assert!(first_full(&[300], &[300]).missing().is_some());
        assert!(first_full(&[300], &[100]).missing().is_some());
    }

    #[test]
    fn a_full_group_has_no_time_to_full() {
        assert_eq!(first_full(&[900], &[990]), Reading::Known(10.0 / 45.0));
        let why = first_full(&[900], &[991]);
        assert!(why.missing().unwrap().why().contains("are full"), "{why:?}");
    }

    #[test]
    fn all_swap_is_full_at_the_pace_of_all_priorities() {
        let areas = |first, second| [area("a", 9, 1000, first), area("b", 5, 1000, second)];
        let left = |before: [SwapArea; 2], now: [SwapArea; 2]| {
            let (old, new) = (machine(1, &before), machine(3, &now));
            all_full_in(&SampleView { now: &new, before: Some(&old) })
        };
        assert_eq!(left(areas(1000, 100), areas(1000, 300)), Reading::Known(7.0));
        assert_eq!(left(areas(900, 300), areas(1000, 300)), Reading::Known(14.0));
        assert_eq!(left(areas(1000, 300), areas(900, 400)).missing().unwrap().kind(), "absent");
        let alone = machine(3, &areas(1000, 300));
        assert_eq!(all_full_in(&SampleView::single(&alone)).missing(), Some(&Missing::OneSample));
    }

    #[test]
    fn areas_that_share_are_full_at_the_pace_of_all() {
        assert_eq!(first_full(&[100, 300], &[300, 300]), Reading::Known(14.0));
        assert_eq!(first_full(&[100, 300], &[300, 200]), Reading::Known(30.0));
        // One area lost what the other gained: nothing fills.
        assert!(first_full(&[100, 300], &[300, 100]).missing().is_some());
    }
}
