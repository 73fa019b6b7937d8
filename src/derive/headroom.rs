//! How much more fits.

use super::compression;
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
    /// Memory that filling all zram would take at today's memory ratio.
    pub zram_cost: Reading<Bytes>,
    /// Promises that can still be made before `CommitLimit`; only a limit if overcommit is 2.
    pub commit_left: Reading<Bytes>,
}

/// The headroom of one snapshot.
#[must_use]
pub fn headroom(snapshot: &Snapshot) -> Headroom {
    let free = zram_free(snapshot);
    let commit = snapshot.memory("CommitLimit");
    Headroom {
        available: snapshot.memory("MemAvailable"),
        swap_free: snapshot.memory("SwapFree"),
        zram_cost: free.as_ref().and_then(|areas| cost(areas)),
        zram_free: free.map(|areas| areas.iter().map(|(free, _)| *free).sum()),
        commit_left: commit.map2(snapshot.memory("Committed_AS"), Bytes::saturating_sub),
    }
}

/// Free space of each zram area, with the memory ratio of its device.
fn zram_free(snapshot: &Snapshot) -> Reading<Vec<(Bytes, Reading<f64>)>> {
    let page = snapshot.page_size();
    let areas = snapshot.swaps.reading.as_ref();
    areas.map2(snapshot.zram.reading.as_ref(), |areas, devices| {
        let mut free = Vec::new();
        for area in areas {
            let name = area.path.base().safe();
            let device = devices.iter().find(|device| device.name == name);
            if let (Some(device), Reading::Known(used)) = (device, &area.used) {
                let ratio = compression::zram(device, &page).memory_ratio;
                free.push((area.size.saturating_sub(*used), ratio));
            }
        }
        free
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
fn cost(areas: &[(Bytes, Reading<f64>)]) -> Reading<Bytes> {
    let cost = areas.iter().map(|(free, ratio)| match ratio.get() {
        Ok(ratio) if *ratio > 0.0 => Ok(Bytes((free.0 as f64 / ratio) as u64)),
        Ok(_) => {
            Err(crate::model::Missing::absent("nothing is stored yet, so the ratio is unknown"))
        }
        Err(missing) => Err(missing),
    });
    cost.sum::<Result<Bytes, _>>().into()
}
