//! Which kernel interfaces can be opened: kernel memory, symbols, debugfs.

use crate::model::{Missing, Reading};
use crate::probes::{mounts, scan};
use crate::root::{FileFacts, Root};

/// Smaller than any header of /proc/kcore.
const PAGE: u64 = 4096;
const KCORE: &str = "proc/kcore";
const KALLSYMS: &str = "proc/kallsyms";
const DEBUGFS: &str = "sys/kernel/debug";

/// Can kernel memory be opened?
pub(super) fn kcore(root: &Root) -> Reading<bool> {
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
pub(super) fn kallsyms(root: &Root) -> Reading<bool> {
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
pub(super) fn lockdown(root: &Root) -> Reading<String> {
    scan::choice(root, "sys/kernel/security/lockdown").map(|choice| choice.current)
}

/// Is debugfs mounted and may it be listed?
pub(super) fn debugfs(root: &Root) -> Reading<bool> {
    mounts::read(root).and_then(|mounts| {
        if !mounts.iter().any(mounts::Mount::is_debugfs) {
            return Reading::absent(
                "debugfs is not mounted: mount -t debugfs debugfs /sys/kernel/debug",
            );
        }
        root.names(DEBUGFS).map(|_| true)
    })
}
