//! `swapadm on`.

pub(super) mod fstab;

use super::{Before, Change, find, show};
use crate::actions::check::{self, Check, Verdict};
use crate::actions::persist::{Goal, Wish};
use crate::actions::plan::{self, Plan};
use crate::change::Machine;
use crate::cli::args::OnArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::model::activation::{Activation, Discard, Priority};
use std::ffi::OsStr;

/// Switch areas on.
///
/// # Errors
/// When an area is not to be found, or the plan cannot be carried out.
pub fn run(
    args: &OnArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    super::takes_no_risk(&args.change)?;
    let before = Before::going_on(source.root()?);
    let typed = manner(args.priority.as_deref(), args.discard.as_deref())?;
    if args.all {
        return all(&before, args, typed, environment);
    }
    let wanted = named(&before, args)?;
    let plan = planned(&before, &wanted, false)?;
    let change = Change::of(&before, plan, &args.change, environment);
    change.lasting(&goals(&before.machine, &wanted, typed))?.run()
}

fn planned(before: &Before<'_>, wanted: &[Activation], apart: bool) -> Result<Plan, Failure> {
    let plan = plan::on(before.areas()?, wanted, apart);
    plan.map_err(|refusal| Failure::Usage(refusal.to_string()))
}

/// All that fstab names. Nothing of that has to last: it is in a file already.
fn all(
    before: &Before<'_>,
    args: &OnArgs,
    typed: (Option<Priority>, Option<Discard>),
    environment: &Environment,
) -> Result<Exit, Failure> {
    if args.change.persist {
        let why = "--persist: what on --all switches on is in fstab already";
        return Err(Failure::Usage(why.to_owned()));
    }
    let asked = fstab::read(&before.machine, typed)?;
    let left = asked.checks();
    for check in &left {
        out::remark(&check.text);
    }
    let exit = if asked.wanted.is_empty() {
        nothing(before, asked.nothing(), &left, args.change.json)?
    } else {
        let plan = planned(before, &asked.wanted, true)?;
        let mut change = Change::of(before, plan, &args.change, environment);
        // People have read it.
        change.past = if args.change.json { left } else { Vec::new() };
        change.run()?
    };
    Ok(if exit == Exit::Done && asked.lacks() { Exit::Partial } else { exit })
}

/// There is nothing to switch on. Whoever may not look at devices does not know that.
fn nothing(before: &Before<'_>, why: &str, left: &[Check], json: bool) -> Result<Exit, Failure> {
    let rights = check::rights(&before.machine.snapshot);
    if !left.is_empty() && rights.verdict == Verdict::Refuse {
        return Err(Failure::Busy(rights.text));
    }
    let mut out = Out::new();
    let plan = Plan::none(why.to_owned());
    if json {
        show::nothing(&mut out, &plan, left, true)?;
    } else {
        out.lines([plan.title])?;
    }
    Ok(Exit::Done)
}

/// What is so at every start when areas shall be on then, too.
pub(super) fn goals(
    machine: &Machine<'_>,
    wanted: &[Activation],
    typed: (Option<Priority>, Option<Discard>),
) -> Vec<Goal> {
    wanted.iter().map(|area| Goal::On(lasting(machine, area, typed))).collect()
}

/// How an area is on at every start: as it was typed, or as it is on now; else as a file says.
fn lasting(
    machine: &Machine<'_>,
    area: &Activation,
    (priority, discard): (Option<Priority>, Option<Discard>),
) -> Wish {
    let active = machine.areas().ok().and_then(|all| all.iter().find(|it| it.path == area.path));
    let shown = active.map(|active| Priority::of(active.priority));
    let known = active.and_then(|active| machine.known_discard(active));
    Wish { path: area.path.clone(), priority: priority.or(shown), discard: discard.or(known) }
}

fn named(before: &Before<'_>, args: &OnArgs) -> Result<Vec<Activation>, Failure> {
    let (priority, discard) = manner(args.priority.as_deref(), args.discard.as_deref())?;
    let one = |area| {
        let path = find::storage(before.root(), area)
            .map_err(|failure| word_as_area(area, discard).unwrap_or(failure))?;
        let priority = priority.unwrap_or(Priority::Default);
        Ok(Activation { path, priority, discard: discard.unwrap_or(Discard::None) })
    };
    args.areas.iter().map(|area| one(area)).collect()
}

/// A word for discards stands where areas do.
fn word_as_area(area: &OsStr, discard: Option<Discard>) -> Option<Failure> {
    let word = discard_of(area.to_str()?)?.word();
    discard.map(|_| {
        Failure::Usage(format!(
            "\"{word}\" is taken for an area: to say how the others discard, type --discard={word}"
        ))
    })
}

/// What was typed beside the areas.
pub(super) fn manner(
    priority: Option<&str>,
    discard: Option<&str>,
) -> Result<(Option<Priority>, Option<Discard>), Failure> {
    let priority = priority.map(Priority::parse).transpose();
    let discard = discard.and_then(discard_of);
    Ok((priority.map_err(Failure::Usage)?, discard))
}

pub(super) fn discard_of(word: &str) -> Option<Discard> {
    Discard::WORDS.iter().find(|(known, _)| *known == word).map(|(_, discard)| *discard)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_discards_among_the_areas_is_told_from_one() {
        let said = |area: &str, discard| {
            word_as_area(OsStr::new(area), discard).map(|failure| failure.to_string())
        };
        let text = said("pages", Some(Discard::Both)).unwrap();
        assert!(text.ends_with("type --discard=pages"), "{text}");
        assert_eq!(said("pages", None), None);
        assert_eq!(said("/dev/sda1", Some(Discard::Both)), None);
    }
}
