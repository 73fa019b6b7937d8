//! Rules about where hibernation would write its image.

use crate::advice::finding::cells;
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, RuleResult, Severity};
use crate::derive::SampleView;
use crate::derive::hibernation::{HibernationProblem, problem};
use crate::model::swaparea::AreaKind;
use crate::model::{Policy, part_set};

/// Reports resume settings that do not match the active areas.
pub(super) const HIBERNATION: Rule =
    Rule::new("hibernation", "the machine may not resume from hibernation", hibernation)
        .about("Reported if a resume device is set and was not found at boot, is not an active area, or is on zram, which is empty after power-off; if resume_offset is not where the area begins now; or if less space is free on it than the image may need. Whether anybody hibernates this machine is unknown, so these are notes, except for zram. Without a resume device the image would go to the first area and would not be found again. That is reported only if resume_offset is set, because most machines without a resume device never hibernate, and systemd selects an area on a disk for those that do.")
        .needs(part_set![Swaps, Block, Layouts, Hibernation, Meminfo]);

fn hibernation(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    Ok(problem(view.now)?.map(|found| describe(view, &found)).into_iter().collect())
}

fn describe(view: &SampleView<'_>, found: &HibernationProblem) -> Finding {
    let areas = view.now.areas();
    let (summary, sentence) = found.describe(areas);
    let note = Finding::note(HIBERNATION.id, summary, sentence);
    let of_area = |place: &usize, column| {
        let area = areas.get(*place)?;
        Some(EvidenceCell::for_area(area, column))
    };
    match found {
        // An initramfs may set the device in another way and reset it.
        HibernationProblem::DeviceNotFound => {
            note.with_certainty(Certainty::Likely).shown_by(cells("kernel", ["resume_requested"]))
        }
        HibernationProblem::OffsetAlone => {
            note.with_certainty(Certainty::Likely).shown_by(cells("kernel", ["resume_offset"]))
        }
        HibernationProblem::DeviceNotActive => note.shown_by(cells("kernel", ["resume"])),
        HibernationProblem::DeviceOnZram => {
            note.with_severity(Severity::Warn).shown_by(cells("kernel", ["resume"]))
        }
        HibernationProblem::OffsetMismatch(places) => {
            let is_file =
                |place: &&usize| areas.get(**place).is_some_and(|area| area.kind == AreaKind::File);
            let files = places.iter().filter(is_file);
            note.shown_by(cells("kernel", ["resume", "resume_offset"]))
                .shown_by(files.filter_map(|place| of_area(place, "first_page")))
        }
        HibernationProblem::TooSmall(place) => note
            .with_certainty(Certainty::Hint)
            .shown_by(["size", "used"].into_iter().filter_map(|column| of_area(place, column)))
            .shown_by(cells("kernel", ["image_size"])),
    }
}

#[cfg(test)]
mod tests {
    use super::HIBERNATION;
    use crate::advice::testing::TestMachine;
    use crate::model::kernel::Hibernation;
    use crate::model::swaparea::FileLayout;
    use crate::model::{Bytes, Missing, Name, Reading};

    const ID: &str = HIBERNATION.id;

    /// A machine with this resume device, `resume_offset` in pages, and `image_size` in MiB.
    fn resuming(mut machine: TestMachine, device: &str, offset: u64, image: u64) -> TestMachine {
        machine.hibernation = Reading::Known(Hibernation {
            resume: Reading::Known(Name::from(device)),
            resume_offset: Reading::Known(offset),
            image_size: Reading::Known(Bytes(image << 20)),
            asked: Reading::absent("nothing"),
        });
        machine
    }

    /// A machine with a swap file that begins at this page of sda.
    fn file(page: u64) -> TestMachine {
        let mut machine = TestMachine::default().file("/swap", 5, (2000, 0));
        let first = Reading::Known(Bytes(page * 4096));
        machine.layouts[0] = Reading::Known(FileLayout { extents: 1, first });
        machine
    }

    #[test]
    fn a_machine_without_resume_settings_is_not_reported() {
        let disk = || TestMachine::default().disk("sda", 5, (10, 0));
        assert_eq!(disk().severities(ID), [""; 0], "no hibernation in this kernel");
        let mut none = without_device(disk(), 0);
        assert_eq!(none.severities(ID), [""; 0]);
        let Reading::Known(told) = &mut none.hibernation else { unreachable!() };
        told.asked = Reading::Known("UUID=gone".into());
        assert_eq!(none.evidence_values(ID), ["UUID=gone"]);
    }

    /// The machine of `resuming` without a resume device.
    fn without_device(machine: TestMachine, offset: u64) -> TestMachine {
        let mut machine = resuming(machine, "", offset, 1000);
        let Reading::Known(told) = &mut machine.hibernation else { unreachable!() };
        told.resume = Reading::absent("no resume device is set");
        machine
    }

    #[test]
    fn zram_above_a_disk_is_not_reported_where_nobody_set_a_resume_device() {
        let zram = TestMachine::default().zram("zram0", 5, (10, 0)).disk("sda", 4, (10, 0));
        assert_eq!(without_device(zram, 0).severities(ID), [""; 0]);
    }

    #[test]
    fn an_offset_without_a_device_is_reported() {
        let disk = || TestMachine::default().disk("sda", 5, (10, 0));
        assert_eq!(without_device(disk(), 34816).evidence_values(ID), ["34816"]);
        assert_eq!(without_device(disk(), 0).severities(ID), [""; 0]);
    }

    #[test]
    fn the_resume_device_has_to_be_an_area_on_a_disk() {
        let both = || TestMachine::default().disk("sda", 5, (2000, 0)).zram("zram0", 9, (2000, 0));
        let said = |device: &str| resuming(both(), device, 0, 1000).sentence(ID);
        assert_eq!(said("sda"), "");
        assert!(
            said("sdb").contains("no area is active there")
                && said("zram0").contains("zram is in memory")
        );
    }

    #[test]
    fn a_file_has_to_lie_where_the_machine_resumes() {
        assert_eq!(resuming(file(34816), "sda", 34816, 1000).severities(ID), [""; 0]);
        let moved = resuming(file(40960), "sda", 34816, 1000);
        assert_eq!(moved.severities(ID), ["note"]);
        assert_eq!(moved.evidence_values(ID), ["sda", "34816", "40960"]);
        let mut hidden = resuming(file(1), "sda", 1, 1000);
        hidden.layouts[0] = Missing::Denied("/swap".into()).into();
        assert!(hidden.advice().unjudged.iter().any(|(id, _)| *id == ID));
    }

    #[test]
    fn the_image_has_to_fit() {
        let area = |sizes, image| {
            resuming(TestMachine::default().disk("sda", 5, sizes), "sda", 0, image).severities(ID)
        };
        assert_eq!(area((1000, 0), 1000), [""; 0]);
        assert_eq!(area((999, 0), 1000), ["note"]);
        assert_eq!(area((4096, 0), 9999), [""; 0], "no image is larger than memory");
        assert_eq!(area((1500, 500), 1000), [""; 0]);
        assert_eq!(area((1500, 501), 1000), ["note"], "used space is not free for the image");
    }
}
