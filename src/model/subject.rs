//! One process or one cgroup in detail: what is read only for a subject that somebody looks at.

use super::name::Name;
use super::paging::Counters;
use super::reading::Reading;
use super::snapshot::Snapshot;
use super::units::Bytes;
use super::users::{NamedMapping, Process};
use serde::{Deserialize, Serialize};

/// A process or a cgroup that is read in detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DetailTarget {
    /// The process with this number.
    Process(u32),
    /// The cgroup with this path below the mount of the memory controller.
    Cgroup(Name),
}

/// The details of a subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubjectDetail {
    /// A process.
    Process(Box<ProcessDetail>),
    /// A cgroup.
    Cgroup(Box<CgroupDetail>),
}

/// A process in detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessDetail {
    /// The process with everything that the table of processes can show.
    pub process: Process,
    /// Proportional share of its pages in RAM.
    pub pss: Reading<Bytes>,
    /// Waits of its threads.
    pub waits: ThreadWaits,
    /// Its mappings, added up by name.
    pub mappings: Reading<Vec<NamedMapping>>,
}

/// Total waits of the present threads of a process, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadWaits {
    /// For a CPU, while runnable.
    pub run_ns: Reading<u64>,
    /// For block I/O.
    pub block_ns: Reading<u64>,
    /// For pages from swap.
    pub swap_ns: Reading<u64>,
}

/// A cgroup in detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupDetail {
    /// Path below the mount.
    pub path: Name,
    /// `memory.events.local`: events without those of child cgroups (version 2).
    pub local_events: Reading<Counters>,
    /// `memory.numa_stat`: its memory on each NUMA node.
    pub nodes: Reading<Vec<NodeMemory>>,
    /// Generations of the multi-generational LRU, oldest first on each node.
    pub generations: Reading<Vec<LruGeneration>>,
    /// Names that the container runtime has on disk for the container.
    pub container: Reading<ContainerNames>,
}

/// Memory of a cgroup on one NUMA node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeMemory {
    /// Number of the node.
    pub node: u64,
    /// Anonymous memory.
    pub anon: Reading<Bytes>,
    /// Anonymous memory that was not used recently (version 2).
    pub inactive_anon: Reading<Bytes>,
    /// File cache.
    pub file: Reading<Bytes>,
    /// Pages that still own a swap slot (version 2).
    pub swap_cached: Reading<Bytes>,
}

/// A generation of the multi-generational LRU of a cgroup on one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LruGeneration {
    /// Number of the node.
    pub node: u64,
    /// Number of the generation: larger ones are younger.
    pub generation: u64,
    /// Milliseconds since it began.
    pub age_ms: u64,
    /// Anonymous pages.
    pub anon_pages: u64,
    /// Pages of files.
    pub file_pages: u64,
}

/// Names of a container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerNames {
    /// Name of the container.
    pub name: Reading<Name>,
    /// Name of the pod.
    pub pod: Reading<Name>,
    /// Kubernetes namespace of the pod.
    pub namespace: Reading<Name>,
}

impl DetailTarget {
    /// The table in which it is a row, and the name of that row.
    pub fn row(&self) -> (&'static str, String) {
        match self {
            Self::Process(pid) => ("processes", pid.to_string()),
            Self::Cgroup(path) => ("cgroups", path.exact()),
        }
    }
}

impl SubjectDetail {
    /// Whether these are the details of this subject.
    pub fn is_of(&self, subject: &DetailTarget) -> bool {
        match (self, subject) {
            (Self::Process(detail), DetailTarget::Process(pid)) => detail.process.pid == *pid,
            (Self::Cgroup(detail), DetailTarget::Cgroup(path)) => detail.path == *path,
            _ => false,
        }
    }
}

/// Why a snapshot has no details.
const NOT_READ: &str = "read only from a live machine, while its page is open; swapadm process show and cgroup show read captures too";

impl Snapshot {
    /// The process that was read in detail, if any.
    pub fn process_detail(&self) -> Reading<&ProcessDetail> {
        self.detail().and_then(|detail| match detail {
            SubjectDetail::Process(detail) => Reading::Known(&**detail),
            SubjectDetail::Cgroup(_) => Reading::absent(NOT_READ),
        })
    }

    /// The cgroup that was read in detail, if any.
    pub fn cgroup_detail(&self) -> Reading<&CgroupDetail> {
        self.detail().and_then(|detail| match detail {
            SubjectDetail::Cgroup(detail) => Reading::Known(&**detail),
            SubjectDetail::Process(_) => Reading::absent(NOT_READ),
        })
    }

    fn detail(&self) -> Reading<&SubjectDetail> {
        if self.subject.at.is_none() {
            Reading::absent(NOT_READ)
        } else {
            self.subject.reading.as_ref()
        }
    }
}
