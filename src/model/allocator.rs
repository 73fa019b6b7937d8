//! How the kernel chooses the area for the next page.

use serde::{Deserialize, Serialize};

/// Which areas a processor chooses from, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Each NUMA node has an order of its own; up to 6.18. Each area without a priority gets the next
    /// lower one, from -2 on, and is preferred on its own node. Such a kernel never shows -1.
    ByNode,
    /// All have one order; since 6.19. All areas without a priority get -1 and take turns.
    Alike,
}

/// How many slots an area gives before it is the next one's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grain {
    /// 64 at a time, kept aside for a processor.
    Batch,
    /// Those of a cluster.
    Cluster,
}

/// By what it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The kernel's type information.
    Types,
    /// The priorities that it shows.
    Priorities,
    /// The names of its functions and data.
    Symbols,
    /// Its release only, which says little of kernels that were changed by whoever made them.
    Release,
}

/// How the kernel chooses the area for the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocator {
    /// Which areas, in which order.
    pub order: Order,
    /// When it is the next one's turn.
    pub grain: Grain,
    /// Slots of a cluster; none where nothing tells.
    pub cluster_slots: Option<u32>,
    /// By what it is known.
    pub evidence: Evidence,
}
