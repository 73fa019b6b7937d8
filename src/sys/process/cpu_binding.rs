//! Where a process runs, and which node its memory is of.

use super::calls;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use nix::unistd::{Pid, getppid};
use std::io;

/// What a call takes for the process that makes it.
const MYSELF: Pid = Pid::from_raw(0);

/// Run on one processor only.
///
/// # Errors
/// When there is no such processor, or we may not use it.
pub fn bind_to_cpu(cpu: u32) -> io::Result<()> {
    let bound = single_cpu(cpu).ok_or(Errno::EINVAL).and_then(|set| sched_setaffinity(MYSELF, &set));
    bound.map_err(|error| {
        io::Error::other(if error == Errno::EINVAL {
            format!(
                "binding to processor {cpu}: there is none, or this program may not use it; take \
                 one of those that nproc(1) counts, from 0 on"
            )
        } else {
            format!("binding to processor {cpu}: {}", error.desc())
        })
    })
}

/// Take memory from one NUMA node only.
///
/// # Errors
/// When there is no such node, or the kernel knows none.
pub fn bind_to_node(node: u32) -> io::Result<()> {
    calls::bind_memory(node).map_err(|error| {
        io::Error::other(if error == Errno::EINVAL {
            format!(
                "taking memory of node {node}: there is none, or it has no memory; take one of \
                 those in /sys/devices/system/node"
            )
        } else if error == Errno::ENOSYS {
            format!("taking memory of node {node}: this kernel knows no nodes; leave it out")
        } else {
            format!("taking memory of node {node}: {}", error.desc())
        })
    })
}

/// The processors that we may use, from the one behind ours on; none where the kernel does not tell.
pub fn processors() -> Vec<u32> {
    let (Ok(may), Ok(ours)) = (sched_getaffinity(MYSELF), sched_getcpu()) else {
        return Vec::new();
    };
    let (before, behind): (Vec<_>, Vec<_>) = (0..CpuSet::count())
        .filter(|cpu| may.is_set(*cpu).unwrap_or(false))
        .partition(|cpu| *cpu <= ours);
    behind.into_iter().chain(before).filter_map(|cpu| u32::try_from(cpu).ok()).collect()
}

/// That of a process with this number, where they take these in turn; none where there are none.
pub fn in_turn(cpus: &[u32], number: u32) -> Option<u32> {
    let place = usize::try_from(number).ok()?.checked_rem(cpus.len())?;
    cpus.get(place).copied()
}

/// Stay on the processor that this process is on.
///
/// # Errors
/// When the kernel refuses.
pub fn disable_migration() -> io::Result<()> {
    let cpu = sched_getcpu().ok().and_then(|cpu| u32::try_from(cpu).ok()).and_then(single_cpu);
    // Who could not roam again does not stay.
    cpu.filter(|_| all_cpus().is_some())
        .map_or(Ok(()), |set| Ok(sched_setaffinity(MYSELF, &set)?))
}

/// Run wherever the process that made this one may.
///
/// # Errors
/// When the kernel refuses.
pub fn allow_migration() -> io::Result<()> {
    all_cpus().map_or(Ok(()), |set| Ok(sched_setaffinity(MYSELF, &set)?))
}

/// The processors that the process that made this one may use; none where there are more of them than
/// can be named.
fn all_cpus() -> Option<CpuSet> {
    sched_getaffinity(getppid()).ok()
}

/// This processor alone; none where no kernel has so many.
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
            assert!(error.to_string().contains("there is none"), "{error}");
        }
        for node in [1000, 4_000_000] {
            let error = bind_to_node(node).unwrap_err().to_string();
            assert!(error.starts_with(&format!("taking memory of node {node}: ")), "{error}");
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
        // Each once. Time that a cgroup rations makes fewer of them, never more.
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
