//! The intents of commands that say in their arguments all that they change.

use super::zram::ZramParser;
use super::{CommandContext, areas, carry_out, file, rebalance};
use crate::change::{ChangeTarget, Intent, ObservedMachine, ReclaimSource, Setting};
use crate::cli::args::subject::{CgroupCommand, CgroupReclaimArgs, ProcessCommand, ReclaimFrom};
use crate::cli::args::{ChangeArgs, Command, ResetArgs, SetArgs};
use crate::cli::exit::{CommandResult, usage};
use crate::cli::options::Invocation;
use crate::cli::out;
use crate::columns::units;
use crate::model::Name;
use crate::model::name::safe_text;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

/// Carries out the intent of a command.
///
/// # Errors
/// An argument is wrong, or the plan cannot be carried out.
pub fn run(command: &Command, invocation: &Invocation) -> CommandResult {
    let observe = if moves_nothing(command) {
        ObservedMachine::observe_for_settings
    } else {
        ObservedMachine::observe
    };
    let target = target(command, invocation)?;
    let before = CommandContext::new(&invocation.environment, target, observe);
    let change = intent(&before.machine, command, out::remark)?;
    let nothing = || usage("this command changes nothing");
    let (intent, args) = change.ok_or_else(nothing)?;
    carry_out(&before, intent, args)
}

/// The machine that a command changes. Only areas and settings can be those of a simulated one.
fn target<'a>(command: &Command, invocation: &'a Invocation) -> CommandResult<ChangeTarget<'a>> {
    let is_modelled = matches!(
        command,
        Command::Off(_) | Command::Priority(_) | Command::Set(_) | Command::Reset(_)
    );
    if is_modelled { invocation.source.target() } else { Ok(invocation.source.root()?.into()) }
}

/// Whether a command changes settings of the whole machine. Those of cgroups need the machine to be read.
fn moves_nothing(command: &Command) -> bool {
    matches!(command, Command::Set(args) if args.cgroup.is_none())
        || matches!(command, Command::Reset(args) if args.cgroup.is_none())
}

/// The intent of a command with its options; none if it changes nothing. `say` receives remarks.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other commands have no intent")]
pub(super) fn intent<'c>(
    machine: &ObservedMachine<'_>,
    command: &'c Command,
    say: fn(&str),
) -> CommandResult<Option<(Intent, &'c ChangeArgs)>> {
    Ok(Some(match command {
        Command::Off(args) => (areas::off_intent(machine, args)?, &args.change),
        Command::On(args) => (areas::on_intent(machine, args, say)?, &args.change),
        Command::Priority(args) => (areas::priority_intent(machine, args)?, &args.change),
        Command::Rebalance(args) if !args.check => {
            (Intent::Rebalance(rebalance::strategy(args, machine)?), &args.change)
        }
        Command::Process(args) => match &args.command {
            ProcessCommand::Swapin { pid, change } => (Intent::SwapIn(*pid), change),
            ProcessCommand::Show(_) => return Ok(None),
        },
        Command::Cgroup(args) => match &args.command {
            CgroupCommand::Reclaim(args) => (reclaim(args)?, &args.change),
            CgroupCommand::Show(_) => return Ok(None),
        },
        Command::Set(args) => (set_intent(args)?, &args.change),
        Command::Reset(args) => (reset_intent(args), &args.change),
        Command::File(args) => (file::intent(machine, &args.command)?, args.command.change()),
        Command::Format(args) => (file::format_intent(machine, args)?, &args.change),
        Command::Undo(args) => (Intent::Undo(args.plan), &args.change),
        Command::Table(table) => match &table.zram {
            Some(zram) => {
                (Intent::Zram(ZramParser::new(machine, say).command(zram)?), zram.change())
            }
            None => return Ok(None),
        },
        _ => return Ok(None),
    }))
}

/// The intent of `cgroup reclaim`.
fn reclaim(args: &CgroupReclaimArgs) -> CommandResult<Intent> {
    let size = units::parse_some_size(&args.size).map_err(usage)?;
    let source = match args.source {
        ReclaimFrom::Memory => ReclaimSource::Memory,
        ReclaimFrom::Zswap => ReclaimSource::Zswap,
    };
    Ok(Intent::Reclaim(Name::new(args.path.as_bytes()), size, source))
}

/// The intent of `set`.
fn set_intent(args: &SetArgs) -> CommandResult<Intent> {
    let group = args.cgroup.as_deref();
    let settings = pairs(&args.settings)?.into_iter();
    let settings = settings.map(|(knob, value)| (setting(knob, group), value.to_owned()));
    Ok(Intent::Set(settings.collect()))
}

/// The intent of `reset`.
fn reset_intent(args: &ResetArgs) -> Intent {
    let group = args.cgroup.as_deref();
    Intent::Reset(args.knobs.iter().map(|knob| setting(knob, group)).collect())
}

fn setting(knob: &str, group: Option<&OsStr>) -> Setting {
    Setting { knob: knob.to_owned(), group: group.map(|group| Name::new(group.as_bytes())) }
}

/// Parses `KNOB VALUE`, or any number of `KNOB=VALUE`.
fn pairs(words: &[String]) -> CommandResult<Vec<(&str, &str)>> {
    if let [knob, value] = words
        && !knob.contains('=')
    {
        return Ok(vec![(knob, value)]);
    }
    words.iter().map(|word| pair(word)).collect()
}

fn pair(word: &str) -> CommandResult<(&str, &str)> {
    word.split_once('=').ok_or_else(|| {
        let shown = safe_text(word);
        usage(format!(
            "\"{shown}\" has no value: use swappiness 10, or swappiness=10 page-cluster=0"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knob_and_its_value_may_be_two_words_or_one() {
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            pairs(&words).map(|pairs| pairs.into_iter().map(|(a, b)| format!("{a}|{b}")).collect())
        };
        let fine: Vec<String> = of(&["a", "1"]).unwrap();
        assert_eq!(fine, ["a|1"]);
        assert_eq!(of(&["a=1", "b=2=3"]).unwrap(), ["a|1", "b|2=3"]);
        for wrong in [&["a"][..], &["a", "1", "b"], &["a=1", "b"]] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }
}
