//! The settings of [`KNOBS`]: `/proc/sys/vm`, `/sys/kernel/mm`, the parameters of zswap.
//!
//! Kernel: `kernel/sysctl.c`, `mm/swap_state.c`, `mm/vmscan.c`, `mm/zswap.c`; readable by everyone. A
//! setting that this kernel lacks is absent, with the reason.

use super::{Probe, ReadInterval};
use crate::model::Part;
use crate::model::knob::{KNOBS, KnobReading};
use crate::root::Root;

/// Description of this probe.
pub static PROBE: Probe = Probe {
    part: Part::Knobs,
    id: "knobs",
    tier: ReadInterval::Medium,
    files: &[
        "proc/sys/vm/*",
        "sys/kernel/mm/swap/vma_ra_enabled",
        "sys/kernel/mm/lru_gen/*",
        "sys/module/zswap/parameters/*",
        "sys/kernel/mm/numa/demotion_enabled",
        "sys/kernel/mm/transparent_hugepage/*",
        "sys/kernel/mm/transparent_hugepage/khugepaged/*",
    ],
    about: "Settings that control swapping",
    remedy: "mount proc on /proc and sysfs on /sys",
};

/// Reads all settings.
pub fn read(root: &Root) -> Vec<KnobReading> {
    let read = |knob: &crate::model::knob::Knob| KnobReading {
        id: knob.id.to_owned(),
        value: root.line(knob.file),
    };
    KNOBS.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::is_declared;
    use std::path::Path;

    #[test]
    fn a_capture_keeps_the_file_of_each_setting() {
        let lost: Vec<_> = KNOBS.iter().filter(|knob| !is_declared(Path::new(knob.file))).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
}
