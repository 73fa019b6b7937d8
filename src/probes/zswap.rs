//! zswap: `/sys/module/zswap/parameters`, and the counters of `/sys/kernel/debug/zswap`.
//!
//! Kernel: `mm/zswap.c`, needs `CONFIG_ZSWAP`. Parameters are readable by everyone; debugfs is for root.
//! Parameters differ by kernel: `zpool` until 6.17, `same_filled_pages_enabled` on 6.1 but not on 6.12,
//! `shrinker_enabled` since 6.8. All counters are kept by name; since 6.12 their folder exists only once
//! zswap has been enabled, so its absence alone means nothing.
//!
//! Not done here: the size of the pool, which `/proc/meminfo` shows to everyone from 6.1 on.

use super::{Probe, ReadInterval, mounts, scan};
use crate::model::paging::Counters;
use crate::model::zram::Zswap;
use crate::model::{Missing, Part, Reading};
use crate::root::{Root, unexpected};

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Zswap,
    id: "zswap",
    tier: ReadInterval::Fast,
    files: &[
        "sys/module/zswap/parameters/*",
        "sys/kernel/debug/zswap/*",
        "proc/mounts",
        "proc/self/mounts",
    ],
    about: "zswap: parameters, stores, rejections and writeback",
    remedy: "for counters run as root and mount debugfs on /sys/kernel/debug; the kernel needs CONFIG_ZSWAP",
};

const PARAMETERS: &str = "sys/module/zswap/parameters";
const DEBUGFS: &str = "sys/kernel/debug";
const DEBUG: &str = "sys/kernel/debug/zswap";

/// Reads parameters and counters.
pub fn read(root: &Root) -> Reading<Zswap> {
    let module =
        scan::explain(root.facts("sys/module/zswap"), "the kernel was built without zswap");
    module.map(|_| Zswap {
        enabled: root.switch(parameter("enabled")),
        compressor: word(root, "compressor"),
        zpool: scan::explain(word(root, "zpool"), "removed in kernel 6.18"),
        max_pool_percent: root.number(parameter("max_pool_percent")),
        accept_threshold_percent: root.number(parameter("accept_threshold_percent")),
        shrinker_enabled: scan::explain(
            root.switch(parameter("shrinker_enabled")),
            "exists since kernel 6.8",
        ),
        same_filled_pages_enabled: scan::explain(
            root.switch(parameter("same_filled_pages_enabled")),
            "removed in kernel 6.12",
        ),
        non_same_filled_pages_enabled: scan::explain(
            root.switch(parameter("non_same_filled_pages_enabled")),
            "only on kernels around 6.1",
        ),
        debug: debug(root),
    })
}

fn parameter(name: &str) -> String {
    format!("{PARAMETERS}/{name}")
}

fn word(root: &Root, name: &str) -> Reading<String> {
    let path = parameter(name);
    root.line(&path).and_then(|word| {
        if word.is_empty() {
            return unexpected(&path, "a name", b"");
        }
        Reading::Known(word)
    })
}

fn debug(root: &Root) -> Reading<Counters> {
    let counters = scan::folder(root, DEBUG);
    if !counters.is_absent() || root.exists(DEBUG) {
        return counters;
    }
    match root.names(DEBUGFS) {
        // In a captured tree this folder is empty even where it was mounted.
        Reading::Known(others)
            if others.is_empty() && (root.is_live() || !mounts::has_debugfs(root)) =>
        {
            Reading::absent(format!("debugfs is not mounted on /{DEBUGFS}"))
        }
        Reading::Known(_) => Reading::absent(
            "zswap was never enabled since boot (kernel 6.12 and later create its counters then)",
        ),
        Reading::Missing { missing: Missing::Absent(_) } => {
            Reading::absent(format!("/{DEBUGFS} does not exist: this kernel has no debugfs"))
        }
        Reading::Missing { missing } => missing.into(),
    }
}

#[cfg(test)]
mod tests;
