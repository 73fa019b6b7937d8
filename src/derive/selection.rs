//! Allocation order: which area gets the next page, and which share of the next pages each area gets.
//!
//! The kernel uses the first area with room in the order of priorities; areas of equal priority rotate. How
//! long a turn is, and whether a NUMA node prefers its own areas, depends on the kernel ([`policy`]). The
//! results are exact except for the slots that each CPU reserves: a cluster, or 64 slots.

mod node_order;
pub mod pitfalls;
pub mod policy;
pub mod whatif;

pub use node_order::FillPhase;
use node_order::{Outflow, SelectionRules};

use super::balance::FillState;
use crate::model::block::BlockDevice;
use crate::model::kernel::{AllocationOrder, Allocator, NumaNode, SwapTier};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Reading, Snapshot, worded_enum};

/// The allocation rules of the kernel, and the resulting order.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The allocation rules.
    pub policy: Reading<Allocator>,
    /// One order per NUMA node; a single one if all nodes choose alike.
    pub lines: Vec<NodeOrder>,
}

/// The allocation order of a NUMA node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOrder {
    /// The node; `None` for all nodes.
    pub node: Option<u32>,
    /// The areas, first one first.
    pub places: Vec<OrderedArea>,
    /// The phases of filling, in order.
    pub phases: Vec<FillPhase>,
    /// Why later phases are unknown; `None` if the phases continue until all areas are full.
    pub unknown: Option<crate::model::Missing>,
}

worded_enum! {
    /// Why an area has its effective priority.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PriorityReason {
        /// An explicit priority.
        Explicit = "explicit",
        /// No explicit priority: the kernel assigned a default.
        Default = "default",
        /// No explicit priority, and the area belongs to the node.
        OwnNode = "own node",
    }
}

/// Whether an area takes large folios whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargeFolioSupport {
    /// Yes, while it has free clusters.
    Yes,
    /// No: it is a file.
    File,
    /// No: it rotates, and rotating areas have no clusters on this kernel.
    Rotational,
}

/// An area in the allocation order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedArea {
    /// The index in the kernel's list.
    pub area: usize,
    /// The effective priority on this node.
    pub effective: i32,
    /// Why it has that priority.
    pub why: PriorityReason,
    /// Number of its priority group, from 1.
    pub group: usize,
    /// Slots that it gives per turn; absent if it does not take the requested folios whole.
    pub turn_slots: Reading<u64>,
    /// Free slots; 0 if so few are left that the area counts as full, and while it is being disabled.
    pub free: Reading<u64>,
    /// Whether it takes large folios.
    pub large: Reading<LargeFolioSupport>,
    /// The share of the next pages.
    pub share: Reading<f64>,
    /// The share while its own group is filled, from its first page on.
    pub share_when_filling: Reading<f64>,
    /// Pages that go to other areas before it gets one.
    pub begins: Reading<u64>,
    /// Pages that are swapped out to any area until it is full.
    pub full_after: Reading<u64>,
    /// The state: full, filled now, filled later, or being disabled.
    pub turn: Reading<FillState>,
}

/// An area with its device.
#[derive(Clone, Debug)]
struct Facts<'s> {
    area: &'s SwapArea,
    block: Reading<&'s BlockDevice>,
}

impl Facts<'_> {
    fn rotational(&self) -> Reading<bool> {
        self.block.clone().and_then(|block| block.rotational.clone())
    }

    /// Returns its NUMA node; `None` if it has no node or the node is unknown.
    fn node(&self) -> Option<u32> {
        let node = self.block.known()?.numa_node.known()?;
        u32::try_from(*node).ok()
    }

    fn is_file(&self) -> bool {
        self.area.kind == AreaKind::File
    }
}

/// Computes the allocation order for single pages.
pub fn for_pages(snapshot: &Snapshot) -> Reading<Selection> {
    for_outflow(snapshot, &Outflow::only_folios(1))
}

/// Computes the allocation order for folios of this many pages.
///
/// A large folio is offered to one area only, the next of the group that fills now, which then goes to the end of
/// its group. If that area does not take it, the folio is split, and its pages are placed as single pages. If
/// all equals take it, shares follow their turns while they have clusters for it; if none does, shares are
/// those of single pages. If only some take it, every refused request moves the list that single pages
/// rotate by: the result depends on the sequence of requests and the number of CPUs, and nothing is
/// predicted.
pub fn for_folios(snapshot: &Snapshot, pages: u64) -> Reading<Selection> {
    for_outflow(snapshot, &Outflow::only_folios(pages))
}

/// Computes the allocation order of past swap-outs with whole folios: pages per folio, each with its share
/// of all pages; the rest were single pages. Whole folios went to areas that take them, also if other areas
/// rotate with them. All sizes move the same list: beside a rotating area, where single pages take one slot
/// per turn, a mixture differs from this by a few percent.
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

/// Returns the nodes with CPUs, which can swap out; a single node without a number if they are unknown.
fn nodes(snapshot: &Snapshot) -> Vec<Option<u32>> {
    let nodes = snapshot.numa.reading.known_items();
    let works = |node: &&NumaNode| node.cpus.known().is_none_or(|cpus| !cpus.is_empty());
    let ids: Vec<Option<u32>> = nodes.iter().filter(works).map(|node| Some(node.id)).collect();
    if ids.is_empty() { vec![None] } else { ids }
}

fn facts<'s>(snapshot: &'s Snapshot, areas: &'s [SwapArea]) -> Vec<Facts<'s>> {
    let facts = |(place, area)| Facts { area, block: snapshot.block.of_area(place) };
    areas.iter().enumerate().map(facts).collect()
}

/// Returns the swap tier of areas with this priority.
pub fn tier(snapshot: &Snapshot, priority: i32) -> Reading<&SwapTier> {
    let tiers = snapshot.kernel.reading.as_ref().and_then(|kernel| kernel.swap_tiers.as_ref());
    tiers.and_then(|tiers| {
        let holds = |tier: &&SwapTier| (tier.lowest..=tier.highest).contains(&priority);
        Reading::or_absent(tiers.iter().find(holds), "no swap tier has its priority")
    })
}

/// Converts pages to bytes.
pub fn bytes(snapshot: &Snapshot, pages: u64) -> Reading<Bytes> {
    snapshot.page_size.clone().map(|page| Bytes(pages.saturating_mul(page)))
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
