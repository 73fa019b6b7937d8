//! cgroups, version 1 and 2.

use super::counters::Counters;
use super::name::Name;
use super::psi::Pressure;
use super::reading::Reading;
use super::shared::Shared;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// Which hierarchy holds the memory controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CgroupVersion {
    /// Memory and swap are charged together; swap alone is in `memory.stat`.
    V1,
    /// Swap has files of its own.
    V2,
}

/// A limit, which may be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Without limit.
    Unlimited,
    /// At most this.
    Bytes(Bytes),
}

/// One cgroup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cgroup {
    /// Its path below the mount, beginning with a slash; the root is `/`.
    pub path: Name,
    /// Memory in RAM now.
    pub memory_current: Reading<Bytes>,
    /// Most memory ever (version 1, and version 2 from 6.1 on).
    pub memory_peak: Reading<Bytes>,
    /// Limit on memory.
    pub memory_max: Reading<Limit>,
    /// Where reclaim begins (version 2).
    pub memory_high: Reading<Limit>,
    /// Swap now: `memory.swap.current`, or `total_swap` of `memory.stat` on version 1.
    pub swap_current: Reading<Bytes>,
    /// Limit on swap (version 2).
    pub swap_max: Reading<Limit>,
    /// Where swapping is throttled (version 2).
    pub swap_high: Reading<Limit>,
    /// Most swap ever (version 2, kernel 6.5 and later).
    pub swap_peak: Reading<Bytes>,
    /// `memory.swap.events`: `high`, `max`, `fail` (version 2).
    pub swap_events: Reading<Counters>,
    /// Memory and swap together now (version 1).
    pub memsw_current: Reading<Bytes>,
    /// Most memory and swap together ever (version 1).
    pub memsw_peak: Reading<Bytes>,
    /// Limit on both together (version 1).
    pub memsw_max: Reading<Limit>,
    /// How often that limit was hit (version 1).
    pub memsw_failcnt: Reading<u64>,
    /// Compressed pages in zswap (version 2).
    pub zswap_current: Reading<Bytes>,
    /// Limit on that (version 2).
    pub zswap_max: Reading<Limit>,
    /// May zswap write pages of this cgroup to a device (version 2)?
    pub zswap_writeback: Reading<bool>,
    /// Its own swappiness (version 1).
    pub swappiness: Reading<u64>,
    /// All of `memory.stat`.
    pub stat: Reading<Counters>,
    /// `memory.pressure` (version 2).
    pub pressure: Reading<Pressure>,
}

/// All cgroups of the memory controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CgroupTree {
    /// Which hierarchy.
    pub version: CgroupVersion,
    /// Where it is mounted.
    pub mount: Name,
    /// By path, parents before children.
    pub groups: Box<[Shared<Cgroup>]>,
    /// cgroups beyond the bound on how many are read.
    pub left_out: u64,
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A group of which nothing is known but that it is there.
    pub(crate) fn unknown(path: &str) -> Cgroup {
        Cgroup {
            path: path.into(),
            memory_current: Reading::not_sampled(),
            memory_peak: Reading::not_sampled(),
            memory_max: Reading::not_sampled(),
            memory_high: Reading::not_sampled(),
            swap_current: Reading::not_sampled(),
            swap_max: Reading::not_sampled(),
            swap_high: Reading::not_sampled(),
            swap_peak: Reading::not_sampled(),
            swap_events: Reading::not_sampled(),
            memsw_current: Reading::not_sampled(),
            memsw_peak: Reading::not_sampled(),
            memsw_max: Reading::not_sampled(),
            memsw_failcnt: Reading::not_sampled(),
            zswap_current: Reading::not_sampled(),
            zswap_max: Reading::not_sampled(),
            zswap_writeback: Reading::not_sampled(),
            swappiness: Reading::not_sampled(),
            stat: Reading::not_sampled(),
            pressure: Reading::not_sampled(),
        }
    }
}
