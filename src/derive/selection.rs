//! Which area the next page goes to, and what share of the next pages each one gets.
//!
//! The kernel goes through the areas by priority and takes the first with room; areas of one priority
//! take turns. How long a turn is, and whether a NUMA node prefers areas of its own, depends on the
//! kernel ([`policy`]). What follows is exact but for what processors keep aside: a cluster each,
//! or 64 slots.

mod fill;
mod node_order;
pub mod policy;
pub mod traps;
pub mod whatif;

pub use fill::FillPhase;

use fill::Outflow;
use node_order::SelectionRules;

use super::balance::FillState;
use crate::model::block::BlockDevice;
use crate::model::kernel::{Allocator, NumaNode, AllocationOrder};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Reading, Snapshot};

/// How areas are chosen, and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// By which rules.
    pub policy: Reading<Allocator>,
    /// One for each NUMA node; a single one where all nodes choose alike.
    pub lines: Vec<NodeOrder>,
}

/// The areas in the order in which a node takes them.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOrder {
    /// The node; none for all of them.
    pub node: Option<u32>,
    /// The first one first.
    pub places: Vec<OrderedArea>,
    /// What happens, one after the other.
    pub phases: Vec<FillPhase>,
    /// Why it is not known further; none where the phases go on until all is full.
    pub unknown: Option<crate::model::Missing>,
}

/// By what an area stands where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorityReason {
    /// It was given a priority.
    Explicit,
    /// It was given none, and the kernel numbered it.
    Default,
    /// It was given none, and belongs to the node.
    OwnNode,
}

impl PriorityReason {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Default => "default",
            Self::OwnNode => "own node",
        }
    }
}

/// Which large folios an area takes whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargeFolioSupport {
    /// All of them, while it has free clusters.
    Yes,
    /// None: it is a file.
    File,
    /// None: it rotates, and such areas have no clusters on this kernel.
    Rotational,
}

/// An area in the order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedArea {
    /// Its place in the kernel's list.
    pub area: usize,
    /// The priority that counts on this node.
    pub effective: i32,
    /// By what it has that.
    pub why: PriorityReason,
    /// Which group of equals it belongs to, from 1 on.
    pub group: usize,
    /// Slots that it gives before it is the next one's turn; none where it does not take what is asked
    /// for whole.
    pub turn_slots: Reading<u64>,
    /// Slots that are free.
    pub free: Reading<u64>,
    /// Which large folios it takes.
    pub large: Reading<LargeFolioSupport>,
    /// Its share of the next pages.
    pub share: Reading<f64>,
    /// Its share of those from the first one that it gets, until an area is full.
    pub in_turn: Reading<f64>,
    /// Pages that go elsewhere before it gets one.
    pub begins: Reading<u64>,
    /// Pages that go out, to whichever area, until it is full.
    pub full_after: Reading<u64>,
    /// Whose turn it is.
    pub turn: Reading<FillState>,
}

/// What is known of an area beside its row.
#[derive(Clone, Debug)]
struct Facts<'s> {
    area: &'s SwapArea,
    block: Reading<&'s BlockDevice>,
}

impl Facts<'_> {
    fn rotational(&self) -> Reading<bool> {
        self.block.clone().and_then(|block| block.rotational.clone())
    }

    /// The node that it belongs to; none where it belongs to none, or nothing tells.
    fn node(&self) -> Option<u32> {
        let node = self.block.known()?.numa_node.known()?;
        u32::try_from(*node).ok()
    }

    fn is_file(&self) -> bool {
        self.area.kind == AreaKind::File
    }
}

/// How areas are chosen here for single pages.
pub fn for_pages(snapshot: &Snapshot) -> Reading<Selection> {
    for_outflow(snapshot, &Outflow::only_folios(1))
}

/// How they are for folios of so many pages.
///
/// A large folio asks one area only, the first of those whose turn it is, which then goes behind its
/// equals. If that one does not take it, it is split, and its pages go as single ones do. Where all
/// equals take it, shares follow their turns, as long as they have clusters for it; where none does,
/// they are those of single pages. Where some do, each request that finds one that does not moves the
/// same list that single pages take their turns by: it depends on how the two come one after the
/// other, and on how many processors ask, and nothing is foretold.
pub fn for_folios(snapshot: &Snapshot, pages: u64) -> Reading<Selection> {
    for_outflow(snapshot, &Outflow::only_folios(pages))
}

/// How they were when so much of what went out did so in whole folios: pages of a folio, each with
/// its part of all pages; the rest were single ones. What went out whole went to areas that take it,
/// also where others take turns with them. All sizes move the same list: beside a rotating area, of
/// which single pages take one slot at a turn, a mixture strays from this by some percent.
pub fn for_whole_folios(snapshot: &Snapshot, folios: &[(u64, f64)]) -> Reading<Selection> {
    for_outflow(snapshot, &Outflow::whole_folios(folios))
}

fn for_outflow(snapshot: &Snapshot, outflow: &Outflow) -> Reading<Selection> {
    snapshot.swaps.reading.as_ref().map(|areas| {
        let facts = facts(snapshot, areas);
        let policy = policy::allocator(snapshot);
        let order = policy::order(snapshot).known().map(|(order, _)| *order);
        let rules = SelectionRules { policy: &policy, order, outflow };
        let line = |node| node_order::build_order(snapshot, &facts, &rules, node);
        let mut lines: Vec<NodeOrder> = nodes(snapshot).into_iter().map(line).collect();
        let alike = |pair: &[NodeOrder]| matches!(pair, [a, b] if a.places == b.places);
        if order != Some(AllocationOrder::ByNode) || lines.windows(2).all(alike) {
            lines.truncate(1);
            for line in &mut lines {
                line.node = None;
            }
        }
        Selection { policy, lines }
    })
}

/// The nodes on which something can swap out, those with processors; one that has no number where
/// nothing tells.
fn nodes(snapshot: &Snapshot) -> Vec<Option<u32>> {
    let nodes = snapshot.numa.reading.known().map_or(&[][..], Vec::as_slice);
    let works = |node: &&NumaNode| node.cpus.known().is_none_or(|cpus| !cpus.is_empty());
    let ids: Vec<Option<u32>> = nodes.iter().filter(works).map(|node| Some(node.id)).collect();
    if ids.is_empty() { vec![None] } else { ids }
}

fn facts<'s>(snapshot: &'s Snapshot, areas: &'s [SwapArea]) -> Vec<Facts<'s>> {
    let block = |place: usize| {
        let blocks = snapshot.block.reading.as_ref();
        blocks.and_then(|blocks| match blocks.get(place) {
            Some(block) => block.as_ref(),
            None => Reading::failed("the list of areas changed while it was read"),
        })
    };
    areas.iter().enumerate().map(|(place, area)| Facts { area, block: block(place) }).collect()
}

/// Pages as bytes.
pub fn bytes(snapshot: &Snapshot, pages: u64) -> Reading<Bytes> {
    snapshot.page_size.clone().map(|page| Bytes(pages.saturating_mul(page)))
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
