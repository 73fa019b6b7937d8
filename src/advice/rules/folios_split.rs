//! Large folios are split on their way out.

use crate::advice::places::{Place, places, share, whole};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::speed::Speed;
use crate::derive::view::Change;
use crate::derive::{View, defaults, folios};
use crate::model::swaparea::AreaKind;
use crate::model::thp::{MthpSize, Thp};
use crate::model::{Bytes, Missing, Part, PartSet, Policy, Reading};

const ID: &str = "folios-split";

pub(super) const RULE: Rule = Rule {
    id: ID,
    title: "large folios are split on their way out",
    about: "Speaks when fallback_warn of the folios of some size were split on their way out, of at least as many folios as often says: a warning where that happens between the samples, a note where it was since boot. A folio that is split is written page by page, and comes back page by page. The kernel splits it where an area has no run of free slots that is long enough, and always where the area is a file.",
    needs: PartSet::of(&[Part::Swaps, Part::Block, Part::Kernel, Part::Thp]),
    thresholds: &["fallback_warn", "use_crit", "often"],
    check,
};

/// A size, how many of it were split, and of how many.
struct Split<'v> {
    size: &'v MthpSize,
    broken: u64,
    all: u64,
}

impl Split<'_> {
    fn share(&self) -> f64 {
        self.broken as f64 / self.all.max(1) as f64
    }
}

fn check(view: &View<'_>, policy: &Policy) -> Verdict {
    if whole(view)?.1 == Bytes(0) {
        return Ok(vec![]);
    }
    let thp = view.now.thp.reading.get()?;
    let sizes = thp.sizes.get()?;
    let is_often = |split: &Split<'_>| {
        split.all as f64 >= policy.often && split.share() >= policy.fallback_warn
    };
    let worst = |count: &dyn Fn(&MthpSize, &str) -> Reading<u64>| {
        let each = sizes.iter().filter_map(|size| counted(size, &|name| count(size, name)));
        each.filter(is_often).max_by_key(|split| split.broken)
    };
    let now = worst(&|size, name| grown(view, size.size, name));
    let since_boot = || worst(&|size, name| stat(size, name));
    match (now, since_boot()) {
        (Some(split), _) => Ok(vec![found(view, policy, &split, true)?]),
        (None, Some(split)) => Ok(vec![found(view, policy, &split, false)?]),
        (None, None) => Ok(vec![]),
    }
}

fn counted<'v>(size: &'v MthpSize, count: &dyn Fn(&str) -> Reading<u64>) -> Option<Split<'v>> {
    let (broken, all) =
        folios::split_of(count("swpout_fallback"), count("swpout"), count("zswpout"))
            .known()
            .copied()?;
    Some(Split { size, broken, all })
}

fn stat(size: &MthpSize, name: &str) -> Reading<u64> {
    size.stats.as_ref().and_then(|stats| stats.get(name))
}

fn grown(view: &View<'_>, size: Bytes, name: &str) -> Reading<u64> {
    let of_size = |thp: &Thp| {
        thp.sizes.as_ref().and_then(|sizes| match sizes.iter().find(|it| it.size == size) {
            Some(size) => stat(size, name),
            None => Reading::absent("this size was not there at the sample before"),
        })
    };
    view.change(|snapshot| &snapshot.thp, of_size).map(|change: Change| change.by)
}

fn found(
    view: &View<'_>,
    policy: &Policy,
    split: &Split<'_>,
    is_now: bool,
) -> Result<Finding, Missing> {
    let (why, certainty) = cause(view, policy)?;
    let sentence = format!(
        "A folio that is split goes out and comes back page by page, which takes more time. {why}"
    );
    let rate = if is_now { "fail_rate_now" } else { "fail_rate" };
    let cell = |column| Evidence::at("mthp", split.size.size.0.to_string(), column);
    let summary = if is_now {
        "large folios are split on their way to swap"
    } else {
        "large folios were split on their way to swap, since boot"
    };
    // Other areas may have been active then.
    let certainty = if is_now { certainty } else { Certainty::Hint };
    Ok(Finding::warn(ID, summary, sentence)
        .severe(if is_now { Severity::Warn } else { Severity::Note })
        .sure(certainty)
        .shown_by([rate, "size", "swpout_fallback"].map(cell)))
}

/// The last release that is known to write no folio whole to what rotates.
const OLD: (u32, u32) = (6, 12);

/// Why the kernel splits them, as far as areas tell.
fn cause(view: &View<'_>, policy: &Policy) -> Result<(&'static str, Certainty), Missing> {
    let areas = view.now.swaps.reading.get()?;
    let files = areas.iter().filter(|area| area.kind == AreaKind::File).count();
    let is_old = defaults::release(view.now).known().is_some_and(|release| *release <= OLD);
    let rotates = |place: &Place<'_>| place.speed() == Ok(Speed::Rotational);
    let rotating = places(view)?.iter().filter(|place| is_old && rotates(place)).count();
    let (used, size) = whole(view)?;
    Ok(match files {
        _ if share(used, size) >= policy.use_crit => {
            ("Swap is full: there is no run of free slots.", Certainty::Likely)
        }
        files if files == areas.len() => (
            "All areas are files, which never take a folio whole: an area on a partition does.",
            Certainty::Likely,
        ),
        0 if rotating == areas.len() => (
            "On this kernel an area that rotates, as far as the kernel believes, never takes a folio whole.",
            Certainty::Likely,
        ),
        0 => (
            "The areas have no run of free slots that is long enough, or a limit on swap was hit: an area that is emptied and filled anew has such runs again.",
            Certainty::Hint,
        ),
        _ => (
            "Files never take a folio whole; the other areas have no run of free slots that is long enough.",
            Certainty::Hint,
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::ID;
    use crate::advice::testing::Machine;

    fn machine() -> Machine {
        Machine::default().disk("sda", 5, (1000, 100))
    }

    #[test]
    fn folios_that_are_split_often_are_told() {
        assert_eq!(machine().folios(75, 25).severities(ID), ["warn"]);
        assert_eq!(machine().folios(76, 24).severities(ID), [""; 0]);
        assert_eq!(machine().folios(74, 25).severities(ID), [""; 0], "too few");
    }

    #[test]
    fn the_cause_is_told_as_far_as_areas_tell() {
        let sentence = |machine: Machine| {
            let mut found = machine.folios(0, 500).advice().findings;
            found.retain(|finding| finding.rule == ID);
            found.remove(0).sentence
        };
        assert!(sentence(machine()).contains("no run of free slots that is long enough, or"));
        let file = || Machine::default().file("/swapfile", 5, (1000, 100));
        assert!(sentence(file()).contains("All areas are files"));
        let slow = || Machine::default().rotating("sdb", 4, (1000, 0));
        assert!(sentence(slow()).contains("rotates"));
        assert!(!sentence(slow().on("7.2.0")).contains("rotates"));
        assert!(sentence(file().disk("sdb", 4, (1000, 0))).contains("the other areas"));
        let full = Machine::default().file("/swapfile", 5, (1000, 950));
        assert!(sentence(full).contains("Swap is full"));
    }
}
