//! The intents of commands that say in their arguments all that they change.

use super::zram::ZramParser;
use super::{CommandContext, areas, carry_out, file, rebalance, set};
use crate::change::{ChangeTarget, Intent, ObservedMachine, ReclaimSource};
use crate::cli::args::subject::{CgroupCommand, CgroupReclaimArgs, ProcessCommand, ReclaimFrom};
use crate::cli::args::{ChangeArgs, Command};
use crate::cli::exit::{CommandResult, usage};
use crate::cli::options::Invocation;
use crate::cli::out;
use crate::columns::units;
use crate::model::Name;
use crate::model::name::safe_text;
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
        Command::Set(args) => (set::set_intent(args)?, &args.change),
        Command::Reset(args) => (set::reset_intent(args), &args.change),
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
    let size = units::parse_size(&args.size).filter(|size| size.0 > 0).ok_or_else(|| {
        let shown = safe_text(&args.size);
        usage(format!("\"{shown}\" is not a size: use a number with K, M, G or T, such as 200M"))
    })?;
    let source = match args.source {
        ReclaimFrom::Memory => ReclaimSource::Memory,
        ReclaimFrom::Zswap => ReclaimSource::Zswap,
    };
    Ok(Intent::Reclaim(Name::new(args.path.as_bytes()), size, source))
}
