//! Where a hibernating machine would save its memory.

use crate::advice::places::{Place, places};
use crate::advice::{Certainty, Evidence, Finding, Rule, Severity, Verdict};
use crate::derive::View;
use crate::derive::speed::Speed;
use crate::model::kernel::Hibernation;
use crate::model::swaparea::{AreaKind, FileLayout};
use crate::model::{Bytes, Missing, Name, Part, PartSet, Policy, Reading};

/// What the machine resumes from is not what swap is now.
pub(super) const HIBERNATION: Rule = Rule {
    id: "hibernation",
    title: "the machine may not come back from hibernation",
    about: "Speaks where the machine is told what to resume from: when that was not found at its start, is no active area, or is on zram, which is empty after the machine was off; when resume_offset is not where the area begins now; and when less is free on it than the image may take. Whether anybody wants to hibernate is not known: these are notes, but for zram. Where no device is told, an image would go to the first area and not be found again: as most such machines never hibernate, that is told only where resume_offset is set all the same, or where the first area is on zram and another one is not.",
    needs: PartSet::of(&[
        Part::Swaps,
        Part::Block,
        Part::Layouts,
        Part::Hibernation,
        Part::Meminfo,
    ]),
    thresholds: &[],
    check: hibernation,
};

fn hibernation(view: &View<'_>, _policy: &Policy) -> Verdict {
    let told = view.now.hibernation.reading.get()?;
    let device = match told.resume.get() {
        Ok(device) => device,
        Err(Missing::Absent(_)) => return Ok(untold(view, told)?.into_iter().collect()),
        Err(missing) => return Err(missing),
    };
    let all = places(view)?;
    let layouts = view.now.layouts.reading.get()?;
    let on_it = all.iter().zip(layouts).filter(|(place, _)| is_on(place, device));
    let on_it: Vec<_> = on_it.map(|(place, layout)| (*place, layout)).collect();
    let found = match on_it.as_slice() {
        // A file on btrfs may lie on it: the kernel does not show.
        [] if all.iter().any(|place| place.block().is_none()) => None,
        [] => Some(unused()),
        some if some.iter().all(|(place, _)| place.speed() == Ok(Speed::Zram)) => Some(zram()),
        some => match at_offset(view, told, some)? {
            None => Some(moved(some)),
            Some(place) => small(view, told, &place)?,
        },
    };
    Ok(found.into_iter().collect())
}

/// No device is set.
fn untold(view: &View<'_>, told: &Hibernation) -> Result<Option<Finding>, Missing> {
    if let Some(found) = lost(told).or_else(|| only_offset(told)) {
        return Ok(Some(found));
    }
    let all = places(view)?;
    let is_zram = |place: &&Place<'_>| place.speed() == Ok(Speed::Zram);
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
    .sure(Certainty::Likely)
    .severe(Severity::Note)
    .shown_by([kernel("resume_offset")]);
    Some(found)
}

/// The first one in the list has the lowest number, by which the kernel goes then.
fn first_is_zram(place: &Place<'_>) -> Finding {
    let name = place.name();
    let sentence = "Where the kernel is told no device, the image goes to the area that stands first in /proc/swaps, whatever the priorities: here that is in memory, and what was open would be lost. systemd chooses an area on a disk before it hibernates; else set resume= on the command line of the kernel.";
    Finding::warn(
        HIBERNATION.id,
        format!("a hibernation that nobody prepares goes to {name}"),
        sentence,
    )
    .sure(Certainty::Hint)
    .severe(Severity::Note)
    .shown_by([place.cell("kind")])
}

/// What was asked for at the start and is not set: it was not found.
fn lost(told: &Hibernation) -> Option<Finding> {
    told.asked.known()?;
    let sentence = "The kernel was told to resume from it, and did not find it. The image of a hibernation would go to the first area that is active, and not be found at the next start: what was open would be lost. Correct resume= on the command line of the kernel.";
    let found =
        Finding::warn(HIBERNATION.id, "what to resume from was not found at the start", sentence)
            // An initial file system may set it by another way, and take it back.
            .sure(Certainty::Likely)
            .severe(Severity::Note)
            .shown_by([kernel("resume_asked")]);
    Some(found)
}

fn kernel(column: &'static str) -> Evidence {
    Evidence::of("kernel", column)
}

fn is_on(place: &Place<'_>, device: &Name) -> bool {
    place.block().is_some_and(|block| block.name.as_bytes() == device.as_bytes())
}

fn unused() -> Finding {
    let sentence = "The image of a hibernation has to go where the machine looks for it when it starts, and no area is active there: the kernel refuses to hibernate. Set resume= on the command line of the kernel to the area that is used, or switch that one on.";
    Finding::warn(HIBERNATION.id, "the machine resumes from what is no active area", sentence)
        .severe(Severity::Note)
        .shown_by([kernel("resume")])
}

fn zram() -> Finding {
    let sentence = "zram is in memory, and empty after the machine was off: what was open is lost. Hibernation takes an area on a disk.";
    Finding::warn(HIBERNATION.id, "the machine resumes from zram", sentence)
        .shown_by([kernel("resume")])
}

/// The area that begins where the machine resumes; none where nothing does.
fn at_offset<'v>(
    view: &View<'v>,
    told: &Hibernation,
    areas: &[(Place<'v>, &Reading<FileLayout>)],
) -> Result<Option<Place<'v>>, Missing> {
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

fn moved(areas: &[(Place<'_>, &Reading<FileLayout>)]) -> Finding {
    let files = areas.iter().map(|(place, _)| place).filter(|it| it.area.kind == AreaKind::File);
    let sentence = "No area begins where the machine would look for its image, such as when a swap file was made anew: the kernel refuses to hibernate. Set resume_offset= on the command line of the kernel to where the file begins now, or to 0 for a partition.";
    Finding::warn(HIBERNATION.id, "no area begins where the machine resumes", sentence)
        .severe(Severity::Note)
        .shown_by([kernel("resume"), kernel("resume_offset")])
        .shown_by(files.map(|place| place.cell("first_page")))
}

/// The image is kept below its size as far as that can be, and is never larger than memory.
fn small(
    view: &View<'_>,
    told: &Hibernation,
    place: &Place<'_>,
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
        .sure(Certainty::Hint)
        .severe(Severity::Note)
        .shown_by([place.cell("size"), place.cell("used"), kernel("image_size")]);
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::HIBERNATION;
    use crate::advice::testing::Machine;
    use crate::model::kernel::Hibernation;
    use crate::model::swaparea::FileLayout;
    use crate::model::{Bytes, Missing, Name, Reading};

    const ID: &str = HIBERNATION.id;

    /// With this to resume from, at this page, and an image of so many MiB.
    fn resuming(mut machine: Machine, device: &str, offset: u64, image: u64) -> Machine {
        machine.hibernation = Reading::Known(Hibernation {
            resume: Reading::Known(Name::from(device)),
            resume_offset: Reading::Known(offset),
            image_size: Reading::Known(Bytes(image << 20)),
            asked: Reading::absent("nothing"),
        });
        machine
    }

    /// A file that begins at this page of sda.
    fn file(page: u64) -> Machine {
        let mut machine = Machine::default().file("/swap", 5, (2000, 0));
        let first = Reading::Known(Bytes(page * 4096));
        machine.layouts[0] = Reading::Known(FileLayout { extents: 1, first });
        machine
    }

    #[test]
    fn a_machine_that_is_told_nothing_is_not_spoken_of() {
        let disk = || Machine::default().disk("sda", 5, (10, 0));
        assert_eq!(disk().severities(ID), [""; 0], "no hibernation in this kernel");
        let mut none = untold(disk(), 0);
        assert_eq!(none.severities(ID), [""; 0]);
        let Reading::Known(told) = &mut none.hibernation else { unreachable!() };
        told.asked = Reading::Known("UUID=gone".into());
        assert_eq!(none.shown(ID), ["UUID=gone"]);
    }

    /// The same where no device is set.
    fn untold(machine: Machine, offset: u64) -> Machine {
        let mut machine = resuming(machine, "", offset, 1000);
        let Reading::Known(told) = &mut machine.hibernation else { unreachable!() };
        told.resume = Reading::absent("no device is set to resume from");
        machine
    }

    #[test]
    fn an_image_that_goes_to_the_first_area_must_not_go_to_zram() {
        let zram = || Machine::default().zram("zram0", 5, (10, 0));
        let before = untold(zram().disk("sda", 9, (10, 0)), 0);
        assert_eq!(before.shown(ID), ["zram"]);
        let behind =
            untold(Machine::default().disk("sda", 4, (10, 0)).zram("zram0", 5, (10, 0)), 0);
        assert_eq!(behind.severities(ID), [""; 0], "it goes to the disk, whatever the priorities");
        assert_eq!(untold(zram(), 0).severities(ID), [""; 0], "nobody hibernates to zram");
    }

    #[test]
    fn a_place_without_a_device_is_told() {
        let disk = || Machine::default().disk("sda", 5, (10, 0));
        assert_eq!(untold(disk(), 34816).shown(ID), ["34816"]);
        assert_eq!(untold(disk(), 0).severities(ID), [""; 0]);
    }

    #[test]
    fn what_is_resumed_from_has_to_be_an_area_on_a_disk() {
        let both = || Machine::default().disk("sda", 5, (2000, 0)).zram("zram0", 9, (2000, 0));
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
        assert_eq!(moved.shown(ID), ["sda", "34816", "40960"]);
        let mut hidden = resuming(file(1), "sda", 1, 1000);
        hidden.layouts[0] = Missing::Denied("/swap".into()).into();
        assert!(hidden.advice().unjudged.iter().any(|(id, _)| *id == ID));
    }

    #[test]
    fn the_image_has_to_fit() {
        let area = |sizes, image| {
            resuming(Machine::default().disk("sda", 5, sizes), "sda", 0, image).severities(ID)
        };
        assert_eq!(area((1000, 0), 1000), [""; 0]);
        assert_eq!(area((999, 0), 1000), ["note"]);
        assert_eq!(area((4096, 0), 9999), [""; 0], "no image is larger than memory");
        assert_eq!(area((1500, 500), 1000), [""; 0]);
        assert_eq!(area((1500, 501), 1000), ["note"], "what is used has no room for it");
    }
}
