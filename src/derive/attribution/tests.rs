use super::*;
use crate::model::paging::Counters;
use crate::model::{Name, Sampled, Stamp};

const MIB: u64 = 1 << 20;

fn sampled<T>(part: T) -> Sampled<T> {
    Sampled::new(None, Reading::Known(part))
}

/// A machine with these figures in MiB, without processes, and with these tmpfs mounts.
fn machine(used: u64, shmem: u64, cached: u64, tmpfs: Vec<Tmpfs>) -> Snapshot {
    let fields = [
        ("SwapTotal", 1024),
        ("SwapFree", 1024 - used),
        ("SwapCached", cached),
        ("Shmem", shmem),
        ("Zswapped", 7),
    ];
    let fields = fields.map(|(name, mib)| (name.into(), mib * 1024)).to_vec();
    let mut snapshot = Snapshot::empty(Stamp { boot_ns: 0, wall_ms: 0 });
    snapshot.meminfo = sampled(Counters::new("/proc/meminfo", fields));
    let (processes, users) = (Vec::new(), Reading::not_sampled());
    snapshot.processes = sampled(ProcessTable {
        processes: processes.into(),
        unreadable: 0,
        users,
        swap_used: Reading::not_sampled(),
        swap_cached: Reading::not_sampled(),
    });
    let (tmpfs, sysv) = (Reading::Known(tmpfs), Reading::Known(Vec::new()));
    snapshot.shm = sampled(SharedMemory { tmpfs, sysv, shmem: Reading::not_sampled() });
    snapshot
}

fn holds(used: Reading<u64>) -> Tmpfs {
    let used = used.map(|mib| Bytes(mib * MIB));
    Tmpfs { mount: Name::from("/t"), used, size: Reading::not_sampled() }
}

fn mib(mib: u64) -> Reading<Bytes> {
    Reading::Known(Bytes(mib * MIB))
}

#[test]
fn one_silent_tmpfs_does_not_lose_the_others() {
    let silent = || holds(Reading::absent("hidden"));
    let known = || holds(Reading::Known(30));
    let of = |mounts| attribution(&machine(100, 10, 0, mounts)).tmpfs;
    assert_eq!(of(vec![silent(), known(), known()]), mib(50));
    assert_eq!(of(vec![silent(), silent()]), Reading::absent("hidden"));
    assert_eq!(of(vec![]), mib(0));
}

#[test]
fn tmpfs_takes_no_more_swap_than_is_used() {
    let facts = attribution(&machine(20, 0, 0, vec![holds(Reading::Known(50))]));
    assert_eq!(facts.tmpfs, mib(20));
    assert_eq!(facts.unexplained, mib(0));
}

#[test]
fn processes_explain_the_swap_that_was_used_when_they_were_read() {
    let mut later = machine(500, 0, 0, vec![]);
    let mut table = later.processes.reading.known().cloned().unwrap();
    table.swap_used = mib(30);
    later.processes = sampled(table);
    assert_eq!((attribution(&later).used, attribution(&later).unexplained), (mib(30), mib(30)));
}

#[test]
fn tmpfs_is_held_against_the_shared_memory_of_its_own_moment() {
    let mut later = machine(100, 50, 0, vec![holds(Reading::Known(60))]);
    assert_eq!(attribution(&later).tmpfs, mib(10), "an older recording has only the newest");
    let mut shm = later.shm.reading.known().cloned().unwrap();
    shm.shmem = mib(20);
    later.shm = sampled(shm);
    assert_eq!(attribution(&later).tmpfs, mib(40));
}

#[test]
fn the_swap_cache_is_that_of_the_moment_of_the_processes() {
    let mut later = machine(100, 0, 90, vec![]);
    let mut table = later.processes.reading.known().cloned().unwrap();
    table.swap_cached = mib(15);
    later.processes = sampled(table);
    assert_eq!(attribution(&later).cache, mib(15));
}

#[test]
fn an_older_recording_without_the_notes_is_read() {
    let machine = machine(100, 0, 0, vec![]);
    let mut line = serde_json::to_value(&machine).unwrap();
    let notes = [("processes", "swap_used"), ("processes", "swap_cached"), ("shm", "shmem")];
    for (part, note) in notes {
        line[part]["reading"].as_object_mut().unwrap().remove(note).unwrap();
    }
    assert_eq!(serde_json::from_value::<Snapshot>(line).unwrap(), machine);
}

#[test]
fn what_is_unexplained_lies_between_two_bounds() {
    let bounds = |cached, files, processes: Vec<Shared<Process>>| {
        let snapshot = machine(100, 0, cached, vec![holds(Reading::Known(files))]);
        let facts = attribution(&with_table(snapshot, &processes));
        (facts.unexplained, facts.unexplained_least)
    };
    let read = |mapped: &[u64]| -> Vec<Shared<Process>> {
        (1..).zip(mapped).map(|(pid, mapped)| process(pid, 0, Some((0, *mapped)))).collect()
    };
    assert_eq!(bounds(15, 60, read(&[0])), (mib(40), mib(25)));
    assert_eq!(bounds(90, 60, read(&[0])), (mib(40), mib(0)));
    // Two processes may map the same memory, or each its own.
    assert_eq!(bounds(0, 0, read(&[50, 30])), (mib(50), mib(20)));
    let unread = bounds(0, 0, vec![process(1, 0, None)]);
    assert!(unread.0 == mib(100) && unread.1.known().is_none(), "{unread:?}");
}

/// A process with these MiB: `VmSwap`, and `SwapPss` and `Swap` where page tables were read.
fn process(pid: u32, swap: u64, rollup: Option<(u64, u64)>) -> Shared<Process> {
    let figure = |of: fn((u64, u64)) -> u64| {
        rollup.map_or_else(Reading::not_sampled, |rollup| mib(of(rollup)))
    };
    Shared::new(Process {
        pid,
        ppid: 1,
        uid: 0,
        comm: Name::from("p"),
        swap: mib(swap),
        rss: mib(1),
        shmem: mib(0),
        major_faults: Reading::not_sampled(),
        cgroup: Reading::not_sampled(),
        command: Reading::not_sampled(),
        swap_pss: figure(|(pss, _)| pss),
        swap_mapped: figure(|(_, mapped)| mapped),
        thread: None,
    })
}

fn with_processes(used: u64, processes: &[Shared<Process>]) -> Snapshot {
    with_table(machine(used, 0, 0, vec![]), processes)
}

fn with_table(mut snapshot: Snapshot, processes: &[Shared<Process>]) -> Snapshot {
    let mut table = snapshot.processes.reading.known().cloned().unwrap();
    table.processes = processes.into();
    snapshot.processes = sampled(table);
    snapshot
}

#[test]
fn forked_processes_do_not_explain_more_than_is_used() {
    let vm_swap = with_processes(95, &[process(1, 90, None), process(2, 83, None)]);
    let why = attribution(&vm_swap).unexplained;
    assert!(why.missing().unwrap().why().contains("high after forks"), "{why:?}");
    assert!(needs_page_tables(&vm_swap));
    let forks = [process(1, 90, Some((32, 90))), process(2, 83, Some((30, 83)))];
    let shares = with_processes(95, &forks);
    assert_eq!(attribution(&shares).proportional, mib(62));
    assert_eq!(attribution(&shares).unexplained, mib(33));
    assert!(!needs_page_tables(&shares), "they were read");
    assert_eq!(swap_of(&forks[0]), Reading::Known((Bytes(32 * MIB), SwapBound::Exact)));
}

#[test]
fn shared_memory_counts_once_and_names_its_process() {
    let private = with_processes(190, &[process(1, 6, None), process(2, 2, None)]);
    assert_eq!(attribution(&private).unexplained, mib(182));
    assert!(needs_page_tables(&private));
    // Both map the same 178 MiB, as PostgreSQL does.
    let mapped = [process(1, 6, Some((6, 184))), process(2, 2, Some((2, 180)))];
    let facts = attribution(&with_processes(190, &mapped));
    assert_eq!((facts.shared, facts.unexplained), (mib(178), mib(4)));
    assert_eq!(swap_of(&mapped[0]), Reading::Known((Bytes(184 * MIB), SwapBound::Most)));
    assert_eq!(swap_of(&process(1, 6, None)), Reading::Known((Bytes(6 * MIB), SwapBound::Private)));
}

/// A share that was not read is not 0, and the rest of the used swap has the reason.
#[test]
fn a_share_that_was_not_read_has_its_reason() {
    let absent = Missing::absent("/proc/1/smaps_rollup does not exist");
    for (missing, why) in [
        (Missing::Denied("/proc/1/smaps_rollup".into()), "not read: permission denied for /proc/1"),
        (absent.clone(), "not read: /proc/1/smaps_rollup does not exist"),
        (Missing::NotSampled, "not read: swapadm processes --pss reads it"),
    ] {
        let mut unread = (*process(1, 50, None)).clone();
        unread.swap_pss = missing.clone().into();
        let facts = attribution(&with_processes(40, &[Shared::new(unread)]));
        assert_eq!(facts.proportional, missing.into());
        let rest = facts.unexplained.missing().unwrap().why();
        assert!(rest.contains(why), "{rest}");
        assert!(rest.starts_with("VmSwap is inexact, high after forks: "), "{rest}");
    }
    let mut ended = (*process(2, 20, None)).clone();
    ended.swap_pss = absent.into();
    let some = [process(1, 50, Some((30, 50))), Shared::new(ended)];
    assert_eq!(attribution(&with_processes(40, &some)).proportional, mib(30), "one has ended");
}

#[test]
fn explained_swap_needs_no_page_tables() {
    assert!(!needs_page_tables(&with_processes(100, &[process(1, 95, None)])));
    assert!(!needs_page_tables(&with_processes(0, &[])));
}

#[test]
fn the_rest_is_unknown_where_shared_memory_was_not_read() {
    let rest = |used, tmpfs, sysv: Reading<_>| {
        let mut snapshot = machine(used, 0, 0, vec![holds(tmpfs)]);
        let shm = snapshot.shm.reading.known().cloned().unwrap();
        snapshot.shm = sampled(SharedMemory { sysv, ..shm });
        attribution(&snapshot).unexplained
    };
    let why = |rest: Reading<Bytes>| rest.missing().unwrap().why();
    let (none, denied) = (Reading::Known(vec![]), Missing::Denied("/proc/sysvipc/shm".into()));
    let unread = why(rest(100, Reading::absent("hidden"), none.clone()));
    assert_eq!(unread, "tmpfs was not read: hidden");
    let unread = why(rest(100, Reading::Known(60), denied.clone().into()));
    assert!(unread.starts_with("System V shared memory was not read: permission"), "{unread}");
    assert_eq!(rest(100, Reading::Known(60), Reading::absent("no CONFIG_SYSVIPC")), mib(40));
    assert_eq!(rest(0, Reading::absent("hidden"), denied.into()), mib(0), "nothing is left");
}
