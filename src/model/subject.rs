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
    /// The mappings, added up by name.
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

// The container behind a cgroup, from the path that each runtime gives it.

/// A container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The runtime: `docker`, `containerd`, `crio` or `podman`; none if the path does not tell.
    pub runtime: Option<&'static str>,
    /// The identifier, in hexadecimal.
    pub id: String,
    /// The UID of its Kubernetes pod.
    pub pod: Option<String>,
}

/// Prefixes of the folder of a container, with their runtimes.
const PREFIXES: [(&str, &str); 5] = [
    ("docker-", "docker"),
    ("cri-containerd-", "containerd"),
    ("nerdctl-", "containerd"),
    ("crio-", "crio"),
    ("libpod-", "podman"),
];
/// Digits of an identifier.
const ID_DIGITS: usize = 64;

impl Container {
    /// The innermost container on the path of a cgroup, such as
    /// `/kubepods.slice/kubepods-pod1a_2b.slice/cri-containerd-0123.scope` or `/docker/0123`.
    pub fn from_path(path: &Name) -> Option<Self> {
        let path = path.exact();
        let parts: Vec<&str> = path.split('/').collect();
        let place = parts.iter().rposition(|part| id_of(part).is_some())?;
        let (runtime, id) = id_of(parts.get(place)?)?;
        let above = parts.get(..place).unwrap_or_default();
        let in_docker = above.last() == Some(&"docker");
        Some(Self {
            runtime: runtime.or(in_docker.then_some("docker")),
            id: id.to_owned(),
            pod: above.iter().rev().find_map(|part| pod_of(part)),
        })
    }
}

/// The runtime and the identifier in the folder of a container.
fn id_of(part: &str) -> Option<(Option<&'static str>, &str)> {
    let part = part.strip_suffix(".scope").unwrap_or(part);
    let known = PREFIXES
        .iter()
        .find_map(|(prefix, runtime)| Some((Some(*runtime), part.strip_prefix(prefix)?)));
    // systemd names of containerd are SLICE:PREFIX:ID.
    let plain = part.rsplit_once(':').map_or((None, part), |(_, id)| (Some("containerd"), id));
    let (runtime, id) = known.unwrap_or(plain);
    let is_id = id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then_some((runtime, id))
}

/// The UID in the folder of a pod: `podUID`, or `kubepods-burstable-podUID.slice` with `_` for `-`.
fn pod_of(part: &str) -> Option<String> {
    let part = part.strip_suffix(".slice").unwrap_or(part);
    let uid = match part.rsplit_once("-pod") {
        Some((before, uid)) if before.starts_with("kubepods") => uid.replace('_', "-"),
        _ => part.strip_prefix("pod")?.to_owned(),
    };
    let is_uid = !uid.is_empty() && uid.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    is_uid.then_some(uid)
}

#[cfg(test)]
mod container_tests {
    use super::*;

    #[test]
    fn each_runtime_is_known_by_its_path() {
        let id = "0123456789abcdef".repeat(4);
        let pods = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1a_2b.slice";
        let cases = [
            (format!("/system.slice/docker-{id}.scope"), Some("docker"), None),
            (format!("/docker/{id}"), Some("docker"), None),
            (format!("{pods}/cri-containerd-{id}.scope"), Some("containerd"), Some("1a-2b")),
            (format!("{pods}/crio-{id}.scope/container"), Some("crio"), Some("1a-2b")),
            (format!("/kubepods/burstable/pod1a-2b/{id}"), None, Some("1a-2b")),
            (format!("/machine.slice/libpod-{id}.scope"), Some("podman"), None),
            (format!("/a.slice:cri-containerd:{id}"), Some("containerd"), None),
        ];
        for (path, runtime, pod) in cases {
            let found = Container::from_path(&path.as_str().into()).unwrap();
            assert_eq!(found, Container { runtime, id: id.clone(), pod: pod.map(str::to_owned) });
        }
        for other in ["/", "/system.slice/docker.service", "/docker/x", "/user.slice/podcast"] {
            assert_eq!(Container::from_path(&other.into()), None, "{other}");
        }
    }
}
