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
    /// Memory that filling all zram would take at the present memory ratio of all.
    pub zram_cost: Reading<Bytes>,
    /// Promises that can still be made before `CommitLimit`; only a limit if overcommit is 2.
    pub commit_left: Reading<Bytes>,
}

/// The headroom of one snapshot.
#[must_use]
pub fn headroom(snapshot: &Snapshot) -> Headroom {
    let free = zram_free(snapshot);
    let commit = snapshot.memory("CommitLimit");
    let ratio = memory_ratio(snapshot);
    Headroom {
        available: snapshot.memory("MemAvailable"),
        swap_free: snapshot.memory("SwapFree"),
        zram_cost: free.as_ref().map2(ratio, |free, ratio| cost(free, ratio)),
        zram_free: free.map(|free| free.iter().map(|free| free.space).sum()),
        commit_left: commit.map2(snapshot.memory("Committed_AS"), Bytes::saturating_sub),
    }
}

/// Memory that is neither free nor of programs or files: that of the kernel, its page tables, and
/// what zram and zswap keep in it.
#[must_use]
pub fn kernel(snapshot: &Snapshot) -> Reading<Bytes> {
    let others = ["MemFree", "AnonPages", "Cached", "Buffers"];
    others.into_iter().fold(snapshot.memory("MemTotal"), |rest, field| {
        rest.map2(snapshot.memory(field), Bytes::saturating_sub)
    })
}

/// Free space on one zram device.
struct Free {
    space: Bytes,
    /// What its limit leaves of memory, if it has one.
    memory: Option<Bytes>,
}

/// Free space of each area on zram; the reason if one is not known.
fn zram_free(snapshot: &Snapshot) -> Reading<Vec<Free>> {
    let areas = snapshot.swaps.reading.as_ref();
    areas.map2(snapshot.zram.reading.as_ref(), |areas, devices| (areas, devices)).and_then(
        |(areas, devices)| {
            let free = areas.iter().filter_map(|area| {
                let device = devices.iter().find(|device| compression::carries(device, area))?;
                let limit = device.mm.known().filter(|mm| mm.mem_limit.0 > 0);
                let memory = limit.map(|mm| mm.mem_limit.saturating_sub(mm.mem_used));
                let used = area.used.get().copied();
                Some(used.map(|used| Free { space: area.size.saturating_sub(used), memory }))
            });
            free.collect::<Result<Vec<Free>, _>>().into()
        },
    )
}

/// What a byte of memory holds on all zram devices together: a device that is nearly empty says
/// little of what it will hold.
pub(super) fn memory_ratio(snapshot: &Snapshot) -> Reading<f64> {
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

/// A device takes no more memory than its limit leaves: then writes fail.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are positive")]
fn cost(free: &[Free], ratio: f64) -> Bytes {
    let of_one = |free: &Free| {
        let cost = Bytes((free.space.0 as f64 / ratio) as u64);
        free.memory.map_or(cost, |memory| cost.min(memory))
    };
    free.iter().map(of_one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::snapshot::testing::with_memory;

    #[test]
    fn what_nobody_claims_is_of_the_kernel_unless_a_claim_is_unknown() {
        let fields =
            [("MemTotal", 100), ("MemFree", 40), ("AnonPages", 20), ("Cached", 25), ("Buffers", 5)];
        assert_eq!(kernel(&with_memory(&fields)), Reading::Known(Bytes(10 << 10)));
        assert!(kernel(&with_memory(&fields[..4])).missing().is_some());
    }

    #[test]
    fn a_limit_bounds_what_filling_costs() {
        let free = [
            Free { space: Bytes(900), memory: None },
            Free { space: Bytes(900), memory: Some(Bytes(100)) },
        ];
        assert_eq!(cost(&free, 3.0), Bytes(400));
    }
}
