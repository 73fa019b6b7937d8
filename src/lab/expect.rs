//! How long it will take to switch areas off, by what a fault and a read of a page take right now.

use crate::derive::swapoff::{self, Costs};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Name, Snapshot};
use crate::sys::trial;

/// Of these areas one after the other, in seconds; none where one of them does not tell what it
/// holds, or something cannot be tried out.
pub(super) fn switching_off(now: &Snapshot, ours: &[Name]) -> Option<f64> {
    let (areas, devices) = (now.swaps.reading.known()?, now.block.reading.known()?);
    let page = *now.page_size.known()?;
    let (grace, fault) = (trial::grace().ok()? as f64, trial::fault().ok()?);
    let each = ours.iter().map(|path| {
        let found = areas.iter().zip(devices).find(|(area, _)| area.path == *path);
        let (area, device) = found?;
        let pages = area.used.known()?.0.checked_div(page)?;
        let read = reading(area, device.known()?)?;
        Some(swapoff::expected(Costs { grace, fault, read }, pages))
    });
    each.sum()
}

/// What is on zram is in memory; what else there is has to be read.
fn reading(area: &SwapArea, device: &BlockDevice) -> Option<f64> {
    if device.kind == BlockKind::Zram {
        return Some(0.0);
    }
    let path = Name::from(format!("/dev/{}", device.name).as_str());
    let file = (area.kind == AreaKind::File).then_some(&area.path);
    trial::read(&path, file, *area.used.known()?).ok()
}
