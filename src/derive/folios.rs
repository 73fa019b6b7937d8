//! Large folios on their way out: how many the kernel had to split.

use crate::model::{Missing, Reading};

/// Split because no slots were found, and all that were to be swapped. zswap stores a folio only
/// after it got its slots, so those count as successes; a kernel that does not count them stores
/// none whole.
pub fn split_of(
    split: Reading<u64>,
    whole: Reading<u64>,
    zswap: Reading<u64>,
) -> Reading<(u64, u64)> {
    let uncounted = matches!(zswap.missing(), Some(Missing::Absent(_)));
    let zswap = if uncounted { Reading::Known(0) } else { zswap };
    let whole = whole.map2(zswap, u64::saturating_add);
    split.map2(whole, |split, whole| (split, split.saturating_add(whole)))
}
