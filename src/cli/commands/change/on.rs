//! `swapadm on`.

use super::{Before, Change, find};
use crate::actions::persist::{Goal, Wish};
use crate::actions::plan;
use crate::change::Machine;
use crate::cli::args::OnArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::options::{Environment, SourceOptions};
use crate::cli::out;
use crate::model::activation::{Activation, Discard, Priority};
use crate::model::config::{ConfigKind, ConfiguredArea};
use crate::model::name;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Switch areas on.
///
/// # Errors
/// When an area is not to be found, or the plan cannot be carried out.
pub fn run(
    args: &OnArgs,
    source: &SourceOptions,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let before = Before::at_rest(source.root()?);
    let wanted = if args.all {
        let (wanted, missing) =
            of_fstab(&before.machine, manner(args.priority.as_deref(), args.discard.as_deref())?)?;
        for what in missing {
            out::remark(&format!("{what}: not here, and fstab says nofail"));
        }
        wanted
    } else {
        named(&before, args)?
    };
    let plan = plan::on(before.areas()?, &wanted, args.all)
        .map_err(|refusal| Failure::Usage(refusal.to_string()))?;
    let change = Change::of(&before, plan, &args.change, environment);
    if args.all {
        // It is in a file already.
        return change.run();
    }
    let typed = manner(args.priority.as_deref(), args.discard.as_deref())?;
    change.lasting(&goals(&before.machine, &wanted, typed))?.run()
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
        let path = find::storage(before.root(), area)?;
        let (priority, discard) = (priority.unwrap_or(Priority::Default), discard);
        Ok(Activation { path, priority, discard: discard.unwrap_or(Discard::None) })
    };
    args.areas.iter().map(|area| one(area)).collect()
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

/// All that fstab wants to be on, with this where it does not say how; and what is missing although
/// it is named, where that may be.
pub(super) fn of_fstab(
    machine: &Machine<'_>,
    (priority, discard): (Option<Priority>, Option<Discard>),
) -> Result<(Vec<Activation>, Vec<String>), Failure> {
    let mut missing = Vec::new();
    let entries = match machine.snapshot.config.reading.get() {
        Ok(entries) => entries,
        Err(missing) => return Err(Failure::Nothing(missing.why())),
    };
    let mut wanted: Vec<Activation> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.kind == ConfigKind::Fstab) {
        let area = match entry.area.get() {
            Ok(area) => area,
            Err(missing) => return Err(Failure::Nothing(missing.why())),
        };
        if has(area, "noauto") {
            continue;
        }
        match find::storage(machine.root, OsStr::from_bytes(area.what.as_bytes())) {
            Ok(path) => wanted.push(Activation {
                path,
                priority: asked_priority(area).or(priority).unwrap_or(Priority::Default),
                discard: asked_discard(area).or(discard).unwrap_or(Discard::None),
            }),
            Err(_) if has(area, "nofail") => {
                missing.push(name::safe_text(&area.what.safe()));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok((wanted, missing))
}

fn has(area: &ConfiguredArea, option: &str) -> bool {
    area.options.iter().any(|other| other == option)
}

/// The priority of a line of fstab; those above the largest mean the largest, and negative ones
/// none, as ever.
fn asked_priority(area: &ConfiguredArea) -> Option<Priority> {
    let number = *area.priority.known()?;
    u16::try_from(number.min(32767)).ok().map(Priority::Set)
}

fn asked_discard(area: &ConfiguredArea) -> Option<Discard> {
    area.options.iter().rev().find_map(|option| match option.split_once('=') {
        Some(("discard", word)) => discard_of(word),
        None if option == "discard" => Some(Discard::Both),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Name, Reading};

    fn line(options: &str, priority: Reading<i32>) -> ConfiguredArea {
        let options = options.split(',').map(str::to_owned).collect();
        ConfiguredArea { what: Name::from("/x"), priority, options }
    }

    #[test]
    fn lines_of_fstab_are_understood_as_ever() {
        let of = |number| asked_priority(&line("x", Reading::Known(number)));
        assert_eq!([of(5), of(40_000)], [5, 32_767].map(|number| Some(Priority::Set(number))));
        assert_eq!(of(-1), None);
        let of = |options| asked_discard(&line(options, Reading::absent("none")));
        assert_eq!(
            [of("sw"), of("discard"), of("discard=pages,sw")],
            [None, Some(Discard::Both), Some(Discard::Pages)]
        );
        assert!(has(&line("sw,noauto", Reading::absent("none")), "noauto"));
    }
}
