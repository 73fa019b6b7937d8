use super::*;
use crate::model::paging::Counters;
use crate::model::users::ProcessTable;
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
    let facts = attribution(&later);
    assert_eq!((facts.cache, facts.unexplained_least), (mib(15), mib(85)));
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
    let of = |cached| attribution(&machine(100, 0, cached, vec![holds(Reading::Known(60))]));
    assert_eq!((of(15).unexplained, of(15).unexplained_least), (mib(40), mib(25)));
    assert_eq!(of(90).unexplained_least, mib(0));
}
