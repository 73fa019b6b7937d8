//! The rights of this process, and which kernel interfaces are open to it.
//!
//! Kernel: `/proc/self/status`, `/sys/kernel/btf` (`CONFIG_DEBUG_INFO_BTF`, 5.4 and later),
//! `/proc/kcore` (`CAP_SYS_RAWIO`, no lockdown), `/proc/kallsyms` (addresses need `CAP_SYSLOG` by
//! default), `/sys/kernel/security/lockdown` (5.4 and later), debugfs (root). Every field is read by
//! itself. Kernel memory is opened and closed again without a read, and only the beginning of the symbols
//! is read: it cannot tell whether data symbols are among them.

use super::probe::BootCache;
use super::{Probe, ReadInterval, btf, kernel_config, mounts, scan};
use crate::model::kernel::{Access, CgroupMode};
use crate::model::{Missing, Name, Part, Reading};
use crate::root::{FileFacts, Root, parse_hex, parse_u64, parsed, unexpected};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Access,
    id: "access",
    tier: ReadInterval::OnDemand,
    files: &[
        "proc/self/status",
        "proc/sys/kernel/kptr_restrict",
        "proc/kcore",
        "proc/kallsyms",
        "proc/mounts",
        "proc/self/mounts",
        btf::FILE,
        "sys/kernel/security/lockdown",
        "sys/kernel/debug",
        ZRAM,
        kernel_config::FILES,
    ],
    about: "Rights of swapadm, and which kernel interfaces are open to it",
    remedy: "run as root; mount proc on /proc, sysfs on /sys and debugfs on /sys/kernel/debug",
};

/// Reads all fields; only single fields can be missing.
pub fn read(root: &Root) -> Reading<Access> {
    rights(root).map(|rights| Access {
        btf_bytes: btf::size(root),
        kcore: kernel_memory(root),
        kallsyms: kallsyms(root),
        kptr_restrict: root.number("proc/sys/kernel/kptr_restrict"),
        lockdown: lockdown(root),
        debugfs: debugfs(root),
        zram: zram(root),
        virtual_swap: virtual_swap(root),
        cgroups: mounts::read(root).map(|mounts| cgroup_mode(&mounts)),
        ..rights
    })
}

/// The folder in which zram devices are created.
const ZRAM: &str = "sys/class/zram-control";

fn zram(root: &Root) -> Reading<bool> {
    if !root.is_live() && !root.exists(ZRAM) {
        return Reading::absent("not recorded in this capture");
    }
    Reading::Known(root.exists(ZRAM))
}

/// Whether the kernel was built with virtual swap, which is under review and in no release yet.
/// The file has hundreds of kilobytes and stays the same until the next boot.
fn virtual_swap(root: &Root) -> Reading<bool> {
    static OPTION: BootCache<bool> = BootCache::new();
    OPTION.get_or_read(root, (), || {
        kernel_config::option(root, "CONFIG_VSWAP").map(|value| value != "n")
    })
}

/// Reads only the rights of this process.
pub fn rights(root: &Root) -> Reading<Access> {
    let status = root.read(STATUS);
    Reading::Known(Access::with_rights_only(own_uid(&status), own_capabilities(&status)))
}

const STATUS: &str = "proc/self/status";

fn own_uid(status: &Reading<Vec<u8>>) -> Reading<u32> {
    status_line(status, b"Uid:").and_then(|line| {
        let effective = |line: &[u8]| parse_u64(scan::fields(line).nth(1)?);
        parsed(STATUS, "four user numbers", &line, |line| u32::try_from(effective(line)?).ok())
    })
}

fn own_capabilities(status: &Reading<Vec<u8>>) -> Reading<u64> {
    status_line(status, b"CapEff:")
        .and_then(|line| parsed(STATUS, "a bit mask", &line, |line| parse_hex(line.trim_ascii())))
}

/// The rest of the line that begins with this name in `/proc/self/status`.
fn status_line(status: &Reading<Vec<u8>>, name: &[u8]) -> Reading<Vec<u8>> {
    status.as_ref().and_then(|bytes| {
        let rest = scan::lines(bytes).find_map(|line| line.strip_prefix(name));
        rest.map_or_else(
            || unexpected(STATUS, &format!("a line of {}", Name::new(name).safe()), bytes),
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

// Which kernel interfaces can be opened: kernel memory, symbols, debugfs.

/// Smaller than any header of /proc/kcore.
const PAGE: u64 = 4096;
const KCORE: &str = "proc/kcore";
const KALLSYMS: &str = "proc/kallsyms";
const DEBUGFS: &str = "sys/kernel/debug";

/// Can kernel memory be opened?
pub(crate) fn kernel_memory(root: &Root) -> Reading<bool> {
    let facts = match root.facts(KCORE).into_result() {
        Ok(facts) => facts,
        Err(Missing::Absent(_)) if root.is_live() => {
            return Reading::absent(
                "/proc/kcore does not exist: boot a kernel with CONFIG_PROC_KCORE",
            );
        }
        Err(Missing::Absent(_)) => {
            return Reading::absent("a captured tree does not contain /proc/kcore");
        }
        Err(missing) => return missing.into(),
    };
    if is_masked(&facts) {
        return Reading::failed(
            "/proc/kcore is masked, as in a container: run swapadm on the host",
        );
    }
    root.can_open(KCORE)
}

/// Detects the `/dev/null` or empty file that containers mount over `/proc/kcore`.
fn is_masked(facts: &FileFacts) -> bool {
    !facts.regular || facts.size < PAGE
}

/// Are the addresses of symbols shown? They are all zero where they are hidden.
fn kallsyms(root: &Root) -> Reading<bool> {
    // The whole file has more than 10 MB; its first symbols are enough.
    root.read_head(KALLSYMS, 4096).and_then(|bytes| {
        let mut addresses = scan::lines(&bytes)
            .filter_map(|line| scan::fields(line).next())
            .filter(|word| word.iter().all(u8::is_ascii_hexdigit))
            .peekable();
        if addresses.peek().is_none() {
            return Reading::failed("/proc/kallsyms has no symbols");
        }
        Reading::Known(addresses.any(|word| word.iter().any(|digit| *digit != b'0')))
    })
}

/// The lockdown mode in force.
pub(crate) fn lockdown(root: &Root) -> Reading<String> {
    scan::choice(root, "sys/kernel/security/lockdown").map(|choice| choice.current)
}

/// Is debugfs mounted and may it be listed?
fn debugfs(root: &Root) -> Reading<bool> {
    mounts::read(root).and_then(|mounts| {
        if !mounts.iter().any(mounts::Mount::is_debugfs) {
            return Reading::absent(
                "debugfs is not mounted: mount -t debugfs debugfs /sys/kernel/debug",
            );
        }
        root.names(DEBUGFS).map(|_| true)
    })
}

#[cfg(test)]
mod tests;
