//! The kernel and the machine: what it and these rights let us see, how it chooses swap areas, its
//! NUMA nodes, and what it is told of hibernation.

use super::name::Name;
use super::paging::Counters;
use super::reading::Reading;
use super::units::Bytes;
use serde::{Deserialize, Serialize};

/// Which cgroup hierarchies are mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CgroupMode {
    /// Version 1 only.
    V1,
    /// Version 2 only.
    V2,
    /// Both.
    Hybrid,
    /// None.
    None,
}

/// The kernel and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// As `uname -r` prints it.
    pub release: Reading<String>,
    /// The machine's name.
    pub hostname: Reading<String>,
    /// Processors that are online.
    pub cpus: Reading<u64>,
    /// Seconds since boot.
    pub uptime_s: Reading<f64>,
}

/// Our rights, and which views into the kernel are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Our effective user.
    pub uid: Reading<u32>,
    /// Our effective capabilities, as the kernel's bit mask.
    pub capabilities: Reading<u64>,
    /// Size of the kernel's type information (BTF).
    pub btf_bytes: Reading<u64>,
    /// Can kernel memory be opened for reading?
    pub kcore: Reading<bool>,
    /// Are the addresses of the kernel's symbols shown? Whether data symbols are among them is not
    /// looked at: that takes reading more than 10 MB.
    pub kallsyms: Reading<bool>,
    /// The setting that hides kernel addresses.
    pub kptr_restrict: Reading<u64>,
    /// The lockdown mode in force.
    pub lockdown: Reading<String>,
    /// Is debugfs mounted and may it be read?
    pub debugfs: Reading<bool>,
    /// Which cgroup hierarchies are mounted.
    pub cgroups: Reading<CgroupMode>,
    /// Can zram devices be made: is it in the kernel, or its module loaded?
    #[serde(default = "Reading::not_sampled")]
    pub zram: Reading<bool>,
}

/// The bit of `CAP_SYS_ADMIN` among capabilities.
pub const CAP_SYS_ADMIN: u64 = 1 << 21;

impl Access {
    /// Is this a root who may not change swap, as in a container?
    pub fn is_root_without_sys_admin(&self) -> bool {
        let lacks = self.capabilities.known().is_some_and(|mask| mask & CAP_SYS_ADMIN == 0);
        lacks && self.uid.known() == Some(&0)
    }

    /// Is this a user who is not root, and may not change swap?
    pub fn is_unprivileged_user(&self) -> bool {
        let lacks = self.capabilities.known().is_some_and(|mask| mask & CAP_SYS_ADMIN == 0);
        lacks && self.uid.known().is_some_and(|uid| *uid != 0)
    }

    /// Our rights alone.
    pub fn with_rights_only(uid: Reading<u32>, capabilities: Reading<u64>) -> Self {
        Self {
            uid,
            capabilities,
            btf_bytes: Reading::not_sampled(),
            kcore: Reading::not_sampled(),
            kallsyms: Reading::not_sampled(),
            kptr_restrict: Reading::not_sampled(),
            lockdown: Reading::not_sampled(),
            debugfs: Reading::not_sampled(),
            zram: Reading::not_sampled(),
            cgroups: Reading::not_sampled(),
        }
    }
}

/// Which areas a processor chooses from, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllocationOrder {
    /// Each NUMA node has an order of its own; up to 6.18. Each area without a priority gets the next
    /// lower one, from -2 on, and is preferred on its own node. Such a kernel never shows -1.
    ByNode,
    /// All have one order; since 6.19. All areas without a priority get -1 and take turns.
    Alike,
}

/// How many slots an area gives before it is the next one's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RotationUnit {
    /// 64 at a time, kept aside for a processor.
    Batch,
    /// Those of a cluster.
    Cluster,
}

/// By what it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllocatorEvidence {
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
    pub order: AllocationOrder,
    /// When it is the next one's turn.
    pub grain: RotationUnit,
    /// Slots of a cluster; none where nothing tells.
    pub cluster_slots: Option<u32>,
    /// By what it is known.
    pub evidence: AllocatorEvidence,
}

/// A NUMA node.
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

/// Where the image goes, and how large it may get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hibernation {
    /// The kernel's name of the device that the machine resumes from; absent where none is set.
    pub resume: Reading<Name>,
    /// Where on it the first page of a swap file lies, in pages; 0 for a whole device.
    pub resume_offset: Reading<u64>,
    /// The size that the kernel tries to keep the image below.
    pub image_size: Reading<Bytes>,
    /// What the command line of the kernel says to resume from; absent where it says nothing.
    pub asked: Reading<Name>,
}
