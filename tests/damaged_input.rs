//! Damaged files must neither stop the program nor affect what other files show.

#![allow(clippy::disallowed_methods, reason = "tests build their own trees")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "the helpers of a test stop it, and a skipped test says why"
)]

use crate::common;

use common::schema::compiled;
use common::{Machine, answers, rows, sampled, with_each};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use swapadm::clock::Clock;
use swapadm::columns::{Query, Request, tables};
use swapadm::derive::SampleView;
use swapadm::model::name::is_unsafe;
use swapadm::model::{Name, Part, Stamp};
use swapadm::probes;
use swapadm::report::json::ReportDocument;
use swapadm::root::Root;

const MACHINES: [&str; 2] = ["6.1-mixed-loaded", "7.2-zram-writeback"];

/// Ways to damage a file.
const DAMAGES: [Damage; 7] = [
    Damage::Half,
    Damage::Empty,
    Damage::Noise,
    Damage::Long,
    Damage::Largest,
    Damage::Zero,
    Damage::Swapped,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Damage {
    /// Only the first half.
    Half,
    Empty,
    /// Random bytes.
    Noise,
    /// 5 MiB of the same letter: more than is read of any file.
    Long,
    /// Each number is the largest of 64 bits.
    Largest,
    /// Each number is zero.
    Zero,
    /// Implausible numbers: more used than available, more compressed than stored.
    Swapped,
}

impl Damage {
    fn apply_to(self, bytes: &[u8], path: &Path) -> Vec<u8> {
        match self {
            Self::Half => bytes[..bytes.len() / 2].to_vec(),
            Self::Empty => Vec::new(),
            Self::Noise => noise(path, bytes.len().max(64)),
            Self::Long => vec![b'A'; 5 << 20],
            Self::Largest => with_numbers(bytes, |_| u64::MAX.to_string()),
            Self::Zero => with_numbers(bytes, |_| "0".to_owned()),
            Self::Swapped => with_numbers(bytes, |number| {
                let digits: String = number.chars().rev().collect();
                format!("{digits}{}", number.len() % 10)
            }),
        }
    }
}

/// Pseudo-random bytes, the same for each path every time.
fn noise(path: &Path, len: usize) -> Vec<u8> {
    let bytes = path.as_os_str().as_bytes();
    let mut seed =
        bytes.iter().fold(0x9e37_79b9_u64, |seed, byte| seed * 31 % 0xffff_ffff + u64::from(*byte));
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

fn with_numbers(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut changed = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    let mut number = String::new();
    for c in text.chars().chain(std::iter::once('\0')) {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        if !number.is_empty() {
            changed.extend(change(&std::mem::take(&mut number)).into_bytes());
        }
        changed.extend(c.to_string().into_bytes());
    }
    changed.pop();
    changed
}

/// Tables that every file may affect.
const OF_ALL: [&str; 3] = ["sources", "findings", "rules"];
/// The tables that each file may affect; the first match counts.
const SAYS: &[(&str, &[&str])] = &[
    (
        "proc/swaps",
        &[
            "status",
            "devices",
            "groups",
            "headroom",
            "zram",
            "processes",
            "users",
            "attribution",
            "readahead",
            "numa",
            "selection",
            "clusters",
            "cluster_orders",
            "cluster_fill",
            "cluster_map",
            "cluster_stored",
            "cluster_ages",
            "cluster_next",
            "cluster_owners",
            "cost",
            "mthp",
        ],
    ),
    (
        "proc/meminfo",
        &[
            "status",
            "devices",
            "groups",
            "headroom",
            "zswap",
            "processes",
            "users",
            "attribution",
            "readahead",
            "zram",
            "paging",
            "kernel",
            "cgroups",
            "cost",
            "selection",
            "mthp",
        ],
    ),
    // Together with the file above it gives the page size, which other values depend on.
    (
        "proc/vmstat",
        &[
            "status",
            "counters",
            "paging",
            "readahead",
            "thp",
            "zswap",
            "headroom",
            "zram",
            "devices",
            "attribution",
            "processes",
            "kernel",
            "cgroups",
        ],
    ),
    ("proc/pressure/", &["status", "pressure"]),
    ("proc/diskstats", &["devices"]),
    (
        "proc/mounts",
        &["status", "cgroups", "shm", "attribution", "kernel", "zswap", "processes", "cost"],
    ),
    ("proc/sysvipc/", &["shm", "attribution"]),
    ("proc/self/status", &["kernel"]),
    ("proc/sys/kernel/", &["kernel", "knobs", "selection", "cost", "mthp", "readahead", "zram"]),
    ("proc/sys/vm/", &["knobs", "readahead", "headroom", "cost"]),
    ("proc/uptime", &["kernel", "taken"]),
    ("proc/stat", &["kernel", "taken"]),
    ("proc/", &["processes", "users", "attribution", "kernel", "shm"]),
    ("sys/kernel/mm/transparent_hugepage/", &["thp", "mthp", "knobs", "selection"]),
    ("sys/kernel/mm/", &["knobs", "readahead"]),
    ("sys/kernel/debug/zswap/", &["zswap", "attribution"]),
    ("sys/module/zswap/", &["zswap", "attribution", "knobs"]),
    ("sys/devices/system/cpu/", &["kernel"]),
    ("sys/devices/system/node/", &["numa", "selection"]),
    // The limits of cgroups affect the state and the cost of a swapoff.
    ("sys/fs/cgroup/", &["status", "cgroups", "mthp", "cost"]),
    ("sys/kernel/security/", &["kernel"]),
    (
        "sys/block/zram",
        &[
            "status",
            "zram",
            "devices",
            "headroom",
            "attribution",
            "readahead",
            "numa",
            "selection",
            "cost",
            "mthp",
        ],
    ),
    (
        "sys/block/",
        &["status", "devices", "readahead", "numa", "groups", "headroom", "selection", "mthp"],
    ),
];
/// Number of files of one kind that are damaged at a time: there are many, and they are independent.
const TOGETHER: usize = 6;

fn fields_read_from(path: &Path) -> &'static [&'static str] {
    let found = SAYS.iter().find(|(start, _)| path.to_str().unwrap().starts_with(start));
    found.unwrap_or_else(|| panic!("which tables does {} speak of?", path.display())).1
}

/// Files damaged together, all affecting the same tables.
fn batches(machine: &Machine) -> Vec<Vec<PathBuf>> {
    let mut kinds: BTreeMap<&[&str], Vec<PathBuf>> = BTreeMap::new();
    for path in machine.files().into_iter().filter(|path| path != Path::new("machine.toml")) {
        kinds.entry(fields_read_from(&path)).or_default().push(path);
    }
    let alone = |path: &PathBuf| path.parent() == Some(Path::new("proc"));
    let mut batches = Vec::new();
    for files in kinds.into_values() {
        let (single, many): (Vec<_>, Vec<_>) = files.into_iter().partition(alone);
        batches.extend(single.into_iter().map(|path| vec![path]));
        batches.extend(many.chunks(TOGETHER).map(<[PathBuf]>::to_vec));
    }
    batches
}

/// The whole report, made in this process: hundreds of program starts would take seconds.
fn report(machine: &Machine) -> Value {
    let root = Root::at(machine.path()).unwrap();
    let clock = Clock::at(Stamp { boot_ns: 0, wall_ms: 0 });
    let snapshot = probes::sample(&root, &clock, Part::ALL.into_iter().collect());
    let view = SampleView { now: &snapshot, before: None };
    let all = || Request { columns: Some("all".to_owned()), all: true, ..Request::default() };
    let answer = |spec| (spec, Query::new(spec, &all()).unwrap().rows(&view));
    let tables = tables::TABLES.iter().map(answer).collect();
    let document = ReportDocument {
        command: "report",
        snapshot: &snapshot,
        seconds: None,
        tables,
        whole: false,
    };
    serde_json::to_value(&document).unwrap()
}

#[test]
fn a_damaged_file_affects_only_its_own_fields() {
    let pairs = MACHINES.iter().flat_map(|name| DAMAGES.map(|damage| (*name, damage)));
    let work: Vec<_> = pairs.enumerate().collect();
    let schema = compiled();
    with_each(&work, |(number, (name, damage))| {
        let machine = Machine::unpack(name);
        // Otherwise the page size is derived from two of the damaged files.
        machine.write("machine.toml", "page_size = 4096\n");
        let sound = report(&machine);
        for batch in sampled(batches(&machine), 4, *number) {
            let kept: Vec<_> = batch.iter().map(|path| machine.bytes(path).unwrap()).collect();
            for (path, bytes) in batch.iter().zip(&kept) {
                machine.write(path, damage.apply_to(bytes, path));
            }
            let damaged = report(&machine);
            if let Err(error) = schema.0.validate(&damaged, schema.1) {
                panic!("{name}: {damage:?} of {batch:?}: {error:#}");
            }
            compare(&sound, &damaged, &batch, &format!("{name}: {damage:?}"));
            for (path, bytes) in batch.iter().zip(&kept) {
                machine.write(path, bytes);
            }
        }
        assert!(report(&machine) == sound, "{name}: the machine was not put back");
    });
}

fn compare(sound: &Value, damaged: &Value, batch: &[PathBuf], what: &str) {
    let may: BTreeSet<&str> =
        batch.iter().flat_map(|path| fields_read_from(path)).copied().collect();
    for spec in tables::TABLES {
        if !OF_ALL.contains(&spec.name) && !may.contains(spec.name) {
            let same = sound["tables"][spec.name] == damaged["tables"][spec.name];
            assert!(same, "{what} of {batch:?} changed {}", spec.name);
        }
    }
}

#[test]
fn when_every_file_is_damaged_the_program_still_answers() {
    let work: Vec<_> =
        MACHINES.iter().flat_map(|name| DAMAGES.map(|damage| (*name, damage))).collect();
    with_each(&work, |(name, damage)| {
        let machine = Machine::unpack(name);
        for path in machine.files().into_iter().filter(|path| path != Path::new("machine.toml")) {
            let bytes = machine.bytes(&path).unwrap();
            machine.write(&path, damage.apply_to(&bytes, &path));
        }
        for args in [&["report", "--json"][..], &["report"], &["status"], &["devices", "--explain"]]
        {
            let output = machine.run(args);
            answers(&output, &format!("{name}: {damage:?}: {args:?}"));
            assert_safe(&output.stdout, &format!("{name}: {damage:?}: {args:?}"));
        }
    });
}

/// Expects no character that moves the cursor, reverses text or hides.
fn assert_safe(bytes: &[u8], what: &str) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    let bad = text.chars().find(|c| *c != '\n' && is_unsafe(*c));
    assert!(bad.is_none(), "{what}: prints {bad:?}");
}

#[test]
fn json_keeps_every_byte_of_a_name() {
    // Escape sequences in 7 and 8 bits, a byte that is not UTF-8, reversed text, and a line end.
    let before = b"/mnt/a\x1b[2J\xff\xc2\x9b31m\xe2\x80\xaegnp.\x07\r\x7f\xe2\x80\x8b";
    let machine = Machine::unpack("6.12-idle");
    let swaps = [b"Filename\n", before.as_slice(), b"\\012x file 1000 500 3\n"];
    machine.write("proc/swaps", swaps.concat());
    let document = machine.json(&["devices", "--json"]);
    let name = rows(&document, "devices")[0]["name"].as_str().unwrap();
    let exact = [before.as_slice(), b"\nx"].concat();
    assert_eq!(Name::from_exact(name).unwrap().as_bytes(), exact);
}

#[test]
fn unknown_additions_of_later_kernels_are_ignored() {
    let machine = Machine::unpack("7.2-zram-writeback");
    let before = report(&machine);
    let append = |path: &str, more: &str| {
        let text = machine.text(path).unwrap();
        machine.write(path, text.trim_end().to_owned() + more);
    };
    append("sys/block/zram0/mm_stat", " 77 88\n");
    append("sys/block/zram0/io_stat", " 77\n");
    append("sys/block/zram0/bd_stat", " 77\n");
    append("sys/block/zram0/debug_stat", " 77\nnext 5\n");
    append("proc/meminfo", "\nSwapNew: 5 kB\n");
    append("proc/pressure/memory", "\nmost avg10=0.00 total=5\n");
    let disks = machine.text("proc/diskstats").unwrap();
    machine.write("proc/diskstats", disks.lines().fold(String::new(), |t, l| t + l + " 1 2 3\n"));
    let swaps = machine.text("proc/swaps").unwrap();
    machine.write("proc/swaps", swaps.lines().fold(String::new(), |t, l| t + l + "\t\tnew\n"));
    for path in [
        "sys/block/zram0/of_a_later_kernel",
        "sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats/of_a_later_kernel",
        "sys/fs/cgroup/hog/memory.of_a_later_kernel",
        "proc/of_a_later_kernel",
    ] {
        machine.write(path, "1\n");
    }
    let after = report(&machine);
    for spec in tables::TABLES {
        let same = before["tables"][spec.name] == after["tables"][spec.name];
        assert!(same, "{} became {:#}", spec.name, after["tables"][spec.name]);
    }
}

/// The moves of `off` are not called safe because a figure of a cgroup with a limit could not be read.
#[test]
fn the_room_of_a_cgroup_without_its_figures_is_unknown() {
    let (intact, cg) = (Machine::shared("6.1-zswap-loaded"), "sys/fs/cgroup/hog");
    let fits = |machine: &Machine| {
        let document = machine.json(&["cost", "--json"]);
        let area = rows(&document, "cost").iter().find(|row| row["name"] == "/dev/vda").unwrap();
        area["swapoff_fits"].clone()
    };
    assert_eq!(fits(&intact), false);
    for file in ["memory.max", "memory.current", "memory.swap.current"] {
        for is_removed in [false, true] {
            let machine = Machine::unpack("6.1-zswap-loaded");
            let path = format!("{cg}/{file}");
            if is_removed {
                std::fs::remove_file(machine.path().join(&path)).unwrap();
            } else {
                machine.write(&path, "garbage\n");
            }
            assert!(fits(&machine).is_null(), "{file}");
            let plan = machine.run(&["off", "/dev/vda", "--dry-run"]);
            let text =
                String::from_utf8_lossy(&plan.stdout) + String::from_utf8_lossy(&plan.stderr);
            assert_eq!(plan.status.code(), Some(3), "{file}: {text}");
            let why = "cannot tell whether the limits of cgroups have room";
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(why) && text.contains(file), "{file}: {text}");
            let advice = machine.stdout(&["advise"]);
            let (_, unjudged) = advice.split_once("NOT EVALUATED").unwrap();
            assert!(unjudged.contains("swapoff-fit"), "{file}: {advice}");
        }
    }
}

/// Without a line that can be parsed, memory pressure is unknown: tasks may stall all the same.
#[test]
fn damaged_psi_is_named_as_not_evaluated() {
    let machine = Machine::unpack("6.1-zswap-loaded");
    let unjudged = || {
        let advice = machine.stdout(&["advise"]);
        let rest = advice.split_once("NOT EVALUATED").map(|(_, rest)| rest.to_owned());
        rest.unwrap_or_default()
    };
    assert!(!unjudged().contains("memory-pressure"));
    machine.write("proc/pressure/memory", "garbage\n");
    assert!(unjudged().contains("memory-pressure"), "{}", unjudged());
    std::fs::remove_file(machine.path().join("proc/pressure/memory")).unwrap();
    assert!(unjudged().contains("memory-pressure"), "{}", unjudged());
}

/// Scripts join the areas of `persist check` with those of other documents.
#[test]
fn the_next_boot_names_areas_as_plans_do() {
    let machine = Machine::unpack("6.12-idle");
    machine.write("etc/fstab", "\n");
    machine.write("proc/swaps", "Filename\n/mnt/a\\011b\\134c file 1000 500 3\n");
    let output = machine.run(&["persist", "check", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["differences"][0]["what"], "/mnt/a\tb\\\\c");
    let text = machine.run(&["persist", "check"]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("/mnt/a\\tb\\c: now on"), "{text}");
}
