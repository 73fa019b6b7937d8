//! Where a hibernating machine would save its memory.

use crate::advice::areas::{AreaWithDevice, areas_with_devices};
use crate::advice::{Certainty, EvidenceCell, Finding, Rule, Severity, RuleResult};
use crate::derive::SampleView;
use crate::derive::speed::Speed;
use crate::model::kernel::Hibernation;
use crate::model::swaparea::{AreaKind, FileLayout};
use crate::model::{Bytes, Missing, Name, Part, PartSet, Policy, Reading};

/// What the machine resumes from is not what swap is now.
pub(super) const HIBERNATION: Rule = Rule {
    id: "hibernation",
    title: "the machine may not come back from hibernation",
    about: "Speaks where the machine is told what to resume from: when that was not found at its start, is no active area, or is on zram, which is empty after the machine was off; when resume_offset is not where the area begins now; and when less is free on it than the image may take. Whether anybody wants to hibernate is not known: these are notes, but for zram. Where no device is told, an image would go to the first area and not be found again: as most such machines never hibernate, that is told only where resume_offset is set all the same, or where the first area is on zram and another one is not.",
    needs: PartSet::from_parts(&[
        Part::Swaps,
        Part::Block,
        Part::Layouts,
        Part::Hibernation,
        Part::Meminfo,
    ]),
    thresholds: &[],
    check: hibernation,
};

fn hibernation(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let told = view.now.hibernation.reading.get()?;
    let device = match told.resume.get() {
        Ok(device) => device,
        Err(Missing::Absent(_)) => return Ok(no_device_set(view, told)?.into_iter().collect()),
        Err(missing) => return Err(missing),
    };
    let all = areas_with_devices(view)?;
    let layouts = view.now.layouts.reading.get()?;
    let on_it = all.iter().zip(layouts).filter(|(place, _)| is_on(place, device));
    let on_it: Vec<_> = on_it.map(|(place, layout)| (*place, layout)).collect();
    let found = match on_it.as_slice() {
        // A file on btrfs may lie on it: the kernel does not show.
        [] if all.iter().any(|place| place.block().is_none()) => None,
        [] => Some(device_not_active()),
        some if some.iter().all(|(place, _)| place.speed() == Ok(Speed::Zram)) => Some(device_is_zram()),
        some => match area_at_offset(view, told, some)? {
            None => Some(offset_mismatch(some)),
            Some(place) => too_small(view, told, &place)?,
        },
    };
    Ok(found.into_iter().collect())
}

/// No device is set.
fn no_device_set(view: &SampleView<'_>, told: &Hibernation) -> Result<Option<Finding>, Missing> {
    if let Some(found) = device_not_found(told).or_else(|| only_offset(told)) {
        return Ok(Some(found));
    }
    let all = areas_with_devices(view)?;
    let is_zram = |place: &&AreaWithDevice<'_>| place.speed() == Ok(Speed::Zram);
    let has_other = all.iter().any(|place| !is_zram(&place));
    Ok(all.first().filter(is_zram).filter(|_| has_other).map(first_is_zram))
}

/// The kernel looks at it on the device that it resumes from, and nowhere else.
fn only_offset(told: &Hibernation) -> Option<Finding> {
    told.resume_offset.known().filter(|offset| **offset > 0)?;
    let sentence = "The kernel was told where on a device to look for its image, and not on which one: at its start it finds none, and what was open is lost. Set resume= on the command line of the kernel to the device that the swap file lies on.";
    let found = Finding::warn(
        HIBERNATION.id,
        "the machine is told where on a device to resume, and not which",
        sentence,
    )
    .with_certainty(Certainty::Likely)
    .with_severity(Severity::Note)
    .shown_by([kernel_cell("resume_offset")]);
    Some(found)
}

/// The first one in the list has the lowest number, by which the kernel goes then.
fn first_is_zram(place: &AreaWithDevice<'_>) -> Finding {
    let name = place.name();
    let sentence = "Where the kernel is told no device, the image goes to the area that stands first in /proc/swaps, whatever the priorities: here that is in memory, and what was open would be lost. systemd chooses an area on a disk before it hibernates; else set resume= on the command line of the kernel.";
    Finding::warn(
        HIBERNATION.id,
        format!("a hibernation that nobody prepares goes to {name}"),
        sentence,
    )
    .with_certainty(Certainty::Hint)
    .with_severity(Severity::Note)
    .shown_by([place.cell("kind")])
}

/// What was asked for at the start and is not set: it was not found.
fn device_not_found(told: &Hibernation) -> Option<Finding> {
    told.asked.known()?;
    let sentence = "The kernel was told to resume from it, and did not find it. The image of a hibernation would go to the first area that is active, and not be found at the next start: what was open would be lost. Correct resume= on the command line of the kernel.";
    let found =
        Finding::warn(HIBERNATION.id, "what to resume from was not found at the start", sentence)
            // An initial file system may set it by another way, and take it back.
            .with_certainty(Certainty::Likely)
            .with_severity(Severity::Note)
            .shown_by([kernel_cell("resume_asked")]);
    Some(found)
}

fn kernel_cell(column: &'static str) -> EvidenceCell {
    EvidenceCell::for_column("kernel", column)
}

fn is_on(place: &AreaWithDevice<'_>, device: &Name) -> bool {
    place.block().is_some_and(|block| block.name.as_bytes() == device.as_bytes())
}

fn device_not_active() -> Finding {
    let sentence = "The image of a hibernation has to go where the machine looks for it when it starts, and no area is active there: the kernel refuses to hibernate. Set resume= on the command line of the kernel to the area that is used, or switch that one on.";
    Finding::warn(HIBERNATION.id, "the machine resumes from what is no active area", sentence)
        .with_severity(Severity::Note)
        .shown_by([kernel_cell("resume")])
}

fn device_is_zram() -> Finding {
    let sentence = "zram is in memory, and empty after the machine was off: what was open is lost. Hibernation takes an area on a disk.";
    Finding::warn(HIBERNATION.id, "the machine resumes from zram", sentence)
        .shown_by([kernel_cell("resume")])
}

/// The area that begins where the machine resumes; none where nothing does.
fn area_at_offset<'v>(
    view: &SampleView<'v>,
    told: &Hibernation,
    areas: &[(AreaWithDevice<'v>, &Reading<FileLayout>)],
) -> Result<Option<AreaWithDevice<'v>>, Missing> {
    let offset = told.resume_offset.clone().into_result()?;
    let page = *view.now.page_size.get()?;
    for (place, layout) in areas {
        let first = match place.area.kind {
            AreaKind::Partition => 0,
            AreaKind::File => {
                let first = layout.get()?.first.clone();
                first.into_result()?.0 / page.max(1)
            }
        };
        if first == offset {
            return Ok(Some(*place));
        }
    }
    Ok(None)
}

fn offset_mismatch(areas: &[(AreaWithDevice<'_>, &Reading<FileLayout>)]) -> Finding {
    let files = areas.iter().map(|(place, _)| place).filter(|it| it.area.kind == AreaKind::File);
    let sentence = "No area begins where the machine would look for its image, such as when a swap file was made anew: the kernel refuses to hibernate. Set resume_offset= on the command line of the kernel to where the file begins now, or to 0 for a partition.";
    Finding::warn(HIBERNATION.id, "no area begins where the machine resumes", sentence)
        .with_severity(Severity::Note)
        .shown_by([kernel_cell("resume"), kernel_cell("resume_offset")])
        .shown_by(files.map(|place| place.cell("first_page")))
}

/// The image is kept below its size as far as that can be, and is never larger than memory.
fn too_small(
    view: &SampleView<'_>,
    told: &Hibernation,
    place: &AreaWithDevice<'_>,
) -> Result<Option<Finding>, Missing> {
    let image = told.image_size.clone().into_result()?;
    let total: Bytes = view.now.memory("MemTotal").into_result()?;
    let used = place.area.used.clone().into_result()?;
    if place.area.size.saturating_sub(used) >= image.min(total) {
        return Ok(None);
    }
    let name = place.name();
    let sentence = "Hibernation fails where the image does not fit. A smaller image_size makes the kernel write less, which takes longer to come back from; a larger area takes more.";
    let summary = format!("less is free on {name} than a hibernation may take");
    let found = Finding::warn(HIBERNATION.id, summary, sentence)
        .with_certainty(Certainty::Hint)
        .with_severity(Severity::Note)
        .shown_by([place.cell("size"), place.cell("used"), kernel_cell("image_size")]);
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::HIBERNATION;
    use crate::advice::testing::TestMachine;
    use crate::model::kernel::Hibernation;
    use crate::model::swaparea::FileLayout;
    use crate::model::{Bytes, Missing, Name, Reading};

    const ID: &str = HIBERNATION.id;

    /// With this to resume from, at this page, and an image of so many MiB.
    fn resuming(mut machine: TestMachine, device: &str, offset: u64, image: u64) -> TestMachine {
        machine.hibernation = Reading::Known(Hibernation {
            resume: Reading::Known(Name::from(device)),
            resume_offset: Reading::Known(offset),
            image_size: Reading::Known(Bytes(image << 20)),
            asked: Reading::absent("nothing"),
        });
        machine
    }

    /// A file that begins at this page of sda.
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

    /// The same where no device is set.
    fn without_device(machine: TestMachine, offset: u64) -> TestMachine {
        let mut machine = resuming(machine, "", offset, 1000);
        let Reading::Known(told) = &mut machine.hibernation else { unreachable!() };
        told.resume = Reading::absent("no device is set to resume from");
        machine
    }

    #[test]
    fn an_image_that_goes_to_the_first_area_must_not_go_to_zram() {
        let zram = || TestMachine::default().zram("zram0", 5, (10, 0));
        let before = without_device(zram().disk("sda", 9, (10, 0)), 0);
        assert_eq!(before.evidence_values(ID), ["zram"]);
        let behind =
            without_device(TestMachine::default().disk("sda", 4, (10, 0)).zram("zram0", 5, (10, 0)), 0);
        assert_eq!(behind.severities(ID), [""; 0], "it goes to the disk, whatever the priorities");
        assert_eq!(without_device(zram(), 0).severities(ID), [""; 0], "nobody hibernates to zram");
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
        assert_eq!(area((1500, 501), 1000), ["note"], "what is used has no room for it");
    }
}
