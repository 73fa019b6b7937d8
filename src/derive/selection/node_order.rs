//! Builds the allocation order of one node.

use super::{Facts, LargeFolioSupport, NodeOrder, OrderedArea, PriorityReason, policy};
use crate::derive::balance::{self, FillState};
use crate::derive::swapoff;
use crate::model::kernel::{AllocationOrder, Allocator};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Reading, Snapshot, whole};
use std::cmp::Reverse;

/// Effective priority of an area of the own node without an explicit priority.
const OWN_NODE: i32 = -1;

/// The allocation rules, and the mix of sizes to allocate.
pub(super) struct SelectionRules<'a> {
    pub(super) policy: &'a Reading<Allocator>,
    pub(super) order: Option<AllocationOrder>,
    pub(super) outflow: &'a Outflow,
}

/// Builds the order of this node.
pub(super) fn build_order(
    snapshot: &Snapshot,
    facts: &[Facts<'_>],
    rules: &SelectionRules<'_>,
    node: Option<u32>,
) -> NodeOrder {
    let SelectionRules { policy, order, outflow } = *rules;
    let rank = |facts: &Facts<'_>| rank(facts, order, node);
    let leaving = swapoff::leaving(snapshot);
    let is_leaving =
        |facts: &Facts<'_>| leaving.is_some_and(|leaving| std::ptr::eq(leaving, facts.area));
    let mut areas: Vec<(usize, &Facts<'_>)> = facts.iter().enumerate().collect();
    areas.sort_by_key(|(_, facts)| Reverse(rank(facts).0));
    let mut filling: Vec<FillingArea> = Vec::new();
    let mut last = None;
    for (_, facts) in &areas {
        let (effective, _) = rank(facts);
        let before = filling.last().map_or(0, |area| area.group);
        let group = if last == Some(effective) { before } else { before + 1 };
        let turn = |(pages, _): &(u64, f64)| turn(snapshot, facts, policy, *pages);
        let turns = outflow.sizes.iter().map(turn).collect();
        let free = if is_leaving(facts) { Reading::Known(0) } else { free(snapshot, facts) };
        filling.push(FillingArea { group, free, turns });
        last = Some(effective);
    }
    let (phases, unknown) = fill_phases(&filling, outflow);
    let outlook = FillForecast::new(&filling, &phases, unknown.as_ref());
    let place = |(place, ((area, facts), own)): (usize, (&(usize, &Facts<'_>), &FillingArea))| {
        let (effective, why) = rank(facts);
        OrderedArea {
            area: *area,
            effective,
            why,
            group: own.group,
            turn_slots: shown_turn(own, outflow),
            free: own.free.clone(),
            large: large(snapshot, facts),
            share: outlook.share(place),
            share_when_filling: outlook.share_when_filling(place),
            begins: outlook.begins(place),
            full_after: outlook.full_after(place),
            turn: if is_leaving(facts) {
                Reading::Known(FillState::Draining)
            } else {
                outlook.turn(place)
            },
        }
    };
    let places = areas.iter().zip(&filling).enumerate().map(place).collect();
    NodeOrder { node, places, phases, unknown }
}

/// Returns the effective priority on a node, and the reason for it.
fn rank(
    facts: &Facts<'_>,
    order: Option<AllocationOrder>,
    node: Option<u32>,
) -> (i32, PriorityReason) {
    let priority = facts.area.priority;
    if priority >= 0 {
        return (priority, PriorityReason::Explicit);
    }
    if order == Some(AllocationOrder::ByNode) && node.is_some() && facts.node() == node {
        return (OWN_NODE, PriorityReason::OwnNode);
    }
    (priority, PriorityReason::Default)
}

/// Returns the free slots of an area; 0 if it counts as full.
fn free(snapshot: &Snapshot, facts: &Facts<'_>) -> Reading<u64> {
    let SwapArea { size, used, .. } = facts.area;
    let free = used.clone().map(|used| size.saturating_sub(used));
    free.map2(snapshot.page_size.clone(), |free, page| {
        if balance::has_no_room(free, *size, 1) { 0 } else { free.0 / page.max(1) }
    })
}

/// Returns the slots per turn for folios of this many pages; 0 if it does not take them whole.
fn turn(
    snapshot: &Snapshot,
    facts: &Facts<'_>,
    policy: &Reading<Allocator>,
    pages: u64,
) -> Reading<u64> {
    let slots = || policy::turn_slots(policy, facts.rotational(), pages);
    if pages == 1 {
        return slots();
    }
    let stays = policy.clone().and_then(|policy| policy::stays_whole(snapshot, &policy, pages));
    large(snapshot, facts)
        .map2(stays, |large, stays| large == LargeFolioSupport::Yes && stays)
        .and_then(|takes| if takes { slots() } else { Reading::Known(0) })
}

/// Returns the turn for the requested size; for a mix of sizes, that of single pages.
fn shown_turn(area: &FillingArea, outflow: &Outflow) -> Reading<u64> {
    let turn = if outflow.whole { area.turns.first() } else { area.turns.last() };
    turn.cloned().unwrap_or_else(Reading::not_sampled).and_then(|slots| match slots {
        0 => Reading::absent("the area does not take folios of this size whole"),
        slots => Reading::Known(slots),
    })
}

/// Returns the support for large folios: on older kernels, rotating areas have no clusters for them.
fn large(snapshot: &Snapshot, facts: &Facts<'_>) -> Reading<LargeFolioSupport> {
    if facts.is_file() {
        return Reading::Known(LargeFolioSupport::File);
    }
    policy::rotating_takes_large(snapshot).and_then(|takes| {
        if takes {
            return Reading::Known(LargeFolioSupport::Yes);
        }
        facts.rotational().map(|rotational| {
            if rotational { LargeFolioSupport::Rotational } else { LargeFolioSupport::Yes }
        })
    })
}

/// The prediction for single areas.
struct FillForecast<'a> {
    filling: &'a [FillingArea],
    phases: &'a [FillPhase],
    unknown: Option<&'a Missing>,
    /// When each area fills; `None` for those that get no page.
    spans: Vec<Option<FillSpan>>,
    /// The pages before each phase, and before what follows the last one.
    pages: Vec<u64>,
}

/// The phases in which an area fills.
#[derive(Clone, Copy)]
struct FillSpan {
    first: usize,
    last: usize,
    /// The share in the first of them.
    share: f64,
}

impl<'a> FillForecast<'a> {
    /// Goes through the phases once, as there may be as many of them as areas.
    fn new(
        filling: &'a [FillingArea],
        phases: &'a [FillPhase],
        unknown: Option<&'a Missing>,
    ) -> Self {
        let mut spans: Vec<Option<FillSpan>> = vec![None; filling.len()];
        let mut pages = vec![0];
        for (number, phase) in phases.iter().enumerate() {
            for (place, share) in phase.shares.iter().filter(|(_, share)| *share > 0.0) {
                if let Some(span) = spans.get_mut(*place) {
                    let begun = FillSpan { first: number, last: number, share: *share };
                    span.get_or_insert(begun).last = number;
                }
            }
            pages.push(pages.last().map_or(0, |before: &u64| before.saturating_add(phase.pages)));
        }
        Self { filling, phases, unknown, spans, pages }
    }

    fn is_full(&self, place: usize) -> Reading<bool> {
        match self.filling.get(place) {
            Some(area) => area.free.clone().map(|free| free == 0),
            None => Reading::not_sampled(),
        }
    }

    fn span(&self, place: usize) -> Option<FillSpan> {
        self.spans.get(place).copied().flatten()
    }

    /// Returns the pages of the first phases.
    fn pages(&self, phases: usize) -> u64 {
        self.pages.get(phases).copied().unwrap_or(0)
    }

    /// Returns a missing figure, because an earlier one is unknown.
    fn unknown<T>(&self) -> Reading<T> {
        self.unknown.map_or_else(|| Reading::absent(FULL), |missing| missing.clone().into())
    }

    fn share(&self, place: usize) -> Reading<f64> {
        let next = self.span(place).filter(|span| span.first == 0);
        match (self.phases.is_empty(), self.is_full(place)) {
            (false, _) => Reading::Known(next.map_or(0.0, |span| span.share)),
            (true, Reading::Known(true)) => Reading::Known(0.0),
            (true, _) => self.unknown(),
        }
    }

    fn share_when_filling(&self, place: usize) -> Reading<f64> {
        self.of_span(place, |span| span.share)
    }

    fn begins(&self, place: usize) -> Reading<u64> {
        self.of_span(place, |span| self.pages(span.first))
    }

    fn full_after(&self, place: usize) -> Reading<u64> {
        self.of_span(place, |span| self.pages(span.last + 1))
    }

    fn of_span<T>(&self, place: usize, fact: impl Fn(FillSpan) -> T) -> Reading<T> {
        match self.span(place) {
            Some(span) => Reading::Known(fact(span)),
            None if self.is_full(place) == Reading::Known(true) => Reading::absent(FULL),
            None => self.unknown(),
        }
    }

    fn turn(&self, place: usize) -> Reading<FillState> {
        match (self.is_full(place), self.span(place)) {
            (Reading::Known(true), _) => Reading::Known(FillState::Full),
            (_, Some(FillSpan { first: 0, .. })) => Reading::Known(FillState::Fills),
            // The first group with room fills, even if its shares are unknown.
            (_, None) if self.phases.is_empty() => self.unknown(),
            _ => Reading::Known(FillState::Later),
        }
    }
}

const FULL: &str = "the area is full or being disabled";

// How areas fill: one priority group after the other, and within a group round robin.

/// An area that is being filled.
#[derive(Clone, Debug)]
pub(super) struct FillingArea {
    /// Number of its priority group, in order.
    pub(super) group: usize,
    /// Free slots.
    pub(super) free: Reading<u64>,
    /// Slots per turn for each folio size; 0 if the folio is split.
    pub(super) turns: Vec<Reading<u64>>,
}

/// The mix of folio sizes that is swapped out.
#[derive(Clone, Debug)]
pub(super) struct Outflow {
    /// Pages per folio with their share of all pages; single pages come first.
    pub(super) sizes: Vec<(u64, f64)>,
    /// Whether these folios are known to have gone out whole; if not, an area that does not take them splits them.
    pub(super) whole: bool,
}

impl Outflow {
    /// Only folios of this many pages.
    pub(super) fn only_folios(pages: u64) -> Self {
        let sizes = if pages == 1 { vec![(1, 1.0)] } else { vec![(1, 0.0), (pages, 1.0)] };
        Self { sizes, whole: false }
    }

    /// Folios that went out whole: pages per folio with their share of all pages.
    pub(super) fn whole_folios(folios: &[(u64, f64)]) -> Self {
        let part: f64 = folios.iter().map(|(_, part)| part).sum();
        let single = (1, (1.0 - part).max(0.0));
        Self { sizes: std::iter::once(single).chain(folios.iter().copied()).collect(), whole: true }
    }
}

/// A period in which the same areas fill.
#[derive(Clone, Debug, PartialEq)]
pub struct FillPhase {
    /// Pages swapped out until one of the areas is full.
    pub pages: u64,
    /// Index of each filling area in the order, with its share of the pages.
    pub shares: Vec<(usize, f64)>,
}

impl FillPhase {
    /// Returns the share of an area by its index in the order.
    pub fn share(&self, place: usize) -> f64 {
        let own = self.shares.iter().find(|(of, _)| *of == place);
        own.map_or(0.0, |(_, share)| *share)
    }
}

/// A member of a group with its free slots.
struct Member {
    place: usize,
    free: f64,
    turns: Vec<f64>,
}

impl Member {
    fn turn(&self, size: usize) -> f64 {
        self.turns.get(size).copied().unwrap_or(0.0)
    }
}

/// Computes the phases until all areas are full, or the reason why later phases are unknown.
pub(super) fn fill_phases(
    areas: &[FillingArea],
    outflow: &Outflow,
) -> (Vec<FillPhase>, Option<Missing>) {
    let mut phases = Vec::new();
    let mut rest = areas;
    let mut first = 0;
    while let Some(area) = rest.first() {
        let count = rest.iter().take_while(|other| other.group == area.group).count();
        let (group, others) = rest.split_at(count);
        match members(group, first, outflow) {
            Ok(members) => phases.extend(group_phases(members, outflow)),
            Err(missing) => return (phases, Some(missing)),
        }
        (rest, first) = (others, first + count);
    }
    (phases, None)
}

/// Returns the members of a group with room. A single member gets all pages, however long its turns are.
fn members(group: &[FillingArea], first: usize, outflow: &Outflow) -> Result<Vec<Member>, Missing> {
    let free = group.iter().map(|area| area.free.get().copied());
    let free = free.collect::<Result<Vec<u64>, _>>()?;
    let with_room = || (first..).zip(group).zip(&free).filter(|(_, free)| **free > 0);
    let alone = with_room().count() == 1;
    let member = |((place, area), free): ((usize, &FillingArea), &u64)| {
        let turn = |turn: &Reading<u64>| if alone { Ok(1.0) } else { Ok(*turn.get()? as f64) };
        let turns = area.turns.iter().map(turn).collect::<Result<_, Missing>>()?;
        Ok(Member { place, free: *free as f64, turns })
    };
    let members = with_room().map(member).collect::<Result<Vec<Member>, Missing>>()?;
    if !outflow.whole && is_mixed(&members, outflow) {
        return Err(Missing::absent(MIXED));
    }
    Ok(members)
}

const MIXED: &str = "the group mixes areas that take such folios whole with areas for which they are \
                     split, and how they rotate then is unknown";

/// Returns whether some members take folios that others do not.
fn is_mixed(members: &[Member], outflow: &Outflow) -> bool {
    (0..outflow.sizes.len()).any(|size| {
        let takes = |member: &Member| member.turn(size) > 0.0;
        members.iter().any(takes) && !members.iter().all(takes)
    })
}

/// Computes the share of each member. A size that none of them takes is split into single pages.
fn shares(members: &[Member], outflow: &Outflow) -> Vec<f64> {
    let mut shares = vec![0.0; members.len()];
    for (size, (_, part)) in outflow.sizes.iter().enumerate() {
        let is_taken = members.iter().any(|member| member.turn(size) > 0.0);
        let turn = |member: &Member| member.turn(if is_taken { size } else { 0 });
        let round: f64 = members.iter().map(turn).sum();
        for (share, member) in shares.iter_mut().zip(members) {
            *share += part * turn(member) / round;
        }
    }
    shares
}

fn group_phases(mut members: Vec<Member>, outflow: &Outflow) -> Vec<FillPhase> {
    let mut phases = Vec::new();
    while !members.is_empty() {
        let shares = shares(&members, outflow);
        let filling = || members.iter().zip(&shares).filter(|(_, share)| **share > 0.0);
        let until_full = filling().map(|(member, share)| member.free / share);
        let pages = until_full.fold(f64::INFINITY, f64::min);
        let of_phase = filling().map(|(member, share)| (member.place, *share)).collect();
        phases.push(FillPhase { pages: whole(pages.round()), shares: of_phase });
        for (member, share) in members.iter_mut().zip(&shares) {
            member.free -= pages * share;
        }
        // Less than half a slot is a rounding error.
        members.retain(|member| member.free >= 0.5);
    }
    phases
}

#[cfg(test)]
mod fill_tests {
    use super::*;

    fn filled(areas: &[(usize, u64, u64)]) -> Vec<FillPhase> {
        let area = |(group, free, turn): &(usize, u64, u64)| FillingArea {
            group: *group,
            free: Reading::Known(*free),
            turns: vec![Reading::Known(*turn)],
        };
        let areas: Vec<_> = areas.iter().map(area).collect();
        let (phases, unknown) = fill_phases(&areas, &Outflow::only_folios(1));
        assert_eq!(unknown, None);
        phases
    }

    fn phase(pages: u64, shares: &[(usize, f64)]) -> FillPhase {
        FillPhase { pages, shares: shares.to_vec() }
    }

    #[test]
    fn equals_share_until_the_smallest_is_full_and_then_comes_the_next_group() {
        let filled = filled(&[(1, 100, 64), (1, 300, 64), (2, 50, 64), (3, 7, 64)]);
        let wanted = [
            phase(200, &[(0, 0.5), (1, 0.5)]),
            phase(200, &[(1, 1.0)]),
            phase(50, &[(2, 1.0)]),
            phase(7, &[(3, 1.0)]),
        ];
        assert_eq!(filled, wanted);
    }

    #[test]
    fn shares_follow_the_turns() {
        let filled = filled(&[(1, 5120, 512), (1, 5120, 1)]);
        assert_eq!(filled[0].pages, 5130);
        assert!((filled[0].share(1) - 1.0 / 513.0).abs() < 1e-9);
        assert_eq!(filled[1], phase(5110, &[(1, 1.0)]));
    }

    #[test]
    fn what_is_full_has_no_share_and_no_room_is_no_phase() {
        assert_eq!(filled(&[(1, 0, 64), (1, 9, 64)]), [phase(9, &[(1, 1.0)])]);
        assert_eq!(filled(&[(1, 0, 64), (2, 0, 64)]), []);
        assert_eq!(filled(&[]), []);
    }

    #[test]
    fn all_that_is_free_is_filled_by_someone() {
        let mut seed = 7_u64;
        let mut dice = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let count = 1 + dice(7);
            let groups = (1..).flat_map(|group| [group; 3]);
            let area = |(_, group)| (group, dice(100_000), 8_u64.pow(u32::from(dice(3) > 0) * 2));
            let areas: Vec<_> = (0..count).zip(groups).map(area).collect();
            let phases = filled(&areas);
            let pages: u64 = phases.iter().map(|phase| phase.pages).sum();
            let free: u64 = areas.iter().map(|(_, free, _)| free).sum();
            assert!(pages.abs_diff(free) <= count, "{pages} of {free}");
            for phase in &phases {
                let sum: f64 = phase.shares.iter().map(|(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{phase:?}");
            }
        }
    }

    #[test]
    fn after_an_unknown_area_nothing_is_predicted() {
        let area = |group, free, turn| FillingArea { group, free, turns: vec![turn] };
        let phases = |areas: &[FillingArea]| fill_phases(areas, &Outflow::only_folios(1));
        let known = || Reading::Known(9);
        let unknown = || Reading::failed("wrapped");
        let alone = [area(1, known(), unknown()), area(2, unknown(), known())];
        let (told, missing) = phases(&alone);
        assert_eq!(told, [phase(9, &[(0, 1.0)])], "a single member gets all pages");
        assert_eq!(missing, Some(Missing::failed("wrapped")));
        let shared = [area(1, known(), unknown()), area(1, known(), known())];
        assert_eq!(phases(&shared).0, []);
    }
}
