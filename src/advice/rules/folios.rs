//! Rules about large folios, and about swap files in many extents.

use crate::advice::areas::{AreaWithDevice, ORDER, areas_with_devices, combine, mib};
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::balance::total_use;
use crate::derive::fallback::{self, SplitPeriod};
use crate::derive::{SampleView, speed};
use crate::model::paging::MthpSize;
use crate::model::swaparea::AreaKind;
use crate::model::{Bytes, Missing, Policy, Reading, part_set};

/// Reports large folios that are split when they are swapped out.
pub(super) const FOLIOS_SPLIT: Rule =
    Rule::new("folios-split", "large folios are split on their way to swap", folios_split)
        .about("Reported if at least {folios_least} folios of one size were swapped out between the samples, and at least {fallback_warn} of them were split for it; swapadm mthp shows the counts since boot. A split folio is written page by page and cannot be swapped in whole, as folios on zram can be since 6.12. The kernel splits a folio if the next area has no run of free slots that is long enough, or is a swap file, or, up to 6.13, is rotational; it does not try the areas after it. The kernel does not count the causes: swapadm mthp examines the clusters to find the current cause; this rule does not.")
        .needs(ORDER.with(part_set![Thp]))
        .thresholds(&["fallback_warn", "folios_least"]);

fn folios_split(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    if total_use(view)?.1 == Bytes(0) {
        return Ok(vec![]);
    }
    let thp = view.now.thp.reading.get()?;
    let sizes = thp.sizes.get()?;
    if view.before.is_none() {
        return Err(Missing::OneSample);
    }
    let often = |size: &MthpSize| {
        let (split, all) = fallback::split_between(view, size.size).known().copied()?;
        let share = split as f64 / all.max(1) as f64;
        let is_often = all as f64 >= policy.folios_least && share >= policy.fallback_warn;
        is_often.then_some((split, size.size))
    };
    let worst = sizes.iter().filter_map(often).max_by_key(|(split, _)| *split);
    Ok(worst.map(|(_, size)| folios_split_finding(view, size)).into_iter().collect())
}

fn folios_split_finding(view: &SampleView<'_>, size: Bytes) -> Finding {
    let (why, certainty) = cause(view, size);
    let sentence = format!(
        "A split folio is written page by page, which takes longer, and cannot be swapped in whole. {why}"
    );
    let cell = |column| EvidenceCell::for_row("mthp", size.0.to_string(), column);
    Finding::warn(FOLIOS_SPLIT.id, "large folios are split on their way to swap", sentence)
        .with_certainty(certainty)
        .shown_by(["fail_rate_now", "size", "swpout_fallback"].map(cell))
}

/// Describes why the kernel splits folios of this size, as far as that is known.
fn cause(view: &SampleView<'_>, size: Bytes) -> (String, Certainty) {
    match fallback::cause(view, size, SplitPeriod::Now).into_result() {
        Ok(why) => (format!("Cause: {}.", why.words()), why.sure),
        // Reading clusters takes too long to be done for this rule alone.
        Err(Missing::NotSampled) => (NEEDS_CLUSTERS.to_owned(), Certainty::Hint),
        Err(missing) => (format!("Cause unknown: {missing}."), Certainty::Hint),
    }
}

const NEEDS_CLUSTERS: &str =
    "Cause unknown without cluster data: swapadm mthp and swapadm clusters show more.";

/// Reports a swap file with many small extents.
pub(super) const FRAGMENTED: Rule =
    Rule::new("fragmented", "a swap file is split into many small extents", fragmented)
        .about("Reported if the extents of a swap file are smaller than {extent_small} MiB on average; a warning if the disk is rotational and has to seek from one extent to the next. The rotational flag of virtio disks is ignored, because they always have it. Pages written together then need several requests, and the kernel keeps a record of each extent. A file that was allocated at once on a file system with enough room has few extents.")
        .needs(part_set![Swaps, Block, Layouts])
        .thresholds(&["extent_small"]);

fn fragmented(view: &SampleView<'_>, policy: &Policy) -> RuleResult {
    let layouts = view.now.layouts.reading.get()?;
    let all = areas_with_devices(view)?.into_iter().enumerate();
    let files = all.filter(|(_, place)| place.area.kind == AreaKind::File);
    combine(files.map(|(at, place)| {
        let layout = layouts.get(at).cloned().unwrap_or_else(Reading::not_sampled);
        Ok(judge_fragmented(&place, layout.into_result()?.extents, policy))
    }))
}

fn judge_fragmented(place: &AreaWithDevice<'_>, extents: u64, policy: &Policy) -> Option<Finding> {
    let each = mib(place.area.size) / extents.max(1) as f64;
    if extents < 2 || each >= policy.extent_small {
        return None;
    }
    let seeks = place.block().is_some_and(speed::seeks);
    let name = place.name();
    let sentence = "Pages written together need several requests, and the kernel keeps a record of each extent. A new file gets larger extents if its file system has room: create one with swapadm file create, enable it, and disable this one.";
    let found =
        Finding::warn(FRAGMENTED.id, format!("{name} is split into many small extents"), sentence)
            .with_subject(name)
            .with_severity(if seeks { Severity::Warn } else { Severity::Note });
    Some(found.shown_by(["extents", "size", "rotational"].map(|column| place.cell(column))))
}

#[cfg(test)]
mod tests {
    mod folios_split {
        use super::super::FOLIOS_SPLIT;
        use crate::advice::Certainty;
        use crate::advice::testing::TestMachine;

        const ID: &str = FOLIOS_SPLIT.id;

        fn machine() -> TestMachine {
            TestMachine::default().disk("sda", 5, (1000, 100))
        }

        #[test]
        fn folios_that_are_split_often_are_reported() {
            assert_eq!(machine().folios(75, 25).severities(ID), ["warn"]);
            assert_eq!(machine().folios(76, 24).severities(ID), [""; 0]);
            assert_eq!(machine().folios(74, 25).severities(ID), [""; 0], "too few");
        }

        #[test]
        fn the_cause_comes_from_the_areas_that_fill_now() {
            let sentence = |machine: TestMachine| machine.folios(0, 500).sentence(ID);
            assert!(
                sentence(machine()).contains("cannot be swapped in whole"),
                "the cause is unknown"
            );
            let file = |priority| TestMachine::default().file("/swapfile", priority, (1000, 100));
            assert!(sentence(file(5)).contains("swap file, which takes single pages only"));
            let slow = || TestMachine::default().rotating("sdb", 4, (1000, 0));
            assert!(sentence(slow()).contains("rotational areas"));
            assert!(!sentence(slow().on("6.18.0")).contains("rotational areas"));
            assert!(
                sentence(file(5).disk("sdb", 4, (1000, 0)))
                    .contains("the next area is a swap file")
            );
            assert!(
                sentence(file(5).disk("sdb", 5, (1000, 0)))
                    .contains("some areas of the priority group")
            );
            assert!(
                !sentence(file(5).zram("zram0", 9, (1000, 0))).contains("file"),
                "zram fills first"
            );
            let nearly = TestMachine::default().disk("sda", 5, (1000, 999));
            assert!(!sentence(nearly).contains("is full"), "16 folios have room");
            let full = TestMachine::default().file("/swapfile", 5, (1000, 1000));
            assert!(sentence(full).contains("swap is full"));
        }

        #[test]
        fn no_cause_is_guessed_without_cluster_data() {
            let sentence = machine().folios(0, 500).sentence(ID);
            assert!(sentence.contains("unknown without cluster data"), "{sentence}");
            assert!(sentence.contains("swapadm mthp"), "it names where to look: {sentence}");
            assert!(!sentence.contains("emptied"), "the cause may be gone by now: {sentence}");
        }

        #[test]
        fn splits_before_the_first_sample_are_not_repeated() {
            assert_eq!(machine().folios_split_long_ago(500).severities(ID), [""; 0]);
            assert_eq!(machine().folios(0, 500).severities(ID), ["warn"]);
        }

        #[test]
        fn certainty_follows_the_cause() {
            let file = || TestMachine::default().file("/swapfile", 5, (1000, 100));
            let sure = |machine: TestMachine| {
                let mut findings = machine.advice().findings.into_iter();
                findings.find(|it| it.rule == ID).map(|it| it.certainty)
            };
            assert_eq!(sure(file().folios(0, 500)), Some(Certainty::Certain));
            assert_eq!(sure(machine().folios(0, 500)), Some(Certainty::Hint), "unknown");
        }
    }

    mod fragmented {
        use super::super::FRAGMENTED;
        use crate::advice::testing::TestMachine;
        use crate::model::swaparea::FileLayout;
        use crate::model::{Missing, Reading};

        const ID: &str = FRAGMENTED.id;

        fn file(extents: u64) -> TestMachine {
            let mut machine = TestMachine::default().file("/swap", 5, (100, 0));
            let first = Reading::absent("it does not matter");
            machine.layouts[0] = Reading::Known(FileLayout { extents, first });
            machine
        }

        #[test]
        fn a_file_in_many_extents_is_reported_and_one_in_a_few_is_not() {
            assert_eq!(file(101).severities(ID), ["note"]);
            assert_eq!(file(100).severities(ID), [""; 0]);
            assert_eq!(file(1).severities(ID), [""; 0]);
            let mut slow = file(101);
            slow.blocks[0].rotational = Reading::Known(true);
            assert_eq!(slow.severities(ID), ["warn"]);
            slow.blocks[0].disks = Reading::Known(vec!["vda".to_owned()]);
            assert_eq!(slow.severities(ID), ["note"], "virtio disks always have the flag");
        }

        #[test]
        fn a_file_that_may_not_be_opened_is_not_judged() {
            let mut hidden = file(1);
            hidden.layouts[0] = Missing::Denied("/swap".into()).into();
            assert!(hidden.advice().unjudged.iter().any(|(id, _)| *id == ID));
            let disk = TestMachine::default().disk("sda", 5, (100, 0)).advice();
            assert!(disk.unjudged.is_empty(), "{disk:?}");
        }
    }
}
