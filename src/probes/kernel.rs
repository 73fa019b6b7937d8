//! The kernel and the machine: release, name, processors, time since boot, swap tiers.
//!
//! Kernel: `/proc/sys/kernel`, `/proc/uptime`, `/sys/devices/system/cpu`, all versions; readable
//! by everyone. Every field is read by itself.

use super::{Probe, ReadInterval, scan};
use crate::model::kernel::{Kernel, SwapTier};
use crate::model::{Part, Reading};
use crate::root::{Root, parsed};
use std::path::Path;

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
        TIERS,
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
        swap_tiers: swap_tiers(root),
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

// Swap tiers: named ranges of priorities, and the tiers that a cgroup may use.

/// The file with all tiers.
pub(super) const TIERS: &str = "sys/kernel/mm/swap/tiers";

/// Reads all tiers.
pub(super) fn swap_tiers(root: &Root) -> Reading<Vec<SwapTier>> {
    if !root.exists(TIERS) {
        return Reading::absent("this kernel has no swap tiers");
    }
    let is_heading = |line: &&[u8]| scan::fields(line).nth(1).is_some_and(|it| it == b"Idx");
    let tiers = |bytes: &[u8]| {
        scan::lines(bytes).filter(|line| !is_heading(line)).map(parse_tier).collect()
    };
    let wanted = "name, index and two priorities of each tier";
    root.read(TIERS).and_then(|bytes| parsed(TIERS, wanted, &bytes, tiers))
}

/// Parses a line such as `fast 0 10 32767`.
fn parse_tier(line: &[u8]) -> Option<SwapTier> {
    let mut fields = scan::fields(line).map(|field| std::str::from_utf8(field).ok());
    let name = fields.next()??.to_owned();
    fields.next()??.parse::<u32>().ok()?;
    let mut priority = || fields.next()??.parse().ok();
    let (lowest, highest) = (priority()?, priority()?);
    (lowest <= highest).then_some(SwapTier { name, lowest, highest })
}

/// Reads the tiers that the file of a cgroup allows.
pub(super) fn allowed_tiers(root: &Root, path: &Path) -> Reading<Vec<String>> {
    let choices = |bytes: &[u8]| scan::lines(bytes).map(parse_choice).collect();
    let choices: Reading<Vec<(String, bool)>> =
        root.read(path).and_then(|bytes| parsed(path, "max or 0 for each tier", &bytes, choices));
    choices.map(|choices| {
        let allowed = choices.into_iter().filter(|(_, is_allowed)| *is_allowed);
        allowed.map(|(name, _)| name).collect()
    })
}

/// Parses a line such as `fast max` or `fast 0`.
fn parse_choice(line: &[u8]) -> Option<(String, bool)> {
    let mut fields = scan::fields(line);
    let name = std::str::from_utf8(fields.next()?).ok()?;
    match fields.next()? {
        b"max" => Some((name.to_owned(), true)),
        b"0" => Some((name.to_owned(), false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod swap_tiers_tests {
    use super::*;
    use crate::root::testing::{TestTree, mangled};

    const FULL: &str = "Name Idx PrioStart PrioEnd\nfast 0 100 32767\nslow 1 -1 99\n";

    fn tiers(text: &[u8]) -> Reading<Vec<SwapTier>> {
        swap_tiers(&TestTree::with(&[(TIERS, text)]).root())
    }

    fn tier(name: &str, lowest: i32, highest: i32) -> SwapTier {
        SwapTier { name: name.to_owned(), lowest, highest }
    }

    #[test]
    fn tiers_are_read_with_and_without_a_heading() {
        let both = Reading::Known(vec![tier("fast", 100, 32767), tier("slow", -1, 99)]);
        assert_eq!(tiers(FULL.as_bytes()), both);
        assert_eq!(tiers(b"fast 0 100 32767\nslow\t1\t-1\t99"), both);
        assert_eq!(tiers(b"fast 0 5 5"), Reading::Known(vec![tier("fast", 5, 5)]));
        assert_eq!(tiers(b""), Reading::Known(vec![]));
        for bad in
            ["fast", "fast 0 100", "fast x 1 2", "fast 0 9 1", "fast 0 1 many", "\u{ff} \u{ff}"]
        {
            assert_eq!(tiers(bad.as_bytes()).missing().unwrap().kind(), "failed", "{bad}");
        }
        mangled(FULL.as_bytes(), 300, |bytes| drop(tiers(bytes)));
    }

    #[test]
    fn a_kernel_without_tiers_says_so() {
        let missing = swap_tiers(&TestTree::new().root()).missing().cloned().unwrap();
        assert_eq!((missing.kind(), &*missing.why()), ("absent", "this kernel has no swap tiers"));
    }

    #[test]
    fn a_cgroup_allows_the_tiers_with_max() {
        let of = |text: &str| {
            allowed_tiers(&TestTree::with(&[("sys/t", text)]).root(), Path::new("sys/t"))
        };
        assert_eq!(of("fast max\nslow 0\n"), Reading::Known(vec!["fast".to_owned()]));
        assert_eq!(of("fast 0\nslow 0\n"), Reading::Known(vec![]));
        for bad in ["fast", "fast 1", "fast maximum", "max"] {
            assert_eq!(of(bad).missing().unwrap().kind(), "failed", "{bad}");
        }
    }
}
