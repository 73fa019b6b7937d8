//! Rules about where hibernation would write its image.

use crate::advice::areas::{AreaWithDevice, areas_with_devices};
use crate::advice::finding::cells;
use crate::advice::{Certainty, Finding, Rule, RuleResult};
use crate::derive::SampleView;
use crate::derive::speed::Speed;
use crate::model::kernel::Hibernation;
use crate::model::swaparea::{AreaKind, FileLayout};
use crate::model::{Bytes, Missing, Name, Policy, Reading, part_set};

/// Reports resume settings that do not match the active areas.
pub(super) const HIBERNATION: Rule =
    Rule::new("hibernation", "the machine may not resume from hibernation", hibernation)
        .about("Reported if a resume device is set and was not found at boot, is not an active area, or is on zram, which is empty after power-off; if resume_offset is not where the area begins now; or if less space is free on it than the image may need. Whether anybody hibernates this machine is unknown, so these are notes, except for zram. Without a resume device the image would go to the first area and would not be found again. That is reported only if resume_offset is set, because most machines without a resume device never hibernate, and systemd selects an area on a disk for those that do.")
        .needs(part_set![Swaps, Block, Layouts, Hibernation, Meminfo]);

fn hibernation(view: &SampleView<'_>, _policy: &Policy) -> RuleResult {
    let told = view.now.hibernation.reading.get()?;
    let device = match told.resume.get() {
        Ok(device) => device,
        Err(Missing::Absent(_)) => {
            return Ok(device_not_found(told).or_else(|| only_offset(told)).into_iter().collect());
        }
        Err(missing) => return Err(missing),
    };
    let all = areas_with_devices(view)?;
    let layouts = view.now.layouts.reading.get()?;
    let on_it = all.iter().zip(layouts).filter(|(place, _)| is_on(place, device));
    let on_it: Vec<_> = on_it.map(|(place, layout)| (*place, layout)).collect();
    let found = match on_it.as_slice() {
        // A swap file on btrfs may lie on the device: the kernel does not show that.
        [] if all.iter().any(|place| place.block().is_none()) => None,
        [] => Some(device_not_active()),
        some if some.iter().all(|(place, _)| place.speed() == Ok(Speed::Zram)) => {
            Some(device_is_zram())
        }
        some => match area_at_offset(view, told, some)? {
            None => Some(offset_mismatch(some)),
            Some(place) => too_small(view, told, &place)?,
        },
    };
    Ok(found.into_iter().collect())
}

/// Reports `resume_offset` without a device: the kernel uses it on the resume device only.
fn only_offset(told: &Hibernation) -> Option<Finding> {
    told.resume_offset.known().filter(|offset| **offset > 0)?;
    let sentence = "The kernel knows where on a device to look for the image, but not on which device: it finds no image at boot, and unsaved work is lost. Set resume= on the kernel command line to the device that holds the swap file.";
    let found =
        Finding::note(HIBERNATION.id, "resume_offset is set, but no resume device is", sentence)
            .with_certainty(Certainty::Likely)
            .shown_by(cells("kernel", ["resume_offset"]));
    Some(found)
}

/// Reports a resume device that was requested at boot but is not set: it was not found.
fn device_not_found(told: &Hibernation) -> Option<Finding> {
    told.asked.known()?;
    let sentence = "The kernel did not find the device that resume= names. Hibernation would write its image to the first active area, where the next boot does not look: unsaved work would be lost. Correct resume= on the kernel command line.";
    let found = Finding::note(HIBERNATION.id, "the resume device was not found at boot", sentence)
        // An initramfs may set the device in another way and reset it.
        .with_certainty(Certainty::Likely)
        .shown_by(cells("kernel", ["resume_requested"]));
    Some(found)
}

fn is_on(place: &AreaWithDevice<'_>, device: &Name) -> bool {
    place.block().is_some_and(|block| block.name.as_bytes() == device.as_bytes())
}

fn device_not_active() -> Finding {
    let sentence = "Hibernation writes its image to the resume device, but no area is active there: the kernel refuses to hibernate. Set resume= on the kernel command line to an active area, or enable the area on that device.";
    Finding::note(HIBERNATION.id, "the resume device is not an active area", sentence)
        .shown_by(cells("kernel", ["resume"]))
}

fn device_is_zram() -> Finding {
    let sentence = "zram is in memory, and empty after power-off: unsaved work is lost. Hibernate to an area on a disk.";
    Finding::warn(HIBERNATION.id, "the machine resumes from zram", sentence)
        .shown_by(cells("kernel", ["resume"]))
}

/// Returns the area that begins at `resume_offset`, if any does.
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
    let sentence = "No area begins where the machine looks for its image, for example because the swap file was created again: the kernel refuses to hibernate. Set resume_offset= on the kernel command line to the first page of the file, or to 0 for a partition.";
    Finding::note(HIBERNATION.id, "no area begins at resume_offset", sentence)
        .shown_by(cells("kernel", ["resume", "resume_offset"]))
        .shown_by(files.map(|place| place.cell("first_page")))
}

/// Reports too little free space: the image is as large as `image_size` if possible, at most as memory.
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
    let sentence = "Hibernation fails if the image does not fit. Lower image_size, which makes the kernel write less but resume more slowly, or use a larger area.";
    let summary = format!("{name} has less free space than hibernation may need");
    let found = Finding::note(HIBERNATION.id, summary, sentence)
        .with_certainty(Certainty::Hint)
        .shown_by([place.cell("size"), place.cell("used")])
        .shown_by(cells("kernel", ["image_size"]));
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
