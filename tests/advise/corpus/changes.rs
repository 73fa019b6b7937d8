//! Changes of captured machines.

use crate::common::Machine;

/// Replaces the areas: path, size and use in MiB, and priority.
pub(crate) fn areas(machine: &Machine, rows: &[(&str, u64, u64, i32)]) {
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
pub(crate) fn meminfo(machine: &Machine, fields: &[(&str, u64)]) {
    let mut text = machine.text("proc/meminfo").unwrap();
    for (field, mib) in fields {
        let is_it = |line: &&str| line.split(':').next() == Some(field);
        let rest: Vec<&str> = text.lines().filter(|line| !is_it(line)).collect();
        text = format!("{}\n{field}: {} kB\n", rest.join("\n"), mib << 10);
    }
    machine.write("proc/meminfo", text);
}

/// Sets total and available memory in MiB.
pub(crate) fn memory(machine: &Machine, total: u64, available: u64) {
    meminfo(machine, &[("MemTotal", total), ("MemAvailable", available)]);
}

/// Adds to counters of vmstat.
pub(crate) fn count(machine: &Machine, counters: &[(&str, u64)]) {
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
pub(crate) fn pressure(machine: &Machine, some: f64, full: f64, totals: [u64; 2]) {
    let line = |word, share, total| {
        format!("{word} avg10={share:.2} avg60={share:.2} avg300={share:.2} total={total}\n")
    };
    let text = line("some", some, totals[0]) + &line("full", full, totals[1]);
    machine.write("proc/pressure/memory", text);
}

/// Adds pages read from and written to a device.
pub(crate) fn moved(machine: &Machine, device: &str, read: u64, written: u64) {
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
pub(crate) fn zram(machine: &Machine, device: &str, data: u64, memory: u64, huge: u64) {
    limited_zram(machine, device, [data, memory, 0], huge);
}

/// Fills a zram device with a memory limit: data, memory and limit in MiB.
pub(crate) fn limited_zram(machine: &Machine, device: &str, sizes: [u64; 3], huge: u64) {
    let [data, memory, limit] = sizes.map(|mib| mib << 20);
    let text = format!("{data} {memory} {memory} {limit} {memory} 0 0 {huge} {huge}\n");
    machine.write(format!("sys/block/{device}/mm_stat"), text);
    machine.write(format!("sys/block/{device}/initstate"), "1\n");
    machine.write(format!("sys/block/{device}/disksize"), format!("{}\n", 8_u64 << 30));
}

/// A desktop with 16 GiB, and swap on zram that is partly used.
pub(crate) fn desktop(machine: &Machine) {
    memory(machine, 16 << 10, 9 << 10);
    areas(machine, &[("/dev/zram0", 8 << 10, 1200, 100)]);
    zram(machine, "zram0", 1200, 400, 4000);
    machine.write("proc/sys/vm/page-cluster", "0\n");
}

/// A server with 64 GiB, and a swap partition that is hardly used.
pub(crate) fn server(machine: &Machine) {
    memory(machine, 64 << 10, 40 << 10);
    areas(machine, &[("/dev/nvme0n1", 4 << 10, 12, -2)]);
}

/// A virtual machine with 4 GiB, and swap on a virtio disk.
pub(crate) fn guest(machine: &Machine) {
    memory(machine, 4 << 10, 2 << 10);
    areas(machine, &[("/dev/vda", 2 << 10, 300, -2)]);
}

/// zram above a disk.
pub(crate) fn tiers(machine: &Machine, on_zram: u64, on_disk: u64) {
    memory(machine, 16 << 10, 6 << 10);
    let rows = [("/dev/zram0", 4096, on_zram, 100), ("/dev/nvme0n1", 8192, on_disk, 10)];
    areas(machine, &rows);
    zram(machine, "zram0", on_zram, on_zram / 3, 0);
}

/// Two zram areas of one priority, with these incompressible pages.
pub(crate) fn twins(machine: &Machine, huge: [u64; 2]) {
    memory(machine, 16 << 10, 9 << 10);
    areas(machine, &[("/dev/zram0", 4096, 1000, 100), ("/dev/zram1", 4096, 1000, 100)]);
    zram(machine, "zram0", 1000, 450, huge[0]);
    zram(machine, "zram1", 1000, 450, huge[1]);
}

/// Two areas on solid-state disks without NUMA nodes, and their use.
pub(crate) fn disks(machine: &Machine, rows: [(u64, i32); 2]) {
    memory(machine, 16 << 10, 9 << 10);
    let [(first, above), (second, below)] = rows;
    areas(machine, &[("/dev/nb0", 4096, first, above), ("/dev/ram0", 4096, second, below)]);
}

/// A cgroup with a memory limit, and the processes killed in it.
pub(crate) fn service(machine: &Machine, limit: &str, kills: u64) {
    let file = |name: &str| format!("sys/fs/cgroup/service/{name}");
    machine.write(file("memory.current"), "104857600\n");
    machine.write(file("memory.max"), limit);
    machine.write(file("memory.swap.current"), "0\n");
    machine.write(file("memory.stat"), "anon 104857600\n");
    let events = format!("low 0\nhigh 0\nmax 900\noom 3\noom_kill {kills}\noom_group_kill 0\n");
    machine.write(file("memory.events"), events);
}

/// A cgroup with a swap limit, which was hit this often.
pub(crate) fn swap_limit(machine: &Machine, limit: &str, hits: u64) {
    service(machine, "1073741824\n", 0);
    let file = |name: &str| format!("sys/fs/cgroup/service/{name}");
    machine.write(file("memory.swap.max"), limit);
    machine.write(file("memory.swap.current"), limit);
    machine.write(file("memory.swap.events"), format!("high 0\nmax {hits}\nfail {hits}\n"));
}

/// A cgroup of version 1 with a limit on memory plus swap, which was hit this often.
pub(crate) fn memsw_limit(machine: &Machine, hits: u64) {
    let file = |name: &str| format!("sys/fs/cgroup/memory/service/memory.{name}");
    machine.write(file("limit_in_bytes"), "104857600\n");
    machine.write(file("usage_in_bytes"), "52428800\n");
    machine.write(file("memsw.limit_in_bytes"), "138412032\n");
    machine.write(file("memsw.usage_in_bytes"), "85983232\n");
    machine.write(file("memsw.failcnt"), format!("{hits}\n"));
    machine.write(file("stat"), "rss 52428800\nswap 33554432\ntotal_swap 33554432\n");
}

/// A line of fstab.
pub(crate) fn fstab(machine: &Machine, line: &str) {
    machine.write("etc/fstab", format!("{line}\n"));
}

/// The journal with a plan that disables the disk and has no end.
pub(crate) fn cut_off(machine: &Machine) {
    machine.write("proc/sys/kernel/random/boot_id", "now\n");
    let areas = r#"[{"path":"/dev/nvme0n1","size":4096,"priority":-2}]"#;
    let line = format!(
        r#"{{"plan":7,"at_ms":1,"boot":"now","event":"begin","title":"priority /dev/nvme0n1","steps":[],"undoes":null,"areas":{areas}}}"#
    );
    machine.write("var/lib/swapadm/journal.jsonl", line + "\n");
}
