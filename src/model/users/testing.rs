use super::{Cgroup, Process, ProcessTable};
use crate::{Bytes, Name, Reading, Shared};

/// A process with this much swap.
pub fn process(pid: u32, swap: u64) -> Process {
    Process {
        pid,
        ppid: 1,
        uid: 0,
        comm: Name::from("worker"),
        swap: Reading::Known(Bytes(swap)),
        rss: Reading::Known(Bytes(0)),
        shmem: Reading::not_sampled(),
        major_faults: Reading::not_sampled(),
        cgroup: Reading::not_sampled(),
        command: Reading::not_sampled(),
        swap_pss: Reading::not_sampled(),
        swap_mapped: Reading::not_sampled(),
        thread: None,
    }
}

/// Processes with this much swap each, and the total used swap.
pub fn table(swapped: &[u64], used: u64) -> ProcessTable {
    let processes = (1..).zip(swapped).map(|(pid, swap)| Shared::new(process(pid, *swap)));
    ProcessTable {
        processes: processes.collect(),
        unreadable: 0,
        users: Reading::not_sampled(),
        swap_used: Reading::Known(Bytes(used)),
        swap_cached: Reading::not_sampled(),
    }
}

/// A cgroup without any data.
pub fn unknown(path: &str) -> Cgroup {
    Cgroup {
        path: path.into(),
        memory_current: Reading::not_sampled(),
        memory_peak: Reading::not_sampled(),
        memory_max: Reading::not_sampled(),
        memory_high: Reading::not_sampled(),
        memory_min: Reading::not_sampled(),
        memory_low: Reading::not_sampled(),
        oom_group: Reading::not_sampled(),
        swap_current: Reading::not_sampled(),
        swap_max: Reading::not_sampled(),
        swap_high: Reading::not_sampled(),
        swap_peak: Reading::not_sampled(),
        swap_events: Reading::not_sampled(),
        events: Reading::not_sampled(),
        memsw_current: Reading::not_sampled(),
        memsw_peak: Reading::not_sampled(),
        memsw_max: Reading::not_sampled(),
        memsw_failcnt: Reading::not_sampled(),
        zswap_current: Reading::not_sampled(),
        zswap_max: Reading::not_sampled(),
        zswap_writeback: Reading::not_sampled(),
        swappiness: Reading::not_sampled(),
        swap_tiers: Reading::not_sampled(),
        stat: Reading::not_sampled(),
        pressure: Reading::not_sampled(),
    }
}
