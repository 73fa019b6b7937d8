//! No swap is active.

use crate::advice::places::{share, whole};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::model::kernel::Access;
use crate::model::{Bytes, Part, PartSet, Policy};

const ID: &str = "no-swap";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "no swap is active",
    about: "Speaks where no area is active; it is a warning where less than memory_low of memory is available as well. Without swap, memory that nobody uses cannot be moved out of the way: the kernel drops files that are in use instead, and kills processes when nothing is left to drop. Swap on zram needs no disk.",
    needs: PartSet::of(&[Part::Swaps, Part::Meminfo, Part::Config, Part::Access]),
    thresholds: &["memory_low"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    if whole(view)?.1 > Bytes(0) {
        return Ok(vec![]);
    }
    let [available, total] = ["MemAvailable", "MemTotal"].map(|field| view.now.memory(field));
    let is_short = share(available.into_result()?, total.into_result()?) < policy.memory_low;
    let sentence = if has_no_zram(view) && !cannot_change(view) {
        "When memory is full, the kernel can only drop files that are in use, and then kill processes. Swap on zram takes memory only as it fills; here its module is not loaded: modprobe zram num_devices=0 does that, where this kernel has it."
    } else {
        "When memory is full, the kernel can only drop files that are in use, and then kill processes. Swap on zram takes memory only as it fills."
    };
    let found = Finding::warn(ID, "no swap is active", sentence)
        .severe(if is_short { Severity::Warn } else { Severity::Note })
        .shown_by(["mem_available", "mem_total"].map(|column| Evidence::of("headroom", column)));
    let can = !is_set_up(view) && !cannot_change(view) && !has_no_zram(view);
    Ok(vec![if can { found.fixed_by("swapadm zram swap --size 50%") } else { found }])
}

/// Does a file set up an area, which is to be switched on instead?
fn is_set_up(view: &View<'_>) -> bool {
    let entries = view.now.config.reading.known().map_or(&[][..], Vec::as_slice);
    entries.iter().any(|entry| !entry.leaves_off())
}

/// Is the module not loaded that makes zram devices?
fn has_no_zram(view: &View<'_>) -> bool {
    let access = view.now.access.reading.known();
    access.is_some_and(|access| access.zram.known() == Some(&false))
}

/// Is this a root that may not change swap, as in a container?
fn cannot_change(view: &View<'_>) -> bool {
    view.now.access.reading.known().is_some_and(Access::is_stripped)
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn a_machine_without_swap_is_told_so_and_warned_when_memory_is_short() {
        assert_eq!(Machine::default().severities(ID), ["note"]);
        assert_eq!(Machine::default().memory("MemAvailable", 409).severities(ID), ["warn"]);
        assert_eq!(Machine::default().fixes(ID), ["swapadm zram swap --size 50%"]);
        let set_up = Machine::default().fstab("/dev/sda", None, &[]);
        assert!(set_up.fixes(ID).is_empty(), "boot-stale says how to switch that on");
        let left_off = Machine::default().fstab("/dev/sda", None, &["noauto"]);
        assert_eq!(left_off.fixes(ID).len(), 1);
        let mut stripped = Machine::default();
        stripped.capabilities = 0;
        assert!(stripped.fixes(ID).is_empty(), "a container has no swap of its own");
        let mut without = Machine::default();
        without.has_zram = false;
        assert!(without.fixes(ID).is_empty(), "no device can be made");
        assert!(without.sentence(ID).contains("modprobe zram"));
        let short = Machine::default().memory("MemAvailable", 409);
        assert!(short.disk("sda", -2, (100, 0)).severities(ID).is_empty());
    }
}
