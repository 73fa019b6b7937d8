//! Default priorities that a plan brought out of order which was stopped or failed.

use super::run;
use crate::actions::journal::End;
use crate::actions::plan::{self, Plan};
use crate::actions::run::{Go, Outcome, Progress, Watcher};
use crate::actions::told;
use crate::model::activation::Discard;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Reading};
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
/// and is told how. The outcome tells what was done, or is to be done; or it is that of putting back,
/// where that went wrong.
pub(super) fn put_back(
    (stopped, before): (&Plan, &[SwapArea]),
    machine: (&Root, &Lock),
    journal: &Path,
    (number, mut outcome): (u64, Outcome),
) -> (u64, Outcome) {
    match remedy(stopped, before, machine, journal) {
        Some(Ok(remark)) => outcome.remark = Some(remark),
        Some(Err(worse)) => return worse,
        None => {}
    }
    (number, outcome)
}

fn remedy(
    stopped: &Plan,
    before: &[SwapArea],
    machine: (&Root, &Lock),
    journal: &Path,
) -> Option<Result<String, (u64, Outcome)>> {
    let now = swaps::read(machine.0);
    let now = now.known()?;
    let discards = kmsg::discards(machine.0, now);
    let known = |area: &SwapArea| {
        let place = now.iter().position(|other| other.path == area.path);
        place.and_then(|place| discards.get(place)?.known().copied())
    };
    let discard = |area: &SwapArea| known(area).unwrap_or(Discard::None);
    let back = plan::order::restored(stopped, (before, now), discard)?;
    let touched = |area: &&SwapArea| back.steps.iter().any(|step| *step.subject() == area.path);
    let is_free = |area: &SwapArea| area.used == Reading::Known(Bytes(0)) && known(area).is_some();
    if now.iter().filter(touched).all(is_free) {
        match run((&back, None), machine, journal, &mut Unwatched) {
            Ok((number, Outcome { end: End::Done, .. })) => {
                return Some(Ok(told::order_put_back(number)));
            }
            Ok(worse @ (_, Outcome { end: End::Partial, .. })) => return Some(Err(worse)),
            _ => {}
        }
    }
    let moves = Bytes(back.steps.iter().map(|step| step.moves(now).0).sum());
    Some(Ok(told::order_left(&plan::order::of(before), moves)))
}
