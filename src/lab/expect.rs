//! How long it will take to switch areas off, by what a fault and a read of a page take right now.

use crate::derive::swapoff::{self, Costs};
use crate::model::swaparea::SwapArea;
use crate::model::{Name, Snapshot, disk};
use crate::sys::trial;

/// Of these areas one after the other, in seconds; none where one of them does not tell what it
/// holds, or something cannot be tried out.
pub(super) fn switching_off(now: &Snapshot, ours: &[Name]) -> Option<f64> {
    let areas = now.swaps.reading.known()?;
    let page = *now.page_size.known()?;
    let (grace, fault) = (trial::grace().ok()? as f64, trial::fault().ok()?);
    let each = ours.iter().map(|path| {
        let area = areas.iter().find(|area| area.path == *path)?;
        let pages = area.used.known()?.0.checked_div(page)?;
        Some(swapoff::expected(Costs { grace, fault, read: reading(area)? }, pages))
    });
    each.sum()
}

/// What is on zram is in memory; what else there is has to be read.
fn reading(area: &SwapArea) -> Option<f64> {
    if disk::number_of(&area.path).is_some() {
        return Some(0.0);
    }
    trial::read(&area.path, *area.used.known()?).ok()
}
