//! CPU and memory binding of processes.

use super::calls;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::{Pid, getppid};
use std::io;

/// The PID that means the calling process.
const MYSELF: Pid = Pid::from_raw(0);

/// Binds this process to one CPU.
pub fn bind_to_cpu(cpu: u32) -> io::Result<()> {
    let bound =
        single_cpu(cpu).ok_or(Errno::EINVAL).and_then(|set| sched_setaffinity(MYSELF, &set));
    bound.map_err(|error| {
        io::Error::other(if error == Errno::EINVAL {
            format!(
                "cannot bind to CPU {cpu}: it does not exist or is not allowed; use \
                 one of those that nproc(1) counts, from 0 on"
            )
        } else {
            format!("cannot bind to CPU {cpu}: {}", error.desc())
        })
    })
}

/// Binds the memory of this process to one NUMA node.
pub fn bind_to_node(node: u32) -> io::Result<()> {
    calls::bind_memory(node).map_err(|error| {
        io::Error::other(if error == Errno::EINVAL {
            format!(
                "cannot use memory of node {node}: the node is missing or has no memory; use one of \
                 those in /sys/devices/system/node"
            )
        } else if error == Errno::ENOSYS {
            format!("cannot use memory of node {node}: this kernel has no NUMA support; omit the node")
        } else {
            format!("cannot use memory of node {node}: {}", error.desc())
        })
    })
}

/// The CPUs that this process may use, starting after the current one; empty if unknown.
pub fn processors() -> Vec<u32> {
    let (Ok(may), Ok(ours)) = (sched_getaffinity(MYSELF), sched_getcpu()) else {
        return Vec::new();
    };
    let (before, behind): (Vec<_>, Vec<_>) = (0..CpuSet::count())
        .filter(|cpu| may.is_set(*cpu).unwrap_or(false))
        .partition(|cpu| *cpu <= ours);
    behind.into_iter().chain(before).filter_map(|cpu| u32::try_from(cpu).ok()).collect()
}

/// The CPU of worker `number` when workers are assigned round robin; `None` without CPUs.
pub fn in_turn(cpus: &[u32], number: u32) -> Option<u32> {
    let place = usize::try_from(number).ok()?.checked_rem(cpus.len())?;
    cpus.get(place).copied()
}

/// Binds this process to its current CPU.
pub fn disable_migration() -> io::Result<()> {
    let cpu = sched_getcpu().ok().and_then(|cpu| u32::try_from(cpu).ok()).and_then(single_cpu);
    // Without the full set, migration could not be allowed again.
    cpu.filter(|_| all_cpus().is_some()).map_or(Ok(()), |set| Ok(sched_setaffinity(MYSELF, &set)?))
}

/// Lets this process run on all CPUs that its parent may use.
pub fn allow_migration() -> io::Result<()> {
    all_cpus().map_or(Ok(()), |set| Ok(sched_setaffinity(MYSELF, &set)?))
}

/// The CPUs that the parent may use; `None` if there are too many to list.
fn all_cpus() -> Option<CpuSet> {
    sched_getaffinity(getppid()).ok()
}

/// This CPU alone; `None` if the number exceeds any kernel's.
pub(super) fn single_cpu(cpu: u32) -> Option<CpuSet> {
    let mut set = CpuSet::new();
    set.set(usize::try_from(cpu).ok()?).ok()?;
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_node_or_cpu_is_an_error() {
        for error in [bind_to_cpu(4_000_000).unwrap_err(), bind_to_cpu(1023).unwrap_err()] {
            assert!(error.to_string().contains("does not exist"), "{error}");
        }
        for node in [1000, 4_000_000] {
            let error = bind_to_node(node).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot use memory of node {node}: ")), "{error}");
        }
    }

    #[test]
    fn only_allowed_cpus_are_listed() {
        let bound = std::thread::spawn(|| {
            let all = processors();
            bind_to_cpu(all[0]).unwrap();
            (processors(), all)
        });
        let (left, all) = bound.join().unwrap();
        assert_eq!(left, all[..1]);
        // Each once. CPU quotas of a cgroup reduce the number, never raise it.
        let different: std::collections::BTreeSet<_> = all.iter().collect();
        let count = std::thread::available_parallelism().unwrap().get();
        assert!(different.len() == all.len() && all.len() >= count, "{all:?} of {count}");
    }

    #[test]
    fn cpus_are_assigned_round_robin() {
        assert_eq!([0, 1, 2, 3].map(|number| in_turn(&[4, 7, 1], number)), [4, 7, 1, 4].map(Some));
        assert_eq!(in_turn(&[], 0), None);
    }
}
