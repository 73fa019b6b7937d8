//! Processes that the kernel killed for want of memory.

use super::cgroup::CgroupVersion;
use super::name::Name;
use super::reading::Reading;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The counts of OOM kills at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct OomKills {
    /// `oom_kill` of `/proc/vmstat`: all on the machine since boot.
    pub machine: Reading<u64>,
    /// Those of each cgroup.
    pub cgroups: Reading<CgroupKills>,
}

/// The OOM kills of cgroups, by their paths.
#[derive(Clone, Debug, PartialEq)]
pub struct CgroupKills {
    /// Version 2 counts those of a cgroup in all cgroups above it as well, version 1 does not.
    pub version: CgroupVersion,
    /// How many; cgroups that do not tell are left out.
    pub counts: BTreeMap<Name, u64>,
}

/// OOM kills in one cgroup within some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Killed {
    /// The cgroup; null where it is not known.
    pub cgroup: Option<Name>,
    /// How many processes.
    pub processes: u64,
}
