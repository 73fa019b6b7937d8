//! Large machines: hundreds of devices, thousands of processes and cgroups.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(clippy::unwrap_used, reason = "the helpers of a test stop it")]

use crate::common;

use common::{Machine, rows};
use nix::unistd::{SysconfVar, sysconf};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use swapadm::model::paging::Counters;
use swapadm::model::users::testing::unknown;
use swapadm::model::users::{CgroupTree, CgroupVersion};
use swapadm::model::{Reading, Sampled, Shared, Snapshot, Stamp};
use swapadm::sampler::recording::RecordingWriter;

const AREAS: u64 = 24;
const DISKS: u64 = 300;
const PROCESSES: u64 = 10_000;
const CGROUPS: u64 = 2_000;
/// Swap of each process, in KiB.
const SWAP: u64 = 100;
const MEMORY: u64 = 150 << 20;
/// Limit of memory for every recording.
const MEMORY_OF_RECORDING: u64 = 512 << 20;
/// Limit of CPU time, far above the real one.
const LONGEST: Duration = Duration::from_secs(30);

fn large_machine(processes: u64, cgroups: u64) -> Machine {
    let machine = Machine::empty();
    let sum = processes * SWAP;
    let each = 1 << 20;
    let mut swaps = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n".to_owned();
    for area in 0..AREAS {
        let used = if area == 0 { sum - sum / AREAS * (AREAS - 1) } else { sum / AREAS };
        writeln!(swaps, "/dev/sd{area} partition\t{each}\t{used}\t{}", area % 4).unwrap();
    }
    machine.write("proc/swaps", swaps);
    let total = AREAS * each;
    machine.write(
        "proc/meminfo",
        format!(
            "MemTotal: 64000000 kB\nMemAvailable: 9000000 kB\nSwapCached: 0 kB\n\
             SwapTotal: {total} kB\nSwapFree: {} kB\n",
            total - sum
        ),
    );
    machine.write("proc/mounts", "none /sys/fs/cgroup cgroup2 rw 0 0\n");
    machine.write("etc/passwd", "root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n");
    disks(&machine);
    for number in 0..processes {
        process(&machine, number + 10, number % cgroups.max(1));
    }
    machine.write("sys/fs/cgroup/cgroup.controllers", "memory\n");
    for number in 0..cgroups {
        cgroup(&machine, number);
    }
    machine
}

fn disks(machine: &Machine) {
    let mut stats = String::new();
    for disk in 0..DISKS {
        let folder = format!("sys/block/sd{disk}");
        machine.write(format!("{folder}/size"), "2097160\n");
        machine.write(format!("{folder}/queue/rotational"), "0\n");
        machine.write(format!("{folder}/queue/scheduler"), "[none] mq-deadline\n");
        writeln!(stats, "8 {disk} sd{disk} 1 2 3 4 5 6 7 8 0 9 10 0 0 0 0").unwrap();
    }
    machine.write("proc/diskstats", stats);
}

fn process(machine: &Machine, pid: u64, cgroup: u64) {
    let folder = format!("proc/{pid}");
    machine.write(
        format!("{folder}/status"),
        format!(
            "Name:\tworker{pid}\nPid:\t{pid}\nPPid:\t{}\nUid:\t1000\t1000\t1000\t1000\n\
             VmRSS:\t    4096 kB\nRssShmem:\t      64 kB\nVmSwap:\t     {SWAP} kB\n",
            pid / 10
        ),
    );
    machine.write(format!("{folder}/cmdline"), format!("/usr/bin/worker\0--number\0{pid}\0"));
    machine.write(format!("{folder}/cgroup"), format!("0::/slice/group{cgroup}\n"));
    shared_file(machine, "stat", &folder, "1 (worker) S 1 1 1 0 -1 0 5 6 7 8 0 0 0 0 20 0 1 0 5\n");
    shared_file(machine, "smaps_rollup", &folder, "Rss: 4096 kB\nSwap: 100 kB\nSwapPss: 50 kB\n");
}

fn cgroup(machine: &Machine, number: u64) {
    let folder = format!("sys/fs/cgroup/slice/group{number}");
    machine.write(format!("{folder}/memory.swap.current"), format!("{}\n", 4096 * (number + 1)));
    shared_file(machine, "memory.current", &folder, "40960\n");
    shared_file(machine, "memory.max", &folder, "max\n");
    shared_file(machine, "memory.swap.max", &folder, "max\n");
    shared_file(machine, "memory.swap.events", &folder, "high 0\nmax 0\nfail 0\n");
    shared_file(machine, "memory.stat", &folder, "anon 4096\nfile 4096\npgmajfault 1\n");
}

/// A hard link: creating tens of thousands of files takes longer than the test.
fn shared_file(machine: &Machine, name: &str, folder: &str, text: &str) {
    let model = machine.path().join("models").join(name);
    if !model.exists() {
        machine.write(Path::new("models").join(name), text);
    }
    fs::create_dir_all(machine.path().join(folder)).unwrap();
    fs::hard_link(model, machine.path().join(folder).join(name)).unwrap();
}

/// The output of a run, its CPU time, which busy machines do not prolong, and its peak memory.
struct Run {
    printed: String,
    time: Duration,
    peak: u64,
}

fn run(machine: &Machine, args: &[&str]) -> Run {
    run_command(machine.command(args))
}

fn run_command(mut command: Command) -> Run {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let (mut printed, mut peak) = (Vec::new(), 0);
    let mut chunk = vec![0; 16 * 1024];
    loop {
        // The program cannot end before its output is read, except for what fits into the pipe.
        peak = peak.max(peak_of(&child).unwrap_or(0));
        match output.read(&mut chunk).unwrap() {
            0 => break,
            read => printed.extend_from_slice(chunk.get(..read).unwrap()),
        }
    }
    let time = processor_time(&child);
    // 1 says that there are differences.
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 1)), "{command:?}");
    Run { printed: String::from_utf8(printed).unwrap(), time, peak }
}

/// User and system time of a process that has ended or is about to.
fn processor_time(child: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    // The name may contain blanks; utime and stime are fields 14 and 15, and field 3 follows the name.
    let (_, after_name) = stat.rsplit_once(") ").unwrap();
    let fields = after_name.split(' ').skip(11).take(2);
    let ticks: u64 = fields.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    let per_second = sysconf(SysconfVar::CLK_TCK).unwrap().unwrap();
    Duration::from_millis(ticks * 1000 / u64::try_from(per_second).unwrap())
}

fn peak_of(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

#[test]
fn a_large_machine_takes_little_time_and_memory() {
    let machine = large_machine(PROCESSES, CGROUPS);
    let expected: [(&[&str], &str, u64); 4] = [
        (&["devices", "--json"], "devices", AREAS),
        (&["processes", "--json"], "processes", PROCESSES),
        (&["cgroups", "--json"], "cgroups", CGROUPS),
        (&["report", "--json"], "processes", PROCESSES),
    ];
    for (args, table, count) in expected {
        let run = run(&machine, args);
        println!("{args:?}: {:?}, {} KiB", run.time, run.peak / 1024);
        let document: Value = serde_json::from_str(&run.printed).unwrap();
        assert_eq!(rows(&document, table).len() as u64, count, "{args:?}");
        assert!(run.time < LONGEST, "{args:?} took {:?}", run.time);
        assert!(run.peak > 0, "{args:?}: the memory was not measured");
        assert!(run.peak < MEMORY, "{args:?} had {} KiB", run.peak / 1024);
        if table == "processes" {
            let swap: u64 =
                rows(&document, table).iter().map(|r| r["swap"].as_u64().unwrap()).sum();
            assert_eq!(swap, PROCESSES * SWAP * 1024);
        }
    }
    let tree = run(&machine, &["processes", "--tree"]);
    assert!(tree.time < LONGEST && tree.printed.lines().count() as u64 > PROCESSES);
}

#[test]
fn time_grows_with_the_number_of_processes_and_not_faster() {
    let (small, large) = (large_machine(PROCESSES / 4, 0), large_machine(PROCESSES, 0));
    let best = |machine| (0..3).map(|_| run(machine, &["processes"]).time).min().unwrap();
    let (short, long) = (best(&small), best(&large));
    println!("{} processes: {short:?}, {PROCESSES}: {long:?}", PROCESSES / 4);
    assert!(long < short * 8, "a quarter takes {short:?}, all take {long:?}");
}

#[test]
fn sections_and_settings_of_zram_generator_take_little_time() {
    let sections = |number| format!("[zram{number}]\nzram-size=1\n");
    let settings = |number| format!("k{number}=\n");
    for text in [
        (0..9000).map(sections).collect::<String>(),
        "[zram0]\n".to_owned() + &(0..30_000).map(settings).collect::<String>(),
    ] {
        let machine = Machine::empty();
        machine.write("proc/swaps", "Filename Type Size Used Priority\n");
        machine.write("etc/systemd/zram-generator.conf", text);
        let run = run(&machine, &["persist", "check"]);
        println!("{:?}", run.time);
        assert!(run.time < Duration::from_millis(600), "{:?}", run.time);
    }
}

/// As many cgroups as are read of a machine, each with all counters.
#[test]
fn the_largest_recording_takes_little_memory() {
    let counters = (0..60).map(|number| (format!("workingset_{number:05}").into(), number));
    let mut group = unknown("/system.slice/a.service");
    group.stat = Reading::Known(Counters::new("memory.stat", counters.collect()));
    let text = serde_json::to_string(&group).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut bytes = Vec::new();
    RecordingWriter::new(&mut bytes).unwrap();
    for second in 1..=3 {
        let stamp = Stamp { boot_ns: second * 1_000_000_000, wall_ms: second * 1000 };
        let mut snapshot = Snapshot::empty(stamp);
        let tree = CgroupTree {
            version: CgroupVersion::V2,
            mount: "/sys/fs/cgroup".into(),
            groups: Box::new([Shared::new(group.clone())]),
            left_out: 0,
            oom_kills: Reading::Known(second),
        };
        snapshot.cgroups = Sampled::new(Some(stamp), Reading::Known(tree));
        let line = serde_json::to_string(&snapshot).unwrap() + "\n";
        let line = line.replace(&text, &vec![text.as_str(); 20_000].join(","));
        bytes.extend(compress_to_vec(line.as_bytes(), CompressionLevel::Uncompressed));
    }
    fs::write(file.path(), bytes).unwrap();
    let mut command = common::swapadm();
    command.arg("--recording").arg(file.path()).args(["cgroups", "--all", "-o", "path"]);
    let run = run_command(command);
    println!("{:?}, {} KiB", run.time, run.peak / 1024);
    assert!(run.printed.lines().count() > 20_000, "{}", run.printed);
    assert!(run.peak < MEMORY_OF_RECORDING, "{} KiB", run.peak / 1024);
}
