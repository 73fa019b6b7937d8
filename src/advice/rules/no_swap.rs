//! No swap is active.

use crate::advice::places::{share, whole};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::model::{Bytes, Part, PartSet, Policy};

const ID: &str = "no-swap";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "no swap is active",
    about: "Speaks where no area is active; it is a warning where little memory is available as well. Without swap, memory that nobody uses cannot be moved out of the way: the kernel drops files that are in use instead, and kills processes when nothing is left to drop. Swap on zram needs no disk.",
    needs: PartSet::of(&[Part::Swaps, Part::Meminfo]),
    thresholds: &["memory_low"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    if whole(view)?.1 > Bytes(0) {
        return Ok(vec![]);
    }
    let [available, total] = ["MemAvailable", "MemTotal"].map(|field| view.now.memory(field));
    let is_short = share(available.into_result()?, total.into_result()?) < policy.memory_low;
    let sentence = "When memory is full, the kernel can only drop files that are in use, and then kill processes. Swap on zram takes memory only as it fills.";
    let found = Finding::warn(ID, "no swap is active", sentence)
        .severe(if is_short { Severity::Warn } else { Severity::Note })
        .shown_by(["mem_available", "mem_total"].map(|column| Evidence::of("headroom", column)))
        .fixed_by("swapadm zram swap --size 50%");
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn a_machine_without_swap_is_told_so_and_warned_when_memory_is_short() {
        assert_eq!(Machine::default().severities(ID), ["note"]);
        assert_eq!(Machine::default().memory("MemAvailable", 409).severities(ID), ["warn"]);
        let short = Machine::default().memory("MemAvailable", 409);
        assert!(short.disk("sda", -2, (100, 0)).severities(ID).is_empty());
    }
}
