//! One process or one cgroup in detail, for a person who looks at it.
//!
//! Nothing of this is read for a whole machine: the mappings of a process take a walk of its page tables,
//! and the files of runtimes are of no use for figures. The probes of processes and cgroups read it; this
//! one decides which.

use super::{Probe, ReadInterval, cgroup, process};
use crate::clock::Clock;
use crate::model::subject::{DetailTarget, SubjectDetail};
use crate::model::{Part, Sampled};
use crate::root::Root;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Subject,
    id: "subject",
    tier: ReadInterval::OnDemand,
    files: &[
        "proc/*/task/*/stat",
        "proc/*/task/*/schedstat",
        "proc/sys/kernel/task_delayacct",
        "sys/kernel/debug/lru_gen",
        "sys/kernel/mm/lru_gen/enabled",
        "var/lib/docker/containers/*/config.v2.json",
        "run/containerd/io.containerd.runtime.v2.task/*/*/config.json",
        "run/containers/storage/overlay-containers/*/userdata/config.json",
        "var/lib/containers/storage/overlay-containers/containers.json",
    ],
    about: "One process or cgroup in detail: mappings, waits, NUMA nodes, LRU ages, container",
    remedy: "name a process or a cgroup: swapadm process show PID; root can read all of it",
};

/// Reads a subject in detail.
pub fn read(root: &Root, clock: &Clock, subject: &DetailTarget) -> Sampled<SubjectDetail> {
    let at = clock.now();
    let detail = match subject {
        DetailTarget::Process(pid) => {
            process::read_one(root, *pid).map(|it| SubjectDetail::Process(Box::new(it)))
        }
        DetailTarget::Cgroup(path) => {
            cgroup::read_one(root, path).map(|it| SubjectDetail::Cgroup(Box::new(it)))
        }
    };
    Sampled::new(Some(at), detail)
}
