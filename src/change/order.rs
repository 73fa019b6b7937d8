//! Default priorities that a plan brought out of order which was stopped or failed.

use super::run;
use crate::actions::journal::End;
use crate::actions::plan::{self, Plan};
use crate::actions::quoted;
use crate::actions::run::{Go, Progress, Watcher};
use crate::columns::units::size;
use crate::model::activation::Discard;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Name};
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
        return Some(format!(
            "Everything is as it was; for that the order of the default priorities, which the \
             kernel had changed, was put back (journal {number})."
        ));
    }
    Some(how(&plan::order::of(before), moves))
}

/// What is otherwise now, and how it is put right.
fn how(order: &[Name], moves: Bytes) -> String {
    let wish = |name: &Name| quoted(&Name::new([name.as_bytes(), b"=default"].concat()));
    let wishes: Vec<String> = order.iter().map(wish).collect();
    format!(
        "All areas are on as they were, but the kernel takes those with default priorities in \
         another order now; to put that right, which moves {}: swapadm priority {}",
        size(moves),
        wishes.join(" ")
    )
}
