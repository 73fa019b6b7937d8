//! The readahead window that the kernel would come to at a given success.
//!
//! After each readahead the kernel counts how many of the pages it had read ahead were used
//! (`hits`) and sets the next window from that, the same way in every version since 4.8:
//!
//! ```text
//! hits = 0:  2 pages if the fault is next to the last one, else 1
//! hits > 0:  the smallest power of two that is at least 4 and at least hits + 2
//! then at most the limit, and at least half of the last window
//! ```
//! A window of `w` pages reads `w - 1` ahead, so at a success of `s` it sees `s * (w - 1)` hits,
//! rounded. Starting from the limit, the window settles after a few steps.

/// The largest window, in pages: two to the power of page-cluster, and never more than 32 where
/// readahead follows the process's addresses.
pub fn limit(page_cluster: u64, follows_addresses: bool) -> u64 {
    let exponent = if follows_addresses { page_cluster.min(5) } else { page_cluster.min(31) };
    1 << exponent
}

/// The window in pages at which the kernel settles when this share of the pages read ahead is
/// used.
pub fn settled(limit: u64, success: f64) -> u64 {
    let mut window = limit;
    // Halving from the largest window to one page takes at most 31 steps.
    for _ in 0..32 {
        let next = next(limit, window, hits(window, success));
        if next == window {
            break;
        }
        window = next;
    }
    window
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 2^31")]
fn hits(window: u64, success: f64) -> u64 {
    (success.clamp(0.0, 1.0) * window.saturating_sub(1) as f64).round() as u64
}

/// Far faults only: whether the next fault is a neighbour cannot be known from counters.
fn next(limit: u64, last: u64, hits: u64) -> u64 {
    let wanted = if hits == 0 { 1 } else { (hits + 2).next_power_of_two().max(4) };
    wanted.min(limit).max(last / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_kernel() {
        // hits 1-2 -> 4, 3-6 -> 8, 7-14 -> 16, whatever the last window was.
        let windows = [1, 2, 3, 6, 7, 14].map(|hits| next(32, 1, hits));
        assert_eq!(windows, [4, 4, 8, 8, 16, 16]);
        // Without hits it halves: 8, 4, 2, 1.
        assert_eq!([8, 4, 2, 1].map(|last| next(8, last, 0)), [4, 2, 1, 1]);
    }

    #[test]
    fn full_success_keeps_the_limit_and_none_ends_at_one_page() {
        assert_eq!(settled(8, 1.0), 8);
        assert_eq!(settled(32, 1.0), 32);
        assert_eq!(settled(8, 0.0), 1);
        assert_eq!(settled(1, 1.0), 1);
    }

    #[test]
    fn a_middling_success_settles_between() {
        assert_eq!(settled(32, 0.3), 4);
        assert_eq!(settled(32, 0.5), 32);
        assert_eq!(settled(8, 0.3), 4);
    }

    #[test]
    fn limits() {
        assert_eq!(limit(3, true), 8);
        assert_eq!(limit(9, true), 32);
        assert_eq!(limit(9, false), 512);
        assert_eq!(limit(0, false), 1);
    }
}
