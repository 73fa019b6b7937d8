//! Clusters of swap areas, by the views into the kernel that tell of them.

mod copy;
mod grid;
mod groups;
mod hidden;
mod kcore;
pub mod kernel;
mod layout;
pub mod mapped;
mod memory;
mod next;
mod owners;
pub mod states;
pub mod stored;
mod symbols;
#[cfg(test)]
mod testing;

use crate::model::Missing;
use crate::model::swaparea::SwapArea;
use crate::probes::swaps;
use crate::root::Root;

/// The areas as they are now, if they are still the same: what was read is told apart by their order.
fn still(root: &Root, before: &[SwapArea]) -> Result<Vec<SwapArea>, Missing> {
    let after = swaps::read(root).into_result()?;
    let paths = |areas: &[SwapArea]| areas.iter().map(|area| area.path.clone()).collect::<Vec<_>>();
    if paths(before) == paths(&after) {
        return Ok(after);
    }
    Err(Missing::failed("an area was switched on or off meanwhile: ask again"))
}
