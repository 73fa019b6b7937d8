//! How long it will take to switch areas off, by what a fault and a read of a page take right now.

use crate::clock::Clock;
use crate::derive::swapoff::{self, Costs};
use crate::model::block::{BlockDevice, BlockKind};
use crate::model::swaparea::{AreaKind, SwapArea};
use crate::model::{Bytes, Name, Part, Snapshot};
use crate::sys::trial;

/// What has to be known for it.
pub(super) const NEEDS: [Part; 3] = [Part::Swaps, Part::Block, Part::Meminfo];

/// So long it may try out how long reads take, in nanoseconds: disks may be slow.
const PATIENCE: u64 = 200_000_000;

/// Of these areas one after the other, in seconds; none where one of them does not tell what it
/// holds, or something cannot be tried out.
pub(super) fn switching_off(now: &Snapshot, ours: &[Name]) -> Option<f64> {
    let (areas, devices) = (now.swaps.reading.known()?, now.block.reading.known()?);
    let page = *now.page_size.known()?;
    let (grace, fault) = (trial::grace().ok()? as f64, trial::fault().ok()?);
    let until = Clock::Real.nanos().saturating_add(PATIENCE);
    let each = ours.iter().map(|path| {
        let found = areas.iter().zip(devices).find(|(area, _)| area.path == *path);
        let (area, device) = found?;
        let used = *area.used.known()?;
        let device = device.known()?;
        let read = if device.kind == BlockKind::Zram {
            // What is there is in memory.
            0.0
        } else if is_kept_by_zswap(now) {
            // Nobody knows how much of it is in memory.
            return None;
        } else {
            reading(area, device, (used, until))?
        };
        Some(swapoff::expected(Costs { grace, fault, read }, used.0.checked_div(page)?))
    });
    let sum = each.sum::<Option<f64>>();
    sum.filter(|_| !ours.is_empty())
}

/// Does zswap hold something, of whichever area?
fn is_kept_by_zswap(now: &Snapshot) -> bool {
    now.memory("Zswapped").known().is_some_and(|held| *held > Bytes(0))
}

fn reading(area: &SwapArea, device: &BlockDevice, limits: (Bytes, u64)) -> Option<f64> {
    // The kernel writes a slash in a name otherwise.
    let path = Name::from(format!("/dev/{}", device.name.replace('!', "/")).as_str());
    let file = (area.kind == AreaKind::File).then_some(&area.path);
    trial::read(&path, file, limits).ok()
}
