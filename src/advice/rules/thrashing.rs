//! Tasks wait for memory.

use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::state::{Line, stall};
use crate::derive::traffic::{self, Way};
use crate::derive::view::Change;
use crate::model::{Part, PartSet, Policy};

const ID: &str = "thrashing";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "tasks wait for memory",
    about: "Speaks when tasks waited for memory in pressure_some of the last 10 seconds. It is critical when no task could go on in pressure_full of them while pages came in from swap: then the machine mostly moves pages. Refaults, pages that come back soon after they went, show that what is in use does not fit into memory. Only less use of memory helps, or more memory: a faster area makes each wait shorter.",
    needs: PartSet::of(&[Part::Swaps, Part::Psi, Part::Vmstat]),
    thresholds: &["pressure_some", "pressure_full"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let waited = |line| stall(view, "memory", line).map(|stall| stall.avg10 / 100.0);
    let some = waited(Line::Some).into_result()?;
    let full = waited(Line::Full).known().copied().unwrap_or(0.0);
    let comes_in = traffic::all(view, Way::In).known().is_some_and(|rate| *rate > 0.0);
    let refaults = view.vmstat_change("workingset_refault_anon").map(Change::per_second);
    let found = if full >= policy.pressure_full && comes_in {
        let sentence = "Nothing could go on for want of memory while pages came in from swap: what is in use does not fit. Find out who uses it (swapadm processes, swapadm cgroups), and give that less to do, or more memory.";
        let is_back = refaults.known().is_some_and(|rate| *rate > 0.0);
        Finding::warn(ID, "the machine thrashes: all tasks wait for memory", sentence)
            .severe(Severity::Crit)
            .sure(if is_back { Certainty::Certain } else { Certainty::Likely })
            .shown_by([Evidence::of("status", "memory_full")])
            .shown_by(["in_rate", "refaults"].map(|column| Evidence::of("paging", column)))
    } else if some >= policy.pressure_some {
        let sentence = "Tasks had to wait until memory was freed for them. swapadm status says who is short of it: the whole machine, or a control group at its limit.";
        Finding::warn(ID, "tasks wait for memory", sentence)
            .shown_by(["memory_some", "memory_full"].map(|column| Evidence::of("status", column)))
    } else {
        return Ok(vec![]);
    };
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    #[test]
    fn waiting_is_a_warning_and_with_pages_that_come_in_thrashing() {
        let machine = || Machine::default().disk("sda", 5, (1000, 500));
        assert_eq!(machine().stalls(9.9, 4.9).counted("pswpin", 9).severities(ID), [""; 0]);
        assert_eq!(machine().stalls(10.0, 4.9).counted("pswpin", 9).severities(ID), ["warn"]);
        assert_eq!(machine().stalls(10.0, 5.0).counted("pswpin", 9).severities(ID), ["crit"]);
        assert_eq!(machine().stalls(10.0, 5.0).severities(ID), ["warn"]);
    }
}
