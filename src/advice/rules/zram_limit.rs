//! A zram device is at the limit of its memory.

use crate::advice::places::{share, verdict, zram};
use crate::advice::{Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::view::Change;
use crate::derive::{View, headroom};
use crate::model::zram::ZramDevice;
use crate::model::{Bytes, Missing, Part, PartSet, Policy, Reading};

const ID: &str = "zram-limit";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "a zram device is at the limit of its memory",
    about: "Speaks when a zram device that carries swap takes limit_warn of the memory that it may; it is critical when writes to it fail between the samples. At the limit writes fail that need more memory: the page stays where it is, and the kernel tries again and again, while the area seems to have room. What is advised is twice the limit, or twice what zram takes already where that is more, as long as it stays within limit_most of all memory. Without a limit writes fail where there is no memory for what zram is to take.",
    needs: PartSet::of(&[Part::Swaps, Part::Zram, Part::ZramDetail, Part::Meminfo]),
    thresholds: &["limit_warn", "limit_most"],
    check,
};

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    verdict(zram(view)?.into_iter().map(|(device, _)| of(view, policy, device)))
}

fn of(view: &View<'_>, policy: &Policy, device: &ZramDevice) -> Result<Option<Finding>, Missing> {
    let mm = device.mm.get()?;
    let failing = failing(view, device);
    let fails = failing.known().is_some_and(|by| *by > 0);
    let is_near = mm.mem_limit > Bytes(0) && share(mm.mem_used, mm.mem_limit) >= policy.limit_warn;
    // One that is full before it comes to its limit is as good as one without a limit.
    let stops = headroom::filling(view.now, device).known().is_none_or(|it| it.beyond() > Bytes(0));
    let is_near = is_near && (fails || stops);
    if !fails && !is_near {
        // Whether writes fail has to be known before it can be called well.
        return failing.into_result().map(|_| None);
    }
    let name = &device.name;
    let end = match (fails, mm.mem_used >= mm.mem_limit) {
        (true, _) => "fails to write",
        (false, true) => "is at the limit of its memory",
        (false, false) => "is near the limit of its memory",
    };
    let doubled = doubled(mm.mem_limit.max(mm.mem_used));
    let memory = view.now.memory("MemTotal");
    let may_grow = memory.known().is_some_and(|all| share(doubled, *all) <= policy.limit_most);
    let sentence = match (is_near, may_grow) {
        (true, true) => {
            "At its limit zram takes hardly a page more: what it refuses stays in memory, and the kernel tries again and again, though the area seems to have room. Give it more memory, or make it smaller, so that swap goes elsewhere in time."
        }
        (true, false) => {
            "At its limit zram takes hardly a page more: what it refuses stays in memory, and the kernel tries again and again, though the area seems to have room. Make the area smaller, so that swap goes elsewhere in time: with a much higher limit it could take the memory that all else needs."
        }
        (false, _) => {
            "It is not its limit that stops it: there is no memory for what zram is to take. The page stays where it is, and the kernel tries again and again. Only less use of memory helps, or an area on a disk that takes what zram cannot."
        }
    };
    let cell = |column| Evidence::at("zram", name.clone(), column);
    let found = Finding::warn(ID, format!("{name} {end}"), sentence)
        .about(name.clone())
        .severe(if fails { Severity::Crit } else { Severity::Warn })
        .shown_by(["memory", "limit", "failed_writes"].map(cell));
    let command = || format!("swapadm zram limit {name} {}", doubled.exact());
    Ok(Some(if is_near && may_grow { found.fixed_by(command()) } else { found }))
}

/// Twice the limit, or what is taken where that is more: a limit below it stops zram all the same.
/// In whole MiB, and at most what a file can tell.
fn doubled(takes: Bytes) -> Bytes {
    let whole = takes.0.checked_next_multiple_of(1 << 20).unwrap_or(u64::MAX);
    Bytes(whole.saturating_mul(2))
}

/// The writes that failed between the samples.
fn failing(view: &View<'_>, device: &ZramDevice) -> Reading<u64> {
    let failed = |devices: &Vec<ZramDevice>| {
        let found = devices.iter().find(|other| other.name == device.name);
        let io = found.map_or_else(|| Reading::absent("it is new"), |it| it.io.clone());
        io.map(|io| io.failed_writes)
    };
    view.change(|snapshot| &snapshot.zram, failed).map(|change: Change| change.by)
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;
    use crate::model::zram::MmStat;
    use crate::model::zram::testing::mm_stat;
    use crate::model::{Bytes, Reading};

    /// A device that takes so much memory of a limit of 100 MiB.
    fn taking(mib: u64) -> Machine {
        let mut machine = Machine::default().zram("zram0", 5, (1000, 300));
        let mem_limit = Bytes(100 << 20);
        let mm = MmStat { mem_limit, ..mm_stat(300 << 20, mib << 20) };
        machine.devices[0].mm = Reading::Known(mm);
        machine
    }

    #[test]
    fn an_area_that_is_full_before_it_comes_to_the_limit_is_left_alone() {
        let full = |used| {
            let mut machine = Machine::default().zram("zram0", 5, (400, used));
            let mem_limit = Bytes(100 << 20);
            let mm = MmStat { mem_limit, ..mm_stat(used << 20, 95 << 20) };
            machine.devices[0].mm = Reading::Known(mm);
            machine.severities(ID)
        };
        assert_eq!(full(300), ["warn"]);
        assert_eq!(full(400), [""; 0]);
    }

    #[test]
    fn near_the_limit_is_a_warning_and_writes_that_fail_are_critical() {
        assert_eq!(taking(90).fixes(ID), ["swapadm zram limit zram0 200M"]);
        assert!(taking(90).sentence(ID).contains("hardly a page"), "some fit into memory it has");
        assert_eq!(taking(89).severities(ID), [""; 0]);
        assert_eq!(taking(100).failed_writes(3).severities(ID), ["crit"]);
        assert_eq!(taking(150).fixes(ID), ["swapadm zram limit zram0 300M"], "what it has stays");
        let mut hidden = taking(89);
        hidden.lost_io = true;
        assert!(hidden.advice().unjudged.iter().any(|(id, _)| *id == ID), "writes may fail");
        let free = Machine::default().zram("zram0", 5, (1000, 300));
        assert_eq!(free.severities(ID), [""; 0], "it has no limit");
    }

    #[test]
    fn no_limit_is_advised_that_takes_most_of_memory() {
        assert_eq!(taking(90).memory("MemTotal", 400).fixes(ID).len(), 1);
        assert!(taking(90).memory("MemTotal", 399).fixes(ID).is_empty());
        assert_eq!(taking(90).memory("MemTotal", 399).severities(ID), ["warn"]);
    }

    #[test]
    fn writes_that_fail_without_a_limit_are_no_fault_of_one() {
        let free = Machine::default().zram("zram0", 5, (1000, 300)).failed_writes(3);
        assert_eq!(free.severities(ID), ["crit"]);
        assert!(!free.sentence(ID).contains("At its limit"), "{}", free.sentence(ID));
        assert!(taking(100).failed_writes(3).sentence(ID).contains("At its limit"));
    }
}
