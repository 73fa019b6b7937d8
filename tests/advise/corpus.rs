//! Machines, healthy and broken, with the findings that are right on each.

use super::common::{Machine, machine_names, with_each};
use super::sample;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use swapadm::advice::AdviceReport;
use swapadm::derive::SampleView;
use swapadm::model::Policy;
use swapadm::probes::matches_pattern;

/// A captured machine that is changed before the first sample, and between the two samples, which are a
/// second apart.
struct Scene {
    name: &'static str,
    base: &'static str,
    is: fn(&Machine),
    then: fn(&Machine),
    /// The rules with findings; none on a healthy machine.
    finds: &'static [&'static str],
}

/// Kernel 6.12 with zram, solid-state and virtio disks, and a swap file.
const MIXED: &str = "6.12-mixed-idle";
/// The same machine with kernel 6.18.
const NEWER: &str = "6.18-mixed-idle";

/// Counts folios of 64 KiB that were split.
const SPLIT: &str = "sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats/swpout_fallback";

/// Changes nothing.
fn unchanged(_: &Machine) {}

/// Replaces the areas: path, size and use in MiB, and priority.
fn areas(machine: &Machine, rows: &[(&str, u64, u64, i32)]) {
    let mut lines = vec!["Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n".to_owned()];
    for (path, size, used, priority) in rows {
        let kind = if path.starts_with("/dev/") { "partition" } else { "file" };
        lines.push(format!("{path}\t{kind}\t{}\t{}\t{priority}\n", size << 10, used << 10));
        if let Some(device) = path.strip_prefix("/dev/") {
            machine.write(format!("sys/block/{device}/size"), format!("{}\n", (size << 11) + 8));
        }
    }
    machine.write("proc/swaps", lines.concat());
    let sum = |of: fn(&(&str, u64, u64, i32)) -> u64| rows.iter().map(of).sum::<u64>();
    let (size, used) = (sum(|row| row.1), sum(|row| row.2));
    meminfo(machine, &[("SwapTotal", size), ("SwapFree", size - used)]);
}

/// Sets fields of meminfo in MiB.
fn meminfo(machine: &Machine, fields: &[(&str, u64)]) {
    let mut text = machine.text("proc/meminfo").unwrap();
    for (field, mib) in fields {
        let is_it = |line: &&str| line.split(':').next() == Some(field);
        let rest: Vec<&str> = text.lines().filter(|line| !is_it(line)).collect();
        text = format!("{}\n{field}: {} kB\n", rest.join("\n"), mib << 10);
    }
    machine.write("proc/meminfo", text);
}

/// Sets total and available memory in MiB.
fn memory(machine: &Machine, total: u64, available: u64) {
    meminfo(machine, &[("MemTotal", total), ("MemAvailable", available)]);
}

/// Adds to counters of vmstat.
fn count(machine: &Machine, counters: &[(&str, u64)]) {
    let mut text = machine.text("proc/vmstat").unwrap();
    for (name, more) in counters {
        let is_it = |line: &&str| line.split(' ').next() == Some(name);
        let was = text.lines().find(is_it).and_then(|line| line.split(' ').nth(1));
        let was: u64 = was.map_or(0, |number| number.parse().unwrap());
        let rest: Vec<&str> = text.lines().filter(|line| !is_it(line)).collect();
        text = format!("{}\n{name} {}\n", rest.join("\n"), was + more);
    }
    machine.write("proc/vmstat", text);
}

/// Sets PSI memory some and full of the last 10 seconds in percent, and the stall times in microseconds.
fn pressure(machine: &Machine, some: f64, full: f64, totals: [u64; 2]) {
    let line = |word, share, total| {
        format!("{word} avg10={share:.2} avg60={share:.2} avg300={share:.2} total={total}\n")
    };
    let text = line("some", some, totals[0]) + &line("full", full, totals[1]);
    machine.write("proc/pressure/memory", text);
}

/// Adds pages read from and written to a device.
fn moved(machine: &Machine, device: &str, read: u64, written: u64) {
    let text = machine.text("proc/diskstats").unwrap();
    let line = |line: &str| {
        let mut fields: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if fields[2] == device {
            for (place, pages) in [(3, read), (5, read * 8), (7, written), (9, written * 8)] {
                fields[place] = (fields[place].parse::<u64>().unwrap() + pages).to_string();
            }
        }
        fields.join(" ") + "\n"
    };
    machine.write("proc/diskstats", text.lines().map(line).collect::<String>());
}

/// Fills a zram device with this much data (MiB), in this much memory, with so many incompressible pages.
fn zram(machine: &Machine, device: &str, data: u64, memory: u64, huge: u64) {
    limited_zram(machine, device, [data, memory, 0], huge);
}

/// Fills a zram device with a memory limit: data, memory and limit in MiB.
fn limited_zram(machine: &Machine, device: &str, sizes: [u64; 3], huge: u64) {
    let [data, memory, limit] = sizes.map(|mib| mib << 20);
    let text = format!("{data} {memory} {memory} {limit} {memory} 0 0 {huge} {huge}\n");
    machine.write(format!("sys/block/{device}/mm_stat"), text);
    machine.write(format!("sys/block/{device}/initstate"), "1\n");
    machine.write(format!("sys/block/{device}/disksize"), format!("{}\n", 8_u64 << 30));
}

/// A desktop with 16 GiB, and swap on zram that is partly used.
pub(super) fn desktop(machine: &Machine) {
    memory(machine, 16 << 10, 9 << 10);
    areas(machine, &[("/dev/zram0", 8 << 10, 1200, 100)]);
    zram(machine, "zram0", 1200, 400, 4000);
    machine.write("proc/sys/vm/page-cluster", "0\n");
}

/// A server with 64 GiB, and a swap partition that is hardly used.
fn server(machine: &Machine) {
    memory(machine, 64 << 10, 40 << 10);
    areas(machine, &[("/dev/nvme0n1", 4 << 10, 12, -2)]);
}

/// A virtual machine with 4 GiB, and swap on a virtio disk.
fn guest(machine: &Machine) {
    memory(machine, 4 << 10, 2 << 10);
    areas(machine, &[("/dev/vda", 2 << 10, 300, -2)]);
}

/// zram above a disk.
fn tiers(machine: &Machine, on_zram: u64, on_disk: u64) {
    memory(machine, 16 << 10, 6 << 10);
    let rows = [("/dev/zram0", 4096, on_zram, 100), ("/dev/nvme0n1", 8192, on_disk, 10)];
    areas(machine, &rows);
    zram(machine, "zram0", on_zram, on_zram / 3, 0);
}

/// Two zram areas of one priority, with these incompressible pages.
fn twins(machine: &Machine, huge: [u64; 2]) {
    memory(machine, 16 << 10, 9 << 10);
    areas(machine, &[("/dev/zram0", 4096, 1000, 100), ("/dev/zram1", 4096, 1000, 100)]);
    zram(machine, "zram0", 1000, 450, huge[0]);
    zram(machine, "zram1", 1000, 450, huge[1]);
}

/// Two areas on solid-state disks without NUMA nodes, and their use.
fn disks(machine: &Machine, rows: [(u64, i32); 2]) {
    memory(machine, 16 << 10, 9 << 10);
    let [(first, above), (second, below)] = rows;
    areas(machine, &[("/dev/nb0", 4096, first, above), ("/dev/ram0", 4096, second, below)]);
}

/// A cgroup with a memory limit, and the processes killed in it.
fn service(machine: &Machine, limit: &str, kills: u64) {
    let file = |name: &str| format!("sys/fs/cgroup/service/{name}");
    machine.write(file("memory.current"), "104857600\n");
    machine.write(file("memory.max"), limit);
    machine.write(file("memory.swap.current"), "0\n");
    machine.write(file("memory.stat"), "anon 104857600\n");
    let events = format!("low 0\nhigh 0\nmax 900\noom 3\noom_kill {kills}\noom_group_kill 0\n");
    machine.write(file("memory.events"), events);
}

/// A line of fstab.
fn fstab(machine: &Machine, line: &str) {
    machine.write("etc/fstab", format!("{line}\n"));
}

/// The journal with a plan that disables the disk and has no end.
pub(super) fn cut_off(machine: &Machine) {
    machine.write("proc/sys/kernel/random/boot_id", "now\n");
    let areas = r#"[{"path":"/dev/nvme0n1","size":4096,"priority":-2}]"#;
    let line = format!(
        r#"{{"plan":7,"at_ms":1,"boot":"now","event":"begin","title":"priority /dev/nvme0n1","steps":[],"undoes":null,"areas":{areas}}}"#
    );
    machine.write("var/lib/swapadm/journal.jsonl", line + "\n");
}

static HEALTHY: &[Scene] = &[
    Scene {
        name: "a desktop with zram at rest",
        base: MIXED,
        is: desktop,
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a desktop that swaps a little to and from zram",
        base: MIXED,
        is: desktop,
        then: |it| count(it, &[("pswpin", 40), ("pswpout", 60), ("pgsteal_anon", 60)]),
        finds: &[],
    },
    Scene {
        name: "a desktop on 6.18",
        base: NEWER,
        is: desktop,
        then: |it| count(it, &[("pswpin", 200)]),
        finds: &[],
    },
    Scene {
        name: "a server with a disk area that is hardly used",
        base: MIXED,
        is: server,
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a server on 7.2",
        base: "7.2-mixed-idle",
        is: server,
        then: |it| count(it, &[("pswpout", 20)]),
        finds: &[],
    },
    Scene {
        name: "a server with a small, partly used area and no other",
        base: MIXED,
        is: |it| {
            memory(it, 64 << 10, 40 << 10);
            areas(it, &[("/dev/nvme0n1", 1024, 400, -2)]);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a server without swap, and with 23 GiB available",
        base: "6.12-noswap",
        is: |it| memory(it, 32 << 10, 23 << 10),
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a virtual machine with swap on a virtio disk",
        base: MIXED,
        is: guest,
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a virtual machine whose readahead hits",
        base: MIXED,
        is: guest,
        then: |it| count(it, &[("pswpin", 1500), ("swap_ra", 1000), ("swap_ra_hit", 800)]),
        finds: &[],
    },
    Scene {
        name: "zram with room above a disk",
        base: MIXED,
        is: |it| tiers(it, 800, 0),
        then: |it| count(it, &[("pswpin", 150)]),
        finds: &[],
    },
    Scene {
        name: "full zram above a disk that is not read",
        base: MIXED,
        is: |it| tiers(it, 4090, 600),
        then: |it| {
            count(it, &[("pswpin", 500)]);
            moved(it, "zram0", 480, 0);
        },
        finds: &[],
    },
    Scene {
        name: "two disks of one priority, used evenly",
        base: MIXED,
        is: |it| disks(it, [(900, 10), (870, 10)]),
        then: |it| count(it, &[("pswpout", 300)]),
        finds: &[],
    },
    Scene {
        name: "two disks in an order that somebody chose",
        base: MIXED,
        is: |it| disks(it, [(4096, 10), (0, 5)]),
        then: |it| count(it, &[("pswpout", 300)]),
        finds: &[],
    },
    Scene {
        name: "two disks with default priorities, hardly used",
        base: MIXED,
        is: |it| disks(it, [(100, -2), (0, -3)]),
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "zswap in front of a disk, with single pages",
        base: MIXED,
        is: |it| {
            server(it);
            it.write("sys/module/zswap/parameters/enabled", "Y\n");
        },
        then: |it| count(it, &[("zswpout", 900)]),
        finds: &[],
    },
    Scene {
        name: "a machine just after a load: tasks stalled, and no longer do",
        base: MIXED,
        is: |it| {
            desktop(it);
            areas(it, &[("/dev/zram0", 8 << 10, 0, 100)]);
            zram(it, "zram0", 0, 0, 0);
            pressure(it, 14.0, 9.0, [9_000_000, 5_000_000]);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a small area that carries much",
        base: MIXED,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            let rows = [("/dev/nb0", 128, 128, 100), ("/dev/nvme0n1", 8192, 900, 10)];
            areas(it, &rows);
        },
        then: |it| {
            count(it, &[("pswpin", 10_000), ("pswpout", 10_700)]);
            moved(it, "nb0", 10_000, 10_700);
        },
        finds: &[],
    },
    Scene {
        name: "a machine whose folios were split long ago",
        base: MIXED,
        is: |it| {
            server(it);
            it.write(SPLIT, "50000\n");
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "a host whose container was killed and is gone",
        base: MIXED,
        is: |it| {
            server(it);
            service(it, "max\n", 4);
        },
        then: unchanged,
        finds: &[],
    },
    Scene {
        name: "an interrupted change of an earlier boot",
        base: MIXED,
        is: |it| {
            server(it);
            cut_off(it);
            it.write("proc/sys/kernel/random/boot_id", "later\n");
        },
        then: unchanged,
        finds: &[],
    },
];

static BROKEN: &[Scene] = &[
    Scene {
        name: "a machine that thrashes",
        base: MIXED,
        is: |it| {
            desktop(it);
            pressure(it, 0.0, 0.0, [0, 0]);
        },
        then: |it| {
            pressure(it, 80.0, 55.0, [800_000, 550_000]);
            let pages = [("pswpin", 9000), ("pswpout", 10_000), ("pgsteal_anon", 10_000)];
            count(it, &pages);
            count(it, &[("workingset_refault_anon", 8000), ("pgsteal_direct", 10_000)]);
        },
        finds: &["memory-pressure"],
    },
    Scene {
        name: "a machine under pressure whose pages only leave",
        base: MIXED,
        is: |it| {
            desktop(it);
            pressure(it, 0.0, 0.0, [0, 0]);
        },
        then: |it| {
            pressure(it, 30.0, 5.5, [300_000, 55_000]);
            count(it, &[("pswpin", 16), ("pswpout", 100_671), ("pgsteal_anon", 100_671)]);
        },
        finds: &["memory-pressure"],
    },
    Scene {
        name: "full swap while memory is short",
        base: MIXED,
        is: |it| {
            memory(it, 4096, 200);
            areas(it, &[("/dev/nvme0n1", 2048, 2040, -2)]);
        },
        then: unchanged,
        finds: &["swap-full", "swapoff-fit"],
    },
    Scene {
        name: "no swap while memory is short",
        base: "6.12-noswap",
        is: |it| memory(it, 4096, 200),
        then: unchanged,
        finds: &["no-swap"],
    },
    Scene {
        name: "a process killed now in a cgroup at its limit",
        base: MIXED,
        is: |it| {
            server(it);
            service(it, "104857600\n", 2);
        },
        then: |it| service(it, "104857600\n", 3),
        finds: &["oom-kills"],
    },
    Scene {
        name: "processes killed earlier in a cgroup with a limit",
        base: "7.2-mixed-idle",
        is: |it| {
            server(it);
            service(it, "104857600\n", 2);
        },
        then: unchanged,
        finds: &["oom-kills"],
    },
    Scene {
        name: "processes killed in a cgroup of version 1",
        base: "host-cgroup-v1",
        is: |it| {
            let file = |name: &str| format!("sys/fs/cgroup/memory/service/{name}");
            it.write(file("memory.limit_in_bytes"), "104857600\n");
            it.write(file("memory.usage_in_bytes"), "104857600\n");
            it.write(file("memory.stat"), "rss 104857600\n");
            it.write(file("memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
        },
        then: unchanged,
        finds: &["oom-kills"],
    },
    Scene {
        name: "a process killed outside of cgroups",
        base: MIXED,
        is: server,
        then: |it| count(it, &[("oom_kill", 1)]),
        finds: &["oom-kills"],
    },
    Scene {
        name: "an interrupted change that left an area disabled",
        base: MIXED,
        is: |it| {
            desktop(it);
            cut_off(it);
        },
        then: unchanged,
        finds: &["interrupted"],
    },
    Scene {
        name: "full zram above a disk from which pages return",
        base: MIXED,
        is: |it| tiers(it, 4090, 600),
        then: |it| {
            count(it, &[("pswpin", 700)]);
            moved(it, "zram0", 100, 0);
            moved(it, "nvme0n1", 600, 0);
        },
        finds: &["lru-inversion"],
    },
    Scene {
        name: "two disks with default priorities, the first one full",
        base: MIXED,
        is: |it| disks(it, [(4096, -2), (0, -3)]),
        then: |it| count(it, &[("pswpin", 5)]),
        finds: &["one-by-one"],
    },
    Scene {
        name: "two disks with default priorities, the first one busy",
        base: MIXED,
        is: |it| disks(it, [(900, -2), (0, -3)]),
        then: |it| count(it, &[("pswpout", 4000)]),
        finds: &["one-by-one"],
    },
    Scene {
        name: "zram and a disk of one priority",
        base: MIXED,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            areas(it, &[("/dev/zram0", 4096, 100, 10), ("/dev/nvme0n1", 4096, 100, 10)]);
            zram(it, "zram0", 100, 30, 0);
        },
        then: unchanged,
        finds: &["mixed-priority"],
    },
    Scene {
        name: "zram below a disk",
        base: NEWER,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            areas(it, &[("/dev/zram0", 4096, 0, 5), ("/dev/nvme0n1", 4096, 900, 10)]);
            zram(it, "zram0", 0, 0, 0);
        },
        then: unchanged,
        finds: &["zram-behind"],
    },
    Scene {
        name: "a rotational disk among solid-state ones",
        base: NEWER,
        is: |it| {
            disks(it, [(100, 10), (90, 10)]);
            it.write("sys/block/nb0/queue/rotational", "1\n");
        },
        then: unchanged,
        finds: &["rotational-equal"],
    },
    Scene {
        name: "two disks of one priority, one with nearly everything",
        base: MIXED,
        is: |it| disks(it, [(900, 10), (100, 10)]),
        then: unchanged,
        finds: &["unbalanced"],
    },
    Scene {
        name: "zram near its memory limit",
        base: MIXED,
        is: |it| {
            desktop(it);
            limited_zram(it, "zram0", [1200, 400, 420], 0);
        },
        then: unchanged,
        finds: &["zram-limit"],
    },
    Scene {
        name: "zram that compresses poorly",
        base: MIXED,
        is: |it| {
            desktop(it);
            zram(it, "zram0", 1200, 1000, 2000);
        },
        then: unchanged,
        finds: &["zram-ratio"],
    },
    Scene {
        name: "twins with just over a quarter of incompressible data together",
        base: MIXED,
        is: |it| twins(it, [64_005, 63_998]),
        then: unchanged,
        finds: &["zram-huge:zram0", "zram-huge:zram1"],
    },
    Scene {
        name: "a virtual machine whose readahead is wasted",
        base: MIXED,
        is: guest,
        then: |it| count(it, &[("pswpin", 3000), ("swap_ra", 2000), ("swap_ra_hit", 100)]),
        finds: &["readahead-device", "readahead-wasted"],
    },
    Scene {
        name: "readahead from zram",
        base: MIXED,
        is: |it| {
            desktop(it);
            it.write("proc/sys/vm/page-cluster", "3\n");
        },
        then: |it| count(it, &[("pswpin", 900), ("swap_ra", 90), ("swap_ra_hit", 60)]),
        finds: &["readahead-zram"],
    },
    Scene {
        name: "zswap in front of zram",
        base: MIXED,
        is: |it| {
            desktop(it);
            it.write("sys/module/zswap/parameters/enabled", "Y\n");
        },
        then: unchanged,
        finds: &["zswap-zram"],
    },
    Scene {
        name: "zswap that gets nothing because of huge pages",
        base: MIXED,
        is: |it| {
            server(it);
            it.write("sys/module/zswap/parameters/enabled", "Y\n");
        },
        then: |it| count(it, &[("pswpout", 26_624), ("thp_swpout", 52)]),
        finds: &["zswap-bypassed"],
    },
    Scene {
        name: "folios that are split now",
        base: MIXED,
        is: |it| {
            server(it);
            it.write(SPLIT, "50000\n");
        },
        then: |it| it.write(SPLIT, "55000\n"),
        finds: &["folios-split"],
    },
    Scene {
        name: "fstab with a device that is gone",
        base: MIXED,
        is: |it| {
            desktop(it);
            fstab(it, "/dev/sdx2 none swap sw 0 0");
        },
        then: unchanged,
        finds: &["boot-stale"],
    },
    Scene {
        name: "fstab with another priority",
        base: MIXED,
        is: |it| {
            memory(it, 64 << 10, 40 << 10);
            areas(it, &[("/dev/nvme0n1", 4 << 10, 12, 10)]);
            fstab(it, "/dev/nvme0n1 none swap sw,pri=5 0 0");
        },
        then: unchanged,
        finds: &["boot-priority"],
    },
    Scene {
        name: "discard for a device without it",
        base: MIXED,
        is: |it| {
            memory(it, 64 << 10, 40 << 10);
            areas(it, &[("/dev/nb0", 4 << 10, 12, 5)]);
            it.write("sys/block/nb0/queue/discard_max_bytes", "0\n");
            fstab(it, "/dev/nb0 none swap sw,pri=5,discard 0 0");
        },
        then: unchanged,
        finds: &["discard"],
    },
    Scene {
        name: "swap more than half full in which nothing moves",
        base: MIXED,
        is: |it| {
            desktop(it);
            areas(it, &[("/dev/zram0", 8 << 10, 5 << 10, 100)]);
            zram(it, "zram0", 5 << 10, 2 << 10, 0);
        },
        then: unchanged,
        finds: &["idle"],
    },
    Scene {
        name: "a small area full of old pages above a large one",
        base: MIXED,
        is: |it| {
            memory(it, 16 << 10, 9 << 10);
            let rows = [("/dev/nb0", 128, 128, 100), ("/dev/nvme0n1", 8192, 900, 10)];
            areas(it, &rows);
        },
        then: |it| {
            count(it, &[("pswpin", 500), ("pswpout", 500)]);
            moved(it, "nvme0n1", 500, 500);
        },
        finds: &["area-small"],
    },
    Scene {
        name: "files that are read again while zram has room",
        base: MIXED,
        is: desktop,
        then: |it| count(it, &[("workingset_restore_file", 4000)]),
        finds: &["swappiness"],
    },
    Scene {
        name: "much more swap than memory",
        base: MIXED,
        is: |it| {
            memory(it, 4096, 3000);
            areas(it, &[("/dev/nvme0n1", 256 << 10, 0, -2)]);
        },
        then: unchanged,
        finds: &["metadata"],
    },
    Scene {
        name: "contents that fit nowhere else",
        base: MIXED,
        is: |it| {
            memory(it, 4096, 800);
            areas(it, &[("/dev/nvme0n1", 8192, 2000, -2)]);
        },
        then: |it| count(it, &[("pswpin", 10)]),
        finds: &["swapoff-fit"],
    },
];

/// The findings on a machine: the rules, and with a colon the subjects that the scene names.
fn judge_machine(machine: &Machine, then: fn(&Machine), wanted: &[&str]) -> BTreeSet<String> {
    let before = sample(machine, 1);
    then(machine);
    let now = sample(machine, 2);
    let view = SampleView { now: &now, before: Some(&before) };
    let findings = AdviceReport::from_view(&view, &Policy::DEFAULT).findings;
    for finding in &findings {
        super::check(&view, finding, machine);
    }
    let name = |finding: &swapadm::advice::Finding| {
        let name = finding.name();
        if wanted.contains(&name.as_str()) { name } else { finding.rule.to_owned() }
    };
    findings.iter().map(name).collect()
}

/// Compares each scene with its findings, and returns the number of findings that should not be there.
fn judge(scenes: &[Scene]) -> usize {
    let false_alarms = AtomicUsize::new(0);
    let places: Vec<usize> = (0..scenes.len()).collect();
    with_each(&places, |place| {
        let Scene { name, base, is, then, finds } = &scenes[*place];
        let machine = Machine::unpack(base);
        is(&machine);
        let found = judge_machine(&machine, *then, finds);
        let wanted: BTreeSet<String> = finds.iter().map(|it| (*it).to_owned()).collect();
        false_alarms.fetch_add(found.difference(&wanted).count(), Ordering::Relaxed);
        assert_eq!(found, wanted, "{name}");
    });
    false_alarms.into_inner()
}

#[test]
fn healthy_machines_have_no_finding() {
    assert!(HEALTHY.len() >= 15 && HEALTHY.iter().all(|scene| scene.finds.is_empty()));
    assert_eq!(judge(HEALTHY), 0, "false alarms");
}

#[test]
fn broken_machines_have_the_right_findings_and_no_other() {
    assert!(BROKEN.len() >= 30 && BROKEN.iter().all(|scene| !scene.finds.is_empty()));
    assert_eq!(judge(BROKEN), 0, "false alarms");
}

/// The findings on captured machines, on which nothing happens between the samples.
static CAPTURED: &[(&str, &[&str])] = &[
    ("6.1-loaded", &["one-by-one", "zram-huge", "zram-ratio"]),
    ("6.12-loaded", &["one-by-one", "zram-huge"]),
    ("6.18-loaded", &["one-by-one", "zram-huge"]),
    ("7.2-loaded", &["zram-huge"]),
    ("6.1-mixed-loaded", &["zram-huge", "zram-ratio"]),
    ("6.12-mixed-loaded", &["zram-huge"]),
    // Its processes were swapped out because of a limit, which has no room for what would return.
    ("*-thp-loaded", &["swapoff-fit"]),
    ("*-zram-writeback", &["swapoff-fit"]),
    // Up to 6.18 each node prefers its own disks; on 7.x all default priorities are equal.
    ("7.2-numa*", &["mixed-priority"]),
    ("6.*-numa*", &["zram-behind"]),
];

#[test]
fn captured_machines_have_the_right_findings() {
    with_each(&machine_names(), |name| {
        let is_it = |(pattern, _): &&(&str, _)| matches_pattern(pattern, Path::new(name));
        let wanted: BTreeSet<String> = CAPTURED
            .iter()
            .filter(is_it)
            .flat_map(|(_, rules)| *rules)
            .map(|it| (*it).to_owned())
            .collect();
        assert_eq!(judge_machine(&Machine::shared(name), unchanged, &[]), wanted, "{name}");
    });
}
