//! Memory pressure: when pages thrash, and settings that decide what is swapped.

use crate::advice::areas::{AreaWithDevice, areas_by_speed, knob_number, knob_cell, share, total_use};
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, Severity, RuleResult};
use crate::derive::SampleView;
use crate::derive::speed::{self, Speed};
use crate::derive::state::{PsiLine, stall};
use crate::derive::traffic::{self, Reclaimer, Direction};
use crate::derive::view::CounterChange;
use crate::model::paging::Counters;
use crate::model::{Bytes, Missing, Part, PartSet, Policy, Reading};

/// Tasks wait for memory.
pub(super) const THRASHING: Rule = Rule {
    id: "thrashing",
    title: "tasks wait for memory",
    about: "Speaks when tasks waited for memory in pressure_some of the last 10 seconds. It is critical when no task could go on in pressure_full of them while pages often came in from swap: then the machine mostly moves pages, or control groups at limits of their own do. Refaults, pages that come back soon after they went, show that what is in use does not fit into memory. The word thrashing in swapadm status and in the first line of the interface says less: it goes by fixed thresholds, and pages that only go out count, too. Only less use of memory helps, or more memory: a faster area makes each wait shorter. Where the kernel does not tell who waits (psi=0), it is a warning when often pages a second come back soon after they went, and tasks have to look for memory themselves.",
    needs: PartSet::from_parts(&[Part::Swaps, Part::Psi, Part::Vmstat]),
    thresholds: &["pressure_some", "pressure_full", "often"],
    check: thrashing,
};

fn thrashing(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let waited = |line| stall(view, "memory", line).map(|stall| stall.avg10 / 100.0);
    let some = match waited(PsiLine::Some) {
        Reading::Known(some) => some,
        Reading::Missing { missing } => return without_pressure(view, policy, missing),
    };
    let full = waited(PsiLine::Full).known().copied().unwrap_or(0.0);
    let comes_in = is_often(&traffic::pages_per_second(view, Direction::In), policy);
    let found = if full >= policy.pressure_full && comes_in {
        thrashing_finding(view, policy)
    } else if some >= policy.pressure_some {
        let sentence = "Tasks had to wait until memory was freed for them. swapadm status says who is short of it: the whole machine, or a control group at its limit.";
        Finding::warn(THRASHING.id, "tasks wait for memory", sentence)
            .shown_by(["memory_some", "memory_full"].map(|column| EvidenceCell::for_column("status", column)))
    } else {
        return Ok(vec![]);
    };
    Ok(vec![found])
}

/// All tasks wait: those of the machine, or those of control groups that have too little of it.
fn thrashing_finding(view: &SampleView<'_>, policy: &Policy) -> Finding {
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
    let refaults = view.vmstat_change("workingset_refault_anon").map(CounterChange::per_second);
    let is_back = is_often(&refaults, policy);
    let reclaimer = traffic::reclaimer(view).known().map(|_| EvidenceCell::for_column("paging", "reclaimer"));
    Finding::warn(THRASHING.id, summary, sentence)
        .with_severity(Severity::Crit)
        .with_certainty(if is_back { Certainty::Certain } else { Certainty::Likely })
        .shown_by([EvidenceCell::for_column("status", "memory_full"), EvidenceCell::for_column("paging", "in_rate")])
        .shown_by(refaults.known().map(|_| EvidenceCell::for_column("paging", "refaults")))
        .shown_by(reclaimer)
}

fn is_often(rate: &Reading<f64>, policy: &Policy) -> bool {
    rate.known().is_some_and(|rate| *rate >= policy.often)
}

/// Where the kernel does not tell how long tasks wait, pages that come back soon after they went,
/// while tasks have to look for memory themselves, show that they do; without these nobody knows.
fn without_pressure(view: &SampleView<'_>, policy: &Policy, missing: Missing) -> RuleResult {
    let refaults = view.vmstat_change("workingset_refault_anon").map(CounterChange::per_second);
    let searches = |vmstat: &Counters| vmstat.sum_with_prefix("allocstall_");
    // It leaves out what is looked for in a control group at its limit.
    let searches = view.change(|snapshot| &snapshot.vmstat, searches).map(|change| change.by);
    let waits = searches.known().is_some_and(|by| *by > 0);
    if !(waits && is_often(&refaults, policy) && is_often(&traffic::pages_per_second(view, Direction::In), policy)) {
        return Err(missing);
    }
    let sentence = "Tasks had to free memory themselves, while pages came back that had gone to swap not long before: what is in use does not fit. How long they wait is not told: a kernel with CONFIG_PSI tells it when it is booted with psi=1. swapadm processes and swapadm cgroups say who uses memory.";
    let found = Finding::warn(THRASHING.id, "tasks wait for memory", sentence)
        .with_certainty(Certainty::Likely)
        .shown_by(["in_rate", "refaults"].map(|column| EvidenceCell::for_column("paging", column)));
    Ok(vec![found])
}

/// Swappiness does not fit what swap lies on.
pub(super) const SWAPPINESS: Rule = Rule {
    id: "swappiness",
    title: "swappiness does not fit what swap lies on",
    about: "Speaks in two cases. All areas are on zram and filled to less than use_warn, swappiness is below 100, and often in a second a page of a file that was in use is read again soon after it was dropped: then taking from zram is cheaper than reading files, and 100 and more says so. Or all areas rotate or are behind a network, and swappiness is above 100, which calls swap cheaper than files.",
    needs: PartSet::from_parts(&[Part::Swaps, Part::Block, Part::Knobs, Part::Vmstat]),
    thresholds: &["often", "use_warn"],
    check: swappiness,
};

/// Swap and files count as equally dear.
const EQUAL: u64 = 100;

fn swappiness(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let swappiness = knob_number(view.now, "swappiness")?;
    let all = areas_by_speed(view)?;
    let areas = view.now.swaps.reading.get()?.len();
    let are_all = |is: fn(&(AreaWithDevice<'_>, Speed)) -> bool| {
        areas > 0 && all.iter().filter(|it| is(it)).count() == areas
    };
    let found = if swappiness < EQUAL && are_all(|(_, speed)| *speed == Speed::Zram) {
        let restored = view.vmstat_change("workingset_restore_file").map(CounterChange::per_second);
        let (used, size) = total_use(view)?;
        if restored.into_result()? < policy.often || share(used, size) >= policy.use_warn {
            return Ok(vec![]);
        }
        let sentence = "The kernel drops pages of files that are in use, and are read again soon after, while there is room on zram, from which a page comes back faster than from a disk. A swappiness of 100 treats both alike, more prefers zram.";
        Finding::warn(SWAPPINESS.id, "files are read again and again while zram has room", sentence)
            .with_certainty(Certainty::Likely)
            .shown_by([knob_cell("swappiness"), EvidenceCell::for_column("paging", "restores_file")])
    } else if swappiness > EQUAL && are_all(is_slow) {
        let sentence = "Above 100 the kernel takes reading from swap for cheaper than reading files. That is so on zram, and on a fast disk beside slow ones; here swap is slow.";
        Finding::warn(SWAPPINESS.id, "swappiness calls slow swap cheaper than files", sentence)
            .with_certainty(Certainty::Likely)
            .shown_by([knob_cell("swappiness")])
            .shown_by(all.iter().map(|(place, _)| place.cell("rotational")))
    } else {
        return Ok(vec![]);
    };
    let advised = if swappiness < EQUAL { "100" } else { "60" };
    let command = format!("swapadm set swappiness={advised} --persist");
    Ok(vec![found.with_severity(Severity::Note).fixed_by(command)])
}

/// Slower than files may be: a virtio disk only says that it rotates.
fn is_slow((place, speed): &(AreaWithDevice<'_>, Speed)) -> bool {
    *speed == Speed::Remote || place.block().is_some_and(speed::seeks)
}

/// What did not move for so many seconds is hardly needed.
const LONG: f64 = 60.0;

/// Swap is used, and nothing moves.
pub(super) const IDLE: Rule = Rule {
    id: "idle",
    title: "swap is used, and that is harmless",
    about: "Speaks when swap is filled to idle_use and not to use_warn, nothing went in or out between the samples, and tasks waited for memory in less than pressure_some of the last 10 seconds. Then it seems to hold what nobody needs, and the memory serves something else: the use of swap alone is no sign of trouble. How sure that is goes by the time between the samples: under a minute it is a hint only, and never more than likely (advise --interval 60 --count 1 looks that long).",
    needs: PartSet::from_parts(&[Part::Swaps, Part::Psi, Part::Vmstat, Part::Meminfo]),
    thresholds: &["idle_use", "use_warn", "pressure_some"],
    check: idle,
};

fn idle(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let (used, size) = total_use(view)?;
    let full = share(used, size);
    if size == Bytes(0) || full < policy.idle_use || full >= policy.use_warn {
        return Ok(vec![]);
    }
    let [into, out] = [Direction::In, Direction::Out].map(|way| traffic::pages_per_second(view, way));
    let moves = into.into_result()? + out.into_result()? > 0.0;
    let waited = stall(view, "memory", PsiLine::Some).into_result()?.avg10 / 100.0;
    if moves || waited >= policy.pressure_some {
        return Ok(vec![]);
    }
    let seconds = view.seconds().unwrap_or(0.0);
    let looked = format!("Nothing went in or out in the {} between the samples", describe_seconds(seconds));
    let (certainty, summary, sentence) = if seconds >= LONG {
        let sentence = format!(
            "{looked}: swap seems to hold what nobody needs, and the memory serves something else. Nothing has to be done; emptying it would only bring back what nobody asks for."
        );
        (Certainty::Likely, "swap is used, and that is harmless", sentence)
    } else {
        let sentence = format!(
            "{looked}, which is no long time. If that stays so, swap holds what nobody needs, and the memory serves something else; swapadm advise --interval 60 --count 1 looks for longer."
        );
        (Certainty::Hint, "swap is used, and nothing moves now", sentence)
    };
    let found = Finding::warn(IDLE.id, summary, sentence)
        .with_severity(Severity::Note)
        .with_certainty(certainty)
        .shown_by(["swap_used", "use"].map(|column| EvidenceCell::for_column("status", column)))
        .shown_by(["in_rate", "out_rate"].map(|column| EvidenceCell::for_column("paging", column)));
    Ok(vec![found])
}

/// In words, and whole: they shall not change with each sample.
fn describe_seconds(seconds: f64) -> String {
    if seconds < 1.0 { "moment".to_owned() } else { format!("{seconds:.0} s") }
}

#[cfg(test)]
mod tests {
    mod thrashing {
        use super::super::THRASHING;
        use crate::advice::Certainty;
        use crate::advice::testing::TestMachine;
        use crate::model::Part;

        const ID: &str = THRASHING.id;

        #[test]
        fn waiting_is_a_warning_and_with_pages_that_come_in_thrashing() {
            let machine = || TestMachine::default().disk("sda", 5, (1000, 500));
            assert_eq!(machine().stalls(9.9, 4.9).counted("pswpin", 9).severities(ID), [""; 0]);
            assert_eq!(machine().stalls(10.0, 4.9).counted("pswpin", 999).severities(ID), ["warn"]);
            assert_eq!(machine().stalls(10.0, 5.0).counted("pswpin", 100).severities(ID), ["crit"]);
            let few = machine().stalls(10.0, 5.0).counted("pswpin", 99);
            assert_eq!(few.severities(ID), ["warn"], "a page now and then is none");
        }

        #[test]
        fn it_is_the_machine_unless_control_groups_reclaim() {
            let machine = |kswapd| {
                let stalled = TestMachine::default().disk("sda", 5, (1000, 500)).stalls(10.0, 5.0);
                let reclaims = stalled.counted("pswpin", 100).counted("pgsteal_anon", 1000);
                let reclaims = reclaims.counted("pgsteal_file", 0).counted("pgsteal_direct", 0);
                reclaims.counted("pgsteal_kswapd", kswapd)
            };
            let first = |machine: TestMachine| machine.advice().findings.remove(0);
            assert!(first(machine(1000)).summary.contains("the machine thrashes"));
            assert!(first(machine(0)).summary.contains("control groups thrash"));
            let back = |by| first(machine(1000).counted("workingset_refault_anon", by)).certainty;
            assert_eq!([back(99), back(100)], [Certainty::Likely, Certainty::Certain]);
        }

        #[test]
        fn without_psi_refaults_and_direct_reclaim_show_pressure() {
            let machine = |back, searches| {
                let machine = TestMachine::default().disk("sda", 5, (1000, 500)).without(Part::Psi);
                let machine =
                    machine.counted("pswpin", 200).counted("workingset_refault_anon", back);
                let findings = machine.counted("allocstall_normal", searches).advice().findings;
                findings.into_iter().find(|finding| finding.rule == ID).map(|it| it.sentence)
            };
            assert!(machine(100, 1).unwrap().contains("CONFIG_PSI"), "psi=1 alone may not do");
            assert_eq!(machine(99, 1), None);
            assert_eq!(machine(100, 0), None, "a control group may be at its limit");
        }
    }

    mod swappiness {
        use super::super::SWAPPINESS;
        use crate::advice::testing::TestMachine;

        const ID: &str = SWAPPINESS.id;

        #[test]
        fn file_refaults_beside_free_zram_raise_swappiness() {
            let zram = |used| TestMachine::default().zram("zram0", 5, (1000, used));
            let busy = |used| zram(used).counted("workingset_restore_file", 100);
            assert_eq!(busy(100).fixes(ID), ["swapadm set swappiness=100 --persist"]);
            assert_eq!(busy(100).knob("swappiness", "100").severities(ID), [""; 0]);
            assert_eq!(busy(800).severities(ID), [""; 0], "no room");
            let seldom = zram(100).counted("workingset_restore_file", 99);
            assert_eq!(seldom.severities(ID), [""; 0]);
            let scan = seldom.counted("workingset_refault_file", 9999);
            assert_eq!(scan.severities(ID), [""; 0], "what is read once was not in use");
        }

        #[test]
        fn slow_swap_is_not_cheaper_than_files() {
            let slow = || TestMachine::default().rotating("sda", 5, (1000, 0));
            assert_eq!(
                slow().knob("swappiness", "101").fixes(ID),
                ["swapadm set swappiness=60 --persist"]
            );
            assert_eq!(slow().knob("swappiness", "100").severities(ID), [""; 0]);
            let virtio = TestMachine::default().rotating("vda", 5, (1000, 0)).knob("swappiness", "150");
            assert_eq!(virtio.severities(ID), [""; 0], "nobody knows what is behind it");
            let fast = TestMachine::default().disk("sda", 5, (1000, 0)).knob("swappiness", "150");
            assert_eq!(fast.severities(ID), [""; 0]);
        }
    }

    mod idle {
        use super::super::IDLE;
        use crate::advice::Certainty;
        use crate::advice::testing::TestMachine;

        const ID: &str = IDLE.id;

        #[test]
        fn used_swap_in_which_nothing_moves_is_explained() {
            let machine = |used| TestMachine::default().disk("sda", -2, (1000, used));
            assert_eq!(machine(100).severities(ID), ["note"]);
            assert_eq!(machine(99).severities(ID), [""; 0]);
            assert_eq!(machine(100).counted("pswpin", 1).severities(ID), [""; 0]);
            assert_eq!(machine(100).stalls(10.0, 0.0).severities(ID), [""; 0]);
            assert!(!machine(100).advice().is_wrong());
        }

        #[test]
        fn certainty_depends_on_the_time_between_samples() {
            let after = |seconds: f64| {
                let machine = TestMachine::default().disk("sda", -2, (1000, 100));
                let found = machine.advice_after(seconds).findings;
                let found = found.into_iter().find(|found| found.rule == ID).unwrap();
                (found.certainty, found.sentence)
            };
            let (certainty, sentence) = after(0.5);
            assert_eq!(certainty, Certainty::Hint);
            assert!(sentence.starts_with("Nothing went in or out in the moment between"));
            assert_eq!(after(59.0).0, Certainty::Hint);
            let (certainty, sentence) = after(60.0);
            assert_eq!(certainty, Certainty::Likely, "longer than that may be needed all the same");
            assert!(sentence.contains("in the 60 s between"), "{sentence}");
        }
    }
}
