//! NUMA nodes.

use super::counters::Counters;
use super::reading::Reading;
use serde::{Deserialize, Serialize};

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumaNode {
    /// Its number.
    pub id: u32,
    /// Its processors, as the kernel lists them.
    pub cpus: Reading<String>,
    /// Distance to each node, by number.
    pub distance: Reading<Vec<u32>>,
    /// Its `meminfo`, in KiB.
    pub meminfo: Reading<Counters>,
    /// Its `vmstat`.
    pub vmstat: Reading<Counters>,
}
