//! Tasks wait for memory.

use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::state::{Line, stall};
use crate::derive::traffic::{self, Reclaimer, Way};
use crate::derive::view::Change;
use crate::model::counters::Counters;
use crate::model::{Missing, Part, PartSet, Policy, Reading};

const ID: &str = "thrashing";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "tasks wait for memory",
    about: "Speaks when tasks waited for memory in pressure_some of the last 10 seconds. It is critical when no task could go on in pressure_full of them while pages often came in from swap: then the machine mostly moves pages, or control groups at limits of their own do. Refaults, pages that come back soon after they went, show that what is in use does not fit into memory. The word thrashing in swapadm status and in the first line of the interface says less: it goes by fixed thresholds, and pages that only go out count, too. Only less use of memory helps, or more memory: a faster area makes each wait shorter. Where the kernel does not tell who waits (psi=0), it is a warning when often pages a second come back soon after they went, and tasks have to look for memory themselves.",
    needs: PartSet::of(&[Part::Swaps, Part::Psi, Part::Vmstat]),
    thresholds: &["pressure_some", "pressure_full", "often"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    let waited = |line| stall(view, "memory", line).map(|stall| stall.avg10 / 100.0);
    let some = match waited(Line::Some) {
        Reading::Known(some) => some,
        Reading::Missing { missing } => return without_pressure(view, policy, missing),
    };
    let full = waited(Line::Full).known().copied().unwrap_or(0.0);
    let comes_in = is_often(&traffic::all(view, Way::In), policy);
    let found = if full >= policy.pressure_full && comes_in {
        thrashes(view, policy)
    } else if some >= policy.pressure_some {
        let sentence = "Tasks had to wait until memory was freed for them. swapadm status says who is short of it: the whole machine, or a control group at its limit.";
        Finding::warn(ID, "tasks wait for memory", sentence)
            .shown_by(["memory_some", "memory_full"].map(|column| Evidence::of("status", column)))
    } else {
        return Ok(vec![]);
    };
    Ok(vec![found])
}

/// All tasks wait: those of the machine, or those of control groups that have too little of it.
fn thrashes(view: &View<'_>, policy: &Policy) -> Finding {
    let (summary, sentence) = if traffic::reclaimer(view) == Reading::Known(Reclaimer::Cgroups) {
        (
            "control groups thrash at their limits: all tasks wait for memory",
            "Nothing could go on for want of memory while pages came in from swap, and it was control groups at limits of their own that had to free memory: what is in use there does not fit. Find out which (swapadm cgroups), and give it less to do, or a higher limit.",
        )
    } else {
        (
            "the machine thrashes: all tasks wait for memory",
            "Nothing could go on for want of memory while pages came in from swap: what is in use does not fit. Find out who uses it (swapadm processes, swapadm cgroups), and give that less to do, or more memory.",
        )
    };
    let refaults = view.vmstat_change("workingset_refault_anon").map(Change::per_second);
    let is_back = is_often(&refaults, policy);
    let reclaimer = traffic::reclaimer(view).known().map(|_| Evidence::of("paging", "reclaimer"));
    Finding::warn(ID, summary, sentence)
        .severe(Severity::Crit)
        .sure(if is_back { Certainty::Certain } else { Certainty::Likely })
        .shown_by([Evidence::of("status", "memory_full"), Evidence::of("paging", "in_rate")])
        .shown_by(refaults.known().map(|_| Evidence::of("paging", "refaults")))
        .shown_by(reclaimer)
}

fn is_often(rate: &Reading<f64>, policy: &Policy) -> bool {
    rate.known().is_some_and(|rate| *rate >= policy.often)
}

/// Where the kernel does not tell how long tasks wait, pages that come back soon after they went,
/// while tasks have to look for memory themselves, show that they do; without these nobody knows.
fn without_pressure(view: &View<'_>, policy: &Policy, missing: Missing) -> Verdict {
    let refaults = view.vmstat_change("workingset_refault_anon").map(Change::per_second);
    let searches = |vmstat: &Counters| vmstat.sum_of("allocstall_");
    // It leaves out what is looked for in a control group at its limit.
    let searches = view.change(|snapshot| &snapshot.vmstat, searches).map(|change| change.by);
    let waits = searches.known().is_some_and(|by| *by > 0);
    if !(waits && is_often(&refaults, policy) && is_often(&traffic::all(view, Way::In), policy)) {
        return Err(missing);
    }
    let sentence = "Tasks had to free memory themselves, while pages came back that had gone to swap not long before: what is in use does not fit. How long they wait is not told: a kernel with CONFIG_PSI tells it when it is booted with psi=1. swapadm processes and swapadm cgroups say who uses memory.";
    let found = Finding::warn(ID, "tasks wait for memory", sentence)
        .sure(Certainty::Likely)
        .shown_by(["in_rate", "refaults"].map(|column| Evidence::of("paging", column)));
    Ok(vec![found])
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::Certainty;
    use crate::advice::testing::Machine;
    use crate::model::Part;

    #[test]
    fn waiting_is_a_warning_and_with_pages_that_come_in_thrashing() {
        let machine = || Machine::default().disk("sda", 5, (1000, 500));
        assert_eq!(machine().stalls(9.9, 4.9).counted("pswpin", 9).severities(ID), [""; 0]);
        assert_eq!(machine().stalls(10.0, 4.9).counted("pswpin", 999).severities(ID), ["warn"]);
        assert_eq!(machine().stalls(10.0, 5.0).counted("pswpin", 100).severities(ID), ["crit"]);
        let few = machine().stalls(10.0, 5.0).counted("pswpin", 99);
        assert_eq!(few.severities(ID), ["warn"], "a page now and then is none");
    }

    #[test]
    fn it_is_the_machine_unless_control_groups_reclaim() {
        let machine = |kswapd| {
            let stalled = Machine::default().disk("sda", 5, (1000, 500)).stalls(10.0, 5.0);
            let reclaims = stalled.counted("pswpin", 100).counted("pgsteal_anon", 1000);
            let reclaims = reclaims.counted("pgsteal_file", 0).counted("pgsteal_direct", 0);
            reclaims.counted("pgsteal_kswapd", kswapd)
        };
        let first = |machine: Machine| machine.advice().findings.remove(0);
        assert!(first(machine(1000)).summary.contains("the machine thrashes"));
        assert!(first(machine(0)).summary.contains("control groups thrash"));
        let back = |by| first(machine(1000).counted("workingset_refault_anon", by)).certainty;
        assert_eq!([back(99), back(100)], [Certainty::Likely, Certainty::Certain]);
    }

    #[test]
    fn where_the_kernel_does_not_tell_who_waits_what_comes_back_does() {
        let machine = |back, searches| {
            let machine = Machine::default().disk("sda", 5, (1000, 500)).without(Part::Psi);
            let machine = machine.counted("pswpin", 200).counted("workingset_refault_anon", back);
            let findings = machine.counted("allocstall_normal", searches).advice().findings;
            findings.into_iter().find(|finding| finding.rule == ID).map(|it| it.sentence)
        };
        assert!(machine(100, 1).unwrap().contains("CONFIG_PSI"), "psi=1 alone may not do");
        assert_eq!(machine(99, 1), None);
        assert_eq!(machine(100, 0), None, "a control group may be at its limit");
    }
}
