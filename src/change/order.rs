//! Default priorities that the kernel brought out of order: when a plan was stopped or failed, and
//! when areas came back that had been off.

use super::{boot, run};
use crate::actions::journal::{self, End, Record};
use crate::actions::plan::{self, Plan, RECOVERY};
use crate::actions::run::{Go, Outcome, Progress, Watcher};
use crate::actions::told;
use crate::model::activation::Discard;
use crate::model::swaparea::SwapArea;
use crate::model::{Bytes, Reading};
use crate::probes::{kmsg, swaps};
use crate::root::Root;
use crate::sys::Lock;
use std::path::Path;

/// Which plan began with the order that is wanted, by the plans of the journal and this boot.
type Since<'a> = dyn Fn(&[Record], &str) -> Option<u64> + 'a;

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
    (plan, undoes): (&Plan, Option<u64>),
    machine: (&Root, &Lock),
    journal: &Path,
    (number, mut outcome): (u64, Outcome),
) -> (u64, Outcome) {
    let since: &Since<'_> = match outcome.end {
        End::Undone | End::Partial => &|_, _| Some(number),
        End::Done if plan.title == RECOVERY => &cut_off,
        End::Done if undoes.is_some() => &|_, _| undoes,
        End::Done | End::Recovered => return (number, outcome),
    };
    match remedy((since, outcome.end), machine, journal) {
        Some(Ok(remark)) => outcome.remark = Some(remark),
        Some(Err(worse)) => return worse,
        None => {}
    }
    (number, outcome)
}

/// The same where plans were cut off, of which this is the last, that left nothing else to be put
/// right; nothing where the order is as it was.
#[must_use]
pub fn put_back_after_cut(
    machine: (&Root, &Lock),
    journal: &Path,
    last: u64,
) -> Option<(u64, Outcome)> {
    let (end, why, undoable) = (End::Done, None, false);
    match remedy((&cut_off, end), machine, journal)? {
        Ok(remark) => Some((last, Outcome { end, why, undoable, remark: Some(remark) })),
        Err(worse) => Some(worse),
    }
}

/// The first plan that was cut off, and of which is known how areas stood before it.
fn cut_off(records: &[Record], boot: &str) -> Option<u64> {
    let is_first =
        |record: &&Record| record.is_open(boot) && record.boot == boot && !record.areas.is_empty();
    records.iter().find(is_first).map(|record| record.plan)
}

fn remedy(
    (since, end): (&Since<'_>, End),
    machine: (&Root, &Lock),
    journal: &Path,
) -> Option<Result<String, (u64, Outcome)>> {
    let now = swaps::read(machine.0);
    let now = now.known()?;
    if plan::order::of(now).is_empty() {
        return None;
    }
    // What cannot be read tells of nothing.
    let (records, boot) = (journal::read(journal).ok()?, boot(machine.0).ok()?);
    let wanted = plan::order::kept(&records, since(&records, &boot)?, &boot)?.wanted(now)?;
    let discards = kmsg::discards(machine.0, now);
    let known = |area: &SwapArea| {
        let place = now.iter().position(|other| other.path == area.path);
        place.and_then(|place| discards.get(place)?.known().copied())
    };
    let discard = |area: &SwapArea| known(area).unwrap_or(Discard::None);
    let back = plan::order::restored(&wanted, now, discard)?;
    let touched = |area: &&SwapArea| back.steps.iter().any(|step| *step.subject() == area.path);
    let is_free = |area: &SwapArea| area.used == Reading::Known(Bytes(0)) && known(area).is_some();
    if now.iter().filter(touched).all(is_free) {
        match run((&back, None), machine, journal, &mut Unwatched) {
            Ok((number, Outcome { end: End::Done, .. })) => {
                return Some(Ok(told::order_put_back(end, number)));
            }
            Ok(worse @ (_, Outcome { end: End::Partial, .. })) => return Some(Err(worse)),
            _ => {}
        }
    }
    let moves = Bytes(back.steps.iter().map(|step| step.moves(now).0).sum());
    Some(Ok(told::order_left(end, &wanted, moves)))
}
