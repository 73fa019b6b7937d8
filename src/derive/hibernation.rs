//! Hibernation: whether the image fits where the next boot looks for it.
//!
//! The kernel writes the image to one area only, that on the resume device; free space of other areas does not help.

use super::speed::{self, Speed};
use crate::model::block::BlockDevice;
use crate::model::kernel::Hibernation;
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Missing, Reading, Snapshot};

/// A reason why the machine may not resume. Areas are given by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HibernationProblem {
    /// A resume device was requested at boot and was not found.
    DeviceNotFound,
    /// `resume_offset` is set without a device: the kernel uses it on the resume device only.
    OffsetAlone,
    /// No area is active on the resume device.
    DeviceNotActive,
    /// The resume device is on zram.
    DeviceOnZram,
    /// None of these areas on the resume device begins at `resume_offset`.
    OffsetMismatch(Vec<usize>),
    /// The area has too little free space.
    TooSmall(usize),
}

impl HibernationProblem {
    /// Describes the problem in short, and with its effect and what to do.
    pub fn describe(&self, areas: &[SwapArea]) -> (String, &'static str) {
        let (summary, sentence) = match self {
            Self::DeviceNotFound => (
                "the resume device was not found at boot",
                "The kernel did not find the device that resume= names. Hibernation would write its image to the first active area, where the next boot does not look: unsaved work would be lost. Correct resume= on the kernel command line.",
            ),
            Self::OffsetAlone => (
                "resume_offset is set, but no resume device is",
                "The kernel knows where on a device to look for the image, but not on which device: it finds no image at boot, and unsaved work is lost. Set resume= on the kernel command line to the device that holds the swap file.",
            ),
            Self::DeviceNotActive => (
                "the resume device is not an active area",
                "Hibernation writes its image to the resume device, but no area is active there: the kernel refuses to hibernate. Set resume= on the kernel command line to an active area, or enable the area on that device.",
            ),
            Self::DeviceOnZram => (
                "the machine resumes from zram",
                "zram is in memory, and empty after power-off: unsaved work is lost. Hibernate to an area on a disk.",
            ),
            Self::OffsetMismatch(_) => (
                "no area begins at resume_offset",
                "No area begins where the machine looks for its image, for example because the swap file was created again: the kernel refuses to hibernate. Set resume_offset= on the kernel command line to the first page of the file, or to 0 for a partition.",
            ),
            Self::TooSmall(place) => {
                let name = areas.get(*place).map(|area| area.path.safe()).unwrap_or_default();
                return (
                    format!("{name} has less free space than hibernation may need"),
                    "Hibernation fails if the image does not fit. Lower image_size, which makes the kernel write less but resume more slowly, or use a larger area.",
                );
            }
        };
        (summary.to_owned(), sentence)
    }
}

/// Returns why the machine may not resume, if so.
pub fn problem(snapshot: &Snapshot) -> Result<Option<HibernationProblem>, Missing> {
    let settings = snapshot.hibernation.reading.get()?;
    let device = match settings.resume.get() {
        Ok(device) => device,
        Err(Missing::Absent(_)) => return Ok(problem_without_device(settings)),
        Err(missing) => return Err(missing),
    };
    let areas = snapshot.swaps.reading.get()?;
    let blocks = snapshot.block.reading.get()?;
    let block = |place: usize| blocks.get(place).and_then(Reading::known);
    let is_there = |place: &usize| {
        block(*place).is_some_and(|block| block.name.as_bytes() == device.as_bytes())
    };
    let on_it: Vec<usize> = (0..areas.len()).filter(is_there).collect();
    let is_zram = |place: &usize| block(*place).is_some_and(is_on_zram);
    Ok(match on_it.as_slice() {
        // A swap file on btrfs may lie on the device: the kernel does not show that.
        [] if (0..areas.len()).any(|place| block(place).is_none()) => None,
        [] => Some(HibernationProblem::DeviceNotActive),
        some if some.iter().all(is_zram) => Some(HibernationProblem::DeviceOnZram),
        some => match area_at_offset(snapshot, settings, some)? {
            None => Some(HibernationProblem::OffsetMismatch(on_it)),
            Some((place, area)) => is_too_small(snapshot, settings, area)?
                .then_some(HibernationProblem::TooSmall(place)),
        },
    })
}

fn problem_without_device(settings: &Hibernation) -> Option<HibernationProblem> {
    let has_offset = settings.resume_offset.known().is_some_and(|offset| *offset > 0);
    match settings.asked.known() {
        Some(_) => Some(HibernationProblem::DeviceNotFound),
        None => has_offset.then_some(HibernationProblem::OffsetAlone),
    }
}

fn is_on_zram(block: &BlockDevice) -> bool {
    speed::speed_class(&Reading::Known(block.clone()), None) == Reading::Known(Speed::Zram)
}

/// Returns the area among these that begins at `resume_offset`, if any does.
fn area_at_offset<'s>(
    snapshot: &'s Snapshot,
    settings: &Hibernation,
    places: &[usize],
) -> Result<Option<(usize, &'s SwapArea)>, Missing> {
    let offset = settings.resume_offset.clone().into_result()?;
    let page = *snapshot.page_size.get()?;
    for place in places {
        let Some(area) = snapshot.areas().get(*place) else { continue };
        let first = match area.kind {
            AreaKind::Partition => 0,
            AreaKind::File => {
                let layout = snapshot.layouts.reading.get()?.get(*place);
                let layout = layout.map_or_else(|| Err(Missing::NotSampled), Reading::get)?;
                layout.first_page(page).into_result()?
            }
        };
        if first == offset {
            return Ok(Some((*place, area)));
        }
    }
    Ok(None)
}

/// Returns whether the image may not fit: it is as large as `image_size` if possible, at most as memory.
fn is_too_small(
    snapshot: &Snapshot,
    settings: &Hibernation,
    area: &SwapArea,
) -> Result<bool, Missing> {
    let image = settings.image_size.clone().into_result()?;
    let total: Bytes = snapshot.memory("MemTotal").into_result()?;
    let used = area.used.clone().into_result()?;
    Ok(area.size.saturating_sub(used) < image.min(total))
}
