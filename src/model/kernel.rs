//! The kernel and the machine: accessible data, allocation of swap areas, NUMA nodes, and hibernation.

use super::name::Name;
use super::paging::Counters;
use super::reading::Reading;
use super::units::Bytes;
use crate::worded_enum;
use serde::{Deserialize, Serialize};

worded_enum! {
    /// Which cgroup hierarchies are mounted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CgroupMode {
        /// Only version 1.
        V1 = "v1",
        /// Only version 2.
        V2 = "v2",
        /// Both versions.
        Hybrid = "hybrid",
        /// No hierarchy.
        None = "none",
    }
}

/// The kernel and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Release, as printed by `uname -r`.
    pub release: Reading<String>,
    /// Host name.
    pub hostname: Reading<String>,
    /// CPUs online.
    pub cpus: Reading<u64>,
    /// Seconds since boot.
    pub uptime_s: Reading<f64>,
    /// Swap tiers, in the kernel's order. Missing in older recordings.
    #[serde(default = "Reading::not_sampled")]
    pub swap_tiers: Reading<Vec<SwapTier>>,
}

/// A swap tier: the areas whose priorities lie in a range. A cgroup can be excluded from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapTier {
    /// Name that the administrator gave it.
    pub name: String,
    /// Lowest priority of its areas.
    pub lowest: i32,
    /// Highest priority of its areas.
    pub highest: i32,
}

/// The first two numbers of a kernel release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u32, pub u32);

impl Release {
    /// Parses a text such as `6.1.0-49-amd64`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??))
    }
}

/// Rights of this process, and accessible kernel interfaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// Effective user ID.
    pub uid: Reading<u32>,
    /// Effective capabilities, as a bit mask.
    pub capabilities: Reading<u64>,
    /// Size of the kernel type information (BTF).
    pub btf_bytes: Reading<u64>,
    /// Whether kernel memory can be read.
    pub kcore: Reading<bool>,
    /// Whether addresses of kernel symbols are visible. Whether that includes data symbols is not checked,
    /// because it takes reading more than 10 MB.
    pub kallsyms: Reading<bool>,
    /// Sysctl that hides kernel addresses.
    pub kptr_restrict: Reading<u64>,
    /// Active lockdown mode.
    pub lockdown: Reading<String>,
    /// Whether debugfs is mounted and readable.
    pub debugfs: Reading<bool>,
    /// Mounted cgroup hierarchies.
    pub cgroups: Reading<CgroupMode>,
    /// Whether zram devices can be created: built in, or module loaded.
    #[serde(default = "Reading::not_sampled")]
    pub zram: Reading<bool>,
    /// Whether the kernel has virtual swap. Missing in older recordings.
    #[serde(default = "Reading::not_sampled")]
    pub virtual_swap: Reading<bool>,
}

/// Bit of `CAP_SYS_ADMIN` in the capability mask.
pub const CAP_SYS_ADMIN: u64 = 1 << 21;

impl Access {
    /// Whether this is root without `CAP_SYS_ADMIN`, as in a container: it cannot change swap.
    pub fn is_root_without_sys_admin(&self) -> bool {
        let lacks = self.capabilities.known().is_some_and(|mask| mask & CAP_SYS_ADMIN == 0);
        lacks && self.uid.known() == Some(&0)
    }

    /// Whether this is an ordinary user without `CAP_SYS_ADMIN`, who cannot change swap.
    pub fn is_unprivileged_user(&self) -> bool {
        let lacks = self.capabilities.known().is_some_and(|mask| mask & CAP_SYS_ADMIN == 0);
        lacks && self.uid.known().is_some_and(|uid| *uid != 0)
    }

    /// Only the rights; everything else is not sampled.
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
            virtual_swap: Reading::not_sampled(),
            cgroups: Reading::not_sampled(),
        }
    }
}

worded_enum! {
    /// Allocation order of the areas.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AllocationOrder {
        /// Each NUMA node has its own order (up to 6.18). Default priorities count down from -2, and each area is
        /// preferred on its own node. Such a kernel never shows -1.
        ByNode = "per node",
        /// All nodes have the same order (since 6.19). All default priorities are -1 and used round robin.
        Alike = "same on all nodes",
    }
}

worded_enum! {
    /// Number of slots taken from an area before the round robin moves on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum RotationUnit {
        /// A batch of 64 slots, cached per CPU.
        Batch = "batch",
        /// A cluster.
        Cluster = "cluster",
    }
}

worded_enum! {
    /// Evidence for the allocation order or the rotation unit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AllocatorEvidence {
        /// Kernel type information.
        Types = "types",
        /// Priorities shown by the kernel.
        Priorities = "priorities",
        /// Names of kernel symbols.
        Symbols = "symbols",
        /// The kernel release only, which is uncertain for patched kernels.
        Release = "release",
        /// The rules of a simulated machine.
        Model = "model",
    }
}

/// How the kernel selects the area for the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocator {
    /// Allocation order.
    pub order: AllocationOrder,
    /// Rotation unit; `grain` in recordings of 0.1.0.
    #[serde(alias = "grain")]
    pub rotation_unit: RotationUnit,
    /// Slots per cluster; `None` if unknown.
    pub cluster_slots: Option<u32>,
    /// Evidence for it.
    pub evidence: AllocatorEvidence,
}

/// A NUMA node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumaNode {
    /// Node number.
    pub id: u32,
    /// CPUs of the node, as listed by the kernel.
    pub cpus: Reading<String>,
    /// Distance to each node, by node number.
    pub distance: Reading<Vec<u32>>,
    /// The `meminfo`, in KiB.
    pub meminfo: Reading<Counters>,
    /// The `vmstat`.
    pub vmstat: Reading<Counters>,
    /// Sums over its zones in `/proc/zoneinfo`, in pages: `min`, `low` and `high`.
    #[serde(default = "Reading::not_sampled")]
    pub watermarks: Reading<Counters>,
}

/// Hibernation settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hibernation {
    /// Kernel name of the resume device; absent if none is set.
    pub resume: Reading<Name>,
    /// Position of the first page of a swap file on it, in pages; 0 for a whole device.
    pub resume_offset: Reading<u64>,
    /// Size limit that the kernel aims at for the image.
    pub image_size: Reading<Bytes>,
    /// Value of `resume=` on the kernel command line; absent without it.
    pub asked: Reading<Name>,
}
