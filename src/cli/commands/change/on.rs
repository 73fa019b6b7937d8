//! `swapadm on`.

pub(super) mod fstab;

use super::{Before, Change, find, show};
use crate::actions::check::{self, Check, Verdict};
use crate::actions::persist::{Goal, Wish};
use crate::actions::plan::{self, Plan};
use crate::actions::quoted;
use crate::change::Machine;
use crate::cli::args::OnArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out::{self, Out};
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::swaparea::SwapArea;
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
    super::empties_nothing(&args.change)?;
    let before = Before::going_on(source.root()?);
    let typed = manner(args.priority.as_deref(), args.discard.as_deref())?;
    if args.all {
        return all(&before, args, typed, environment);
    }
    let wanted = named(&before, args)?;
    otherwise(&before, &wanted, typed, args.change.persist)?;
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

/// What is on already keeps its manner: whoever asks for another one is told who changes it.
fn otherwise(
    before: &Before<'_>,
    wanted: &[Activation],
    typed: (Option<Priority>, Option<Discard>),
    persist: bool,
) -> Result<(), Failure> {
    for area in before.areas()?.iter().filter(|it| wanted.iter().any(|to| to.path == it.path)) {
        let known = typed.1.and_then(|_| before.machine.known_discard(area));
        if let Some(remark) = unlike(area, known, typed, persist)? {
            out::remark(&remark);
        }
    }
    Ok(())
}

/// The same of one area, which is known to discard so. What it discards can be written for the
/// next start alone, which is said.
fn unlike(
    area: &SwapArea,
    known: Option<Discard>,
    (priority, discard): (Option<Priority>, Option<Discard>),
    persist: bool,
) -> Result<Option<String>, Failure> {
    let (name, typed, number) = (area.path.safe(), quoted(&area.path), area.priority);
    if let Some(to) = priority.filter(|to| !to.is_met_by(number)) {
        let lasting = if persist { " --persist" } else { "" };
        return Err(Failure::Usage(format!(
            "{name} is on already, with priority {number}: swapadm priority {typed}={to}{lasting} changes it"
        )));
    }
    let (Some(to), Some(is)) = (discard, known.filter(|is| Some(*is) != discard)) else {
        return Ok(None);
    };
    let (to, is) = (to.word(), is.word());
    let why = format!("{name} is on already, with discard {is}");
    if persist {
        return Ok(Some(format!("{why}, and stays so: {to} is written for the next start")));
    }
    Err(Failure::Usage(format!("{why}: for {to} take it off first (swapadm off {typed})")))
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
    use crate::model::swaparea::testing;

    #[test]
    fn an_area_that_is_on_in_another_manner_is_told_with_what_changes_it() {
        let area = testing::area("/dev/a b", 5, 100, 0);
        let said = |priority: Option<&str>, discard, persist| {
            let priority = priority.map(|text| Priority::parse(text).unwrap());
            let told = unlike(&area, Some(Discard::Once), (priority, discard), persist);
            told.map_err(|failure| failure.to_string())
        };
        let told = |persist| said(Some("7"), Some(Discard::Pages), persist).unwrap_err();
        assert!(
            told(false).ends_with("swapadm priority '/dev/a b'=7 changes it"),
            "{}",
            told(false)
        );
        assert!(told(true).ends_with("'/dev/a b'=7 --persist changes it"), "{}", told(true));
        let told = said(Some("5"), Some(Discard::Pages), false).unwrap_err();
        assert!(told.contains("take it off first"), "{told}");
        let told = said(Some("5"), Some(Discard::Pages), true).unwrap().unwrap();
        assert!(
            told.ends_with("with discard once, and stays so: pages is written for the next start")
        );
        assert_eq!(said(Some("5"), Some(Discard::Once), true), Ok(None));
        assert_eq!(said(None, None, false), Ok(None));
    }

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
