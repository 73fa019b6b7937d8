//! Default priorities that a plan brought out of order which was stopped or failed.

use super::run;
use crate::actions::journal::End;
use crate::actions::plan::{self, Plan};
use crate::actions::run::{Go, Progress, Watcher};
use crate::actions::told;
use crate::model::Bytes;
use crate::model::activation::Discard;
use crate::model::swaparea::SwapArea;
use crate::probes::{kmsg, swaps};
use crate::root::Root;
use crate::sys::Lock;
use std::path::Path;

/// It takes no time, and leads back to how things were: nobody has to look on.
struct Unwatched;

impl Watcher for Unwatched {
    fn see(&mut self, _progress: Progress) -> Go {
        Go::On
    }
}

/// Put them back where that moves nothing; otherwise whoever stopped the plan did not want to wait,
/// and is told how. Says what was done, or is to be done.
pub(super) fn put_back(
    stopped: &Plan,
    before: &[SwapArea],
    machine: (&Root, &Lock),
    journal: &Path,
) -> Option<String> {
    let now = swaps::read(machine.0);
    let now = now.known()?;
    let discards = kmsg::discards(machine.0, now);
    let discard = |area: &SwapArea| {
        let place = now.iter().position(|other| other.path == area.path);
        let known = place.and_then(|place| discards.get(place)?.known().copied());
        known.unwrap_or(Discard::None)
    };
    let back = plan::order::restored(stopped, (before, now), discard)?;
    let moves = Bytes(back.steps.iter().map(|step| step.moves(now).0).sum());
    if moves == Bytes(0)
        && let Ok((number, outcome)) = run((&back, None), machine, journal, &mut Unwatched)
        && outcome.end == End::Done
    {
        return Some(told::order_put_back(number));
    }
    Some(told::order_left(&plan::order::of(before), moves))
}
