//! zswap, which stands in front of the areas.
//!
//! Every page gets a slot on an area, in the order of the areas. While zswap is on, the data goes into its pool
//! in memory, and to the area only when zswap writes it back or rejects it. Used space of areas then says how
//! many slots are taken, not how much data is on them. With virtual swap, a page gets a slot only when it goes to
//! the area.

use super::compression;
use crate::model::{Bytes, Reading, Snapshot};

/// zswap in front of the areas.
#[derive(Clone, Debug, PartialEq)]
pub struct ZswapFront {
    /// Whether zswap takes new pages.
    pub is_on: bool,
    /// Original size of the data that it holds.
    pub stored: Reading<Bytes>,
    /// Memory that it uses.
    pub pool: Reading<Bytes>,
    /// `pool` as a share of its limit.
    pub fill: Reading<f64>,
    /// Used space of all areas.
    pub used: Reading<Bytes>,
    /// Whether its pages take slots of areas.
    pub takes_slots: bool,
}

/// Returns whether pages take slots only when they are written to an area. No release has virtual swap yet, and the
/// name of a simulated kernel says so.
pub fn has_virtual_swap(snapshot: &Snapshot) -> bool {
    let access = snapshot.access.reading.known();
    let kernel = snapshot.kernel.reading.known();
    access.is_some_and(|access| access.virtual_swap == Reading::Known(true))
        || kernel.and_then(|it| it.release.known()).is_some_and(|it| names_virtual_swap(it))
}

/// Returns whether this is the release of a simulated kernel with virtual swap.
pub(super) fn names_virtual_swap(release: &str) -> bool {
    release.contains("+virtual-swap")
}

impl ZswapFront {
    /// Returns what zswap holds as a share of the used swap.
    pub fn share(&self) -> Reading<f64> {
        if !self.takes_slots {
            return Reading::absent(NO_SLOTS);
        }
        let share = self.stored.clone().map2(self.used.clone(), compression::quotient);
        // The two are not read at one moment.
        share.and_then(|share| share).map(|share| share.min(1.0))
    }
}

/// Why the data in zswap is no share of the used swap.
const NO_SLOTS: &str = "with virtual swap, pages in zswap take no slots of areas";

/// Returns zswap if it takes pages or still holds some; `None` if it is off and empty, or not in this kernel.
pub fn zswap(snapshot: &Snapshot) -> Option<ZswapFront> {
    let figures = compression::zswap(snapshot);
    let is_on = compression::zswap_is_on(snapshot);
    let holds = figures.stored.known().is_some_and(|stored| *stored > Bytes(0));
    (is_on || holds).then_some(ZswapFront {
        is_on,
        stored: figures.stored,
        pool: figures.pool,
        fill: figures.fill,
        used: snapshot.used_swap(),
        takes_slots: !has_virtual_swap(snapshot),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::selection::policy::testing::kernel;
    use crate::model::Sampled;
    use crate::model::snapshot::testing::with_memory;
    use crate::model::zram::testing;

    fn front(enabled: bool, stored: u64, debug: &[(&str, u64)]) -> Option<ZswapFront> {
        let fields = [("SwapTotal", 1000), ("SwapFree", 600), ("Zswapped", stored), ("Zswap", 90)];
        // Before 6.1 there are no fields of zswap.
        let fields = if debug.is_empty() { &fields[..] } else { &fields[..2] };
        let mut snapshot = with_memory(fields);
        snapshot.page_size = Reading::Known(1024);
        snapshot.zswap = Sampled::new(None, Reading::Known(testing::zswap(enabled, debug)));
        super::zswap(&snapshot)
    }

    #[test]
    fn all_that_is_used_may_be_in_the_pool() {
        let all = front(true, 400, &[]).unwrap();
        assert_eq!(all.share(), Reading::Known(1.0));
        let part = front(true, 100, &[]).unwrap();
        assert_eq!(part.share(), Reading::Known(0.25));
    }

    #[test]
    fn pages_in_zswap_take_no_slots_with_virtual_swap() {
        let mut snapshot =
            with_memory(&[("SwapTotal", 1000), ("SwapFree", 600), ("Zswapped", 700)]);
        snapshot.zswap = Sampled::new(None, Reading::Known(testing::zswap(true, &[])));
        snapshot.kernel = kernel("7.2+virtual-swap-SIMULATED");
        let front = super::zswap(&snapshot).unwrap();
        assert!(front.share().missing().is_some());
    }

    #[test]
    fn it_stands_there_while_it_is_on_or_still_holds_pages() {
        assert!(front(true, 0, &[]).is_some());
        assert!(front(false, 5, &[]).is_some_and(|front| !front.is_on));
        assert_eq!(front(false, 0, &[]), None);
    }

    #[test]
    fn older_kernels_say_in_debugfs_what_it_holds() {
        let old = front(true, 0, &[("stored_pages", 300), ("pool_total_size", 5000)]).unwrap();
        assert_eq!(old.stored, Reading::Known(Bytes(300 << 10)));
        assert_eq!(old.pool, Reading::Known(Bytes(5000)));
        let hidden = front(true, 0, &[("unrelated", 1)]).unwrap();
        assert!(hidden.share().missing().is_some());
    }
}
