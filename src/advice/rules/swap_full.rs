//! Swap is full, or about to be.

use crate::advice::places::{share, whole};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::{View, balance};
use crate::model::{Bytes, Missing, Part, PartSet, Policy, Reading};

const ID: &str = "swap-full";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "swap is full, or about to be",
    about: "Speaks when all areas together are filled to use_warn, or are half way to that and full in less than full_soon seconds at the present rate. It is critical from use_crit on where less than memory_low of memory is available as well: then the kernel kills processes next. A full area above others that have room is as it should be, and nothing is said of it.",
    needs: PartSet::of(&[Part::Swaps, Part::Meminfo]),
    thresholds: &["use_warn", "use_crit", "full_soon", "memory_low"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let (used, size) = whole(view)?;
    if size == Bytes(0) {
        return Ok(vec![]);
    }
    let full = share(used, size);
    let left = balance::all_full_in(view);
    let is_soon = left.known().is_some_and(|left| *left <= policy.full_soon);
    let [available, total] = ["MemAvailable", "MemTotal"].map(|field| view.now.memory(field));
    let is_short = share(available.into_result()?, total.into_result()?) < policy.memory_low;
    let (severity, certainty, summary) = match full {
        full if full >= policy.use_crit && is_short => {
            (Severity::Crit, Certainty::Certain, "swap is full, and memory is short")
        }
        full if full >= policy.use_crit => (Severity::Warn, Certainty::Certain, "swap is full"),
        full if full >= policy.use_warn => {
            (Severity::Warn, Certainty::Certain, "swap is nearly full")
        }
        full if is_soon && full >= policy.use_warn / 2.0 => {
            (Severity::Warn, Certainty::Hint, "swap is about to be full")
        }
        // Whether it is about to be full is not known of one sample; of swap that does not grow it is.
        full if full >= policy.use_warn / 2.0 => return not_growing(left),
        _ => return Ok(vec![]),
    };
    let sentence = "When no slot is free, memory that nobody uses stays where it is, and the kernel kills a process as soon as nothing else can be freed. Find out who takes the memory (swapadm processes, swapadm cgroups), or add an area.";
    let found = Finding::warn(ID, summary, sentence)
        .severe(severity)
        .sure(certainty)
        .shown_by([Evidence::of("status", "use")])
        .shown_by(left.known().map(|_| Evidence::of("headroom", "full_in")))
        .shown_by(["swap_free", "mem_available"].map(|column| Evidence::of("headroom", column)));
    Ok(vec![found])
}

/// Nothing, where that is known.
fn not_growing(left: Reading<f64>) -> Verdict {
    match left.into_result() {
        Ok(_) | Err(Missing::Absent(_)) => Ok(vec![]),
        Err(missing) => Err(missing),
    }
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    fn filled(used: u64) -> Machine {
        Machine::default().disk("sda", 5, (500, 500)).disk("sdb", 1, (500, used))
    }

    #[test]
    fn all_areas_together_count_and_short_memory_makes_it_critical() {
        assert_eq!(filled(299).severities(ID), [""; 0]);
        assert_eq!(filled(300).severities(ID), ["warn"]);
        assert_eq!(filled(450).severities(ID), ["warn"]);
        assert_eq!(filled(449).memory("MemAvailable", 100).severities(ID), ["warn"]);
        assert_eq!(filled(450).memory("MemAvailable", 100).severities(ID), ["crit"]);
    }

    #[test]
    fn what_fills_fast_is_told_in_time() {
        let growing = |mib| Machine::default().disk("sda", 5, (1000, 500)).grown("/dev/sda", mib);
        assert_eq!(growing(1).severities(ID), ["warn"], "500 s");
        assert_eq!(growing(0).severities(ID), [""; 0]);
        let slow = Machine::default().disk("sda", 5, (1400, 700)).grown("/dev/sda", 1);
        assert_eq!(slow.severities(ID), [""; 0], "700 s");
    }
}
