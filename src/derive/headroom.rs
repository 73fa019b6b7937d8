//! How much more fits.

use super::compression;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Reading, Snapshot};

/// What is left, and what using it would cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Headroom {
    /// Memory that can be had without swapping.
    pub available: Reading<Bytes>,
    /// Free swap on all areas.
    pub swap_free: Reading<Bytes>,
    /// Of that, free swap on zram: filling it takes memory.
    pub zram_free: Reading<Bytes>,
    /// Memory that filling all zram would take at the present memory ratio of all.
    pub zram_cost: Reading<Bytes>,
    /// Promises that can still be made before `CommitLimit`; only a limit if overcommit is 2.
    pub commit_left: Reading<Bytes>,
}

/// The headroom of one snapshot.
#[must_use]
pub fn headroom(snapshot: &Snapshot) -> Headroom {
    let zram_free = zram_free(snapshot);
    let commit = snapshot.memory("CommitLimit");
    Headroom {
        available: snapshot.memory("MemAvailable"),
        swap_free: snapshot.memory("SwapFree"),
        zram_cost: zram_free.clone().map2(memory_ratio(snapshot), cost),
        zram_free,
        commit_left: commit.map2(snapshot.memory("Committed_AS"), Bytes::saturating_sub),
    }
}

/// Free space of all areas on zram.
fn zram_free(snapshot: &Snapshot) -> Reading<Bytes> {
    let areas = snapshot.swaps.reading.as_ref();
    areas.map2(snapshot.zram.reading.as_ref(), |areas, devices| {
        let on_zram = |area: &&SwapArea| {
            devices.iter().any(|device| device.name.as_bytes() == area.path.base().as_bytes())
        };
        let free = |area: &SwapArea| area.used.clone().map(|used| area.size.saturating_sub(used));
        areas.iter().filter(on_zram).filter_map(|area| free(area).known().copied()).sum()
    })
}

/// What a byte of memory holds on all zram devices together: a device that is nearly empty says
/// little of what it will hold.
fn memory_ratio(snapshot: &Snapshot) -> Reading<f64> {
    let page = snapshot.page_size.clone();
    let devices = match snapshot.zram.reading.get() {
        Ok(devices) => devices,
        Err(missing) => return missing.into(),
    };
    let (mut held, mut memory) = (0.0, 0.0);
    for device in devices.iter().filter(|device| device.mm.known().is_some()) {
        let ratio = compression::zram(device, &page).memory_ratio;
        let used = device.mm.as_ref().map(|mm| mm.mem_used.0 as f64);
        if let (Reading::Known(ratio), Reading::Known(used)) = (ratio, used) {
            held += ratio * used;
            memory += used;
        }
    }
    if held > 0.0 && memory > 0.0 {
        return Reading::Known(held / memory);
    }
    Reading::absent("nothing is stored on zram yet, so its ratio is unknown")
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
fn cost(free: Bytes, ratio: f64) -> Bytes {
    Bytes((free.0 as f64 / ratio) as u64)
}
