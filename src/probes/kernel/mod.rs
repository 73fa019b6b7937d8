//! The kernel, the machine and our rights: what can be known here at all, and why not more.
//!
//! Kernel: `/proc/sys/kernel`, `/proc/self/status`, `/sys/kernel/btf` (`CONFIG_DEBUG_INFO_BTF`,
//! 5.4 and later), `/proc/kcore` (`CAP_SYS_RAWIO`, no lockdown), `/proc/kallsyms` (addresses need
//! `CAP_SYSLOG` by default), `/sys/kernel/security/lockdown` (5.4 and later), debugfs (root).
//! Every field stands alone. Kernel memory is opened and closed, not read, and of the symbols only
//! the beginning is read: whether data symbols are among them is not known here.

mod doors;
mod page;

use super::{Probe, Tier, mounts, scan};
use crate::model::kernel::{CgroupMode, Kernel};
use crate::model::{Name, Part, Reading};
use crate::root::{Root, parse_u64, unexpected};

/// What this probe is.
pub static PROBE: Probe = Probe {
    part: Part::Kernel,
    id: "kernel",
    tier: Tier::OnDemand,
    files: &[
        "proc/sys/kernel/osrelease",
        "proc/sys/kernel/hostname",
        "proc/sys/kernel/kptr_restrict",
        "proc/*/smaps",
        "proc/vmstat",
        "proc/meminfo",
        "proc/uptime",
        "proc/stat",
        "proc/self/status",
        "proc/kcore",
        "proc/kallsyms",
        "proc/mounts",
        "proc/self/mounts",
        "sys/devices/system/cpu/online",
        "sys/kernel/btf/vmlinux",
        "sys/kernel/security/lockdown",
        "sys/kernel/debug",
    ],
    about: "Kernel release, page size, our rights, and which views of the kernel are open",
    remedy: "run as root; mount proc on /proc, sysfs on /sys and debugfs on /sys/kernel/debug",
};

/// Read all of it; only single fields can be missing.
pub fn read(root: &Root) -> Reading<Kernel> {
    Reading::Known(Kernel {
        release: root.line("proc/sys/kernel/osrelease"),
        hostname: root.line("proc/sys/kernel/hostname"),
        page_size: page::size(root),
        cpus: cpus(root),
        uptime_s: uptime(root),
        uid: own_uid(root),
        capabilities: own_capabilities(root),
        btf_bytes: root.facts("sys/kernel/btf/vmlinux").map(|facts| facts.size),
        kcore: doors::kcore(root),
        kallsyms: doors::kallsyms(root),
        kptr_restrict: root.number("proc/sys/kernel/kptr_restrict"),
        lockdown: doors::lockdown(root),
        debugfs: doors::debugfs(root),
        cgroups: mounts::read(root).map(|mounts| cgroup_mode(&mounts)),
    })
}

/// From the list in sysfs, since `/proc/stat` is costly on a machine with many interrupts.
fn cpus(root: &Root) -> Reading<u64> {
    let path = "sys/devices/system/cpu/online";
    let listed = root.read(path).and_then(|bytes| match count_list(bytes.trim_ascii()) {
        Some(count) => Reading::Known(count),
        None => unexpected(path, "a list such as 0-3,5", &bytes),
    });
    if listed.known().is_some() {
        return listed;
    }
    match root.read("proc/stat").known().map(|bytes| count_lines(bytes)) {
        Some(count) if count > 0 => Reading::Known(count),
        _ => listed,
    }
}

/// How many numbers a list such as `0-3,5` holds.
fn count_list(list: &[u8]) -> Option<u64> {
    list.split(|byte| *byte == b',').try_fold(0_u64, |sum, range| {
        let mut ends = range.splitn(2, |byte| *byte == b'-');
        let first = parse_u64(ends.next()?)?;
        let end = ends.next().map_or(Some(first), parse_u64)?;
        sum.checked_add(end.checked_sub(first)?)?.checked_add(1)
    })
}

/// Lines that begin with `cpu` and a number.
fn count_lines(bytes: &[u8]) -> u64 {
    let is_cpu = |line: &&[u8]| {
        let number = line.strip_prefix(b"cpu").unwrap_or_default();
        number.first().is_some_and(u8::is_ascii_digit)
    };
    scan::lines(bytes).filter(is_cpu).count() as u64
}

fn uptime(root: &Root) -> Reading<f64> {
    let path = "proc/uptime";
    root.text(path).and_then(|text| {
        let first = text.split_ascii_whitespace().next();
        let seconds = first.and_then(|word| word.parse().ok());
        match seconds.filter(|s: &f64| s.is_finite() && *s >= 0.0) {
            Some(seconds) => Reading::Known(seconds),
            None => unexpected(path, "seconds since boot", text.as_bytes()),
        }
    })
}

const STATUS: &str = "proc/self/status";

fn own_uid(root: &Root) -> Reading<u32> {
    status_line(root, b"Uid:").and_then(|line| {
        let effective = scan::fields(&line).nth(1).and_then(parse_u64);
        match effective.and_then(|uid| u32::try_from(uid).ok()) {
            Some(uid) => Reading::Known(uid),
            None => unexpected(STATUS, "four user numbers", &line),
        }
    })
}

fn own_capabilities(root: &Root) -> Reading<u64> {
    status_line(root, b"CapEff:").and_then(|line| {
        let text = std::str::from_utf8(line.trim_ascii()).ok();
        match text.and_then(|text| u64::from_str_radix(text, 16).ok()) {
            Some(mask) => Reading::Known(mask),
            None => unexpected(STATUS, "a bit mask", &line),
        }
    })
}

/// What stands after this word in our own status.
fn status_line(root: &Root, name: &[u8]) -> Reading<Vec<u8>> {
    root.read(STATUS).and_then(|bytes| {
        let rest = scan::lines(&bytes).find_map(|line| line.strip_prefix(name));
        rest.map_or_else(
            || unexpected(STATUS, &format!("a line of {}", Name::new(name).safe()), &bytes),
            |rest| Reading::Known(rest.to_vec()),
        )
    })
}

fn cgroup_mode(mounts: &[mounts::Mount]) -> CgroupMode {
    let mounted = |kind: &[u8]| mounts.iter().any(|mount| mount.kind == kind);
    match (mounted(b"cgroup"), mounted(b"cgroup2")) {
        (true, true) => CgroupMode::Hybrid,
        (true, false) => CgroupMode::V1,
        (false, true) => CgroupMode::V2,
        (false, false) => CgroupMode::None,
    }
}

#[cfg(test)]
mod tests;
