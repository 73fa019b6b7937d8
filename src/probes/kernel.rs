//! The kernel and the machine: release, name, processors, time since boot, swap tiers.
//!
//! Kernel: `/proc/sys/kernel`, `/proc/uptime`, `/sys/devices/system/cpu`, all versions; readable
//! by everyone. Every field is read by itself.

use super::{Probe, ReadInterval, scan, swap_tiers};
use crate::model::kernel::Kernel;
use crate::model::{Part, Reading};
use crate::root::{Root, parsed};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Kernel,
    id: "kernel",
    // Only the time since boot changes; the rest costs little.
    tier: ReadInterval::Medium,
    files: &[
        "proc/sys/kernel/osrelease",
        "proc/sys/kernel/hostname",
        "proc/uptime",
        "proc/stat",
        "sys/devices/system/cpu/online",
        swap_tiers::FILE,
    ],
    about: "Kernel release, host name, processors, time since boot, swap tiers",
    remedy: "mount proc on /proc and sysfs on /sys",
};

/// Reads all fields; only single fields can be missing.
pub fn read(root: &Root) -> Reading<Kernel> {
    Reading::Known(Kernel {
        release: root.line("proc/sys/kernel/osrelease"),
        hostname: root.line("proc/sys/kernel/hostname"),
        cpus: cpus(root),
        uptime_s: uptime(root),
        swap_tiers: swap_tiers::read(root),
    })
}

/// Counts processors by the list in sysfs, since `/proc/stat` is costly on a machine with many interrupts.
fn cpus(root: &Root) -> Reading<u64> {
    let path = "sys/devices/system/cpu/online";
    let count = |bytes: &[u8]| count_list(bytes.trim_ascii());
    let listed =
        root.read(path).and_then(|bytes| parsed(path, "a list such as 0-3,5", &bytes, count));
    if listed.known().is_some() {
        return listed;
    }
    match root.read("proc/stat").known().map(|bytes| count_lines(bytes)) {
        Some(count) if count > 0 => Reading::Known(count),
        _ => listed,
    }
}

/// The number of CPUs in a list such as `0-3,5`.
fn count_list(list: &[u8]) -> Option<u64> {
    scan::ranges(list)?
        .into_iter()
        .try_fold(0_u64, |sum, range| sum.checked_add(range.end() - range.start())?.checked_add(1))
}

/// Counts lines that begin with `cpu` and a number.
fn count_lines(bytes: &[u8]) -> u64 {
    let is_cpu = |line: &&[u8]| {
        let number = line.strip_prefix(b"cpu").unwrap_or_default();
        number.first().is_some_and(u8::is_ascii_digit)
    };
    scan::lines(bytes).filter(is_cpu).count() as u64
}

fn uptime(root: &Root) -> Reading<f64> {
    let path = "proc/uptime";
    let seconds = |bytes: &[u8]| {
        let seconds: f64 =
            std::str::from_utf8(bytes).ok()?.split_ascii_whitespace().next()?.parse().ok()?;
        (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
    };
    root.read(path).and_then(|bytes| parsed(path, "seconds since boot", &bytes, seconds))
}

#[cfg(test)]
mod tests;
