//! Default priorities that the kernel brought out of order: when a plan was stopped or failed, and
//! when areas came back that had been off.

use super::{Machine, boot, run};
use crate::actions::Step;
use crate::actions::check::{Check, Verdict};
use crate::actions::journal::{self, End, Record};
use crate::actions::limits::Limits;
use crate::actions::plan::{self, Plan, RECOVERY};
use crate::actions::run::{Go, Outcome, Progress, SPENT, Watcher};
use crate::actions::told;
use crate::model::{Bytes, Name};
use crate::probes::{psi, swaps};
use crate::root::Root;
use crate::sys::Lock;
use std::path::Path;

/// Which plan began with the order that is wanted, by the plans of the journal and this boot.
type Since<'a> = dyn Fn(&[Record], &str) -> Option<u64> + 'a;

/// In a larger percentage of the last 10 seconds than this, all tasks waited for memory: then nothing
/// is taken off that nobody named, empty as it is.
const CALM: f64 = 1.0;

/// Goes on as long as memory is not short. It takes no time, and leads back to how things were:
/// nobody else has to look on.
struct Calm<'a>(&'a Root);

impl Watcher for Calm<'_> {
    fn see(&mut self, progress: Progress) -> Go {
        if progress.back { Go::On } else { short(self.0).map_or(Go::On, Go::Stop) }
    }
}

/// That memory is short, if it is; a kernel that does not tell says nothing of it.
fn short(root: &Root) -> Option<String> {
    let memory = psi::pressure(root, "proc/pressure/memory");
    let full = memory.known()?.full.known()?.avg10;
    (full > CALM)
        .then(|| format!("{} in {full}% of the last 10 s, which is above {CALM}%", Limits::SHORT))
}

/// Was a plan given up because memory was short?
fn is_of_shortage(why: &str) -> bool {
    why.contains(Limits::SHORT) || why.contains(SPENT)
}

/// What the order needs.
#[derive(Debug)]
pub struct Disorder {
    /// The areas that have a path to them, as they belong.
    wanted: Vec<Name>,
    /// What puts those into their order; nothing where they are in it.
    back: Option<Plan>,
    /// How much that moves.
    moves: Bytes,
    /// Why it must not be done unasked, though it moves nothing.
    why: Option<String>,
}

impl Disorder {
    /// The plan that is carried out unasked.
    pub fn unasked(&self) -> Option<&Plan> {
        self.back.as_ref().filter(|_| self.moves == Bytes(0) && self.why.is_none())
    }

    /// What is told when it is not carried out, of a plan that ended so.
    fn left(&self, end: End) -> String {
        let wanted = self.back.as_ref().map_or(&[][..], |_| &self.wanted);
        told::order_left(end, wanted, self.moves, self.why.as_deref())
    }

    /// What `recover` would do about it.
    pub fn foretold(&self) -> String {
        match self.unasked() {
            Some(_) => told::order_to_put_back(&self.wanted, self.moves),
            None => self.left(End::Recovered),
        }
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
        End::Undone | End::Partial | End::Returned => &|_, _| Some(number),
        End::Done if plan.title == RECOVERY => &cut_off,
        End::Done if undoes.is_some() => &|_, _| undoes,
        End::Done | End::Recovered | End::Dismissed => return (number, outcome),
    };
    let why = outcome.why.as_deref();
    match remedy((since, outcome.end, why), machine, journal) {
        Some(Ok(remark)) => {
            let first = outcome.remark.map(|first| format!("{first} ")).unwrap_or_default();
            outcome.remark = Some(first + &remark);
        }
        Some(Err(worse)) => return joined((number, &outcome), worse),
        None => {}
    }
    (number, outcome)
}

/// What came of a plan whose order could not be put back: the plan that has to be recovered, with
/// what became of the first one.
fn joined((first, outcome): (u64, &Outcome), (number, worse): (u64, Outcome)) -> (u64, Outcome) {
    let was = match outcome.end {
        End::Undone => "not done",
        End::Returned => "taken back",
        End::Partial => "left in part",
        End::Done | End::Recovered | End::Dismissed => "done",
    };
    let first_why = outcome.why.as_deref().map_or_else(String::new, |why| format!(" ({why})"));
    let then = worse.why.unwrap_or_default();
    let why = format!(
        "plan {first} was {was}{first_why}; then the order of default priorities was to be put back: {then}"
    );
    let remark = outcome.remark.clone().or(worse.remark);
    (number, Outcome { why: Some(why), remark, emptied: outcome.emptied, ..worse })
}

/// The same where plans were cut off, of which this is the last, that left nothing else to be put
/// right; nothing where the order is as it was.
pub fn put_back_after_cut(
    machine: (&Root, &Lock),
    journal: &Path,
    last: u64,
) -> Option<(u64, Outcome)> {
    let (end, why, undoable) = (End::Done, None, false);
    match remedy((&cut_off, end, None), machine, journal)? {
        Ok(remark) => {
            let remark = Some(remark);
            Some((last, Outcome { end, why, undoable, remark, emptied: None }))
        }
        Err(worse) => Some(worse),
    }
}

/// What the order needs then; nothing where it is as it was.
pub fn after_cut(root: &Root, journal: &Path) -> Option<Disorder> {
    found((&cut_off, None), root, journal)
}

/// The first plan that was cut off, and of which is known how areas stood before it.
fn cut_off(records: &[Record], boot: &str) -> Option<u64> {
    let is_first =
        |record: &&Record| record.is_open(boot) && record.boot == boot && !record.areas.is_empty();
    records.iter().find(is_first).map(|record| record.plan)
}

fn remedy(
    (since, end, why): (&Since<'_>, End, Option<&str>),
    machine: (&Root, &Lock),
    journal: &Path,
) -> Option<Result<String, (u64, Outcome)>> {
    let mut disorder = found((since, why), machine.0, journal)?;
    if let Some(back) = disorder.unasked() {
        match run((back, None), machine, journal, &mut Calm(machine.0)) {
            Ok((number, Outcome { end: End::Done, .. })) => {
                return Some(Ok(told::order_put_back(end, number)));
            }
            Ok(worse @ (_, Outcome { end: End::Partial, .. })) => return Some(Err(worse)),
            Ok((_, Outcome { why, .. })) => disorder.why = why,
            Err(failure) => disorder.why = Some(failure.to_string()),
        }
    }
    Some(Ok(disorder.left(end)))
}

/// What the order needs since some plan, of which the last one ended for this reason.
fn found(
    (since, why): (&Since<'_>, Option<&str>),
    root: &Root,
    journal: &Path,
) -> Option<Disorder> {
    let now = swaps::read(root);
    let now = now.known()?;
    if plan::order::of(now).is_empty() {
        return None;
    }
    // What cannot be read tells of nothing.
    let (records, boot) = (journal::read(journal).ok()?, boot(root).ok()?);
    let wanted = plan::order::kept(&records, since(&records, &boot)?, &boot)?.wanted(now)?;
    of(&wanted, why, &Machine::of(root))
}

fn of(wanted: &[Name], why: Option<&str>, machine: &Machine<'_>) -> Option<Disorder> {
    let now = machine.areas().ok()?;
    let restored = |wanted: &[Name]| plan::order::restored(wanted, now, machine.discards().ok()?);
    let all = restored(wanted)?;
    let is_deleted = |path: &Name| now.iter().any(|area| area.path == *path && area.deleted);
    let gone = all.steps.iter().map(Step::subject).find(|path| is_deleted(path)).cloned();
    // Such an area could not be put on again, and no command takes its name.
    let wanted: Vec<Name> = wanted.iter().filter(|path| !is_deleted(path)).cloned().collect();
    let back = if gone.is_some() { restored(&wanted) } else { Some(all) };
    let steps = back.as_ref().map_or(&[][..], |back| &back.steps);
    let moves = Bytes(steps.iter().map(|step| step.moves(now).0).sum());
    let why = gone
        .as_ref()
        .map(|path| format!("{} was deleted, and could not be put on again", path.safe()))
        .or_else(|| why.filter(|why| is_of_shortage(why)).map(str::to_owned))
        .or_else(|| short(machine.root))
        .or_else(|| against(back.as_ref()?, machine));
    Some(Disorder { wanted, back, moves, why })
}

/// What stands against it: what would refuse the command, and what the areas would lose.
fn against(back: &Plan, machine: &Machine<'_>) -> Option<String> {
    let lost = |check: &Check| check.id == "discard";
    let stands = |check: &Check| check.verdict == Verdict::Refuse || lost(check);
    machine.checks(back, &[]).into_iter().find(stands).map(|check| check.text)
}

#[cfg(test)]
mod tests;
