//! Do the rails let the load run at all? One that is met before the first page ends it at once.

use super::{all_free, refusal};
use crate::actions::check::Check;
use crate::columns::units::size;
use crate::lab::run_spec::RunSpec;
use crate::model::{Bytes, Snapshot};

/// The rails that the machine meets already. What cannot be read refuses nothing.
pub(super) fn checks(wish: &RunSpec, snapshot: &Snapshot) -> Vec<Check> {
    [available(wish, snapshot), swap(wish, snapshot)].into_iter().flatten().collect()
}

fn available(wish: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let available = *snapshot.memory("MemAvailable").known()?;
    let least = wish.rails.available;
    (least >= available).then(|| {
        let (least, available) = (size(least), size(available));
        refusal(
            "guard",
            format!(
                "--min-available {least}: {available} of memory are available, and the run would be ended at once: use less than {available}"
            ),
        )
    })
}

fn swap(wish: &RunSpec, snapshot: &Snapshot) -> Option<Check> {
    let least = wish.rails.swap;
    let free = all_free(wish, snapshot).saturating_sub(headers(wish, snapshot));
    (least > Bytes(0) && least >= free).then(|| {
        let made = if wish.devices.is_empty() { "" } else { ", with what is made for the run" };
        let (least, free) = (size(least), size(free));
        refusal(
            "guard",
            format!(
                "--min-swap {least}: {free} of swap are free{made}, and the run would be ended at once: use less than {free}, or make more swap for it"
            ),
        )
    })
}

/// What of the areas that are made holds no pages.
fn headers(wish: &RunSpec, snapshot: &Snapshot) -> Bytes {
    let page = snapshot.page_size.known().copied().unwrap_or(0);
    Bytes(page.saturating_mul(wish.devices.len() as u64))
}
