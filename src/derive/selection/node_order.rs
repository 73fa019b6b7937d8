//! Builds the allocation order of one node.

use super::fill::{self, FillPhase, FillingArea, Outflow};
use super::{Facts, LargeFolioSupport, NodeOrder, OrderedArea, PriorityReason, policy};
use crate::derive::balance::FillState;
use crate::derive::swapoff;
use crate::model::kernel::{AllocationOrder, Allocator};
use crate::model::swaparea::SwapArea;
use crate::model::{Missing, Reading, Snapshot};
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
        filling.push(FillingArea { group, free: free(snapshot, facts, leaving), turns });
        last = Some(effective);
    }
    let (phases, unknown) = fill::fill_phases(&filling, outflow);
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
            turn: outlook.turn(place),
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

fn free(snapshot: &Snapshot, facts: &Facts<'_>, leaving: Option<&SwapArea>) -> Reading<u64> {
    // Nothing is written to an area that is being drained.
    if leaving.is_some_and(|leaving| std::ptr::eq(leaving, facts.area)) {
        return Reading::Known(0);
    }
    let free = facts.area.used.clone().map(|used| facts.area.size.saturating_sub(used).0);
    free.map2(snapshot.page_size.clone(), |free, page| free / page.max(1))
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
    /// Its share in the first of them.
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

const FULL: &str = "the area is full";
